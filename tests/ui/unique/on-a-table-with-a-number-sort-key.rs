use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = N("seq"))]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[sk("<seq>")]
#[unique("EMAIL#<email>")]
struct User {
    id: u64,
    seq: u64,
    email: String,
}

fn main() {}
