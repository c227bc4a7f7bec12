use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", point_in_time_recovery)]
#[table(require(encription, point_in_time_recovery))]
struct App;

fn main() {}
