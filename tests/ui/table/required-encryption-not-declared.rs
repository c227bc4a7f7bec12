use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[table(require(encryption))]
struct App;

fn main() {}
