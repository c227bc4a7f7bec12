use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", region = "eu-west-1")]
struct App;

fn main() {}
