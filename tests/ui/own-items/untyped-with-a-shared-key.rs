use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", entity_type = "type", items = AppItem)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App, entity_type = "USER", shares_key_with(Team), untyped)]
#[pk("ACCOUNT#<name>")]
struct User {
    name: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App, entity_type = "TEAM", shares_key_with(User))]
#[pk("ACCOUNT#<name>")]
struct Team {
    name: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Team(Team),
}

fn main() {}
