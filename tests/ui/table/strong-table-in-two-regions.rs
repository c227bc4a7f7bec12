use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", replicas("eu-west-1"), multi_region_strong)]
struct App;

fn main() {}
