use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(serde::Serialize)]
struct Address {
    city: String,
}

#[derive(DynamoEntity, serde::Serialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ADDRESS#<address>")]
struct User {
    user_id: String,
    #[serde(flatten)]
    address: Address,
}

fn main() {}
