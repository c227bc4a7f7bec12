use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", ttl = "expires")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
struct User {
    id: u32,
    #[dynamo(ttl, immutable)]
    expires: u64,
}

fn main() {}
