use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = B("id"), sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
}

fn main() {}
