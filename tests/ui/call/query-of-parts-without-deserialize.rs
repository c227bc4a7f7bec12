use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
struct Order {
    user_id: String,
    number: u32,
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    Order::query("u1").all(db).await?;
    Ok(())
}

fn main() {}
