use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[lsi1(name = "rounds", sk = (round: N, day: S))]
struct App;

fn main() {}
