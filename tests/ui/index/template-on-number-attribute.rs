use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = N("score"))]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "USER#<user_id>", sk = "SCORE#<points>")]
struct User {
    user_id: String,
    points: u32,
}

fn main() {}
