use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[sk("PROFILE")]
struct User {
    #[pk]
    user_id: String,
}

fn main() {}
