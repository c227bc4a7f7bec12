use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", tags(team = 7))]
struct App;

fn main() {}
