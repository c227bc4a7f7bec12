//! The functions around bookings: calendar, notifications, terms.

use super::stream::once;
use super::{
    Booking, BookingError, BookingOption, CalendarSlot, Notification, OptionCategory,
    OptionService, Terms, TermsStatus, TermsVersion, UnreadCount, User, UserAgreement, UserId,
};
use crate::retry::ATTEMPTS;
use dynamo_model::batch::IntoKey;
use dynamo_model::expr::ByKey;
use dynamo_model::write::Update;
use dynamo_model::{BatchGet, Dynamo, Entity, Error, ErrorKind, Transaction};
use futures_util::{StreamExt, TryStreamExt, stream};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp, ToSpan, tz::TimeZone};
use std::pin::pin;
use std::time::Duration;

/// Days of the calendar that are read at a time.
const DAYS_AT_A_TIME: usize = 8;
/// Parts of the users' table that are read at a time.
const SEGMENTS: u32 = 4;
/// "taxIncludedPrice" of the document's options: 1,000 yen are 1,100.
const TAX_PERCENT: u32 = 10;

/// "Slots by date", in the order of the day.
pub async fn calendar_of_date(db: &Dynamo, date: Date) -> Result<Vec<CalendarSlot>, BookingError> {
    Ok(CalendarSlot::query(start_of(date)?).all(db).await?)
}

/// "Slots by range of dates": a query a day, several at a time, in order. Both dates belong to it.
pub async fn calendar_between(
    db: &Dynamo,
    from: Date,
    to: Date,
) -> Result<Vec<CalendarSlot>, BookingError> {
    let dates = from.series(1.day()).take_while(|date| *date <= to);
    let days = stream::iter(dates)
        .map(|date| calendar_of_date(db, date))
        .buffered(DAYS_AT_A_TIME);
    days.try_concat().await
}

/// The calendar of the month that a date is in.
pub async fn calendar_of_month(
    db: &Dynamo,
    month: Date,
) -> Result<Vec<CalendarSlot>, BookingError> {
    calendar_between(db, month.first_of_month(), month.last_of_month()).await
}

fn start_of(date: Date) -> Result<Timestamp, BookingError> {
    let start = date.to_zoned(TimeZone::UTC);
    let start = start.map_err(|_| BookingError::Invalid {
        attribute: "date",
        rule: "a date has a beginning in UTC",
    })?;
    Ok(start.timestamp())
}

/// An option that a user chooses. The user does not determine its price.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct ChosenOption {
    pub option_id: String,
    pub quantity: u32,
    pub category: OptionCategory,
}

/// Returns the copies of the chosen options in a booking, read in one batch: with the current name
/// and price, so that later changes do not affect it. Fails on an inactive option.
pub async fn booked_options(
    db: &Dynamo,
    chosen: &[ChosenOption],
) -> Result<Vec<BookingOption>, BookingError> {
    let keys = chosen.iter().map(|it| OptionService::key(&it.option_id));
    let services = BatchGet::new(keys).send(db).await?;
    let booked = chosen.iter().zip(services).map(|(chosen, service)| {
        let offered = service.filter(|service| service.is_active);
        let service =
            offered.ok_or_else(|| BookingError::NoSuchOption(chosen.option_id.clone()))?;
        Ok(BookingOption {
            id: chosen.option_id.clone(),
            name: service.name,
            quantity: chosen.quantity,
            price: service.unit_price,
            tax_included_price: service.unit_price * (100 + TAX_PERCENT) / 100,
            category: chosen.category,
        })
    });
    booked.collect()
}

/// Notifies a user; the notification goes after `keep`. Its key has seconds, so the second of two
/// in one second moves on to the next. Returns when it is.
pub async fn notify(
    db: &Dynamo,
    notification: Notification,
    keep: Duration,
) -> Result<Timestamp, BookingError> {
    let mut notification = Notification {
        expires_at: Some(db.expires_in(keep)),
        ..notification
    };
    for _ in 1..=ATTEMPTS {
        match notification.create().send(db).await {
            Ok(()) => return Ok(notification.created_at),
            Err(error) if *error.kind() == ErrorKind::AlreadyExists => {
                notification.created_at += SignedDuration::from_secs(1);
            }
            Err(error) => return Err(error.into()),
        }
    }
    Err(BookingError::Busy)
}

/// Returns how many notifications a user has not read, as the stream of the notifications last
/// counted them.
pub async fn unread_count(db: &Dynamo, user_id: UserId) -> Result<u32, Error> {
    let count = UnreadCount::get(user_id).send(db).await?;
    Ok(count.map_or(0, |count| count.unread))
}

