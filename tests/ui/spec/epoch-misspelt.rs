use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("AT#<at:epoc_ms>")]
struct Login {
    user_id: String,
    at: jiff::Timestamp,
}

fn main() {}
