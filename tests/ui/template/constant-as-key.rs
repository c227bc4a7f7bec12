use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk(USER_KEY)]
#[sk("PROFILE")]
struct User {
    user_id: String,
    email: String,
}

const USER_KEY: &str = "USER#<user_id>";

fn main() {}
