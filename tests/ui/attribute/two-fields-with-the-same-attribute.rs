use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    #[serde(rename = "email")]
    mail: String,
    email: String,
}

fn main() {}
