use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<usr_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    email: String,
}

fn main() {}
