//! "3.2 Bookings", "3.3 Calendar" and "3.4 Options". A booking and its calendar slot change in one
//! transaction.

use super::{BookingId, UserId};
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, KeyPart};
use jiff::{Timestamp, civil::Date};
use serde::{Deserialize, Serialize};

/// "3.2 Bookings", the table. GSI4 is not in the document: it finds temporary bookings past their
/// deadline, for which the document scans.
#[derive(DynamoTable, Debug)]
#[table(name = "studio-booking-bookings", pk = "PK", sk = "SK")]
#[table(encryption = kms, point_in_time_recovery, billing = on_demand)]
#[table(no_scan, require(encryption, point_in_time_recovery))]
#[table(stream = new_and_old_images)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
#[gsi3(name = "GSI3", pk = "GSI3PK", sk = "GSI3SK")]
#[gsi4(name = "GSI4", pk = "GSI4PK", sk = "GSI4SK")]
pub struct Bookings;

/// `status`. The document's sample is pending; approval and cancellation are in its text.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum BookingStatus {
    Pending,
    Approved,
    Cancelled,
}

/// `bookingType`: a temporary booking lapses unless it is confirmed by its deadline.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum BookingType {
    Temporary,
    Confirmed,
}

/// `category` of a booked option.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum OptionCategory {
    Equipment,
    Service,
}

/// `insurance` of a booking.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Insurance {
    pub selected: bool,
    pub name: String,
    pub price: u32,
    pub tax_included_price: u32,
}

/// One of a booking's `options`: a copy of the service, so that later prices do not change it.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct BookingOption {
    pub id: String,
    pub name: String,
    pub quantity: u32,
    pub price: u32,
    pub tax_included_price: u32,
    pub category: OptionCategory,
}

/// "3.2 Bookings", the item. Without a deadline it is not in GSI4.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Bookings)]
#[pk("BOOKING#<booking_id>")]
#[sk("USER#<user_id>")]
#[gsi1(pk = "USER#<user_id>", sk = "BOOKING#<created_at:s>", as = by_user)]
#[gsi2(pk = "STATUS#<status>", sk = "<start_time:s>", as = by_status)]
#[gsi3(pk = "DATE#<start_time:%Y-%m-%d>", sk = "TIME#<start_time:%H:%M:%SZ>", as = by_date)]
#[gsi4(
    pk = "TYPE#<booking_type>",
    sk = "DEADLINE#<confirmation_deadline:s>",
    as = by_deadline
)]
#[allow(missing_docs)]
pub struct Booking {
    pub booking_id: BookingId,
    pub user_id: UserId,
    pub user_email: String,
    pub user_name: String,
    pub company_name: String,
    pub photographer_name: String,
    pub plan: String,
    pub plan_details: String,
    pub insurance: Insurance,
    pub start_time: Timestamp,
    pub end_time: Timestamp,
    pub status: BookingStatus,
    pub booking_type: BookingType,
    pub purpose: String,
    pub shooting_details: String,
    pub protection: String,
    pub people_count: u32,
    pub confirmation_deadline: Option<Timestamp>,
    pub automatic_cancellation: bool,
    pub cancellation_fee_percent: u32,
    pub options: Vec<BookingOption>,
    #[dynamo(null)]
    pub approved_by: Option<UserId>,
    #[dynamo(null)]
    pub approved_at: Option<Timestamp>,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// "3.3 Calendar", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "studio-booking-calendar", pk = "PK", sk = "SK", items = CalendarItem)]
#[table(point_in_time_recovery, billing = on_demand, no_scan)]
pub struct Calendar;

/// "3.3 Calendar", the item: the hours that a booking takes, a partition a day.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Calendar)]
#[pk("DATE#<start_time:%Y-%m-%d>")]
#[sk("TIME#<start_time:%H:%M:%S>#<end_time:%H:%M:%S>")]
#[allow(missing_docs)]
pub struct CalendarSlot {
    pub booking_id: BookingId,
    pub user_id: UserId,
    pub status: BookingStatus,
    pub booking_type: BookingType,
    pub start_time: Timestamp,
    pub end_time: Timestamp,
}

/// A day of the calendar, which every new slot of it counts up. Not in the document: slots that
/// overlap have different keys, and so would not keep each other out.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Calendar)]
#[pk("DATE#<date>")]
#[sk("DAY")]
#[allow(missing_docs)]
pub struct CalendarDay {
    #[dynamo(key_only)]
    pub date: Date,
    #[dynamo(version)]
    pub version: u64,
}

/// The items in the partition of a date.
#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = Calendar)]
#[allow(missing_docs)]
pub enum CalendarItem {
    Day(CalendarDay),
    Slot(CalendarSlot),
}

/// "3.4 Options", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "studio-booking-options", pk = "PK")]
#[table(point_in_time_recovery, billing = on_demand, no_scan)]
pub struct Options;

/// "3.4 Options", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Options, scannable = "the table is small")]
#[pk("OPTION#<option_id>")]
#[allow(missing_docs)]
pub struct OptionService {
    #[dynamo(key_only)]
    pub option_id: String,
    pub name: String,
    pub description: String,
    pub unit_price: u32,
    pub unit: String,
    pub is_active: bool,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}
