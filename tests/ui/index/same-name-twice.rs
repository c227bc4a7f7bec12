use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "ByEmail", pk = "GSI1PK")]
#[gsi2(name = "ByEmail", pk = "GSI2PK")]
struct App;

fn main() {}
