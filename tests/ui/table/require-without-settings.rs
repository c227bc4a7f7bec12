use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[table(require())]
struct App;

fn main() {}
