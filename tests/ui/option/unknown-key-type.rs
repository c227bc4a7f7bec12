use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = I("seq"))]
struct App;

fn main() {}
