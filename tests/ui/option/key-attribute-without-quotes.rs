use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = PK)]
struct App;

fn main() {}
