use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[table(replicas("us-east-2", "us-west-2"), multi_region_strong)]
#[lsi1(name = "by-date", sk = "date")]
struct App;

fn main() {}
