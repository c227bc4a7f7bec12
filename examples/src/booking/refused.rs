//! Reasons why the studio refuses a request.

use super::{BookingId, TermsVersion};
use crate::Failure;
use dynamo_model::Error;
use std::fmt;

/// Reasons why the studio refuses a request.
#[derive(Debug)]
pub enum BookingError {
    /// An attribute breaks a rule.
    Invalid {
        /// The attribute.
        attribute: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// Another booking has the studio at that time.
    Taken(BookingId),
    /// There is such a booking already.
    Exists(BookingId),
    /// The booking does not exist.
    NoSuchBooking(BookingId),
    /// The booking is cancelled.
    Cancelled,
    /// The booking is approved already.
    Approved,
    /// The booking is confirmed already.
    Confirmed,
    /// The booking was to be confirmed by its deadline.
    Expired,
    /// Another client changed the booking since it was read.
    Changed,
    /// The version of the terms does not exist.
    NoSuchTerms(TermsVersion),
    /// The option does not exist, or is inactive.
    NoSuchOption(String),
    /// A mail or a push notification could not be sent.
    NotSent(Failure),
    /// Another client was faster, in every attempt.
    Busy,
    /// The call itself failed.
    Database(Error),
}

impl fmt::Display for BookingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid { attribute, rule } => write!(f, "`{attribute}`: {rule}"),
            Self::Taken(BookingId(by)) => write!(f, "booking {by} has the studio at that time"),
            Self::Exists(BookingId(id)) => write!(f, "there is a booking {id} already"),
            Self::NoSuchBooking(BookingId(id)) => write!(f, "booking {id} does not exist"),
            Self::Cancelled => write!(f, "the booking is cancelled"),
            Self::Approved => write!(f, "the booking is approved already"),
            Self::Confirmed => write!(f, "the booking is confirmed already"),
            Self::Expired => write!(f, "the booking was to be confirmed earlier"),
            Self::Changed => write!(f, "the booking was changed meanwhile; read it again"),
            Self::NoSuchTerms(TermsVersion(version)) => write!(f, "terms {version} do not exist"),
            Self::NoSuchOption(id) => write!(f, "the option {id} is not offered"),
            Self::NotSent(error) => write!(f, "a message was not sent: {error}"),
            Self::Busy => write!(f, "too many bookings at a time; try again"),
            Self::Database(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BookingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Database(error) => error.source(),
            Self::NotSent(error) => error.source(),
            _ => None,
        }
    }
}

impl From<Error> for BookingError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}
