use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", ttl = "expires")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("SESSION#<id>")]
#[gsi1(pk = "SESSIONS", sk = "<expires:s>", as = by_expiry)]
struct Session {
    id: String,
    #[dynamo(ttl)]
    #[serde(with = "dynamo_model::format::epoch_seconds")]
    expires: jiff::Timestamp,
}

fn main() {}
