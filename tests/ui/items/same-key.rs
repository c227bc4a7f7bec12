use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "EntityType", items = AppItem)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = App, entity_type = "MEMBER")]
#[pk("USER#<name>")]
#[sk("PROFILE")]
struct Member {
    name: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Member(Member),
}

fn main() {}
