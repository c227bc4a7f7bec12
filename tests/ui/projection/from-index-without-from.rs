use dynamo_model::{DynamoEntity, DynamoProjection, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = all)]
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

#[derive(DynamoProjection, serde::Deserialize)]
#[projection(of = User)]
struct UserName {
    email: String,
}

fn main() {
    let _ = User::by_email("a@example.com").project::<UserName>();
}
