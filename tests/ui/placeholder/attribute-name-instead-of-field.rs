use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize)]
#[dynamo(table = App)]
#[pk("USER#<userId>")]
#[sk("PROFILE")]
#[serde(rename_all = "camelCase")]
struct User {
    user_id: String,
}

fn main() {}
