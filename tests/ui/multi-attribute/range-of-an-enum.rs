use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "rounds", pk = (tenant: S), sk = (state: S))]
struct App;

#[derive(dynamo_model::KeyPart, serde::Serialize, serde::Deserialize)]
enum State {
    Open,
    Closed,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("MATCH#<id>")]
#[gsi1(pk = (tenant), sk = (state), as = by_state)]
struct Match {
    id: String,
    tenant: String,
    state: State,
}

fn main() {
    let _ = Match::by_state("acme").state_in(State::Open..State::Closed);
}
