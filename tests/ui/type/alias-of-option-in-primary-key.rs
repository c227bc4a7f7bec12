use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

type Room = Option<String>;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("ROOM#<room>")]
struct Desk {
    #[dynamo(optional)]
    room: Room,
}

fn main() {
    let _ = Desk::get("r1");
}
