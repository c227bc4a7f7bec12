use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Transaction};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[unique("EMAIL#<email>")]
struct User {
    user_id: String,
    email: String,
}

async fn write(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    Transaction::new().add(User::upsert("u1")).send(db).await?;
    Ok(())
}

fn main() {}
