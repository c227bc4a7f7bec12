//! The runtime crate through a re-export, in a module where every name that generated code could
//! use is taken.
#![allow(dead_code, non_camel_case_types, unused_macros)]

mod vendor {
    pub mod database {
        pub use ::dynamo_model as orm;
    }
}

mod dynamo_model {}
mod core {}
mod std {}
mod alloc {}
mod diagnostic {}
struct Option;
struct Result;
struct Vec;
struct PhantomData;
struct Ident;
type Some = ();
type None = ();
type Ok = ();
trait Entity {}
trait Sized {}
trait Clone {}
trait Deref {}
macro_rules! unreachable {
    () => {
        compile_error!("not this one")
    };
}

use ::serde::{Deserialize, Serialize};
use ::std::string::String as Text;
use vendor::database::orm;

#[derive(orm::DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", ttl = "expires", items = AppItem, crate = vendor::database::orm)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(orm::KeyPart, Serialize, Deserialize)]
#[dynamo(crate = vendor::database::orm)]
struct UserId(::std::string::String);

#[derive(orm::DynamoNested, Serialize, Deserialize)]
#[dynamo(crate = vendor::database::orm)]
struct Address {
    city: Text,
}

#[derive(orm::DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App, crate = vendor::database::orm)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "TEAM#<team>", sk = "LEVEL#<level>#<coach>", as = by_team)]
#[unique("EMAIL#<email:lower>")]
struct User {
    user_id: UserId,
    team: Text,
    level: u64,
    coach: ::std::option::Option<UserId>,
    email: Text,
    #[dynamo(nested)]
    address: Address,
    #[dynamo(version)]
    version: u64,
    #[dynamo(created_at)]
    created: Text,
    #[dynamo(updated_at)]
    updated: ::std::option::Option<Text>,
    #[dynamo(ttl)]
    expires: ::std::option::Option<u64>,
}

#[derive(orm::DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App, crate = vendor::database::orm)]
#[pk("COUNT#<name>")]
#[sk("COUNT")]
#[gsi1(pk = "OWNER#<owner>", sk = "<changed>", as = by_owner)]
struct Count {
    name: Text,
    owner: Text,
    number: u64,
    #[dynamo(updated_at)]
    changed: Text,
}

#[derive(vendor::database::orm::DynamoItems)]
#[items(table = App, crate = vendor::database::orm)]
enum AppItem {
    User(User),
    Count(Count),
}

async fn write(db: &orm::Dynamo, user: &User) {
    let _ = orm::Entity::put(user).send(db).await;
    let _ = User::update("u1")
        .set(|user| user.team(1, ::std::option::Option::None), "t2")
        .set(|user| user.email("a@example.com"), "b@example.com")
        .set(|user| user.address().city(), "Kyoto")
        .send(db)
        .await;
    let _ = orm::Entity::update(user)
        .set(|user| user.level(), 2)
        .send(db)
        .await;
    let _ = Count::update("visits", "o1")
        .add(|count| count.number(), 1)
        .send(db)
        .await;
    let _ = Count::upsert("visits")
        .set(|count| count.owner(), "o2")
        .send(db)
        .await;
}

fn main() {}
