//! The runtime crate through a re-export: `crate = path` on every derive.

mod vendor {
    pub mod database {
        pub use dynamo_model as orm;
    }
}

/// Stands in the way: the derives must not use it.
mod dynamo_model {}

use vendor::database::orm::{DynamoEntity, DynamoItems, DynamoTable, Items, KeyError, KeyPart};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", crate = crate::vendor::database::orm)]
struct App;

#[derive(KeyPart)]
#[dynamo(crate = vendor::database::orm)]
struct UserId(String);

#[derive(KeyPart)]
#[dynamo(crate = vendor::database::orm)]
enum Level {
    Basic,
}

#[derive(DynamoEntity)]
#[dynamo(table = App, crate = vendor::database::orm)]
#[pk("USER#<user_id>")]
#[sk("LEVEL#<level>")]
struct User {
    user_id: UserId,
    level: Level,
    #[dynamo(version)]
    version: u64,
}

#[derive(DynamoItems)]
#[items(table = App, crate = vendor::database::orm)]
enum AppItem {
    User(User),
}

fn main() -> Result<(), KeyError> {
    assert_eq!(
        User::key("u1", Level::Basic)?.to_string(),
        "USER#u1/LEVEL#Basic"
    );
    let user = User {
        user_id: UserId("u1".into()),
        level: Level::Basic,
        version: 1,
    };
    assert_eq!(user.version, 1);
    assert_eq!(AppItem::from(user).entity().unwrap().entity, "User");
    Ok(())
}
