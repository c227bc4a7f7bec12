use dynamo_model::{DynamoEntity, DynamoProjection, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User {
    user_id: String,
    name: String,
}

#[derive(DynamoProjection, serde::Deserialize)]
#[projection(of = User)]
#[serde(deny_unknown_fields)]
struct Name {
    name: String,
}

fn main() {}
