use dynamo_model::{DynamoEntity, DynamoTable, Value};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

struct Details;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("LOG#<id>")]
struct Log {
    id: u32,
    details: BTreeMap<String, Value>,
}

fn main() {
    let _ = Log::query(1).filter(|log| log.details().entry("a").typed::<Details>().exists());
}
