//! The engine under test, separate tables for each test, and items as stored.
//!
//! The suites run on the embedded engine, or on the one that `DYNAMO_ENDPOINT` names. Every test
//! has its own tables, so that tests run in parallel; on an endpoint they are deleted afterwards.

#![allow(dead_code)]

mod faulty;
mod items;
mod leftovers;
pub mod network;
pub mod random;
pub mod socket;
pub mod trace;
pub mod typed;

#[allow(unused_imports)]
pub use faulty::{Fault, Faulty, Request};
#[allow(unused_imports)]
pub use items::{Item, from_json, from_json_text, stored};

use aws_sdk_dynamodb::error::SdkError;
use aws_sdk_dynamodb::types::{PutRequest, WriteRequest};
use dynamo_model::read::{Get, Loadable};
use dynamo_model::write::Storable;
use dynamo_model::{Dynamo, Entity, Key, KeyError, Table};
use items::key_value;
use serde::Serialize;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// Known errors of engines: the engine, the check that it fails, and how.
const KNOWN: &[(&str, &str, &str)] = &[
    (
        "moto",
        "the size of an absent attribute",
        "answers with status 500, where the condition is just not true",
    ),
    (
        "moto",
        "a transaction of over 25 reads",
        "refused; DynamoDB has taken 100 since 2022",
    ),
    (
        "moto",
        "writes at the same time",
        "a condition is checked and the item written in two steps, and a transaction shows what it \
         takes back",
    ),
    (
        "moto",
        "the size of an item",
        "counts the JSON, so that less than 400 KB is too much",
    ),
    (
        "moto",
        "an attribute set to the value it has",
        "is not returned among the updated ones",
    ),
    (
        "moto",
        "the same request token twice",
        "applied twice; DynamoDB keeps a token for ten minutes",
    ),
    (
        "moto",
        "a function as operand of if_not_exists",
        "refused as a syntax error; DynamoDB takes an operand, which may be a function",
    ),
    (
        "moto",
        "numbers of over 28 digits",
        "rounded by sums, and zeros at the end of a number are kept; DynamoDB has 38 digits and \
         normal forms",
    ),
    (
        "moto",
        "an invalid path in a transaction",
        "a ValidationException, where DynamoDB cancels the transaction and names the operation",
    ),
    (
        "moto",
        "index keys of several attributes",
        "refused: an index key has one partition and one sort attribute; DynamoDB has taken four \
         each since November 2025",
    ),
    (
        "moto",
        "an index that a plan adds to a provisioned table",
        "added, and then refused as existing, with status 500; the cause was not found",
    ),
    (
        "moto",
        "the on-demand maximum and the table class",
        "ignored: DescribeTable returns neither",
    ),
    (
        "moto",
        "a number expected where a text is stored",
        "status 500; for DynamoDB the comparison is not met, and the sum is refused",
    ),
];

/// Returns whether this check is skipped on the engine under test, which `DYNAMO_ENGINE` names.
/// Only for errors of an engine: where it differs from the AWS documentation, the assertion stays
/// unchanged.
pub fn skip(check: &str) -> bool {
    let engine = std::env::var("DYNAMO_ENGINE").unwrap_or_default();
    let known = KNOWN
        .iter()
        .find(|(name, known, _)| *name == engine && *known == check);
    if let Some((engine, check, reason)) = known {
        eprintln!("skipped on {engine}: {check}: {reason}");
    }
    known.is_some()
}

fn endpoint() -> Option<String> {
    std::env::var("DYNAMO_ENDPOINT")
        .ok()
        .filter(|url| !url.is_empty())
}

/// Tables of one test; they go with it.
#[derive(Debug)]
pub struct Db {
    dynamo: Dynamo,
    /// The same tables, without injected faults.
    direct: Dynamo,
    prefix: String,
    /// Where the embedded engine keeps its data, if not in memory.
    file: Option<PathBuf>,
}

impl Deref for Db {
    type Target = Dynamo;

    fn deref(&self) -> &Dynamo {
        &self.dynamo
    }
}

/// Returns a place for the tables of one test, with one of them created.
pub async fn db<T: Table>() -> Db {
    let db = bare();
    T::create_table(&db).await.unwrap();
    db
}

/// Returns a place for the tables of one test, without any.
pub fn bare() -> Db {
    let prefix = unique();
    let dynamo = match endpoint() {
        Some(url) => Dynamo::endpoint(url),
        None => Dynamo::embedded().unwrap(),
    };
    let dynamo = transport(dynamo);
    let direct = dynamo.with_table_prefix(prefix.as_str());
    Db {
        dynamo: through_faults(&direct).with_table_prefix(prefix.as_str()),
        direct,
        prefix,
        file: None,
    }
}

/// With `DYNAMO_TRANSPORT=sdk`, all requests go through the SDK's orchestrator.
pub fn transport(db: Dynamo) -> Dynamo {
    match std::env::var("DYNAMO_TRANSPORT").as_deref() {
        Ok("sdk") => db.with_sdk_transport(),
        _ => db,
    }
}

/// With `DYNAMO_FAULTS`, a seed: a network with faults that must not change any result.
fn through_faults(direct: &Dynamo) -> Dynamo {
    let seed = std::env::var("DYNAMO_FAULTS").ok();
    match seed.and_then(|seed| seed.parse().ok()) {
        Some(seed) => network::Network::unnoticed(direct, seed).handle(direct, 12),
        None => direct.clone(),
    }
}

