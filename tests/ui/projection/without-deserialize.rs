use dynamo_model::{Dynamo, DynamoEntity, DynamoProjection, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK", projection = all)]
struct App;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "EMAIL#<email>", sk = "USER#<user_id>", as = by_email)]
struct User {
    user_id: String,
    email: String,
    picture: String,
}

#[derive(DynamoProjection)]
#[projection(of = User)]
struct UserName {
    email: String,
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    User::query("u1").project::<UserName>().all(db).await?;
    Ok(())
}

fn main() {}
