//! Every access pattern of the document: section, table and number are its own, and 6.1 the
//! transactions.

use super::{
    Booking, BookingError, BookingId, BookingStatus, BookingType, CalendarSlot, Notification,
    OptionService, Terms, TermsStatus, TermsVersion, User, UserAgreement, UserId, calendar_between,
    calendar_of_date, calendar_of_month, cancel, confirm, create_booking, expired, find_booking,
    has_agreed, mark_read, reschedule, samples, unread,
};
use crate::{Failure, Pattern, pattern};
use dynamo_model::{Dynamo, Entity, Transaction};
use jiff::{Timestamp, civil::date};
use uuid::Uuid;

/// The document's user.
const USER: UserId = UserId(Uuid::from_u128(0x123e4567_e89b_12d3_a456_426614174000));

/// Returns all of them, in the document's order.
#[must_use]
pub fn patterns() -> Vec<Pattern> {
    [
        users(),
        bookings(),
        calendar(),
        options(),
        notifications(),
        terms(),
        transactions(),
    ]
    .concat()
}

fn users() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.1.1", "A user by id",
            |db| User::get(USER).send(db).await?,
            |user| usize::from(user.is_some()) => user.is_some_and(|it| it.full_name == "山田太郎"),
            "the user of that id"
        ),
        pattern!(
            "3.1.2", "A user by email",
            |db| User::by_email("user@example.com").one(db).await?,
            |user| 1 => user.user_id == USER,
            "the one user of that address"
        ),
    ]
}

fn bookings() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.2.1", "A booking by id and user",
            |db| Booking::get("b123e456", USER).send(db).await?,
            |booking| usize::from(booking.is_some()) => booking.is_some_and(|it| it.options.len() == 4),
            "the booking, with its four options"
        ),
        pattern!(
            "3.2.2", "A user's bookings",
            |db| Booking::by_user(USER).descending().all(db).await?,
            |found| found.len() => found.len() == 4
                && found.is_sorted_by(|a, b| a.created_at > b.created_at),
            "the user's four, newest first"
        ),
        pattern!(
            "3.2.3", "Bookings of a status",
            |db| Booking::by_status(BookingStatus::Pending).all(db).await?,
            |found| found.len() => found.len() == 45
                && found.iter().all(|it| it.status == BookingStatus::Pending)
                && found.is_sorted_by(|a, b| a.start_time < b.start_time),
            "the 45 that wait for approval, by start"
        ),
        pattern!(
            "3.2.4", "Bookings of a date",
            |db| Booking::by_date(at("2025-06-15T00:00:00Z")?).all(db).await?,
            |found| found.len() => found.len() == 3
                && found.is_sorted_by(|a, b| a.start_time < b.start_time),
            "the day's three, by start"
        ),
        pattern!(
            "3.2.5", "Temporary bookings past their deadline",
            |db| Booking::by_deadline(BookingType::Temporary)
                .confirmation_deadline_in(..at("2025-06-09T00:00:00Z")?)
                .all(db)
                .await?,
            |found| found.len() => found.len() == 22
                && found.iter().all(|it| it.booking_type == BookingType::Temporary)
                && found.is_sorted_by_key(|it| it.confirmation_deadline),
            "22, the longest overdue first, without a scan"
        ),
    ]
}

fn calendar() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.3.1", "Slots of a date",
            |db| CalendarSlot::query(at("2025-06-15T00:00:00Z")?).all(db).await?,
            |found| found.len() => found.len() == 2
                && found.is_sorted_by(|a, b| a.end_time <= b.start_time),
            "the day's two; the third is cancelled"
        ),
        pattern!(
            "3.3.2", "Slots of a range of dates",
            |db| calendar_between(db, date(2025, 6, 10), date(2025, 6, 12)).await?,
            |found| found.len() => found.len() == 8
                && found.is_sorted_by(|a, b| a.end_time <= b.start_time),
            "three days' slots, in order"
        ),
        pattern!(
            "3.3.2", "Slots of a range of dates: a month",
            |db| calendar_of_month(db, date(2025, 6, 1)).await?,
            |found| found.len() => found.len() == 75
                && found.is_sorted_by(|a, b| a.end_time <= b.start_time),
            "June's 75, in order"
        ),
    ]
}

fn options() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.4.1", "An option by id",
            |db| OptionService::get("opt1").send(db).await?,
            |option| usize::from(option.is_some()) => option.is_some_and(|it| it.unit_price == 1000),
            "the option of that id"
        ),
        pattern!(
            "3.4.2", "All options",
            |db| OptionService::scan().all(db).await?,
            |found| found.len() => found.len() == 6,
            "all six; the document asks for this scan, as the table is small"
        ),
    ]
}

fn notifications() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.5.1", "A user's notifications",
            |db| Notification::query(USER).descending().limit(10).all(db).await?,
            |found| found.len() => found.len() == 10
                && found.is_sorted_by(|a, b| a.created_at > b.created_at),
            "the last ten, newest first"
        ),
        pattern!(
            "3.5.2", "A user's unread notifications",
            |db| Notification::query(USER).filter(|it| it.is_read().eq(false)).descending().all(db).await?,
            |found| found.len() => found.len() == 6 && found.iter().all(|it| !it.is_read)
                && found.is_sorted_by(|a, b| a.created_at > b.created_at),
            "the six that are not read, newest first"
        ),
        pattern!(
            "3.5.2", "A user's unread notifications: read one",
            |db| mark_read(db, &samples::notification()?, at("2025-06-03T00:00:00Z")?).await?,
            |first| 1 => first && unread(db, USER).await?.len() == 5,
            "one less",
            then samples::notification()?.put().send(db).await?
        ),
        pattern!(
            "3.5.3", "Notifications of a type",
            |db| Notification::by_type("booking").all(db).await?,
            |found| found.len() => found.len() == 211
                && found.iter().all(|it| it.notification_type == "booking")
                && found.is_sorted_by(|a, b| a.created_at <= b.created_at),
            "all 211 of the type, oldest first"
        ),
    ]
}

