//! A photo studio's bookings in seven tables.
//!
//! The document draws index keys as attribute *names* (`"STATUS#pending": "2025-06-15T13:00:00Z"`).
//! DynamoDB has no such keys: the attributes are GSI1PK, GSI1SK and so on, and the drawn name and
//! value are their values.

mod backups;
mod bookings;
mod logic;
mod messages;
mod notifications;
mod patterns;
mod phases;
mod refused;
mod reserve;
mod sample_data;
mod samples;
mod stream;
mod terms;
mod users;

pub use backups::{Backups, archive, back_up, test_restore};
pub use bookings::{
    Booking, BookingOption, BookingStatus, BookingType, Bookings, Calendar, CalendarDay,
    CalendarItem, CalendarSlot, Insurance, OptionCategory, OptionService, Options,
};
pub use logic::{
    ChosenOption, agree, announce_terms, booked_options, calendar_between, calendar_of_date,
    calendar_of_month, count_usage, current_terms, has_agreed, mark_read, notify, publish_terms,
    unread, unread_count,
};
pub use messages::{Channel, Message, Messenger};
pub use notifications::{Notification, NotificationItem, Notifications, UnreadCount};
pub use patterns::patterns;
pub use phases::Phase;
pub use refused::BookingError;
pub use reserve::{
    approve, cancel, cancel_expired, confirm, create_booking, expired, find_booking, reschedule,
};
pub use sample_data::{LOADED, load};
pub use samples::{
    booking, calendar_day, calendar_slot, notification, option_service, samples, terms,
    unread_count_of_user, user, user_agreement,
};
pub use stream::{
    count_unread, on_booking, on_bookings, on_notification, on_notifications, on_user, on_users,
};
pub use terms::{Terms, TermsOfService, TermsStatus, UserAgreement, UserAgreements};
pub use users::{User, Users};

use dynamo_model::KeyPart;
use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// `userId`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct UserId(pub Uuid);

/// `bookingId`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct BookingId(pub String);

/// `version` of the terms of service, such as `1.0`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct TermsVersion(pub String);
