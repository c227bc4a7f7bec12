use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[gsi1(pk = sk)]
struct User {
    user_id: String,
}

fn main() {}
