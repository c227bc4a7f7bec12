use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", encryption = aws_owned)]
#[table(require(encryption))]
struct App;

fn main() {}
