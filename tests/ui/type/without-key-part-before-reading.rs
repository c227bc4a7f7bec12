use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(serde::Serialize, serde::Deserialize)]
enum Level {
    Basic,
    Advanced,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("LEVEL#<level>")]
struct User {
    user_id: String,
    level: Level,
    name: String,
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    User::get("u1", Level::Basic).send(db).await?;
    User::query("u1").level(Level::Basic).all(db).await?;
    User::query("u1").filter(|user| user.name().eq("Ada")).limit(3).all(db).await?;
    Ok(())
}

fn main() {
    let _ = User::key("u1", Level::Advanced);
    let _ = User::sort_key().level(&Level::Basic).build();
}
