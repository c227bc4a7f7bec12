use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "rounds", pk = (tenant: S), sk = (won: S))]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("MATCH#<id>")]
#[gsi1(pk = (tenant), sk = (won))]
struct Match {
    id: String,
    tenant: String,
    won: bool,
}

fn main() {}
