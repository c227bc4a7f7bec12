use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoNested)]
struct Address {
    city: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    #[dynamo(nested = true)]
    address: Address,
}

fn main() {}
