use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", table_class = infrequent)]
struct App;

fn main() {}
