use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    #[serde(rename = "GSI1PK")]
    email: String,
}

fn main() {}
