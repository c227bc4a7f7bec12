use dynamo_model::{DynamoEntity, DynamoTable, value::Rest};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", entity_type = "type", ttl = "expires")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<id>")]
struct User {
    id: String,
    #[dynamo(rest)]
    #[serde(skip)]
    rest: Rest,
}

fn main() {
    let _ = User::get("u1");
}
