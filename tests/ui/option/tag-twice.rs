use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", tags(team = "exam", team = "shop"))]
struct App;

fn main() {}
