use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, read::UnknownItem};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", items = AppItem)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    #[items(unknown)]
    Unknown,
}

fn main() {
    let _: Option<UnknownItem> = None;
    let _ = AppItem::collection(User::partition_key("u1"));
}
