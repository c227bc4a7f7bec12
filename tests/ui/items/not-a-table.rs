use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "EntityType")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
}

struct Ap;

#[derive(DynamoItems)]
#[items(table = Ap)]
enum AppItem {
    User(User),
}

fn main() {}
