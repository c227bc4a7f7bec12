use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "rounds", pk = (tenant: S, region: S), sk = (round: N, day: S))]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("MATCH#<id>")]
#[gsi1(pk = (tenant, region), sk = (round, day), when(round = 1))]
struct Match {
    id: String,
    tenant: String,
    region: String,
    round: u32,
    day: String,
}

fn main() {}
