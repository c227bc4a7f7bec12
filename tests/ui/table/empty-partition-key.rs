use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "")]
struct App;

fn main() {}
