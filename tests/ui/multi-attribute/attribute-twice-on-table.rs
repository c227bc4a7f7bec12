use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "rounds", pk = (tenant: S, tenant: S))]
struct App;

fn main() {}
