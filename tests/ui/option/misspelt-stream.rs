use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", stream = new_imgae)]
struct App;

fn main() {}
