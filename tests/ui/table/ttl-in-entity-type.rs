use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", entity_type = "kind", ttl = "kind")]
struct App;

fn main() {}
