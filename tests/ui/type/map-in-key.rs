use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("SETTING#<settings>")]
struct User {
    user_id: String,
    settings: std::collections::HashMap<String, String>,
}

fn main() {}
