use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[lsi1(name = "LSI1", sk = "LSI1SK")]
#[lsi2(name = "LSI2", sk = "LSI2SK")]
#[lsi3(name = "LSI3", sk = "LSI3SK")]
#[lsi4(name = "LSI4", sk = "LSI4SK")]
#[lsi5(name = "LSI5", sk = "LSI5SK")]
#[lsi6(name = "LSI6", sk = "LSI6SK")]
struct App;

fn main() {}
