use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("VIEW#<page>#<at:%Y-%m-%d>")]
#[sk("<at:ms>#<visitor>")]
struct View {
    page: String,
    at: Timestamp,
    visitor: String,
}

fn main() {
    let at = Timestamp::UNIX_EPOCH;
    let _ = View::query("index", at).at_in(at..);
}
