//! Why something was refused.

use dynamo_model::Error;
use std::fmt;

/// What the document does not allow; or an error of the library.
#[derive(Debug)]
#[non_exhaustive]
pub enum QError {
    /// A value is not as the document wants it.
    Invalid {
        /// The attribute.
        attribute: &'static str,
        /// What it must be.
        rule: &'static str,
    },
    /// Another user has this value.
    Taken(&'static str),
    /// There is no such user.
    NoSuchUser,
    /// The user is banned.
    Banned,
    /// Nobody follows, blocks or reports themselves.
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
    /// There is no such answer, or it was deleted.
    NoSuchAnswer,
    /// There is no such reaction.
    NoSuchReaction,
    /// One question a day.
    AlreadySubmitted,
    /// There is no such question, or it has another status than this needs.
    NoSuchQuestion,
    /// The day has a question already.
    DayTaken,
    /// There is no such report, or it was dealt with.
    NoSuchReport,
    /// There is no such word.
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
            Self::NoSuchUser => "there is no such user",
            Self::Banned => "the user is banned",
            Self::Yourself => "nobody can do this to themselves",
            Self::Blocked => "one of the two has blocked the other",
            Self::AlreadyFollowing => "the one follows the other already",
            Self::NotFollowing => "the one does not follow the other",
            Self::AlreadyBlocked => "the one has blocked the other already",
            Self::NotBlocked => "the one has not blocked the other",
            Self::NotPublished => "today's question is not out yet",
            Self::AlreadyAnswered => "one answer a day, deleted ones included",
            Self::NoSuchAnswer => "there is no such answer, or it was deleted",
            Self::NoSuchReaction => "there is no such reaction",
            Self::AlreadySubmitted => "one question a day",
            Self::NoSuchQuestion => "there is no such question, or not with the status this needs",
            Self::DayTaken => "the day has a question already",
            Self::NoSuchReport => "there is no such report, or it was dealt with",
            Self::NoSuchWord => "there is no such word",
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
