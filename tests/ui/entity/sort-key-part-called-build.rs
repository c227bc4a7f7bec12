use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("BUILD#<build:06>")]
struct User {
    user_id: String,
    build: u32,
}

fn main() {}
