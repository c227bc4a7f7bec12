use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[unique("EMAIL#<email>")]
#[unique("EMAIL#<email>")]
struct User {
    user_id: String,
    email: String,
}

fn main() {}
