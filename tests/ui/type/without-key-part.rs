use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

enum Level {
    Basic,
    Advanced,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("LEVEL#<level>")]
struct User {
    user_id: String,
    level: Level,
}

fn main() {}
