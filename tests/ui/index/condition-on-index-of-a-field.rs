use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "ByOwner", pk = "owner")]
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
#[gsi1(pk = "<owner>", when(state = State::Open))]
struct Issue {
    repo: String,
    number: u32,
    state: State,
    owner: String,
}

fn main() {}
