use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Transaction, batch::IntoKey};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
    age: u32,
}

async fn write(db: &Dynamo, user: &User) -> Result<(), dynamo_model::Error> {
    Transaction::new().add(user.must_exist()).send(db).await?;
    Ok(())
}

fn main() {}
