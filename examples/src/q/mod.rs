//! Q., an app that asks everybody one question a day: twelve tables whose keys are plain attributes.
//!
//! Tables are named `{env}-{app}-{table}`, as in `dev-q-Users`; what is declared here is the last part.
//! [`deployed`] is the handle that knows the rest.
//! A key that is the attribute itself is a bare placeholder, `#[pk("<user_id>")]`, and stores nothing twice.

mod answers;
mod error;
mod generated;
pub mod logic;
mod moderation;
mod patterns;
mod questions;
mod relations;
mod samples;
mod users;

pub use answers::{Answer, Answers, Reaction, ReactionType, Reactions};
pub use error::QError;
pub use moderation::{
    AdminAction, AdminLog, AdminLogs, Detail, NgWord, NgWords, Report, ReportCategory,
    ReportStatus, ReportTarget, Reports,
};
pub use patterns::{load, patterns};
pub use questions::{
    DailyQuestion, DailyQuestions, Question, QuestionStatus, QuestionType, Questions,
    UserQuestionSubmission, UserQuestionSubmissions,
};
pub use relations::{Block, Blocks, Follow, Follows};
pub use samples::{
    admin_log, answer, block, daily_question, follow, ng_word, push_token, question, reaction,
    report, samples, user, user_question_submission,
};
pub use users::{DeviceType, PushToken, PushTokens, User, Users, VisibilityType};

use dynamo_model::{Dynamo, KeyPart};
use serde::{Deserialize, Serialize};

/// The app's tables in an environment: `dev` has `dev-q-Users`.
#[must_use]
pub fn deployed(db: &Dynamo, environment: &str) -> Dynamo {
    db.clone().with_table_prefix(format!("{environment}-q-"))
}

/// `userId`, and every attribute that names a user.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserId(pub String);

/// `questionId`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuestionId(pub String);
