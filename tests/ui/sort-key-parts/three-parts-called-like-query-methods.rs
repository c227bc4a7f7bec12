use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("<limit:03>#<count:03>#<all>")]
struct Quota {
    user_id: String,
    limit: u32,
    count: u32,
    all: String,
}

fn main() {}
