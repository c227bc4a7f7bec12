use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[lsi1(nam = "LSI1", sk = "LSI1SK")]
struct App;

fn main() {}
