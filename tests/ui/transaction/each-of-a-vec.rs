use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Transaction};

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

async fn write(db: &Dynamo, users: Vec<User>) -> Result<(), dynamo_model::Error> {
    Transaction::new().add_each(users.iter().map(Entity::create).collect::<Vec<_>>()).send(db).await?;
    Ok(())
}

fn main() {}
