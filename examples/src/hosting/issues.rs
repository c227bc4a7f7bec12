//! Issues, their comments, and reactions to them.

use super::{AccountName, CodeHosting, RepositoryName};
use dynamo_model::{DynamoEntity, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use ulid::Ulid;

/// Whether there is something left to do.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum IssueState {
    Open,
    Closed,
}

/// An issue. Only open ones are in the index `open`, which lists the newest first.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "ISSUE")]
#[pk("REPO#<owner:lower>#<repo:lower>")]
#[sk("ISSUE#<number:08>")]
#[gsi1(
    pk = "OPEN#<owner:lower>#<repo:lower>",
    sk = "<number:08+desc>",
    when(state = IssueState::Open),
    as = open
)]
#[gsi2(pk = "AUTHOR#<author:lower>", sk = "ISSUE#<created_at:ms>", as = by_author)]
#[allow(missing_docs)]
pub struct Issue {
    pub owner: AccountName,
    pub repo: RepositoryName,
    pub number: u32,
    pub author: AccountName,
    pub title: String,
    pub body: String,
    pub state: IssueState,
    pub labels: BTreeSet<String>,
    pub comments: u32,
    /// How often each was given.
    pub reactions: BTreeMap<ReactionKind, u32>,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
    /// Of title, text and state; comments and reactions do not count it up.
    #[dynamo(version)]
    pub version: u64,
}

/// A comment on an issue.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "COMMENT")]
#[pk("COMMENTS#<owner:lower>#<repo:lower>#<number:08>")]
#[sk("<id>")]
#[gsi2(pk = "AUTHOR#<author:lower>", sk = "COMMENT#<id>", as = by_author)]
#[allow(missing_docs)]
pub struct Comment {
    pub owner: AccountName,
    pub repo: RepositoryName,
    pub number: u32,
    pub id: Ulid,
    pub author: AccountName,
    pub body: String,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// The ways to react.
#[derive(
    KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash,
)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum ReactionKind {
    ThumbsUp,
    ThumbsDown,
    Heart,
    Rocket,
}

/// One user's reaction to an issue: each kind at most once.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "REACTION")]
#[pk("REACTIONS#<owner:lower>#<repo:lower>#<number:08>")]
#[sk("<kind>#<user:lower>")]
#[allow(missing_docs)]
pub struct Reaction {
    pub owner: AccountName,
    pub repo: RepositoryName,
    pub number: u32,
    pub kind: ReactionKind,
    pub user: AccountName,
    #[dynamo(created_at)]
    pub at: Timestamp,
}
