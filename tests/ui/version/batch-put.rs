use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
struct User {
    id: u32,
    visits: u32,
    #[dynamo(version)]
    version: u64,
}

fn main() {
    let db = Dynamo::embedded().unwrap();
    let user = User { id: 1, visits: 0, version: 0 };
    let _ = BatchWrite::new().put(&user);
}
