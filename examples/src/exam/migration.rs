//! "Data migration": changes that touch no item, and changes that need a run over the table.
//!
//! Non-breaking, the document's first way: [`Profile`] reads items written before a change.
//! Breaking, its second: [`profiles`] and [`answers`] rewrite users and answers. The document scans
//! and updates item by item; a run here can be killed at any point and loses no concurrent write.

use super::{AnswerHistory, ExamStudyApp, ExamType, QuestionId, UserId, WeakAreaAnalytics};
use dynamo_model::migrate::Migration;
use dynamo_model::table::Backup;
use dynamo_model::{Dynamo, DynamoEntity, Error, Table};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A user as the first release stored it: the document's `name`.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "USER", former)]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[allow(missing_docs)]
pub struct FirstUser {
    pub user_id: UserId,
    pub email: String,
    pub name: String,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// A user in the current form. It also reads items of the first release, so that it can be deployed
/// before the migration:
///
/// - `displayName` is read from `name` if an item has that. Filters and conditions use only
///   `displayName`.
/// - `dailyGoal` is new, and has a default.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "USER", former)]
#[dynamo(scannable = "users are counted after the migration")]
#[pk("USER#<user_id>")]
#[sk("PROFILE")]
#[allow(missing_docs)]
pub struct Profile {
    pub user_id: UserId,
    pub email: String,
    #[serde(alias = "name")]
    pub display_name: String,
    #[serde(default = "ten_questions")]
    pub daily_goal: u32,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
    #[serde(default)]
    #[dynamo(version)]
    pub version: u64,
}

fn ten_questions() -> u32 {
    10
}

/// An answer as the first release stored it: in the order of the questions, and in no index, so
/// that neither "the newest answers" nor "answers to a question" was a query.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "ANSWER", former)]
#[pk("USER#<user_id>")]
#[sk("ANSWER#<question_id>#<answered_at:s>")]
#[allow(missing_docs)]
pub struct FirstAnswer {
    pub user_id: UserId,
    pub question_id: QuestionId,
    pub choice: u32,
    pub is_correct: bool,
    pub answered_at: Timestamp,
    pub exam_type: ExamType,
}

/// `name` becomes `displayName`, in place.
pub fn profiles<'m>() -> Migration<'m, FirstUser, Profile> {
    Migration::new("profiles", |old: FirstUser| Profile {
        user_id: old.user_id,
        email: old.email,
        display_name: old.name,
        daily_goal: ten_questions(),
        created_at: old.created_at,
        updated_at: old.updated_at,
        version: 0,
    })
}

/// Answers get the key and the index of the document, and `choice` becomes `selectedIndex`.
pub fn answers<'m>() -> Migration<'m, FirstAnswer, AnswerHistory> {
    Migration::new("answers", |old: FirstAnswer| AnswerHistory {
        user_id: old.user_id,
        question_id: old.question_id,
        selected_index: old.choice,
        is_correct: old.is_correct,
        answered_at: old.answered_at,
        exam_type: old.exam_type,
    })
}

/// Analytics as the document has them: all of an exam in one partition of GSI1.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = ExamStudyApp, entity_type = "ANALYTICS", former)]
#[pk("USER#<user_id>")]
#[sk("ANALYTICS#<exam_type>#<category>")]
#[gsi1(
    pk = "ANALYTICS#<exam_type>",
    sk = "USER#<user_id>#CATEGORY#<category>",
    as = by_exam_type
)]
#[allow(missing_docs)]
pub struct OnePartitionAnalytics {
    pub user_id: UserId,
    pub exam_type: ExamType,
    pub category: String,
    pub total_answers: u32,
    pub correct_answers: u32,
    pub accuracy_rate: f64,
    #[dynamo(updated_at)]
    pub last_updated_at: Timestamp,
}

/// Adds the shard to the index key of analytics that have the document's key. Their other
/// attributes stay.
pub fn spread_analytics<'m>() -> Migration<'m, WeakAreaAnalytics, WeakAreaAnalytics> {
    Migration::rewrite("analytics-shards")
}

/// Users and answers of the first release: of five items, four are users and one is an answer.
#[must_use]
pub fn first_release(items: u32) -> (Vec<FirstUser>, Vec<FirstAnswer>) {
    let at = |second: u32| {
        let start = Timestamp::from_second(1_700_000_000).unwrap_or_default();
        start + jiff::SignedDuration::from_secs(i64::from(second))
    };
    let user = |number: u32| FirstUser {
        user_id: UserId(format!("u{number}")),
        email: format!("u{number}@example.com"),
        name: format!("受験者{number}"),
        created_at: at(number),
        updated_at: at(number),
    };
    let answers = items / 5;
    let users = items - answers;
    let answer = |number: u32| FirstAnswer {
        user_id: UserId(format!("u{}", number / 4)),
        question_id: QuestionId(format!("FE-2023-{:02}", number % 7)),
        choice: number % 4,
        is_correct: number % 4 == 2,
        answered_at: at(number),
        exam_type: [ExamType::Fe, ExamType::Ap][number as usize % 2],
    };
    let users = (0..users).map(user).collect();
    (users, (0..answers).map(answer).collect())
}

/// Backs the table up before an important change, such as a migration. The backup is kept until an
/// operator deletes it.
pub async fn back_up(db: &Dynamo, name: &str) -> Result<Backup, Error> {
    ExamStudyApp::backup(db, name).await
}
