//! All declarations local to a function.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Items, KeyPart};

fn main() -> Result<(), dynamo_model::KeyError> {
    #[derive(DynamoTable)]
    #[table(name = "App", pk = "PK", sk = "SK")]
    struct App;

    #[derive(KeyPart)]
    struct UserId(String);

    #[derive(DynamoEntity)]
    #[dynamo(table = App)]
    #[pk("USER#<user_id>")]
    #[sk("LEVEL#<level>")]
    struct User {
        user_id: UserId,
        level: u8,
    }

    #[derive(DynamoItems)]
    #[items(table = App)]
    enum AppItem {
        User(User),
    }

    let user = User {
        user_id: UserId("u1".into()),
        level: 1,
    };
    assert_eq!(User::key("u1", 1)?.to_string(), "USER#u1/LEVEL#1");
    assert_eq!(User::sort_key().level(1).build()?, "LEVEL#1");
    assert_eq!(AppItem::from(user).entity().unwrap().entity, "User");
    Ok(())
}
