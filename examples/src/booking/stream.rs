//! "7. DynamoDB Streams": what happens after a booking was written, whoever wrote it.
//!
//! A record can be delivered more than once, so each reaction writes a notification whose key follows from the
//! record, and what must happen once is in the same transaction: the second time, the notification is there already.

use super::logic::usage;
use super::{Booking, BookingError, BookingStatus, Notification, UserId};
use crate::retry::ATTEMPTS;
use crate::whole_seconds;
use dynamo_model::{BatchFailures, Change, Dynamo, ErrorKind, StreamEvent, StreamRecord};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use std::time::{Duration, SystemTime};

/// How long a notification is kept.
const KEEP: Duration = Duration::from_secs(90 * 24 * 60 * 60);

/// The Lambda function on the stream of the bookings; `admin` hears of new ones.
pub async fn on_bookings(db: &Dynamo, admin: UserId, event: StreamEvent) -> BatchFailures {
    let handle = |change, record: StreamRecord| async move {
        on_booking(db, admin, change, record.created_at).await
    };
    event.for_each(handle).await
}

/// Reacts to one change: tells the administrator of a new booking, and the user of a new state; counts the user's bookings.
pub async fn on_booking(
    db: &Dynamo,
    admin: UserId,
    change: Change<Booking>,
    at: Option<SystemTime>,
) -> Result<(), BookingError> {
    // The record's own time, so that it is the same one when the record comes again.
    let at = at.and_then(|at| Timestamp::try_from(at).ok());
    let at = whole_seconds(at.unwrap_or_default());
    match change {
        Change::Inserted(booking) => {
            let content = format!("{}様、{}", booking.user_name, hours(&booking));
            let told = notification(&booking, admin, at, "新しい予約申請があります", content);
            once(db, told, Some((&booking, false))).await
        }
        Change::Modified { old, new } if old.status != new.status => status(db, &new, at).await,
        // A booking is cancelled, and never deleted.
        Change::Modified { .. } | Change::Removed(_) | Change::Expired(_) => Ok(()),
    }
}

async fn status(db: &Dynamo, booking: &Booking, at: Timestamp) -> Result<(), BookingError> {
    let hours = hours(booking);
    let told = |title, content| notification(booking, booking.user_id, at, title, content);
    match booking.status {
        BookingStatus::Pending => Ok(()),
        BookingStatus::Approved => {
            let content = format!("{hours}の予約申請が承認されました。");
            once(db, told("予約申請を承認しました", content), None).await
        }
        BookingStatus::Cancelled => {
            let content = format!("{hours}の予約がキャンセルされました。");
            let told = told("予約をキャンセルしました", content);
            once(db, told, Some((booking, true))).await
        }
    }
}

/// `6月15日13:00～17:00`.
fn hours(booking: &Booking) -> String {
    let (start, end) = (booking.start_time, booking.end_time);
    let (start, end) = (start.to_zoned(TimeZone::UTC), end.to_zoned(TimeZone::UTC));
    let (month, day) = (start.month(), start.day());
    let clock = |at: &jiff::Zoned| format!("{:02}:{:02}", at.hour(), at.minute());
    format!("{month}月{day}日{}～{}", clock(&start), clock(&end))
}

fn notification(
    booking: &Booking,
    user_id: UserId,
    created_at: Timestamp,
    title: &str,
    content: String,
) -> Notification {
    Notification {
        user_id,
        title: title.into(),
        content,
        notification_type: "booking".into(),
        is_read: false,
        related_entity_id: Some(booking.booking_id.clone()),
        created_at,
        read_at: None,
        expires_at: None,
    }
}

/// Notifies, and counts the booking or takes it back; nothing if that was done before. Of two notifications in one
/// second, the other one moves on to the next.
async fn once(
    db: &Dynamo,
    notification: Notification,
    counted: Option<(&Booking, bool)>,
) -> Result<(), BookingError> {
    let mut notification = Notification {
        expires_at: Some(db.expires_in(KEEP)),
        ..notification
    };
    for _ in 1..=ATTEMPTS {
        let mut writes = db.transaction().create(&notification);
        if let Some((booking, cancelled)) = counted {
            writes = writes.update(usage(booking, cancelled));
        }
        let error = match writes.send().await {
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
    (&a.related_entity_id, &a.title) == (&b.related_entity_id, &b.title)
}
