use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", warm_throughput(read = 20_000))]
struct App;

fn main() {}
