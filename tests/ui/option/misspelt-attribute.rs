use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsl1(name = "GSI1", pk = "GSI1PK")]
struct App;

fn main() {}
