//! Q., an app that asks all users one question a day: twelve tables whose keys are plain
//! attributes, and one for unique values.
//!
//! Tables are named `{env}-{app}-{table}`, as in `dev-q-Users`; the declarations contain the last
//! part. [`deployed`] returns the handle with the prefix. A key that is the attribute itself is a
//! single placeholder, `#[pk("<user_id>")]`, and stores no value twice.

mod answers;
mod error;
pub mod fan_out;
mod generated;
pub mod logic;
mod moderation;
mod patterns;
mod questions;
mod relations;
mod reservations;
mod samples;
mod text;
mod username_index;
mod users;

pub use answers::{Answer, Answers, Reaction, ReactionType, Reactions};
pub use error::QError;
pub use moderation::{
    AdminAction, AdminLog, AdminLogs, NgWord, NgWords, Report, ReportCategory, ReportStatus,
    ReportTarget, Reports,
};
pub use patterns::{back_up, load, patterns};
pub use questions::{
    DailyQuestion, DailyQuestions, Question, QuestionStatus, QuestionType, Questions,
    UserQuestionSubmission, UserQuestionSubmissions,
};
pub use relations::{Block, Blocks, Follow, Follows};
pub use reservations::Reservations;
pub use samples::{
    admin, admin_log, answer, block, daily_question, follow, hanako, ng_word, push_token, question,
    question_id, reaction, report, samples, taro, user, user_question_submission,
};
pub use text::{
    AnswerText, AppId, Bio, DisplayName, Email, ImageUrl, PublishTime, QuestionText, Username, Word,
};
pub use username_index::add_username_index;
pub use users::{DeviceType, PushToken, PushTokens, User, Users, VisibilityType};

use dynamo_model::{Dynamo, KeyPart};
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

/// Returns the app's tables in an environment: `dev` has `dev-q-Users`.
#[must_use]
pub fn deployed(db: &Dynamo, environment: &str) -> Dynamo {
    db.clone().with_table_prefix(format!("{environment}-q-"))
}

macro_rules! ids {
    ($($(#[$doc:meta])* $name:ident,)*) => {$(
        $(#[$doc])*
        #[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub Uuid);

        impl $name {
            /// Returns a new one, at random.
            #[must_use]
            pub fn random() -> Self {
                Self(Uuid::new_v4())
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    )*};
}

ids! {
    /// `userId`, and every attribute that names a user.
    UserId,
    /// `questionId`.
    QuestionId,
    /// `reportId`.
    ReportId,
    /// `logId`.
    LogId,
}
