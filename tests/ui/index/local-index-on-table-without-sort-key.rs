use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[lsi1(name = "LSI1", sk = "LSI1SK")]
struct App;

fn main() {}
