//! The stream of the bookings: the administrator hears of new ones, the user of a new state or
//! type, and the user's bookings are counted.

use super::{KEEP, once, written_at};
use crate::booking::{Booking, BookingError, BookingStatus, BookingType, Notification, UserId};
use dynamo_model::Dynamo;
use dynamo_model::stream::{BatchFailures, Change, StreamEvent, StreamRecord};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use std::time::SystemTime;

/// Handles a Lambda event of the stream of the bookings; `admin` hears of new ones.
pub async fn on_bookings(db: &Dynamo, admin: UserId, event: StreamEvent) -> BatchFailures {
    let handle = |change, record: StreamRecord| async move {
        on_booking(db, admin, change, record.created_at).await
    };
    event.for_each(handle).await
}

/// Handles one change. `at` is the time of the record, which is the same when the record is
/// repeated.
pub async fn on_booking(
    db: &Dynamo,
    admin: UserId,
    change: Change<Booking>,
    at: Option<SystemTime>,
) -> Result<(), BookingError> {
    let at = written_at(at);
    match change {
        Change::Inserted(booking) => {
            let content = format!("{}様、{}", booking.user_name, hours(&booking));
            let told = notification(&booking, admin, at, "新しい予約申請があります", content);
            once(db, told, KEEP, Some((&booking, false))).await
        }
        Change::Modified { old, new } if old.status != new.status => status(db, &new, at).await,
        Change::Modified { old, new } if old.booking_type != new.booking_type => {
            confirmed(db, &new, at).await
        }
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
            let told = told("予約申請を承認しました", content);
            once(db, told, KEEP, None).await
        }
        BookingStatus::Cancelled => {
            let content = format!("{hours}の予約がキャンセルされました。");
            let told = told("予約をキャンセルしました", content);
            once(db, told, KEEP, Some((booking, true))).await
        }
    }
}

/// An approved temporary booking became a real one.
async fn confirmed(db: &Dynamo, booking: &Booking, at: Timestamp) -> Result<(), BookingError> {
    if booking.booking_type != BookingType::Confirmed {
        return Ok(());
    }
    let content = format!("{}の予約が確定しました。", hours(booking));
    let told = notification(booking, booking.user_id, at, "予約が確定しました", content);
    once(db, told, KEEP, None).await
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