fn terms() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.6.1", "Terms by version",
            |db| Terms::get("1.0").send(db).await?,
            |terms| usize::from(terms.is_some()) =>
                terms.is_some_and(|it| it.title == "スタジオ利用規約 2025年版"),
            "the terms of that version"
        ),
        pattern!(
            "3.6.2", "The newest terms in force",
            |db| Terms::by_status(TermsStatus::Active)
                .effective_date_in(..=at("2025-06-15T00:00:00Z")?)
                .descending()
                .first(db)
                .await?,
            |terms| usize::from(terms.is_some()) => terms.is_some_and(|it| it.version.0 == "1.1"),
            "1.1, as 2.0 is of next year"
        ),
        pattern!(
            "3.7.1", "A user's agreements",
            |db| UserAgreement::query(USER).all(db).await?,
            |found| found.len() => found.iter().map(|it| it.version.0.as_str()).eq(["1.0", "1.1"]),
            "to 1.0 and 1.1"
        ),
        pattern!(
            "3.7.2", "Agreement to a version",
            |db| UserAgreement::get(USER, "1.0").send(db).await?,
            |agreed| usize::from(agreed.is_some()) => agreed.is_some()
                && !has_agreed(db, USER, &TermsVersion("2.0".into())).await?,
            "yes; to 2.0, no"
        ),
    ]
}

fn transactions() -> Vec<Pattern> {
    vec![
        pattern!(
            "6.1.1", "Create a booking, with its slot",
            |db| create_booking(db, &in_august()?).await?,
            |_done| 3 => calendar_of_date(db, date(2025, 8, 1)).await?.len() == 1,
            "the booking, and its slot in the calendar",
            then remove(db, &in_august()?).await?
        ),
        pattern!(
            "6.1.1", "Create a booking: the time is taken",
            |db| create_booking(db, &new_booking("2025-06-15T16:00:00Z", "2025-06-15T18:00:00Z")?).await,
            |refused| 0 => matches!(refused, Err(BookingError::Taken(BookingId(by))) if by == "b123e456"),
            "a refusal that says by which booking"
        ),
        pattern!(
            "6.1.1", "Change a booking, with its slot",
            |db| reschedule(
                db,
                &samples::booking()?,
                at("2025-08-01T13:00:00Z")?,
                at("2025-08-01T17:00:00Z")?,
            ).await?,
            |_done| 4 => calendar_of_date(db, date(2025, 6, 15)).await?.len() == 1
                && calendar_of_date(db, date(2025, 8, 1)).await?.len() == 1
                && Booking::by_date(at("2025-08-01T00:00:00Z")?).count(db).await? == 1,
            "the booking on its new day, in both tables and the index",
            then restore(db).await?
        ),
        pattern!(
            "6.1.1", "Cancel a booking, with its slot",
            |db| cancel(db, &samples::booking()?).await?,
            |_done| 2 => calendar_of_date(db, date(2025, 6, 15)).await?.len() == 1
                && sample(db).await?.status == BookingStatus::Cancelled
                && expired(db, at("2025-06-09T00:00:00Z")?).await?.len() == 21,
            "the time is free, and the booking no longer expires",
            then restore(db).await?
        ),
        pattern!(
            "6.1.2", "From a temporary booking to a real one",
            |db| confirm(db, &samples::booking()?, USER, 30, at("2025-06-05T00:00:00Z")?).await?,
            |_done| 2 => sample(db).await?.booking_type == BookingType::Confirmed
                && calendar_of_date(db, date(2025, 6, 15)).await?.iter()
                    .all(|slot| slot.booking_type == BookingType::Confirmed),
            "state, type, fee and deadline in the booking, state and type in its slot",
            then restore(db).await?
        ),
        pattern!(
            "6.2", "Strongly consistent: the state of a booking",
            |db| Booking::get("b123e456", USER).consistent().send(db).await?,
            |booking| usize::from(booking.is_some()) =>
                booking.is_some_and(|it| it.status == BookingStatus::Pending),
            "the booking as it is now"
        ),
    ]
}

fn at(text: &str) -> Result<Timestamp, Failure> {
    Ok(text.parse()?)
}

/// No other booking is on the first of August.
fn new_booking(start: &str, end: &str) -> Result<Booking, Failure> {
    Ok(Booking {
        booking_id: BookingId("new".into()),
        start_time: at(start)?,
        end_time: at(end)?,
        ..samples::booking()?
    })
}

fn in_august() -> Result<Booking, Failure> {
    new_booking("2025-08-01T13:00:00Z", "2025-08-01T17:00:00Z")
}

async fn sample(db: &Dynamo) -> Result<Booking, Failure> {
    let sample = samples::booking()?;
    Ok(find_booking(db, &sample.booking_id, sample.user_id).await?)
}

async fn remove(db: &Dynamo, booking: &Booking) -> Result<(), Failure> {
    let slot = booking.slot();
    Ok(Transaction::new()
        .add(booking.delete())
        .add(slot.delete())
        .send(db)
        .await?)
}

/// The document's booking and its slot as they were loaded.
async fn restore(db: &Dynamo) -> Result<(), Failure> {
    let now = sample(db).await?;
    let loaded = samples::booking()?;
    if now.start_time != loaded.start_time {
        Transaction::new().add(now.slot().delete()).send(db).await?;
    }
    Transaction::new()
        .add(loaded.put())
        .add(loaded.slot().put())
        .send(db)
        .await?;
    Ok(())
}
