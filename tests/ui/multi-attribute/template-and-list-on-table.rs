use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "rounds", pk = "GSI1PK", sk = (round: N))]
struct App;

fn main() {}
