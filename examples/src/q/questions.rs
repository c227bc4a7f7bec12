//! "3.2 DailyQuestions", "3.3 Questions" and "3.9 UserQuestionSubmissions".

use super::{PublishTime, QuestionId, QuestionText, UserId};
use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// "3.2 DailyQuestions", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "DailyQuestions", pk = "date")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct DailyQuestions;

/// "3.2 DailyQuestions", the item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = DailyQuestions)]
#[pk("<date>")]
#[allow(missing_docs)]
pub struct DailyQuestion {
    /// The day in Japan.
    pub date: Date,
    pub question_id: QuestionId,
    pub question_text: QuestionText,
    pub scheduled_publish_time: PublishTime,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub published_at: Option<Timestamp>,
    pub is_fallback: bool,
    pub created_at: Timestamp,
}

/// "3.3 Questions", the table. Both indexes have the same partition key.
#[derive(DynamoTable, Debug)]
#[table(name = "Questions", pk = "questionId")]
#[table(point_in_time_recovery, billing = on_demand)]
#[gsi1(name = "GSI1_Status", pk = "status", sk = "createdAt")]
#[gsi2(name = "GSI2_Approved", pk = "status", sk = "lastUsedAt")]
pub struct Questions;

/// `type` of a question: its author.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum QuestionType {
    Admin,
    User,
}

/// `status` of a question.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum QuestionStatus {
    Pending,
    Approved,
    Rejected,
    Used,
    Archived,
}

/// "3.3 Questions", the item. A question that was never used has no `lastUsedAt`, so it is not in
/// `GSI2_Approved`: look for it in `GSI1_Status`.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Questions)]
#[pk("<question_id>")]
#[gsi1(pk = "<status>", sk = "<created_at:s>", as = by_status)]
#[gsi2(pk = "<status>", sk = "<last_used_at:s>", as = by_last_use)]
#[allow(missing_docs)]
pub struct Question {
    pub question_id: QuestionId,
    pub text: QuestionText,
    #[serde(rename = "type")]
    pub question_type: QuestionType,
    /// Where a user wrote it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub submitted_by: Option<UserId>,
    pub status: QuestionStatus,
    pub is_flagged: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub last_used_at: Option<Timestamp>,
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// "3.9 UserQuestionSubmissions", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "UserQuestionSubmissions", pk = "date", sk = "userId")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct UserQuestionSubmissions;

/// "3.9 UserQuestionSubmissions", the item: its key allows a user one question a day.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = UserQuestionSubmissions)]
#[pk("<date>")]
#[sk("<user_id>")]
#[allow(missing_docs)]
pub struct UserQuestionSubmission {
    pub date: Date,
    pub user_id: UserId,
    pub question_id: QuestionId,
    pub created_at: Timestamp,
}
