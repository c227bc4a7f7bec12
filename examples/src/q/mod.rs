//! Q., an app that asks everybody one question a day: twelve tables whose keys are plain attributes.
//!
//! Tables are named `{env}-{app}-{table}`, as in `dev-q-Users`; what is declared here is the last part.
//! A key that is the attribute itself is a bare placeholder, `#[pk("<user_id>")]`, and stores nothing twice.

mod answers;
mod moderation;
mod questions;
mod relations;
mod samples;
mod users;

pub use answers::{Answer, Answers, Reaction, ReactionType, Reactions};
pub use moderation::{
    AdminAction, AdminLog, AdminLogs, Detail, NgWord, NgWords, Report, ReportCategory,
    ReportStatus, ReportTarget, Reports,
};
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

use dynamo_model::KeyPart;
use serde::{Deserialize, Serialize};

/// `userId`, and every attribute that names a user.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserId(pub String);

/// `questionId`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuestionId(pub String);
