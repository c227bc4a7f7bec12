use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[gsi1(pk = "TEAM#<team>", sk = "USER#<user_id>")]
#[gsi2(pk = "NAME#<name>")]
struct User {
    user_id: String,
    team: String,
    name: String,
    #[allow(non_snake_case)]
    PK: String,
}

fn main() {}
