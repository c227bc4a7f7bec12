use dynamo_model::{DynamoProjection, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

struct User {
    email: String,
}

#[derive(DynamoProjection, serde::Deserialize)]
#[projection(of = User)]
struct UserName {
    email: String,
}

fn main() {}
