use dynamo_model::{Dynamo, DynamoEntity, DynamoNested, DynamoTable};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "ByEmail", pk = "email", sk = "GSI1SK", projection = keys_only)]
#[lsi1(name = "ByName", sk = "name", projection = keys_only)]
struct App;

#[derive(DynamoNested, serde::Serialize, serde::Deserialize)]
struct Address {
    city: String,
}

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[gsi1(pk = "<email>", sk = "USER#<user_id>", as = by_email)]
#[lsi1(sk = "<name>", as = by_name)]
struct User {
    user_id: String,
    email: String,
    name: String,
    #[serde(rename = "pictureUrl")]
    picture: String,
    age: u32,
    #[dynamo(nested)]
    address: Address,
}

async fn read(db: &Dynamo) -> Result<(), dynamo_model::Error> {
    User::by_email("a@example.com").limit(3).filter(|user| user.age().ge(18)).count(db).await?;
    Ok(())
}

fn main() {}