/// "Unread notifications of a user", newest first.
pub async fn unread(db: &Dynamo, user_id: UserId) -> Result<Vec<Notification>, Error> {
    let all = Notification::query(user_id).descending();
    let unread = all.filter(|notification| notification.is_read().eq(false));
    unread.all(db).await
}

/// Marks a notification as read, the first time; whether it was the first.
pub async fn mark_read(
    db: &Dynamo,
    notification: &Notification,
    now: Timestamp,
) -> Result<bool, Error> {
    let update = Notification::update(notification.user_id, notification.created_at)
        .set(|notification| notification.is_read(), true)
        .set(|notification| notification.read_at(), now)
        .condition(|notification| notification.is_read().eq(false));
    match update.send(db).await {
        Ok(()) => Ok(true),
        Err(error) if *error.kind() == ErrorKind::ConditionFailed => Ok(false),
        Err(error) => Err(error),
    }
}

/// "The newest terms in force": active, and effective by now.
///
/// The document takes one item of the index without saying which way; that would be the oldest.
pub async fn current_terms(db: &Dynamo, now: Timestamp) -> Result<Option<Terms>, Error> {
    let terms = Terms::by_status(TermsStatus::Active).effective_date_in(..=now);
    terms.descending().first(db).await
}

/// "When terms are added, all users are notified"; returns how many were.
pub async fn publish_terms(
    db: &Dynamo,
    terms: &Terms,
    now: Timestamp,
    keep: Duration,
) -> Result<usize, BookingError> {
    terms.create().send(db).await?;
    announce_terms(db, terms, now, keep).await
}

/// Notifies all users of terms; returns how many users there are. After a failure it can be called
/// again with the same time: each user is notified once.
///
/// This needs all users, so it is a scan, in parallel segments.
pub async fn announce_terms(
    db: &Dynamo,
    terms: &Terms,
    now: Timestamp,
    keep: Duration,
) -> Result<usize, BookingError> {
    let mut users = pin!(User::scan().segments(SEGMENTS).stream(db));
    let mut notified = 0;
    while let Some(user) = users.try_next().await? {
        once(db, new_terms(&user, terms, now), keep, None).await?;
        notified += 1;
    }
    Ok(notified)
}

fn new_terms(user: &User, terms: &Terms, now: Timestamp) -> Notification {
    Notification {
        user_id: user.user_id,
        title: "利用規約を改定しました".into(),
        content: terms.title.clone(),
        notification_type: "terms".into(),
        is_read: false,
        related_entity_id: None,
        created_at: now,
        read_at: None,
        expires_at: None,
    }
}

/// Stores that a user agrees to existing terms. A second agreement changes nothing.
pub async fn agree(
    db: &Dynamo,
    user_id: UserId,
    version: &TermsVersion,
    now: Timestamp,
) -> Result<(), BookingError> {
    let agreement = UserAgreement {
        user_id,
        version: version.clone(),
        agreed_at: now,
    };
    let agreed = Transaction::new()
        .add(Terms::key(version).must_exist())
        .add(agreement.create());
    match agreed.send(db).await {
        Err(error) if *error.kind() == ErrorKind::NotFound => {
            Err(BookingError::NoSuchTerms(version.clone()))
        }
        Err(error) if *error.kind() == ErrorKind::AlreadyExists => Ok(()),
        agreed => Ok(agreed?),
    }
}

/// "Agreement to a version".
pub async fn has_agreed(
    db: &Dynamo,
    user_id: UserId,
    version: &TermsVersion,
) -> Result<bool, Error> {
    let agreement = UserAgreement::get(user_id, version).send(db).await?;
    Ok(agreement.is_some())
}

/// "Statistics after a cancellation", and after a new booking: counts it for its user, or takes it
/// back.
pub async fn count_usage(db: &Dynamo, booking: &Booking, cancelled: bool) -> Result<(), Error> {
    usage(booking, cancelled).send(db).await
}

/// Returns the same to be done together with something else.
pub(super) fn usage(booking: &Booking, cancelled: bool) -> Update<User, ByKey> {
    let minutes = booking
        .end_time
        .duration_since(booking.start_time)
        .as_mins();
    let minutes = u32::try_from(minutes).unwrap_or_default();
    let user = User::update(booking.user_id);
    if cancelled {
        user.subtract(|user| user.booking_count(), 1_u32)
            .subtract(|user| user.total_usage_minutes(), minutes)
            .condition(|user| {
                user.booking_count().ge(1_u32) & user.total_usage_minutes().ge(minutes)
            })
    } else {
        user.add(|user| user.booking_count(), 1_u32)
            .add(|user| user.total_usage_minutes(), minutes)
    }
}
