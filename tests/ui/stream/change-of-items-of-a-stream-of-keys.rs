use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, stream::{Change, StreamRecord}};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = keys_only, items = AppItem)]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
}

fn main() {
    let _ = |record: &StreamRecord| Change::<AppItem>::of(record).is_ok();
}
