//! The document's items, and a June of 30 users with three bookings a day. The same every time.

use super::{
    Booking, BookingId, BookingStatus, BookingType, Bookings, Calendar, CalendarDay, Notification,
    Notifications, OptionService, Options, Terms, TermsOfService, TermsStatus, TermsVersion,
    UnreadCount, User, UserAgreement, UserAgreements, UserId, Users, samples,
};
use crate::{Failure, loading::Loading};
use dynamo_model::{Dynamo, Table};
use jiff::{SignedDuration, Timestamp, tz::TimeZone};
use uuid::Uuid;

/// How many items [`load`] writes. Of the bookings, 15 are cancelled and so not in the calendar.
pub const LOADED: usize = USERS
    + (2 * BOOKINGS - 15)
    + DAYS
    + SERVICES.len()
    + (USERS * NOTIFICATIONS + 1)
    + USERS
    + TERMS.len()
    + (USERS + USERS / 2);

const USERS: usize = 30;
const DAYS: usize = 30;
const BOOKINGS: usize = 3 * DAYS;
/// Of every user.
const NOTIFICATIONS: usize = 20;
/// Name, price and unit; the first is the document's.
const SERVICES: [(&str, u32, &str); 6] = [
    ("LEDライト", 1000, "台"),
    ("背景紙", 2300, "枚"),
    ("ストロボ", 1500, "台"),
    ("三脚", 500, "本"),
    ("レフ板", 300, "枚"),
    ("スチーマー", 800, "台"),
];
/// Version, status and the day from which it is in force, from 2025-01-01 on; the second is the
/// document's.
const TERMS: [(&str, TermsStatus, i64); 4] = [
    ("0.9", TermsStatus::Inactive, -365),
    ("1.0", TermsStatus::Active, 0),
    ("1.1", TermsStatus::Active, 151),
    ("2.0", TermsStatus::Active, 365),
];

/// 2025-01-01T00:00:00Z.
const NEW_YEAR: Timestamp = Timestamp::constant(1_735_689_600, 0);
/// 2025-06-01T00:00:00Z.
const JUNE: Timestamp = Timestamp::constant(1_748_736_000, 0);

/// Creates the tables and loads the data; `progress` is called with the number of items so far.
pub async fn load(db: &Dynamo, progress: &mut (dyn FnMut(usize) + Send)) -> Result<(), Failure> {
    create(db).await?;
    let sample = samples::booking()?;
    let bookings: Vec<_> = (0..BOOKINGS)
        .map(|number| booking(number, &sample))
        .collect();
    let in_calendar = bookings
        .iter()
        .filter(|it| it.status != BookingStatus::Cancelled);
    let slots: Vec<_> = in_calendar.map(Booking::slot).collect();
    let first = samples::user()?;
    let users: Vec<_> = (0..USERS).map(|number| user(number, &first)).collect();
    let notifications: Vec<_> = users
        .iter()
        .flat_map(|user| (0..NOTIFICATIONS).map(|number| notification(user.user_id, number)))
        .collect();
    let agreements = users.iter().enumerate();
    let agreements = agreements.flat_map(|(number, user)| {
        let versions = if number % 2 == 0 {
            &TERMS[1..3]
        } else {
            &TERMS[1..2]
        };
        versions
            .iter()
            .map(|(version, _, _)| agreement(user.user_id, version))
    });
    let agreements: Vec<_> = agreements.collect();

    let mut loading = Loading::new(db, JUNE, progress);
    loading.write(|batch| batch.puts(&users)).await?;
    loading.write(|batch| batch.puts(&bookings)).await?;
    loading.write(|batch| batch.puts(&slots)).await?;
    loading
        .write(|batch| batch.load((1..=DAYS).map(calendar_day)))
        .await?;
    let service = samples::option_service()?;
    let services = services(&service);
    loading.write(|batch| batch.load(services)).await?;
    let first = samples::notification()?;
    loading
        .write(|batch| batch.put(&first).load(notifications))
        .await?;
    let unread = users.iter().enumerate().map(unread);
    loading.write(|batch| batch.load(unread)).await?;
    let sample = samples::terms()?;
    let terms = terms(&sample);
    loading.write(|batch| batch.load(terms)).await?;
    loading.write(|batch| batch.load(agreements)).await?;
    Ok(())
}

