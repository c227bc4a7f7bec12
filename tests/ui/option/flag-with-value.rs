use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", point_in_time_recovery = true)]
struct App;

fn main() {}
