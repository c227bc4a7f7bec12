use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("HOUR#<at:%H>")]
#[sk("<at:ms>")]
struct View {
    at: Timestamp,
}

fn main() {
    let at = Timestamp::UNIX_EPOCH;
    let _ = View::across(at..at);
}
