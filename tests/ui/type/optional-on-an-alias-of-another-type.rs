use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

type Room = String;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("DESK#<id>")]
#[gsi1(pk = "ROOM#<room>", as = by_room)]
struct Desk {
    id: String,
    #[dynamo(optional)]
    room: Room,
}

fn main() {}
