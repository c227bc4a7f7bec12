//! The names that generated code could stumble over, all taken.
#![allow(dead_code, non_camel_case_types, unused_macros)]

mod core {}
mod std {}
mod alloc {}
mod dynamo {}
mod schema {}
mod index {}

struct Option;
struct Result;
struct Vec;
struct Box;
struct Cow;
struct PhantomData;
struct Key;
struct KeyError;
struct KeyValue;
struct KeyRef;
struct Field;
struct Template;
struct Self_;
type Some = ();
type None = ();
type Ok = ();
type Err = ();
type str = ();
type bool = ();
type usize = ();
type u8 = ();
trait Entity {}
trait Table {}
trait IndexedBy {}
trait From {}
trait Into {}
trait Sized {}
trait Clone {}
trait Debug {}
trait Default {}
trait ToOwned {}
fn drop() {}
macro_rules! unreachable {
    () => {
        compile_error!("not this one")
    };
}
macro_rules! panic {
    () => {
        compile_error!("not this one")
    };
}

use ::dynamo_model as orm;
use ::std::string::String as Text;

#[derive(orm::DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", ttl = "expires")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = include("x"))]
struct App;

#[derive(orm::KeyPart)]
struct UserId(Text);

#[derive(orm::KeyPart)]
enum Level {
    Basic,
}

#[derive(orm::DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("LEVEL#<level>#<at:s>")]
#[gsi1(pk = "DAY#<at:%F>#<user_id:shard(4)>", sk = "TEAM#<team>")]
struct User {
    user_id: UserId,
    level: Level,
    at: jiff::Timestamp,
    team: ::std::option::Option<Text>,
    #[dynamo(version)]
    version: u64,
    #[dynamo(ttl)]
    expires: ::std::option::Option<u64>,
}

#[derive(orm::DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
}

fn main() {
    let user = User {
        user_id: UserId("u1".into()),
        level: Level::Basic,
        at: jiff::Timestamp::UNIX_EPOCH,
        team: ::std::option::Option::None,
        version: 1,
        expires: ::std::option::Option::None,
    };
    let key = orm::Entity::primary_key(&user).expect("a key");
    assert_eq!(key.to_string(), "USER#u1/LEVEL#Basic#1970-01-01T00:00:00Z");
    let key = orm::bounds::IndexedBy::<orm::index::Gsi1>::key_in(&user).expect("a key");
    assert!(key.is_none() && user.version == 1 && user.expires.is_none());
    let _: AppItem = user.into();
}
