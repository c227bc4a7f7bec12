//! "3.4 Answers" and "3.7 Reactions".

use super::{AnswerText, QuestionId, UserId};
use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};

/// "3.4 Answers", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "Answers", pk = "date", sk = "userId")]
#[table(point_in_time_recovery, billing = on_demand)]
#[gsi1(name = "GSI1_UserHistory", pk = "userId", sk = "date")]
pub struct Answers;

/// "3.4 Answers", the item: one a user and day.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Answers)]
#[pk("<date>")]
#[sk("<user_id>")]
#[gsi1(pk = sk, sk = pk, as = by_user)]
#[allow(missing_docs)]
pub struct Answer {
    pub date: Date,
    pub user_id: UserId,
    pub question_id: QuestionId,
    pub text: AnswerText,
    pub is_on_time: bool,
    pub late_minutes: u32,
    pub is_flagged: bool,
    pub is_deleted: bool,
    pub created_at: Timestamp,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deleted_at: Option<Timestamp>,
}

/// "3.7 Reactions", the table.
#[derive(DynamoTable, Debug)]
#[table(name = "Reactions", pk = "answerId", sk = "reactorId")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct Reactions;

/// `reactionType`.
#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ReactionType {
    #[serde(rename = "❤️")]
    Heart,
    #[serde(rename = "🔥")]
    Fire,
    #[serde(rename = "😂")]
    Laughing,
    #[serde(rename = "🤔")]
    Thinking,
    #[serde(rename = "👀")]
    Eyes,
}

/// "3.7 Reactions", the item. `answerId` is the key of the answer, in one.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Reactions)]
#[pk("<date>#<user_id>")]
#[sk("<reactor_id>")]
#[allow(missing_docs)]
pub struct Reaction {
    /// The answer's day.
    #[dynamo(key_only)]
    pub date: Date,
    /// The author.
    #[dynamo(key_only)]
    pub user_id: UserId,
    pub reactor_id: UserId,
    pub reaction_type: ReactionType,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}
