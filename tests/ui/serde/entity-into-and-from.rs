use dynamo_model::{DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(serde::Serialize, serde::Deserialize)]
struct Stored {
    id: String,
}

impl From<User> for Stored {
    fn from(user: User) -> Self {
        Self { id: user.user_id }
    }
}

impl From<Stored> for User {
    fn from(stored: Stored) -> Self {
        Self { user_id: stored.id }
    }
}

#[derive(DynamoEntity, Clone, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[serde(into = "Stored", from = "Stored")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,

}

fn main() {
    let _ = User::get("u1");
}
