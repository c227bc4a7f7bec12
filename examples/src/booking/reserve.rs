//! Bookings and the calendar, which change together ("6.1 Transactions").
//!
//! A slot's key is its start and its end, so that two slots which overlap have different keys: that
//! a key must be new does not keep the studio from being booked twice. Therefore every new slot
//! also writes the day it is on, [`CalendarDay`], in the version that was read before the day's
//! slots.

use super::{
    Booking, BookingError, BookingId, BookingStatus, BookingType, CalendarDay, CalendarSlot, UserId,
};
use crate::retry::{ATTEMPTS, pause};
use dynamo_model::expr::Loaded;
use dynamo_model::write::Update;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Transaction};
use futures_util::TryStreamExt;
use jiff::{Timestamp, tz::TimeZone};
use std::pin::pin;

/// Creates a booking and takes its time in the calendar.
pub async fn create_booking(db: &Dynamo, booking: &Booking) -> Result<(), BookingError> {
    check(booking)?;
    let slot = booking.slot();
    for attempt in 1..=ATTEMPTS {
        let day = free_day(db, &slot).await?;
        let created = Transaction::new()
            .add(day.put())
            .add(booking.create())
            .add(slot.create());
        match created.send(db).await {
            Err(error) if error.is_conflict() => pause(attempt).await,
            Err(error) if *error.kind() == ErrorKind::AlreadyExists => {
                return Err(BookingError::Exists(booking.booking_id.clone()));
            }
            created => return Ok(created?),
        }
    }
    Err(BookingError::Busy)
}

/// Returns the booking, strongly consistent, as the document requires for "the state of a booking".
pub async fn find_booking(
    db: &Dynamo,
    booking_id: &BookingId,
    user_id: UserId,
) -> Result<Booking, BookingError> {
    let booking = Booking::get(booking_id, user_id).consistent();
    let booking = booking.send(db).await?;
    booking.ok_or_else(|| BookingError::NoSuchBooking(booking_id.clone()))
}

/// Moves a booking to another time.
pub async fn reschedule(
    db: &Dynamo,
    booking: &Booking,
    start_time: Timestamp,
    end_time: Timestamp,
) -> Result<(), BookingError> {
    let moved = Booking {
        start_time,
        end_time,
        ..booking.clone()
    };
    check(&moved)?;
    let (old, new) = (booking.slot(), moved.slot());
    if old == new {
        return Ok(());
    }
    for attempt in 1..=ATTEMPTS {
        let day = free_day(db, &new).await?;
        let update = booking
            .update()
            .set(|booking| booking.start_time(), start_time)
            .set(|booking| booking.end_time(), end_time)
            .condition(|now| now.booking_type().eq(booking.booking_type));
        let sent = Transaction::new()
            .add(day.put())
            .add(update)
            .add(release(&old))
            .add(new.create());
        match sent.send(db).await {
            Err(error) if error.is_conflict() && is_day(&error) => pause(attempt).await,
            sent => return sent.map_err(changed),
        }
    }
    Err(BookingError::Busy)
}

/// Approves a booking that waits for it: a real one, or a temporary one, which then keeps its
/// deadline until it is confirmed.
pub async fn approve(
    db: &Dynamo,
    booking: &Booking,
    approved_by: UserId,
    now: Timestamp,
) -> Result<(), BookingError> {
    match booking.status {
        BookingStatus::Cancelled => return Err(BookingError::Cancelled),
        BookingStatus::Approved => return Err(BookingError::Approved),
        BookingStatus::Pending if booking.is_expired(now) => return Err(BookingError::Expired),
        BookingStatus::Pending => {}
    }
    let update = approval(booking, approved_by, now);
    send_with_slot(db, booking, update, booking.booking_type).await
}

/// "From a temporary booking to a real one": state, type, cancellation fee and deadline, and the
/// calendar.
pub async fn confirm(
    db: &Dynamo,
    booking: &Booking,
    approved_by: UserId,
    cancellation_fee_percent: u32,
    now: Timestamp,
) -> Result<(), BookingError> {
    check_fee(cancellation_fee_percent)?;
    match (booking.status, booking.booking_type) {
        (BookingStatus::Cancelled, _) => return Err(BookingError::Cancelled),
        (_, BookingType::Confirmed) => return Err(BookingError::Confirmed),
        _ if booking.is_expired(now) => return Err(BookingError::Expired),
        _ => {}
    }
    let update = approval(booking, approved_by, now)
        .set(|booking| booking.booking_type(), BookingType::Confirmed)
        .set(
            |booking| booking.cancellation_fee_percent(),
            cancellation_fee_percent,
        )
        .remove(|booking| booking.confirmation_deadline());
    send_with_slot(db, booking, update, BookingType::Confirmed).await
}

/// Approves a booking that is unchanged since it was read.
fn approval(booking: &Booking, approved_by: UserId, now: Timestamp) -> Update<Booking, Loaded> {
    booking
        .update()
        .set(|booking| booking.status(), BookingStatus::Approved)
        .set(|booking| booking.approved_by(), approved_by)
        .set(|booking| booking.approved_at(), now)
        .condition(|now| {
            now.status().eq(booking.status) & now.booking_type().eq(booking.booking_type)
        })
}

