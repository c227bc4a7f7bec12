use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", replicas("EU-West-1", "us-west-2"))]
struct App;

fn main() {}
