use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(KeyPart)]
enum State {
    Open,
    OPEN,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("STATE#<state:lower>")]
struct User {
    user_id: String,
    state: State,
}

fn main() {}
