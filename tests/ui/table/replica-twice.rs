use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", replicas("eu-west-1", "us-west-2", "eu-west-1"))]
struct App;

fn main() {}
