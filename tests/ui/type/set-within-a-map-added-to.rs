use dynamo_model::{DynamoEntity, DynamoTable, Value};
use std::collections::{BTreeMap, BTreeSet};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("LOG#<id>")]
struct Log {
    id: u32,
    details: BTreeMap<String, Value>,
}

fn main() {
    let _ = Log::update(1).add_to_set(
        |log| log.details().entry("tags").typed::<BTreeSet<String>>(),
        ["a"],
    );
}
