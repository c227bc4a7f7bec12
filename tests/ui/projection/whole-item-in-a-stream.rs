use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = keys_only)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "EMAIL#<email>", sk = "USER#<user_id>", as = by_email)]
struct User {
    user_id: String,
    email: String,
    picture: String,
}

fn read(db: &Dynamo) {
    let _ = User::by_email("a@example.com").stream(db);
}

fn main() {}
