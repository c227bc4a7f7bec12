use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: String,
}

#[derive(DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    AppItem::collection(User::partition_key("u1")).all(db).await?;
    Ok(())
}

fn main() {}
