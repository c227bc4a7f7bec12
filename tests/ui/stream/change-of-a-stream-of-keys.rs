use dynamo_model::{DynamoEntity, DynamoTable, stream::{Change, StreamRecord}};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = keys_only)]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

fn changes(record: &StreamRecord) -> Result<Option<Change<User>>, dynamo_model::Error> {
    Change::<User>::of(record)
}

fn main() {}
