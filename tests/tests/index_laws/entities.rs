//! Entities with fields in several index keys.

use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(
    name = "Indexed",
    pk = "PK",
    sk = "SK",
    entity_type = "type",
    ttl = "expires",
    items = IndexedItem
)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
#[gsi3(name = "Inverted", pk = "SK", sk = "PK")]
// Its sort key is that of GSI2.
#[gsi4(name = "GSI4", pk = "GSI4PK", sk = "GSI2SK")]
// Its key is an attribute of the entity.
#[gsi5(name = "ByOwner", pk = "owner")]
#[gsi6(name = "GSI6", pk = "GSI6PK", sk = "GSI6SK")]
#[gsi7(name = "GSI7", pk = "GSI7PK")]
#[lsi1(name = "LSI1", sk = "LSI1SK")]
#[lsi2(name = "LSI2", sk = "LSI2SK")]
pub struct Indexed;

/// All key attributes.
pub const KEYS: &[&str] = &[
    "PK", "SK", "GSI1PK", "GSI1SK", "GSI2PK", "GSI2SK", "GSI4PK", "owner", "LSI1SK", "LSI2SK",
    "GSI6PK", "GSI6SK", "GSI7PK",
];

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Open,
    #[serde(rename = "in progress")]
    InProgress,
    Done,
}

/// With a lock, and a time that every write sets in an index key.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Indexed, entity_type = "TASK")]
#[pk("TEAM#<team>")]
#[sk("TASK#<number:04>")]
#[gsi1(pk = "STATUS#<status>", sk = "<due:ms>#<priority:03>", as = by_status)]
#[gsi2(pk = "PRIORITY#<priority:03>", sk = "<assignee>", as = by_priority)]
#[gsi3(pk = sk, sk = pk, as = by_number)]
#[gsi5(pk = "<owner>", as = by_owner)]
#[gsi6(pk = "OPEN#<team>", sk = "<number:04+desc>", when(status = Status::Open), as = open)]
#[gsi7(pk = "SCORE#<score>", when(status = Status::Done), as = done_by_score)]
#[lsi1(sk = "<status>#<updated_at:ms>", as = by_update)]
#[lsi2(sk = "<label>#<score>", as = by_label)]
pub struct Task {
    pub team: String,
    pub number: u32,
    pub status: Status,
    pub due: Timestamp,
    pub priority: u16,
    pub assignee: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
    #[serde(rename = "tag")]
    pub label: Option<String>,
    pub score: i64,
    pub title: String,
    pub views: u64,
    #[dynamo(created_at)]
    pub created_at: Timestamp,
    #[dynamo(updated_at)]
    pub updated_at: Timestamp,
    #[dynamo(version)]
    pub version: u64,
}

/// Without a version. Two of its indexes share an attribute, a key contains its expiry, and one
/// field is stored only in a key.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Indexed, entity_type = "NOTE")]
#[pk("NOTE#<id>")]
#[sk("NOTE")]
#[gsi1(pk = "NOTES", sk = "<created:ms>#<color>", as = by_creation)]
#[gsi2(pk = "COLOR#<color>", sk = "<rank:05>", as = by_color)]
#[gsi4(pk = "SHELF#<shelf>", sk = "<rank:05>", as = by_shelf)]
#[gsi6(pk = "X#<slug>", sk = "<rank:05>", when(text = "x"), as = x_by_slug)]
#[gsi7(pk = "COLORLESS#<rank>", when(color = None), as = colorless)]
#[lsi1(sk = "<expires:020>", as = by_expiry)]
#[lsi2(sk = "<slug>#<rank:05>", as = by_slug)]
pub struct Note {
    pub id: String,
    /// Stored only in a key.
    #[dynamo(key_only)]
    pub slug: String,
    pub color: Option<String>,
    pub shelf: Option<String>,
    pub rank: i32,
    pub text: String,
    #[dynamo(created_at)]
    pub created: Timestamp,
    #[dynamo(ttl)]
    pub expires: Option<u64>,
}

/// With values that no other has.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Indexed, entity_type = "ACCOUNT")]
#[pk("ACCOUNT#<id>")]
#[sk("ACCOUNT")]
#[gsi1(pk = "ACCOUNTS#<team>", sk = "<email>", as = by_email)]
#[unique("EMAIL#<email>")]
#[unique("HANDLE#<team>#<handle>")]
pub struct Account {
    pub id: String,
    pub team: String,
    pub email: String,
    pub handle: Option<String>,
    pub name: String,
    #[dynamo(version)]
    pub version: u64,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Indexed)]
pub enum IndexedItem {
    Task(Task),
    Note(Note),
    Account(Account),
}

/// The keys of unique items, only for comparison.
#[derive(DynamoTable)]
#[table(name = "Sentinels", pk = "PK", items = SentinelsItem)]
pub struct Sentinels;

#[derive(DynamoEntity)]
#[dynamo(table = Sentinels)]
#[pk("EMAIL#<email>")]
#[allow(dead_code)]
pub struct Email {
    pub email: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = Sentinels)]
#[pk("HANDLE#<team>#<handle>")]
#[allow(dead_code)]
pub struct Handle {
    pub team: String,
    pub handle: String,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Sentinels)]
pub enum SentinelsItem {
    Email(Email),
    Handle(Handle),
}