async fn create(db: &Dynamo) -> Result<(), Failure> {
    Users::create_table(db).await?;
    Bookings::create_table(db).await?;
    Calendar::create_table(db).await?;
    Options::create_table(db).await?;
    Notifications::create_table(db).await?;
    TermsOfService::create_table(db).await?;
    UserAgreements::create_table(db).await?;
    Ok(())
}

fn days(days: i64) -> SignedDuration {
    SignedDuration::from_hours(24 * days)
}

/// User 0 is the document's.
fn user(number: usize, sample: &User) -> User {
    if number == 0 {
        return sample.clone();
    }
    User {
        user_id: user_id(number, sample.user_id),
        email: format!("user{number}@example.com"),
        full_name: format!("利用者{number:02}"),
        booking_count: 3,
        total_usage_minutes: 600,
        ..sample.clone()
    }
}

fn user_id(number: usize, sample: UserId) -> UserId {
    UserId(Uuid::from_u128(sample.0.as_u128() + number as u128))
}

/// Three a day, the second of the 15th being the document's. In the morning they are confirmed; in
/// the afternoon, temporary; in the evening, temporary or, on odd days, cancelled.
fn booking(number: usize, sample: &Booking) -> Booking {
    let (day, of_day) = (number / 3 + 1, number % 3);
    if (day, of_day) == (15, 1) {
        return sample.clone();
    }
    let (hour, hours) = [(9, 3), (13, 4), (18, 3)][of_day];
    let start_time = JUNE + days(day as i64 - 1) + SignedDuration::from_hours(hour);
    let (status, booking_type) = match of_day {
        0 => (BookingStatus::Approved, BookingType::Confirmed),
        2 if day % 2 == 1 => (BookingStatus::Cancelled, BookingType::Temporary),
        _ => (BookingStatus::Pending, BookingType::Temporary),
    };
    let is_pending = status == BookingStatus::Pending;
    let deadline = start_time - days(7) + SignedDuration::from_hours(5);
    Booking {
        booking_id: BookingId(format!("b06{day:02}-{of_day}")),
        user_id: user_id(number % USERS, sample.user_id),
        user_name: format!("利用者{:02}", number % USERS),
        start_time,
        end_time: start_time + SignedDuration::from_hours(hours),
        status,
        booking_type,
        confirmation_deadline: is_pending.then_some(deadline),
        automatic_cancellation: of_day == 1,
        created_at: JUNE - days(30) + SignedDuration::from_mins(number as i64),
        ..sample.clone()
    }
}

/// Three bookings were made for each day.
fn calendar_day(day: usize) -> CalendarDay {
    let start = JUNE + days(day as i64 - 1);
    CalendarDay {
        date: start.to_zoned(TimeZone::UTC).date(),
        version: 3,
    }
}

fn services(sample: &OptionService) -> impl Iterator<Item = OptionService> {
    (1..)
        .zip(SERVICES)
        .map(|(number, (name, price, unit))| OptionService {
            option_id: format!("opt{number}"),
            name: name.into(),
            unit_price: price,
            unit: unit.into(),
            ..sample.clone()
        })
}

/// From the 2nd of June on, an hour apart; one in four is not read yet.
fn notification(user_id: UserId, number: usize) -> Notification {
    let created_at = JUNE + days(1) + SignedDuration::from_hours(number as i64);
    let is_read = !number.is_multiple_of(4);
    Notification {
        user_id,
        title: "お知らせ".into(),
        content: format!("お知らせ{number:02}"),
        notification_type: ["booking", "system", "terms"][number % 3].into(),
        is_read,
        related_entity_id: None,
        created_at,
        read_at: is_read.then_some(created_at + SignedDuration::from_mins(5)),
        expires_at: None,
    }
}

/// One in four, and the document's own of its user.
fn unread((number, user): (usize, &User)) -> UnreadCount {
    UnreadCount {
        user_id: user.user_id,
        unread: (NOTIFICATIONS / 4) as u32 + u32::from(number == 0),
        version: 1,
    }
}

fn terms(sample: &Terms) -> impl Iterator<Item = Terms> {
    TERMS.into_iter().map(|(version, status, day)| Terms {
        version: TermsVersion(version.into()),
        status,
        effective_date: NEW_YEAR + days(day),
        ..sample.clone()
    })
}

fn agreement(user_id: UserId, version: &str) -> UserAgreement {
    UserAgreement {
        user_id,
        version: TermsVersion(version.into()),
        agreed_at: NEW_YEAR + days(14) + SignedDuration::from_mins(14 * 60 + 30),
    }
}
