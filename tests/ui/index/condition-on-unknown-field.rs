use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(KeyPart)]
enum State {
    Open,
    Closed,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("REPO#<repo>")]
#[sk("ISSUE#<number:08>")]
#[gsi1(pk = "OPEN#<repo>", sk = "<number:08>", when(status = State::Open))]
struct Issue {
    repo: String,
    number: u32,
    state: State,
    owner: String,
}

fn main() {}
