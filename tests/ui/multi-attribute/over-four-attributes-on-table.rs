use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "rounds", pk = (a: S, b: S, c: S, d: S, e: S))]
struct App;

fn main() {}
