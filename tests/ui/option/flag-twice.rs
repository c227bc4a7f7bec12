use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", deletion_protection)]
#[table(deletion_protection)]
struct App;

fn main() {}
