//! The study app: questions, answers and weak areas in one table, `ExamStudyApp`.
//!
//! The document lists questions of an exam with `GSI1PK = EXAM#{examType}#CATEGORY#ALL`, a
//! partition without items: a question's GSI1 key names its own category. Here that access pattern
//! has a separate index, GSI2.
//!
//! The document has the analytics of all users of an exam in one partition of GSI1,
//! `ANALYTICS#{examType}`, and forbids hot partitions. Here these are [`ANALYTICS_SHARDS`]
//! partitions; [`migration::spread_analytics`] moves older items.

mod logic;
pub mod migration;
mod patterns;
mod refused;
mod sample_data;
mod samples;

pub use logic::{
    analytics_of_exam, answers_page, change_display_name, everything_of, import_questions,
    migrate_names, questions, record_answer, review, weakest_areas,
};
pub use patterns::patterns;
pub use refused::ExamError;
pub use sample_data::{LOADED, load};
pub use samples::{answer_history, question, samples, user, weak_area_analytics};

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// "Main Table". "Forbidden": scans, no encryption, no backups; a declaration against that does not
/// compile.
#[derive(DynamoTable, Debug)]
#[table(
    name = "ExamStudyApp",
    pk = "PK",
    sk = "SK",
    entity_type = "EntityType",
    items = ExamItem
)]
#[table(encryption = kms, point_in_time_recovery, billing = on_demand)]
#[table(no_scan, require(encryption, point_in_time_recovery))]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
pub struct ExamStudyApp;

/// `userId`: the subject that Cognito gives.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct UserId(pub String);

/// `questionId`, such as `FE-2023-01`.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct QuestionId(pub String);

/// `examType`: fundamental or applied.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs)]
pub enum ExamType {
    Fe,
    Ap,
}

/// `difficulty` of a question.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Difficulty {
    Easy,
    Medium,
    Hard,
}

/// "1. User".
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "USER")]
#[dynamo(scannable = "the document migrates the names of all users")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[allow(missing_docs)]
pub struct User {
    pub user_id: UserId,
    pub email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub display_name: Option<String>,
    /// The former name of `displayName`; the migration keeps it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
    /// "Optimistic Locking". "1. User" has no such attribute: older items begin at 0.
    #[serde(default)]
    #[dynamo(version)]
    pub version: u64,
}

impl User {
    /// "Schema changes": items from before the change have only the old attribute.
    #[must_use]
    pub fn shown_name(&self) -> &str {
        let name = self.display_name.as_deref().or(self.name.as_deref());
        name.unwrap_or("Unknown")
    }
}

/// "2. Question".
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "QUESTION")]
#[pk("QUESTION#<question_id>")]
#[sk("METADATA")]
#[gsi1(
    pk = "EXAM#<exam_type>#CATEGORY#<category>",
    sk = "QUESTION#<question_id>",
    as = by_category
)]
#[gsi2(pk = "EXAM#<exam_type>#CATEGORY#ALL", sk = "QUESTION#<question_id>", as = by_exam_type)]
#[allow(missing_docs)]
pub struct Question {
    pub question_id: QuestionId,
    pub exam_type: ExamType,
    pub category: String,
    pub sub_category: String,
    pub difficulty: Difficulty,
    pub text: String,
    pub choices: Vec<String>,
    pub answer_index: u32,
    pub explanation: String,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
}

/// "3. AnswerHistory".
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "ANSWER")]
#[pk("USER#<user_id>")]
#[sk("ANSWER#<answered_at:s>#<question_id>")]
#[gsi1(pk = "QUESTION#<question_id>", sk = "USER#<user_id>#<answered_at:s>", as = by_question)]
#[allow(missing_docs)]
pub struct AnswerHistory {
    pub user_id: UserId,
    pub question_id: QuestionId,
    pub selected_index: u32,
    pub is_correct: bool,
    pub answered_at: Timestamp,
    pub exam_type: ExamType,
}

/// How many partitions of GSI1 hold the analytics of an exam: the `4` in the key of
/// [`WeakAreaAnalytics`].
pub const ANALYTICS_SHARDS: usize = 4;

/// "4. WeakAreaAnalytics".
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "ANALYTICS")]
#[pk("USER#<user_id>")]
#[sk("ANALYTICS#<exam_type>#<category>")]
#[gsi1(
    pk = "ANALYTICS#<exam_type>#<user_id:shard(4)>",
    sk = "USER#<user_id>#CATEGORY#<category>",
    as = by_exam_type
)]
#[allow(missing_docs)]
pub struct WeakAreaAnalytics {
    pub user_id: UserId,
    pub exam_type: ExamType,
    pub category: String,
    pub total_answers: u32,
    pub correct_answers: u32,
    pub accuracy_rate: f64,
    #[dynamo(updated_at)]
    pub last_updated_at: Timestamp,
}

/// Every kind of item in the table; a user's partition holds three of them.
#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = ExamStudyApp)]
#[allow(missing_docs)]
pub enum ExamItem {
    User(User),
    Question(Question),
    Answer(AnswerHistory),
    WeakArea(WeakAreaAnalytics),
}
