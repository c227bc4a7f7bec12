use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", items = AppItem)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[unique("EMAIL#<email>")]
struct User {
    user_id: String,
    email: String,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("TEAM#<id>")]
#[unique("EMAIL#<id>")]
struct Team {
    id: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Team(Team),
}

fn main() {}
