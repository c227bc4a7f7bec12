use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("BOOKING#<id>")]
#[gsi1(pk = "STATUS#<status>", sk = "DAY#<day:04>", as = by_status)]
struct Booking {
    #[dynamo(key_only)]
    id: String,
    status: String,
    #[dynamo(key_only)]
    day: u32,
}

fn main() {
    let _ = Booking::upsert("b1").set(|booking| booking.status(), "done");
}
