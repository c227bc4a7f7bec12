use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App, untyped)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

fn main() {}
