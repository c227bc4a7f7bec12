use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[table(require(deletion_protection, ttl, stream))]
struct App;

fn main() {}
