//! The functions of the application, by topic.
//!
//! The caller passes the time where a rule of the document depends on it (the day in Japan, on time
//! or late, thirty or ninety days), in whole seconds, like the indexes. `createdAt` and `updatedAt`
//! of other items come from the clock of the [`Dynamo`](dynamo_model::Dynamo) handle.

mod answers;
mod moderation;
mod ng_words;
mod people;
mod questions;
mod relations;
mod state_machine;
mod withdrawal;

pub(super) use answers::without_blocked;
pub use answers::{delete_answer, post_answer, react, restore_answer, timeline, unreact};
pub use moderation::{
    Admin, Target, add_ng_word, ban_user, delete_ng_word, report, resolve_report,
    review_flagged_answer, unban_user,
};
pub use ng_words::{NgWordCache, is_flagged};
pub use people::{change_username, edit_profile, register, register_push_token};
pub use questions::{
    archive_question, create_question, publish, random_approved_question, release_used_questions,
    review_submission, schedule, set_daily_question, submit_question,
};
pub use relations::{block, follow, is_mutual, unblock, unfollow};
pub use state_machine::state_machine;
pub use withdrawal::{Stage, withdraw};

use super::QError;
use dynamo_model::{Error, ErrorKind};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

type Result<T, E = QError> = std::result::Result<T, E>;

/// Returns the day in Japan.
#[must_use]
pub fn day_in_japan(time: Timestamp) -> Date {
    Offset::constant(9).to_datetime(time).date()
}

/// Converts a failed condition, by the entity on which it failed and whether the item existed.
fn refused(error: Error, why: impl FnOnce(&str, bool) -> Option<QError>) -> QError {
    if !error.is_condition_failed() {
        return error.into();
    }
    let was_there = *error.kind() != ErrorKind::NotFound;
    match why(error.entity(), was_there) {
        Some(why) => why,
        None => error.into(),
    }
}
