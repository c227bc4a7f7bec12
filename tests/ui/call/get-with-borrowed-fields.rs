use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK")]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
struct User<'a> {
    user_id: String,
    name: &'a str,
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    User::get("u1").send(db).await?;
    Ok(())
}

fn main() {}
