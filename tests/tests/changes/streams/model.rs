//! A table of three kinds of items, with a stream.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable, Debug)]
#[table(
    name = "app",
    pk = "PK",
    sk = "SK",
    entity_type = "type",
    ttl = "expires",
    items = AppItem
)]
#[table(stream = new_and_old_images)]
pub struct App;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
#[unique("EMAIL#<email>")]
pub struct User {
    #[dynamo(key_only)]
    pub id: String,
    pub email: String,
    #[dynamo(sensitive)]
    pub secret: Option<String>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "SESSION")]
#[pk("USER#<user_id>")]
#[sk("SESSION#<number:04>")]
pub struct Session {
    pub user_id: String,
    pub number: u32,
    #[dynamo(ttl)]
    pub expires: u64,
}

#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = App)]
pub enum AppItem {
    User(User),
    Session(Session),
}

pub fn user(id: &str, email: &str) -> User {
    User {
        id: id.into(),
        email: email.into(),
        secret: None,
    }
}

pub fn session(user_id: &str, number: u32, expires: u64) -> Session {
    Session {
        user_id: user_id.into(),
        number,
        expires,
    }
}
