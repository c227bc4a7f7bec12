use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "entityType")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App, entity_type = "")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
}

fn main() {}
