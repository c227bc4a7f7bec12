use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[lsi1(name = "LSI1", sk = "LSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[lsi1(as = by_email)]
struct User {
    user_id: String,
}

fn main() {}
