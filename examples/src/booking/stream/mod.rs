//! "7. DynamoDB Streams": the reactions to a write of any client. Each table with a stream has a
//! Lambda function.
//!
//! A record can be delivered more than once. So each reaction writes a notification whose key is
//! derived from the record, and changes that must happen once are in the same transaction: the
//! second time, the notification exists already. A [`Message`](super::Message) leaves the database,
//! so its id is derived from the record.

mod bookings;
mod notifications;
mod users;

pub use bookings::{on_booking, on_bookings};
pub use notifications::{count_unread, on_notification, on_notifications};
pub use users::{on_user, on_users};

use super::logic::usage;
use super::{Booking, BookingError, Notification};
use crate::retry::ATTEMPTS;
use crate::whole_seconds;
use dynamo_model::{Dynamo, Entity, ErrorKind, Transaction};
use jiff::{SignedDuration, Timestamp};
use std::time::{Duration, SystemTime};

/// How long a notification is kept.
const KEEP: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// Returns the time of a record, as a notification's key has it.
fn written_at(at: Option<SystemTime>) -> Timestamp {
    let at = at.and_then(|at| Timestamp::try_from(at).ok());
    whole_seconds(at.unwrap_or_default())
}

/// Notifies, and counts the booking up or down; does nothing if that was done before. Of two
/// notifications in one second, the second one moves to the next second.
pub(super) async fn once(
    db: &Dynamo,
    notification: Notification,
    keep: Duration,
    counted: Option<(&Booking, bool)>,
) -> Result<(), BookingError> {
    let mut notification = Notification {
        expires_at: Some(db.expires_in(keep)),
        ..notification
    };
    for _ in 1..=ATTEMPTS {
        let mut writes = Transaction::new().add(notification.create());
        if let Some((booking, cancelled)) = counted {
            writes = writes.add(usage(booking, cancelled));
        }
        let error = match writes.send(db).await {
            Ok(()) => return Ok(()),
            Err(error) if *error.kind() == ErrorKind::AlreadyExists => error,
            Err(error) => return Err(error.into()),
        };
        let there = error.item::<Notification>()?;
        if there.is_some_and(|there| is_same(&there, &notification)) {
            return Ok(());
        }
        notification.created_at += SignedDuration::from_secs(1);
    }
    Err(BookingError::Busy)
}

fn is_same(a: &Notification, b: &Notification) -> bool {
    let about = |it: &Notification| (it.related_entity_id.clone(), it.title.clone());
    about(a) == about(b) && a.content == b.content
}
