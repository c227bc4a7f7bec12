//! The stream of the notifications: how many a user has not read, and a push notification for each
//! new one.

use crate::booking::{
    BookingError, Channel, Message, Messenger, Notification, UnreadCount, UserId,
};
use crate::retry::{ATTEMPTS, pause};
use dynamo_model::stream::{BatchFailures, Change, StreamEvent, StreamRecord};
use dynamo_model::{Dynamo, Entity};

/// Handles a Lambda event of the stream of the notifications. Records of [`UnreadCount`] are
/// not among the changes.
pub async fn on_notifications(
    db: &Dynamo,
    messenger: &impl Messenger,
    event: StreamEvent,
) -> BatchFailures {
    let handle = |change, record: StreamRecord| async move {
        on_notification(db, messenger, change, &record).await
    };
    event.for_each(handle).await
}

/// Handles one change of a notification: new, read, deleted or expired.
pub async fn on_notification(
    db: &Dynamo,
    messenger: &impl Messenger,
    change: Change<Notification>,
    record: &StreamRecord,
) -> Result<(), BookingError> {
    let (user_id, is_counted) = match &change {
        Change::Inserted(it) | Change::Removed(it) | Change::Expired(it) => {
            (it.user_id, !it.is_read)
        }
        Change::Modified { old, new } => (new.user_id, old.is_read != new.is_read),
    };
    if is_counted {
        count_unread(db, user_id).await?;
    }
    match change {
        Change::Inserted(new) if !new.is_read => {
            let push = Message {
                id: record.event_id.clone(),
                channel: Channel::Push(new.user_id),
                title: new.title,
                content: new.content,
            };
            messenger.send(push).await.map_err(BookingError::NotSent)
        }
        _ => Ok(()),
    }
}

/// Counts the unread notifications of a user, and stores the number. It is counted again, not
/// incremented, because a record can be repeated.
///
/// The version keeps simultaneous counts in order: a count that was overtaken is repeated.
pub async fn count_unread(db: &Dynamo, user_id: UserId) -> Result<u32, BookingError> {
    for attempt in 1..=ATTEMPTS {
        let stored = UnreadCount::get(user_id).consistent().send(db).await?;
        let unread = Notification::query(user_id)
            .filter(|notification| notification.is_read().eq(false))
            .consistent()
            .count(db)
            .await?;
        let count = UnreadCount {
            user_id,
            unread: u32::try_from(unread).unwrap_or(u32::MAX),
            version: stored.map_or(0, |stored| stored.version),
        };
        match count.put().send(db).await {
            Ok(()) => return Ok(count.unread),
            Err(error) if error.is_conflict() => pause(attempt).await,
            Err(error) => return Err(error.into()),
        }
    }
    Err(BookingError::Busy)
}
