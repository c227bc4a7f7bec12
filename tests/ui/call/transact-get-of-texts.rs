use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, transaction::TransactGet};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", projection = keys_only)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "EMAIL#<email>", as = by_email)]
struct User {
    user_id: String,
    email: String,
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    TransactGet::new(("u1", "u2")).send(db).await?;
    Ok(())
}

fn main() {}
