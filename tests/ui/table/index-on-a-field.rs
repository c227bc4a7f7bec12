use dynamo_model::DynamoTable;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App {
    #[gsi1(name = "GSI1", pk = "GSI1PK")]
    client: String,
}

fn main() {}
