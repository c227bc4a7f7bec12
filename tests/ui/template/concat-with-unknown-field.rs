use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk(concat!("USER#", "<user_idd>"))]
#[sk("PROFILE")]
struct User {
    user_id: String,
    email: String,
}

fn main() {}
