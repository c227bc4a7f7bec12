use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", ttl = "at")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    #[dynamo(ttl, created_at)]
    at: u64,
}

fn main() {}