/// Sends the approval of a booking, and the same for its slot.
async fn send_with_slot(
    db: &Dynamo,
    booking: &Booking,
    update: Update<Booking, Loaded>,
    booking_type: BookingType,
) -> Result<(), BookingError> {
    let slot = booking.slot();
    let slot = slot
        .update()
        .set(|slot| slot.status(), BookingStatus::Approved)
        .set(|slot| slot.booking_type(), booking_type)
        .condition(|slot| slot.booking_id().eq(&booking.booking_id));
    let sent = Transaction::new().add(update).add(slot).send(db).await;
    sent.map_err(changed)
}

/// Cancels a booking and gives its time free.
pub async fn cancel(db: &Dynamo, booking: &Booking) -> Result<(), BookingError> {
    if booking.status == BookingStatus::Cancelled {
        return Err(BookingError::Cancelled);
    }
    let update = booking
        .update()
        .set(|booking| booking.status(), BookingStatus::Cancelled)
        .remove(|booking| booking.confirmation_deadline())
        .condition(|now| now.status().eq(booking.status));
    let sent = Transaction::new().add(update).add(release(&booking.slot()));
    sent.send(db).await.map_err(changed)
}

/// Temporary bookings past their deadline, the longest overdue first. The document scans for them;
/// here only they are in GSI4.
pub async fn expired(db: &Dynamo, now: Timestamp) -> Result<Vec<Booking>, Error> {
    let expired = Booking::by_deadline(BookingType::Temporary).confirmation_deadline_in(..now);
    expired.all(db).await
}

/// Cancels expired bookings, if that is agreed ("automaticCancellation"); returns them.
pub async fn cancel_expired(db: &Dynamo, now: Timestamp) -> Result<Vec<BookingId>, BookingError> {
    let expired = Booking::by_deadline(BookingType::Temporary).confirmation_deadline_in(..now);
    let automatic = expired.filter(|booking| booking.automatic_cancellation().eq(true));
    let mut automatic = pin!(automatic.stream(db));
    let mut cancelled = Vec::new();
    while let Some(booking) = automatic.try_next().await? {
        match cancel(db, &booking).await {
            Ok(()) => cancelled.push(booking.booking_id),
            // Confirmed in the last moment, or cancelled by another run.
            Err(BookingError::Changed) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(cancelled)
}

impl Booking {
    /// Returns its slot in the calendar.
    #[must_use]
    pub fn slot(&self) -> CalendarSlot {
        CalendarSlot {
            booking_id: self.booking_id.clone(),
            user_id: self.user_id,
            status: self.status,
            booking_type: self.booking_type,
            start_time: self.start_time,
            end_time: self.end_time,
        }
    }

    fn is_expired(&self, now: Timestamp) -> bool {
        self.confirmation_deadline
            .is_some_and(|deadline| deadline < now)
    }
}

/// Returns the day of a slot, where no other booking has that time. Written in the version that it
/// has now, it proves that no slot came after those that are looked at here.
async fn free_day(db: &Dynamo, slot: &CalendarSlot) -> Result<CalendarDay, BookingError> {
    let date = slot.start_time.to_zoned(TimeZone::UTC).date();
    let day = CalendarDay::get(date).consistent().send(db).await?;
    let slots = CalendarSlot::query(slot.start_time)
        .consistent()
        .all(db)
        .await?;
    let other = slots.into_iter().find(|other| {
        let overlaps = other.start_time < slot.end_time && slot.start_time < other.end_time;
        overlaps && other.booking_id != slot.booking_id
    });
    match other {
        Some(other) => Err(BookingError::Taken(other.booking_id)),
        None => Ok(day.unwrap_or(CalendarDay { date, version: 0 })),
    }
}

/// Deletes a slot, if it still belongs to that booking.
fn release(slot: &CalendarSlot) -> dynamo_model::write::Delete<CalendarSlot> {
    CalendarSlot::delete(slot.start_time, slot.end_time)
        .condition(|now| now.booking_id().eq(&slot.booking_id))
}

fn is_day(error: &Error) -> bool {
    error.entity() == CalendarDay::SCHEMA.entity
}

/// Converts the error of a failed condition on a booking that was read.
fn changed(error: Error) -> BookingError {
    if error.is_condition_failed() {
        BookingError::Changed
    } else {
        error.into()
    }
}

fn check(booking: &Booking) -> Result<(), BookingError> {
    let day = |time: Timestamp| time.to_zoned(TimeZone::UTC).date();
    if booking.status == BookingStatus::Cancelled {
        return Err(BookingError::Cancelled);
    }
    if booking.start_time >= booking.end_time {
        return invalid("endTime", "a booking ends after it starts");
    }
    // The calendar's key has one date, and times of seconds.
    if day(booking.start_time) != day(booking.end_time) {
        return invalid("endTime", "a booking ends on the day it starts");
    }
    if booking.start_time.subsec_nanosecond() != 0 || booking.end_time.subsec_nanosecond() != 0 {
        return invalid("startTime", "a booking starts and ends on a full second");
    }
    if booking.people_count == 0 {
        return invalid("peopleCount", "at least one person comes");
    }
    if booking.plan == "A" && booking.people_count > 10 {
        return invalid("peopleCount", "plan A is for up to 10 people");
    }
    if booking.booking_type == BookingType::Temporary && booking.confirmation_deadline.is_none() {
        return invalid("confirmationDeadline", "a temporary booking has one");
    }
    check_fee(booking.cancellation_fee_percent)
}

fn check_fee(percent: u32) -> Result<(), BookingError> {
    if percent > 100 {
        return invalid("cancellationFeePercent", "at most 100");
    }
    Ok(())
}

fn invalid<T>(attribute: &'static str, rule: &'static str) -> Result<T, BookingError> {
    Err(BookingError::Invalid { attribute, rule })
}
