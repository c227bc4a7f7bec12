//! One table, with an entity for each thing that can go wrong.

use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "Faults", pk = "PK", sk = "SK", entity_type = "type", items = FaultsItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct Faults;

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Open,
    Done,
}

/// With a version, and with an index that it leaves when it has no day.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Faults, entity_type = "TASK")]
#[pk("TASK#<id:03>")]
#[sk("TASK")]
#[gsi1(pk = "STATUS#<status>", sk = "<day>#<id:03>", as = by_status)]
pub struct Task {
    pub id: u32,
    pub status: Status,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub day: Option<String>,
    pub title: u64,
    #[dynamo(version)]
    pub version: u64,
}

/// With a value that no other has.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Faults, entity_type = "ACCOUNT")]
#[pk("ACCOUNT#<id:03>")]
#[sk("ACCOUNT")]
#[gsi1(pk = "ACCOUNTS", sk = "<email>", as = by_email)]
#[unique("EMAIL#<email>")]
pub struct Account {
    pub id: u32,
    pub email: String,
    pub name: u64,
    #[dynamo(version)]
    pub version: u64,
}

/// Without a version: an add must happen once.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Faults, entity_type = "COUNTER")]
#[pk("COUNTER#<id:03>")]
#[sk("COUNTER")]
pub struct Counter {
    pub id: u32,
    pub value: u64,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub lines: Vec<u64>,
    #[serde(
        default,
        with = "serde_dynamo::string_set",
        skip_serializing_if = "BTreeSet::is_empty"
    )]
    pub marks: BTreeSet<String>,
}

/// Many of them, for pages.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Faults, entity_type = "ENTRY")]
#[pk("LOG#<log:03>")]
#[sk("<number:05>")]
pub struct Entry {
    pub log: u32,
    pub number: u32,
    pub text: u64,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Faults)]
pub enum FaultsItem {
    Task(Task),
    Account(Account),
    Counter(Counter),
    Entry(Entry),
}

pub fn task(id: u32) -> Task {
    Task {
        id,
        status: Status::Open,
        day: Some("2025-06-01".into()),
        title: 1,
        version: 0,
    }
}

pub fn counter(id: u32, value: u64) -> Counter {
    Counter {
        id,
        value,
        lines: Vec::new(),
        marks: BTreeSet::new(),
    }
}

pub fn account(id: u32, email: &str) -> Account {
    Account {
        id,
        email: email.into(),
        name: 0,
        version: 0,
    }
}

pub fn entry(log: u32, number: u32) -> Entry {
    Entry {
        log,
        number,
        text: 0,
    }
}
