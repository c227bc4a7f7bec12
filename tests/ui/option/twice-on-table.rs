use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", name = "Shop")]
struct App;

fn main() {}
