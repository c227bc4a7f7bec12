//! Declarations from a `macro_rules!` macro: names, types and texts arrive in invisible groups.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Entity, KeyError, KeyPart};

macro_rules! table {
    ($name:ident, $text:literal, $pk:expr) => {
        #[derive(DynamoTable)]
        #[table(name = $text, pk = $pk, sk = "SK")]
        #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
        struct $name;
    };
}

macro_rules! newtype {
    ($name:ident($inner:ty)) => {
        #[derive(KeyPart)]
        struct $name($inner);
    };
}

macro_rules! entity {
    ($table:path, $name:ident, $pk:literal, { $($field:ident: $ty:ty),* $(,)? }, $version:ty) => {
        #[derive(DynamoEntity)]
        #[dynamo(table = $table)]
        #[pk($pk)]
        #[sk("ITEM#<number:06>")]
        #[gsi1(pk = "TEAM#<team>", sk = $pk, as = by_team)]
        struct $name {
            $($field: $ty,)*
            #[dynamo(version)]
            version: $version,
        }
    };
}

macro_rules! items {
    ($table:ty, $name:ident { $($variant:ident($entity:ty)),* }) => {
        #[derive(DynamoItems)]
        #[items(table = $table)]
        enum $name {
            $($variant($entity),)*
        }
    };
}

table!(App, "App", "PK");
newtype!(UserId(String));
newtype!(Number(u32));
entity!(crate::App, User, "USER#<user_id>", { user_id: UserId, number: Number, team: Option<String> }, u64);
items!(App, AppItem { User(User) });

fn main() -> Result<(), KeyError> {
    let user = User {
        user_id: UserId("u1".into()),
        number: Number(7),
        team: None,
        version: 1,
    };
    assert_eq!(user.primary_key()?.to_string(), "USER#u1/ITEM#000007");
    assert_eq!(
        User::by_team_key("t1", "u1")?.to_string(),
        "TEAM#t1/USER#u1"
    );
    assert_eq!(user.version, 1);
    let AppItem::User(_) = AppItem::from(user);
    Ok(())
}
