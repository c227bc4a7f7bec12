use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "SK")]
struct App;

fn main() {}
