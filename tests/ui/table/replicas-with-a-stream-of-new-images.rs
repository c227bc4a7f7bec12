use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = new_image, replicas("eu-west-1"))]
struct App;

fn main() {}
