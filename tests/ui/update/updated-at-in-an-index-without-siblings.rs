use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("BOOKING#<id>")]
#[gsi1(pk = "STATUS#<status>", sk = "<changed>", as = by_status)]
struct Booking {
    id: String,
    status: String,
    guests: u32,
    #[dynamo(updated_at)]
    changed: String,
}

fn main() {
    let _ = Booking::update("b1").add(|booking| booking.guests(), 1_u32);
}
