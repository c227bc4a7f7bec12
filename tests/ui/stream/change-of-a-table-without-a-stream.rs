use dynamo_model::{DynamoEntity, DynamoTable, stream::{Change, StreamRecord}};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

fn main() {
    let _ = |record: &StreamRecord| Change::<User>::of(record).is_ok();
}
