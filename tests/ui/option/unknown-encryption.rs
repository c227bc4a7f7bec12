use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", encryption = aes)]
struct App;

fn main() {}
