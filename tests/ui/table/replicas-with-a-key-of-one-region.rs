use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", encryption = kms("0a1b2c3d"), replicas("eu-west-1"))]
struct App;

fn main() {}
