//! Compares the items of the table with the expected ones.

use super::entities::*;
use super::model::{Model, values};
use super::support::{self, Db, Item, Outcome};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::key::KeyValue;
use dynamo_model::{Dynamo, Entity, Table};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, UNIX_EPOCH};

/// A clock that advances only when it is set.
#[derive(Clone, Default)]
pub struct Clock(Arc<AtomicU64>);

const START: u64 = 1_700_000_000_000;

impl Clock {
    /// Returns the time afterwards.
    pub fn advance(&self) -> Timestamp {
        let millis = START + self.0.fetch_add(7, Ordering::Relaxed) + 7;
        Timestamp::from_millisecond(i64::try_from(millis).unwrap()).unwrap()
    }

    fn millis(&self) -> u64 {
        START + self.0.load(Ordering::Relaxed)
    }
}

/// Opens a separate database with its clock.
pub async fn db() -> Outcome<(Clocked, Clock)> {
    let clock = Clock::default();
    let own = support::bare();
    let at = clock.clone();
    let dynamo = (*own)
        .clone()
        .with_clock(move || UNIX_EPOCH + Duration::from_millis(at.millis()));
    Indexed::create_table(&dynamo).await?;
    Ok((Clocked { dynamo, _own: own }, clock))
}

pub struct Clocked {
    dynamo: Dynamo,
    _own: Db,
}

impl std::ops::Deref for Clocked {
    type Target = Dynamo;
    fn deref(&self) -> &Dynamo {
        &self.dynamo
    }
}

/// All items, by their key.
async fn items(db: &Dynamo) -> Outcome<BTreeMap<(String, String), Item>> {
    let request = db
        .client()
        .scan()
        .table_name(db.table_name(&Indexed::SCHEMA));
    let items = request.consistent_read(true).into_paginator().items();
    let items = items.send().collect::<Result<Vec<_>, _>>().await?;
    let items = items.into_iter();
    Ok(items
        .map(|it| ((text(&it, "PK"), text(&it, "SK")), it))
        .collect())
}

fn text(item: &Item, name: &str) -> String {
    item[name].as_s().unwrap().clone()
}

/// Checks that the table has exactly the expected items; returns the difference.
pub async fn check(db: &Dynamo, model: &Model) -> Outcome<Result<(), String>> {
    let mut items = items(db).await?;
    let tasks = Task::scan().consistent().all(db).await?;
    let notes = Note::scan().consistent().all(db).await?;
    let accounts = Account::scan().consistent().all(db).await?;
    let checked = same(&tasks, model.tasks.now.values(), |it| {
        (it.team.clone(), it.number)
    })
    .and_then(|()| same(&notes, model.notes.now.values(), |it| it.id.clone()))
    .and_then(|()| same(&accounts, model.accounts.now.values(), |it| it.id.clone()))
    .and_then(|()| tasks.iter().try_for_each(|it| keys(it, &mut items)))
    .and_then(|()| notes.iter().try_for_each(|it| keys(it, &mut items)))
    .and_then(|()| accounts.iter().try_for_each(|it| keys(it, &mut items)))
    .and_then(|()| sentinels(&accounts, items));
    Ok(checked)
}

fn same<'m, E, K>(
    stored: &[E],
    expected: impl Iterator<Item = &'m E>,
    key: impl Fn(&E) -> K,
) -> Result<(), String>
where
    E: PartialEq + std::fmt::Debug + 'm,
    K: Ord,
{
    let mut stored: Vec<_> = stored.iter().collect();
    let mut expected: Vec<_> = expected.collect();
    stored.sort_by_key(|it| key(it));
    expected.sort_by_key(|it| key(it));
    if stored == expected {
        return Ok(());
    }
    Err(format!("there is {stored:#?}, not {expected:#?}"))
}

/// Checks that the item has exactly the key attributes of its entity, and its entity type.
fn keys<E: Entity + std::fmt::Debug>(
    entity: &E,
    items: &mut BTreeMap<(String, String), Item>,
) -> Result<(), String> {
    let mut expected: BTreeMap<&str, AttributeValue> = BTreeMap::new();
    for key in entity.key_attributes().unwrap() {
        if let Some(KeyValue::S(text)) = key.value {
            expected.insert(key.name, AttributeValue::S(text));
        }
    }
    let key = |name| expected[name].as_s().unwrap().clone();
    let item = items.remove(&(key("PK"), key("SK")));
    let item = item.ok_or_else(|| format!("no item has the key of {entity:#?}"))?;
    let stored = KEYS
        .iter()
        .filter_map(|name| Some((*name, item.get(*name)?.clone())));
    let stored: BTreeMap<_, _> = stored.collect();
    if stored != expected {
        return Err(format!(
            "{entity:#?} has the keys {stored:#?}, not {expected:#?}"
        ));
    }
    let entity_type = text(&item, "type");
    if Some(entity_type.as_str()) != E::SCHEMA.entity_type {
        return Err(format!("{entity:#?} is a {entity_type}"));
    }
    Ok(())
}

/// The remaining items are the unique items of the accounts, each with its owner.
fn sentinels(accounts: &[Account], items: BTreeMap<(String, String), Item>) -> Result<(), String> {
    let owner = |account: &Account| {
        let key = account.primary_key().unwrap();
        let halves = [key.pk().to_string(), key.sk().unwrap().to_string()];
        AttributeValue::L(halves.map(AttributeValue::S).to_vec())
    };
    let expected: BTreeMap<String, AttributeValue> = accounts
        .iter()
        .flat_map(|account| {
            values(account)
                .into_iter()
                .map(move |it| (it, owner(account)))
        })
        .collect();
    let names: BTreeSet<_> = ["PK", "SK", "type", "unique_owner"].into();
    let mut stored = BTreeMap::new();
    for ((pk, sk), item) in items {
        let own: BTreeSet<_> = item.keys().map(String::as_str).collect();
        if pk != sk || own != names || text(&item, "type") != "#unique" {
            return Err(format!("nobody wrote {item:#?}"));
        }
        stored.insert(pk, item["unique_owner"].clone());
    }
    if stored == expected {
        return Ok(());
    }
    Err(format!("unique values are {stored:#?}, not {expected:#?}"))
}
