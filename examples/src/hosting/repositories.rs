//! Repositories, and their stars.

use super::{AccountName, CodeHosting, RepositoryName};
use dynamo_model::DynamoEntity;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A repository. `REPO` sorts after its issues, `ISSUE#…`.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "REPOSITORY")]
#[pk("REPO#<owner:lower>#<name:lower>")]
#[sk("REPO")]
#[gsi1(pk = "OWNER#<owner:lower>", sk = "PUSHED#<pushed_at:ms>", as = by_owner)]
#[allow(missing_docs)]
pub struct Repository {
    pub owner: AccountName,
    pub name: RepositoryName,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The number of the newest issue.
    pub last_issue: u32,
    pub open_issues: u32,
    pub stars: u32,
    pub pushed_at: Timestamp,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
    /// Of the settings; stars and issues do not count it up.
    #[dynamo(version)]
    pub version: u64,
}

/// A user's star: found by both names, and listed in both directions, newest first.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "STAR")]
#[pk("ACCOUNT#<user:lower>")]
#[sk("STAR#<owner:lower>#<repo:lower>")]
#[gsi1(
    pk = "STARGAZERS#<owner:lower>#<repo:lower>",
    sk = "<starred_at:ms>#<user:lower>",
    as = stargazers
)]
#[gsi2(pk = "STARRED#<user:lower>", sk = "<starred_at:ms>", as = starred)]
#[allow(missing_docs)]
pub struct Star {
    pub user: AccountName,
    pub owner: AccountName,
    pub repo: RepositoryName,
    pub starred_at: Timestamp,
}
