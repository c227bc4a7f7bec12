use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(pk = "PK")]
struct App;

fn main() {}
