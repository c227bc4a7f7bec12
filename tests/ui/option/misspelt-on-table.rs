use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(nam = "App", pk = "PK")]
struct App;

fn main() {}
