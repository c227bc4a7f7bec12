use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable};

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

async fn write(db: &Dynamo, users: &[User]) -> Result<(), dynamo_model::Error> {
    BatchWrite::new().puts(users).send(db).await?;
    Ok(())
}

fn main() {}