/// Returns the same with data that outlives the handle: see [`Db::restart`].
pub async fn durable<T: Table>() -> Db {
    let mut db = bare();
    if endpoint().is_none() {
        let file = std::env::temp_dir().join(format!("{}.db", db.prefix));
        db.dynamo = reopen(&file, &db.prefix);
        db.file = Some(file);
    }
    T::create_table(&db).await.unwrap();
    db
}

fn reopen(file: &PathBuf, prefix: &str) -> Dynamo {
    let dynamo = Dynamo::embedded_on_file(file).unwrap();
    dynamo.with_table_prefix(prefix)
}

impl Db {
    /// Returns the same tables, through the SDK's typed inputs and outputs.
    pub fn typed(&self) -> Dynamo {
        typed::typed(&self.dynamo).with_table_prefix(self.prefix.as_str())
    }

    /// Returns the same tables, without injected faults.
    pub fn direct(&self) -> &Dynamo {
        &self.direct
    }

    /// Drops everything but the stored data, like a new process.
    pub fn restart(&mut self) {
        self.dynamo = match (endpoint(), &self.file) {
            (Some(url), _) => Dynamo::endpoint(url).with_table_prefix(self.prefix.as_str()),
            (None, Some(file)) => {
                self.dynamo = Dynamo::embedded().unwrap();
                reopen(file, &self.prefix)
            }
            (None, None) => unreachable!("only a durable database can be restarted"),
        };
    }
}

fn unique() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap();
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("t{:x}-{:x}-{next}-", now.as_nanos(), std::process::id())
}

impl Drop for Db {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            let _ = std::fs::remove_file(file);
        }
        if let Some(url) = endpoint() {
            let prefix = self.prefix.clone();
            // A separate thread, because a failed test must also clean up, and `drop` cannot await.
            let cleaned = std::thread::spawn(move || delete_tables(&url, &prefix)).join();
            if cleaned.is_err() && !std::thread::panicking() {
                eprintln!("the tables {}* remain", self.prefix);
            }
        }
    }
}

fn delete_tables(url: &str, prefix: &str) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let db = Dynamo::endpoint(url);
        let mut names = db.client().list_tables().into_paginator().items().send();
        let mut own = Vec::new();
        while let Some(name) = names.next().await {
            own.extend(Some(name.unwrap()).filter(|name| name.starts_with(prefix)));
        }
        for name in own {
            db.client()
                .delete_table()
                .table_name(name)
                .send()
                .await
                .unwrap();
        }
    });
}

/// Stores an item unchanged.
pub async fn put<T: Table>(db: &Dynamo, item: Item) -> Outcome {
    let table = db.table_name(&T::SCHEMA);
    let request = db.client().put_item().table_name(table);
    let request = request.set_item(Some(item));
    loop {
        match request
            .clone()
            .send()
            .await
            .map_err(SdkError::into_service_error)
        {
            Ok(_) => return Ok(()),
            // The library waits for this, the SDK does not.
            Err(error) if error.is_transaction_conflict_exception() => {}
            Err(error) => return Err(error.into()),
        }
    }
}

/// Stores a document's item, written as JSON.
pub async fn put_json<T: Table>(db: &Dynamo, json: serde_json::Value) -> Outcome {
    put::<T>(db, from_json(json)).await
}

/// Stores entities, as the library will write them.
pub async fn store<E: Entity + Serialize>(db: &Dynamo, entities: &[E]) -> Outcome {
    let table = db.table_name(&<E::Table as Table>::SCHEMA);
    for entities in entities.chunks(25) {
        let mut requests = Vec::new();
        for entity in entities {
            let put = PutRequest::builder().set_item(Some(stored(entity)?));
            requests.push(WriteRequest::builder().put_request(put.build()?).build());
        }
        while !requests.is_empty() {
            let request = db.client().batch_write_item();
            let output = request.request_items(&table, requests).send().await?;
            let left = output.unprocessed_items.unwrap_or_default();
            requests = left.into_values().flatten().collect();
        }
    }
    Ok(())
}

/// Returns the stored item with this key.
pub async fn raw<E: Entity>(db: &Dynamo, key: Result<Key<E>, KeyError>) -> Outcome<Option<Item>> {
    let schema = <E::Table as Table>::SCHEMA;
    let (pk, sk) = key?.into_parts();
    let mut request = db.client().get_item().table_name(db.table_name(&schema));
    request = request.key(schema.pk.name, key_value(pk));
    if let (Some(attribute), Some(sk)) = (schema.sk, sk) {
        request = request.key(attribute.name, key_value(sk));
    }
    Ok(request.consistent_read(true).send().await?.item)
}

/// Returns all stored items of a table.
pub async fn everything<T: Table>(db: &Dynamo) -> Outcome<Vec<Item>> {
    let request = db.client().scan().table_name(db.table_name(&T::SCHEMA));
    let items = request.consistent_read(true).into_paginator().items();
    Ok(items.send().collect::<Result<Vec<_>, _>>().await?)
}

/// Asserts that the stored key attributes of an item, those of its indexes included, are what a new
/// put would write.
pub async fn assert_keys_as_put<E>(db: &Dynamo, key: Result<Key<E>, KeyError>) -> Outcome
where
    E: Storable + Loadable,
{
    let key = key?;
    let before = raw(db, Ok(key.clone())).await?.expect("the item");
    let entity = Get::<E>::new(Ok(key.clone())).send(db).await?.expect("it");
    entity.put().any_version().send(db).await?;
    let after = raw(db, Ok(key)).await?.expect("the item");
    put::<E::Table>(db, before.clone()).await?;
    for attribute in entity.key_attributes()? {
        let name = attribute.name;
        assert_eq!(before.get(name), after.get(name), "{name} of {before:?}");
    }
    Ok(())
}
