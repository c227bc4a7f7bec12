use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("LOG#<id>")]
struct Log {
    id: u32,
    count: String,
}

fn main() {
    let _ = Log::query(1).filter(|log| log.count().typed::<u32>().gt(3));
}
