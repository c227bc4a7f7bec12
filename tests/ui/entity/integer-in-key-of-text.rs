use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "user_id", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: u64,
}

fn main() {}
