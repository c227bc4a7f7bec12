//! A table, its items before the migration, and after.

use crate::support::{Item, Outcome, everything};
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(DynamoTable, Debug)]
#[table(name = "app", pk = "PK", sk = "SK", entity_type = "type", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
pub struct App;

/// Before: a name, and every type that an attribute can have.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER", former)]
#[pk("USER#<id>")]
#[sk("PROFILE")]
pub struct OldUser {
    #[dynamo(key_only)]
    pub id: String,
    pub name: String,
    pub score: f64,
    pub nickname: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motto: Option<String>,
    pub tags: BTreeSet<String>,
    pub visits: Vec<Visit>,
    pub counts: BTreeMap<String, i64>,
    pub active: bool,
    #[dynamo(updated_at)]
    pub updated_at: String,
    #[dynamo(version)]
    pub version: u64,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Visit {
    pub page: String,
    pub seconds: Option<u32>,
}

/// After: the name is called otherwise.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
pub struct NewUser {
    #[dynamo(key_only)]
    pub id: String,
    pub display_name: String,
    pub score: f64,
    pub nickname: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub motto: Option<String>,
    pub tags: BTreeSet<String>,
    pub visits: Vec<Visit>,
    pub counts: BTreeMap<String, i64>,
    pub active: bool,
    #[dynamo(updated_at)]
    pub updated_at: String,
    #[dynamo(version)]
    pub version: u64,
}

impl From<OldUser> for NewUser {
    fn from(old: OldUser) -> Self {
        Self {
            id: old.id,
            display_name: old.name,
            score: old.score,
            nickname: old.nickname,
            motto: old.motto,
            tags: old.tags,
            visits: old.visits,
            counts: old.counts,
            active: old.active,
            updated_at: old.updated_at,
            version: old.version,
        }
    }
}

pub fn old_user(number: u32) -> OldUser {
    OldUser {
        id: format!("u{number}"),
        name: format!("名前{number}"),
        score: f64::from(number) / 7.0,
        nickname: number.is_multiple_of(2).then(|| "ねこ".into()),
        motto: number.is_multiple_of(3).then(|| "!".into()),
        tags: (0..number % 4).map(|tag| format!("t{tag}")).collect(),
        visits: (0..number % 3)
            .map(|visit| Visit {
                page: format!("p{visit}"),
                seconds: visit.is_multiple_of(2).then_some(visit),
            })
            .collect(),
        counts: [("a".into(), i64::from(number)), ("b".into(), -1)].into(),
        active: number % 2 == 1,
        updated_at: "2025-01-01T00:00:00.000Z".into(),
        version: 0,
    }
}

/// Before: by number, in no index.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "ORDER", former)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number>")]
pub struct OldOrder {
    pub user_id: String,
    pub number: u32,
    pub total: u32,
}

/// After: by number that sorts, and in an index.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App, entity_type = "ORDER")]
#[pk("ORDERS#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "ORDER#<number:06>", sk = "USER#<user_id>", as = by_number)]
pub struct NewOrder {
    pub user_id: String,
    pub number: u32,
    pub total: u32,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
pub enum AppItem {
    NewUser(NewUser),
    NewOrder(NewOrder),
}

impl From<OldOrder> for NewOrder {
    fn from(old: OldOrder) -> Self {
        Self {
            user_id: old.user_id,
            number: old.number,
            total: old.total,
        }
    }
}

pub fn old_order(number: u32) -> OldOrder {
    OldOrder {
        user_id: format!("u{}", number % 10),
        number,
        total: number * 3,
    }
}

/// Returns all stored items, by their keys.
pub async fn stored(db: &Dynamo) -> Outcome<BTreeMap<String, Item>> {
    let items = everything::<App>(db).await?.into_iter();
    let key = |item: &Item| format!("{:?}/{:?}", item["PK"], item["SK"]);
    Ok(items.map(|item| (key(&item), item)).collect())
}
