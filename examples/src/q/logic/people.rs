//! Users and their devices.

use super::{Result, refused};
use crate::q::{
    Bio, DeviceType, DisplayName, PushToken, QError, Reservation, User, UserId, Username,
    VisibilityType,
};
use dynamo_model::{Delete, Dynamo, Entity, Error};

/// How often a change of username begins again while others change the same user.
const ATTEMPTS: usize = 8;

/// Stores a new user, who follows nobody yet. Whose `appId`, email or username somebody else has, is refused, also if
/// both sign up at the same moment: the reservations are in the same transaction.
pub async fn register(db: &Dynamo, user: &User) -> Result<()> {
    let new = User {
        following_count: 0,
        follower_count: 0,
        ..user.clone()
    };
    let reservations = Reservation::of_user(&new);
    let transaction = db.transaction().create(&new);
    let transaction = reservations
        .iter()
        .fold(transaction, |transaction, it| transaction.create(it));
    transaction.send().await.map_err(taken)
}

fn taken(error: Error) -> QError {
    let key = error
        .key_text()
        .and_then(|key| Reservation::parse_key(key).ok());
    refused(error, |entity, _| match entity {
        "Reservation" => key.map(|key| QError::Taken(key.reserved.attribute())),
        _ => None,
    })
}

/// A username can be changed, an `appId` cannot. The old name is free in the same moment.
pub async fn change_username(db: &Dynamo, user_id: &UserId, username: &Username) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let user = User::get(user_id).consistent().send(db).await?;
        let user = user.ok_or(QError::NoSuchUser)?;
        if user.username.as_ref() == Some(username) {
            return Ok(());
        }
        match rename(db, &user, username).await {
            // Somebody else changed the name meanwhile.
            Err(QError::Dynamo(error)) if error.is_condition_failed() => {}
            done => return done,
        }
    }
    Err(QError::Busy)
}

async fn rename(db: &Dynamo, user: &User, username: &Username) -> Result<()> {
    let update = user.update().set(|user| user.username(), username);
    let reservation = Reservation::of_username(username, user.user_id);
    let old = user.username.as_ref();
    let update = update.condition(|user| match old {
        Some(old) => user.username().eq(old),
        None => user.username().not_exists(),
    });
    let transaction = db.transaction().create(&reservation).update(update);
    let transaction = match old {
        Some(old) => transaction.delete(release(&Reservation::of_username(old, user.user_id))),
        None => transaction,
    };
    transaction.send().await.map_err(taken)
}

/// Makes a value free that this user has, or nobody.
pub(super) fn release(reservation: &Reservation) -> Delete<Reservation> {
    Reservation::delete(reservation.reserved, &reservation.text).condition(|stored| {
        stored.user_id().not_exists() | stored.user_id().eq(reservation.user_id)
    })
}

/// What a user says of themselves. `None` takes the attribute away, which reads as the null of a new user does.
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
    let sent = db
        .transaction()
        .check_exists(User::key(user_id))
        .upsert(PushToken::upsert(user_id, token).set(|token| token.device_type(), device_type))
        .send()
        .await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchUser)))
}
