use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", billing = on_demnad)]
struct App;

fn main() {}
