use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

type Tags = Vec<String>;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<id>")]
struct User {
    id: String,
    tags: Tags,
}

fn main() {
    let _ = User::update("u1").add_to_set(|user| user.tags(), ["a"]);
}
