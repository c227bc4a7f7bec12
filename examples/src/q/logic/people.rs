//! Users and their devices.

use super::{Result, limits, refused};
use crate::q::{DeviceType, PushToken, QError, User, UserId, VisibilityType};
use dynamo_model::{Dynamo, Entity};

/// Stores a new user, who follows nobody yet, and whose `appId`, email and username nobody else has.
///
/// Two users with the same one at the same moment may both pass: the indexes are all that the document has, and
/// with plain ids for keys the table has no room for items that hold a name.
pub async fn register(db: &Dynamo, user: &User) -> Result<()> {
    limits::user(user)?;
    if User::by_app_id(&user.app_id).count(db).await? > 0 {
        return Err(QError::Taken("appId"));
    }
    if User::by_email(&user.email).count(db).await? > 0 {
        return Err(QError::Taken("email"));
    }
    if let Some(username) = &user.username {
        check_username(db, username).await?;
    }
    let new = User {
        following_count: 0,
        follower_count: 0,
        ..user.clone()
    };
    db.create(&new).send().await?;
    Ok(())
}

async fn check_username(db: &Dynamo, username: &str) -> Result<()> {
    match User::by_username(username).count(db).await? {
        0 => Ok(()),
        _ => Err(QError::Taken("username")),
    }
}

/// A username can be changed, an `appId` cannot.
pub async fn change_username(db: &Dynamo, user_id: &UserId, username: &str) -> Result<()> {
    limits::username(username)?;
    let user = User::get(user_id).send(db).await?;
    let user = user.ok_or(QError::NoSuchUser)?;
    if user.username.as_deref() == Some(username) {
        return Ok(());
    }
    check_username(db, username).await?;
    let update = user.update().set(|user| user.username(), username);
    Ok(update.send(db).await?)
}

/// What a user says of themselves. `None` takes the attribute away, which reads as the null of a new user does.
pub async fn edit_profile(
    db: &Dynamo,
    user_id: &UserId,
    display_name: Option<&str>,
    bio: Option<&str>,
    visibility_type: VisibilityType,
) -> Result<()> {
    display_name.map_or(Ok(()), limits::display_name)?;
    bio.map_or(Ok(()), limits::bio)?;
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
    let sent = db
        .transaction()
        .check_exists(User::key(user_id))
        .upsert(PushToken::upsert(user_id, token).set(|token| token.device_type(), device_type))
        .send()
        .await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchUser)))
}
