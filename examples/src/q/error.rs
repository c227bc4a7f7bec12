//! Why something was refused.

use dynamo_model::Error;
use std::fmt;

/// A request that the document does not allow; or an error of the library.
#[derive(Debug)]
#[non_exhaustive]
pub enum QError {
    /// A value is not as the document wants it.
    Invalid {
        /// The attribute.
        attribute: &'static str,
        /// The rule.
        rule: &'static str,
    },
    /// Another user has this value.
    Taken(&'static str),
    /// The user does not exist.
    NoSuchUser,
    /// The user is banned.
    Banned,
    /// Users cannot follow, block or report themselves.
    Yourself,
    /// One of the two has blocked the other.
    Blocked,
    /// The one follows the other already.
    AlreadyFollowing,
    /// The one does not follow the other.
    NotFollowing,
    /// The one has blocked the other already.
    AlreadyBlocked,
    /// The one has not blocked the other.
    NotBlocked,
    /// Today's question is not out yet.
    NotPublished,
    /// One answer a day, deleted ones included.
    AlreadyAnswered,
    /// The answer does not exist, or was deleted.
    NoSuchAnswer,
    /// The reaction does not exist.
    NoSuchReaction,
    /// One question a day.
    AlreadySubmitted,
    /// The question does not exist, or has another status than required.
    NoSuchQuestion,
    /// The day has a question already.
    DayTaken,
    /// The report does not exist, or is closed.
    NoSuchReport,
    /// The word does not exist.
    NoSuchWord,
    /// The word is there already.
    AlreadyThere,
    /// Only administrators can do this.
    NotAdmin,
    /// Others changed the same items all the time; try again.
    Busy,
    /// The call itself failed.
    Dynamo(Error),
}

impl fmt::Display for QError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid { attribute, rule } => return write!(f, "`{attribute}` must be {rule}"),
            Self::Taken(attribute) => return write!(f, "another user has this `{attribute}`"),
            Self::NoSuchUser => "the user does not exist",
            Self::Banned => "the user is banned",
            Self::Yourself => "users cannot do this to themselves",
            Self::Blocked => "one of the two has blocked the other",
            Self::AlreadyFollowing => "the one follows the other already",
            Self::NotFollowing => "the one does not follow the other",
            Self::AlreadyBlocked => "the one has blocked the other already",
            Self::NotBlocked => "the one has not blocked the other",
            Self::NotPublished => "today's question is not out yet",
            Self::AlreadyAnswered => "one answer a day, deleted ones included",
            Self::NoSuchAnswer => "the answer does not exist, or was deleted",
            Self::NoSuchReaction => "the reaction does not exist",
            Self::AlreadySubmitted => "one question a day",
            Self::NoSuchQuestion => {
                "the question does not exist, or has another status than required"
            }
            Self::DayTaken => "the day has a question already",
            Self::NoSuchReport => "the report does not exist, or is closed",
            Self::NoSuchWord => "the word does not exist",
            Self::AlreadyThere => "the word is there already",
            Self::NotAdmin => "only administrators can do this",
            Self::Busy => "others changed the same items all the time; try again",
            Self::Dynamo(error) => return error.fmt(f),
        })
    }
}

impl std::error::Error for QError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Dynamo(error) => error.source(),
            _ => None,
        }
    }
}

impl From<Error> for QError {
    fn from(error: Error) -> Self {
        Self::Dynamo(error)
    }
}
