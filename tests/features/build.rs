//! Declares an entity with a dynamo-model that lacks the feature `client`, while the package itself
//! has the feature: Cargo compiles the runtime twice then, and the derives once.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", items = AppItem, stream = new_image)]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[gsi1(pk = "EMAIL#<email>", as = by_email)]
struct User {
    user_id: String,
    email: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
#[allow(dead_code)]
enum AppItem {
    User(User),
}

fn main() -> Result<(), dynamo_model::KeyError> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-env=USER_KEY={}", User::key("u1")?);
    Ok(())
}
