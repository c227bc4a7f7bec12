use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", no_scan)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App, scannable)]
#[pk("USER#<id>")]
struct User {
    id: u32,
}

fn main() {}
