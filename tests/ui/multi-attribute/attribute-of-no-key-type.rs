use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "rounds", pk = (tenant: S), sk = (won: BOOL))]
struct App;

fn main() {}
