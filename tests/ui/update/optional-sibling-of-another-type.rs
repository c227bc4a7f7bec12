use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("BOOKING#<id>")]
#[gsi1(pk = "STATUS#<status>", sk = "DAY#<day:04>#<room>#<seat>", as = by_status)]
struct Booking {
    id: String,
    status: String,
    day: u32,
    room: String,
    seat: Option<String>,
}

fn main() {
    let _ = Booking::update("b1").set(|booking| booking.status(4, "r1", 7), "done");
}
