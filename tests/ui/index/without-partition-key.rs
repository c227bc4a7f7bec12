use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", sk = "GSI1SK")]
struct App;

fn main() {}
