use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", billing = provisioned)]
struct App;

fn main() {}
