use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "entityType")]
struct App;

#[derive(DynamoEntity, serde::Serialize)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[serde(rename_all = "camelCase")]
struct User {
    user_id: String,
    entity_type: String,
}

fn main() {}
