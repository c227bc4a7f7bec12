use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", projection = include("display_name", "age"))]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[serde(rename_all = "camelCase")]
#[pk("USER#<user_id>")]
#[gsi1(pk = "CITY#<city>", as = by_city)]
struct User {
    user_id: String,
    city: String,
    display_name: String,
    age: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
}

fn main() {}
