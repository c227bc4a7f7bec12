use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = N("id"))]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("<id>")]
#[unique("EMAIL#<email>")]
struct User {
    id: u64,
    email: String,
}

fn main() {}
