use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = User)]
struct App;

#[derive(DynamoTable)]
#[table(name = "Users", pk = "PK", sk = "SK")]
struct Users;

#[derive(DynamoEntity)]
#[dynamo(table = Users)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
}

fn main() {}
