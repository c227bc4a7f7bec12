use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1]
struct App;

fn main() {}
