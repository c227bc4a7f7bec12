use dynamo_model::{DynamoEntity, DynamoTable};
use std::collections::HashSet;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(serde::Serialize, serde::Deserialize)]
struct Address {
    city: String,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("BOOKING#<id>")]
#[gsi1(pk = "STATUS#<status>", sk = "DAY#<day:04>", as = by_status)]
struct Booking {
    id: String,
    status: String,
    day: u32,
    guests: u32,
    name: String,
    notes: Vec<String>,
    #[serde(with = "serde_dynamo::string_set")]
    tags: HashSet<String>,
    memo: Option<String>,
    address: Address,
    #[dynamo(version)]
    version: u64,
    #[dynamo(created_at)]
    created_at: String,
    #[dynamo(updated_at)]
    updated_at: String,
}

fn main() {
    let _ = Booking::update("b1").condition(|booking| booking.guests());
}
