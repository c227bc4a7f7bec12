use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("VIEW#<id>")]
#[sk("VIEW")]
#[gsi1(pk = "DAY#<at:%m-%d>", sk = "<at:ms>", as = by_day)]
struct View {
    id: String,
    at: Timestamp,
}

fn main() {
    let at = Timestamp::UNIX_EPOCH;
    let _ = View::by_day_across(at..at);
}
