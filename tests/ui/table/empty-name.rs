use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "", pk = "PK")]
struct App;

fn main() {}
