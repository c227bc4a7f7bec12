use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoNested, serde::Serialize, serde::Deserialize)]
struct Insurance {
    price: u32,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("BOOKING#<id>")]
struct Booking {
    id: String,
    options: Vec<Insurance>,
}

fn main() {
    let _ = Booking::update("b1").remove(|booking| booking.options().at(0).fields().price());
}
