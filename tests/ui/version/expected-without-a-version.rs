use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
struct User {
    id: u32,
    visits: u32,
}

fn main() {
    let db = Dynamo::embedded().unwrap();
    let user = User { id: 1, visits: 0 };
    let _ = (db, user.visits);
    let _ = User::update(1).set(|user| user.visits(), 1).expect_version(3);
}
