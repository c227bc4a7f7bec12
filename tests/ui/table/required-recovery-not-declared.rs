use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", encryption = kms)]
#[table(require(encryption, point_in_time_recovery))]
struct App;

fn main() {}
