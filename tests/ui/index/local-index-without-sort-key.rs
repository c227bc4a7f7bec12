use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[lsi1(name = "LSI1")]
struct App;

fn main() {}
