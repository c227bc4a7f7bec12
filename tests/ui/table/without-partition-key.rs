use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App")]
struct App;

fn main() {}
