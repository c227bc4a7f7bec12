use dynamo_model::DynamoTable;

#[derive(DynamoTable)]

struct App;

fn main() {}
