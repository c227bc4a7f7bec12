use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "active")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("<active>")]
struct User {
    user_id: String,
    active: bool,
}

fn main() {}
