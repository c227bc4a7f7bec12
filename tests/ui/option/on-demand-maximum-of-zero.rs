use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", billing = on_demand(max_read = 0, max_write = 10))]
struct App;

fn main() {}
