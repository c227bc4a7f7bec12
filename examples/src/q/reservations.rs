//! What only one user can have: an item for each `appId`, email and username, in a table of its own.
//!
//! An index tells whether a value is taken, but two sign-ups at once both see that it is free. An item is created once.
//! The document's tables have plain ids for keys, so they have no room for such items.

use super::{AppId, Email, User, UserId, Username};
use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
use serde::{Deserialize, Serialize};

/// The table, which the document does not have.
#[derive(DynamoTable, Debug)]
#[table(name = "Reservations", pk = "value")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct Reservations;

/// Which attribute a value is of.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[allow(missing_docs)]
pub enum Reserved {
    AppId,
    Email,
    Username,
}

impl Reserved {
    /// The attribute of the user.
    #[must_use]
    pub const fn attribute(self) -> &'static str {
        match self {
            Self::AppId => "appId",
            Self::Email => "email",
            Self::Username => "username",
        }
    }
}

/// The item: whose the value is.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Reservations)]
#[pk("<reserved>#<text>")]
pub struct Reservation {
    /// The attribute.
    #[dynamo(key_only)]
    pub reserved: Reserved,
    /// The value.
    #[dynamo(key_only)]
    pub text: String,
    /// Who has it.
    pub user_id: UserId,
}

impl Reservation {
    fn new(reserved: Reserved, text: &str, user_id: UserId) -> Self {
        let text = text.to_owned();
        Self {
            reserved,
            text,
            user_id,
        }
    }

    /// Of an `appId`.
    #[must_use]
    pub fn of_app_id(app_id: &AppId, user_id: UserId) -> Self {
        Self::new(Reserved::AppId, app_id.as_str(), user_id)
    }

    /// Of an email address.
    #[must_use]
    pub fn of_email(email: &Email, user_id: UserId) -> Self {
        Self::new(Reserved::Email, email.as_str(), user_id)
    }

    /// Of a username.
    #[must_use]
    pub fn of_username(username: &Username, user_id: UserId) -> Self {
        Self::new(Reserved::Username, username.as_str(), user_id)
    }

    /// All that a user has.
    #[must_use]
    pub fn of_user(user: &User) -> Vec<Self> {
        let always = [
            Self::of_app_id(&user.app_id, user.user_id),
            Self::of_email(&user.email, user.user_id),
        ];
        let username = user.username.iter();
        let username = username.map(|it| Self::of_username(it, user.user_id));
        always.into_iter().chain(username).collect()
    }
}
