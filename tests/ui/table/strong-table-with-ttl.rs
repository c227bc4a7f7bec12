use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", ttl = "expires")]
#[table(replicas("us-east-2", "us-west-2"), multi_region_strong)]
struct App;

fn main() {}
