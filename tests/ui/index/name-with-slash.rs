use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "by/email", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

fn main() {}
