//! Users and their devices.

use super::{Result, refused};
use crate::q::{
    Bio, DeviceType, DisplayName, PushToken, QError, User, UserId, Username, VisibilityType,
};
use dynamo_model::batch::IntoKey;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Transaction};

/// How often a change of username begins again while others change the same user.
const ATTEMPTS: usize = 8;

/// Stores a new user without followees. Fails if the `appId`, email or username is taken, also if
/// two users sign up at the same moment.
pub async fn register(db: &Dynamo, user: &User) -> Result<()> {
    let new = User {
        following_count: 0,
        follower_count: 0,
        ..user.clone()
    };
    new.create().send(db).await.map(drop).map_err(taken)
}

/// A username can be changed, an `appId` cannot. The old name is free in the same moment.
pub async fn change_username(db: &Dynamo, user_id: &UserId, username: &Username) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let user = User::get(user_id).consistent().send(db).await?;
        let user = user.ok_or(QError::NoSuchUser)?;
        let update = user.update().set(|user| user.username(), username);
        match update.send(db).await.map_err(taken) {
            // Another client changed the name meanwhile.
            Err(QError::Dynamo(error)) if error.is_condition_failed() => {}
            done => return done,
        }
    }
    Err(QError::Busy)
}

/// A constraint begins with the attribute that it is for.
fn taken(error: Error) -> QError {
    match *error.kind() {
        ErrorKind::NotUnique { constraint } => QError::Taken(match constraint.split('#').next() {
            Some("APP_ID") => "appId",
            Some("EMAIL") => "email",
            _ => "username",
        }),
        _ => error.into(),
    }
}

/// Changes the profile of a user. `None` removes the attribute, which is read like the null of a
/// new user.
pub async fn edit_profile(
    db: &Dynamo,
    user_id: &UserId,
    display_name: Option<&DisplayName>,
    bio: Option<&Bio>,
    visibility_type: VisibilityType,
) -> Result<()> {
    let update = User::update(user_id)
        .set_or_remove(|user| user.display_name(), display_name)
        .set_or_remove(|user| user.bio(), bio)
        .set(|user| user.visibility_type(), visibility_type);
    let sent = update.send(db).await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchUser)))
}

/// One item a device; registered again, it is only newer.
pub async fn register_push_token(
    db: &Dynamo,
    user_id: &UserId,
    token: &str,
    device_type: DeviceType,
) -> Result<()> {
    let sent = Transaction::new()
        .add(User::key(user_id).must_exist())
        .add(PushToken::upsert(user_id, token).set(|token| token.device_type(), device_type))
        .send(db)
        .await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchUser)))
}
