use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", ttl = "SK")]
struct App;

fn main() {}
