use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", items = AppItem)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("<name>#<number>")]
struct Settings {
    name: String,
    number: u32,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Settings(Settings),
}

fn main() {}
