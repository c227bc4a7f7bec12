use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "A", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

fn main() {}
