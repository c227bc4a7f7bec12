use dynamo_model::{DynamoEntity, DynamoTable, Entity, KeyError, KeyPart};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(KeyPart, Clone)]
#[dynamo(rename = "id")]
struct UserId(String);

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
struct User {
    user_id: UserId,
}

fn main() -> Result<(), KeyError> {
    let user = User {
        user_id: UserId("u1".into()),
    };
    assert_eq!(User::key("u1")?, user.primary_key()?);
    User::key(&user.user_id)?;
    Ok(())
}
