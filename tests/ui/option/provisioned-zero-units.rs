use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", billing = provisioned(read = 0, write = 5))]
struct App;

fn main() {}
