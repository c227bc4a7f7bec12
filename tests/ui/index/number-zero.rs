use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi0(name = "GSI0", pk = "GSI0PK")]
struct App;

fn main() {}
