use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "EMAIL#<mail>", sk = "USER#<user_id>")]
struct User {
    user_id: String,
    email: String,
}

fn main() {}
