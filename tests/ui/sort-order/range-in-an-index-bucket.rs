use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("VIEW#<id>")]
#[sk("<at:ms>")]
#[gsi1(pk = "HOUR#<at:%H>", sk = "<at:ms>", as = by_hour)]
struct View {
    id: String,
    at: Timestamp,
}

fn main() {
    let at = Timestamp::UNIX_EPOCH;
    // The partition of the table is no bucket, so a range is allowed there.
    let _ = View::query("v1").at_in(at..at);
    let _ = View::by_hour(at).at_in(at..at);
}
