#![allow(missing_docs, clippy::unwrap_used)]

//! A build script that uses only keys, beside a program that reads and writes.

use dynamo_model::read::Get;
use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

#[test]
fn build_script_and_program_have_features_of_their_own() {
    let _: Get<User> = User::get("u1");
    assert_eq!(User::key("u1").unwrap().to_string(), env!("USER_KEY"));
}
