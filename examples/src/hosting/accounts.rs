//! Users and organisations, which share one name space and so their keys, and their memberships.

use super::{AccountName, CodeHosting};
use dynamo_model::{DynamoEntity, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

/// A person.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "USER", shares_key_with(Organization))]
#[pk("ACCOUNT#<name:lower>")]
#[sk("ACCOUNT")]
#[allow(missing_docs)]
pub struct User {
    pub name: AccountName,
    pub email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bio: Option<String>,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// Several people.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "ORGANIZATION", shares_key_with(User))]
#[pk("ACCOUNT#<name:lower>")]
#[sk("ACCOUNT")]
#[allow(missing_docs)]
pub struct Organization {
    pub name: AccountName,
    pub billing_email: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub website: Option<String>,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
}

/// The permissions of a member.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum Role {
    Owner,
    Member,
}

/// A user in an organisation.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = CodeHosting, entity_type = "MEMBERSHIP")]
#[pk("ACCOUNT#<organization:lower>")]
#[sk("MEMBER#<user:lower>")]
#[gsi1(pk = "MEMBER#<user:lower>", sk = "ORG#<organization:lower>", as = of_user)]
#[allow(missing_docs)]
pub struct Membership {
    pub organization: AccountName,
    pub user: AccountName,
    pub role: Role,
    #[dynamo(created_at)]
    pub since: Timestamp,
}
