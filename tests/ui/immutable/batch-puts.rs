use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
#[gsi1(pk = "CODE#<code>", as = by_code)]
struct User {
    id: u32,
    #[dynamo(immutable)]
    app_id: String,
    #[dynamo(immutable)]
    code: u32,
    #[dynamo(immutable)]
    seats: Option<u32>,
    name: String,
}

fn main() {
    let db = Dynamo::embedded().unwrap();
    let user = User { id: 1, app_id: "a".into(), code: 1, seats: None, name: "Ann".into() };
    let _ = BatchWrite::new().puts([&user]);
}
