//! A snapshot of all stored items of a table, and its later differences.

use crate::support::{self, Db, Item, Outcome};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::read::Loadable;
use dynamo_model::write::Storable;
use dynamo_model::{Dynamo, Table};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// A table with the items that a library stored.
pub async fn stored<T: Table>(items: &str) -> Outcome<Db> {
    let db = support::db::<T>().await;
    let items: Vec<Value> = serde_json::from_str(items)?;
    for item in &items {
        let item = item.as_object().unwrap().iter();
        let item = item.map(|(name, value)| (name.clone(), attribute(value)));
        support::put::<T>(&db, item.collect()).await?;
    }
    Ok(db)
}

/// Returns a value in DynamoDB JSON.
fn attribute(json: &Value) -> AttributeValue {
    let (name, value) = json.as_object().unwrap().iter().next().unwrap();
    let text = || value.as_str().unwrap().to_owned();
    let texts = || {
        let texts = value.as_array().unwrap().iter();
        texts.map(|it| it.as_str().unwrap().to_owned())
    };
    match name.as_str() {
        "S" => AttributeValue::S(text()),
        "N" => AttributeValue::N(text()),
        "B" => AttributeValue::B(blob(&text())),
        "BOOL" => AttributeValue::Bool(value.as_bool().unwrap()),
        "NULL" => AttributeValue::Null(true),
        "SS" => AttributeValue::Ss(texts().collect()),
        "NS" => AttributeValue::Ns(texts().collect()),
        "BS" => AttributeValue::Bs(texts().map(|it| blob(&it)).collect()),
        "L" => AttributeValue::L(value.as_array().unwrap().iter().map(attribute).collect()),
        "M" => {
            let fields = value.as_object().unwrap().iter();
            AttributeValue::M(
                fields
                    .map(|(name, it)| (name.clone(), attribute(it)))
                    .collect(),
            )
        }
        other => panic!("no type {other}"),
    }
}

fn blob(base64: &str) -> Blob {
    Blob::new(aws_smithy_types::base64::decode(base64).unwrap())
}

/// Every item by its key, each attribute as text that shows its type; sets in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Snapshot(BTreeMap<String, BTreeMap<String, String>>);

impl Snapshot {
    pub async fn of<T: Table>(db: &Dynamo) -> Outcome<Self> {
        let keys = [Some(T::SCHEMA.pk), T::SCHEMA.sk];
        let keys: Vec<_> = keys.into_iter().flatten().map(|key| key.name).collect();
        let items = support::everything::<T>(db).await?.into_iter();
        let items = items.map(|item: Item| {
            let key: Vec<_> = keys.iter().map(|name| shown(&item[*name])).collect();
            let item = item
                .iter()
                .map(|(name, value)| (name.clone(), shown(value)));
            (key.join(" "), item.collect())
        });
        Ok(Self(items.collect()))
    }

    /// Returns the attribute of the only item whose key contains this text.
    pub fn attribute(&self, key: &str, name: &str) -> Option<&str> {
        let mut items = self.0.iter().filter(|(found, _)| found.contains(key));
        let (_, item) = items.next().unwrap_or_else(|| panic!("no item {key}"));
        assert!(items.next().is_none(), "several items {key}");
        item.get(name).map(String::as_str)
    }

    /// Returns the differences: attributes by name, with both values if the type changed; `+` and
    /// `-` for whole items.
    pub fn changes(&self, later: &Self) -> BTreeSet<String> {
        let mut changes = BTreeSet::new();
        let keys: BTreeSet<_> = self.0.keys().chain(later.0.keys()).collect();
        for key in keys {
            let (Some(before), Some(after)) = (self.0.get(key), later.0.get(key)) else {
                let sign = if self.0.contains_key(key) { '-' } else { '+' };
                changes.insert(format!("{sign} {key}"));
                continue;
            };
            let names: BTreeSet<_> = before.keys().chain(after.keys()).collect();
            for name in names {
                match (before.get(name), after.get(name)) {
                    (before, after) if before == after => {}
                    (Some(before), Some(after)) if kind(before) == kind(after) => {
                        changes.insert(name.clone());
                    }
                    (before, after) => {
                        changes.insert(format!("{name}: {before:?} → {after:?}"));
                    }
                }
            }
        }
        changes
    }
}

/// Asserts that only these attributes, of any item, have other values of the same type; new items
/// are `+ key`.
#[track_caller]
pub fn assert_changes(before: &Snapshot, after: &Snapshot, expected: &[&str]) {
    let changes = before.changes(after);
    let expected: BTreeSet<_> = expected.iter().map(|it| (*it).to_owned()).collect();
    assert_eq!(changes, expected, "\nbefore {before:#?}\nafter {after:#?}");
}

/// Merges a loaded item, and puts it afterwards. Both times only these attributes have other
/// values: every undeclared attribute is unchanged.
pub async fn merge_and_put<T: Table, E: Storable + Loadable>(
    db: &Dynamo,
    item: E,
    changed: &[&str],
) -> Outcome {
    let before = Snapshot::of::<T>(db).await?;
    let item = item.merge().return_new().send(db).await?;
    assert_changes(&before, &Snapshot::of::<T>(db).await?, changed);
    item.put().send(db).await?;
    assert_changes(&before, &Snapshot::of::<T>(db).await?, changed);
    Ok(())
}

/// Returns the type of a shown value.
fn kind(shown: &str) -> &str {
    shown.split(' ').next().unwrap_or_default()
}

/// Shows a value as text, with sorted sets, because DynamoDB's sets are unordered.
fn shown(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => format!("S {text:?}"),
        AttributeValue::N(number) => format!("N {number}"),
        AttributeValue::B(bytes) => format!("B {:?}", bytes.as_ref()),
        AttributeValue::Bool(value) => format!("BOOL {value}"),
        AttributeValue::Null(_) => "NULL".into(),
        AttributeValue::Ss(texts) => format!("SS {:?}", ordered(texts)),
        AttributeValue::Ns(numbers) => format!("NS {:?}", ordered(numbers)),
        AttributeValue::Bs(all) => {
            format!(
                "BS {:?}",
                ordered(all.iter().map(|it| it.as_ref().to_vec()))
            )
        }
        AttributeValue::L(values) => {
            let values: Vec<_> = values.iter().map(shown).collect();
            format!("L [{}]", values.join(", "))
        }
        AttributeValue::M(fields) => {
            let fields: BTreeMap<_, _> = fields.iter().map(|(k, v)| (k, shown(v))).collect();
            let fields: Vec<_> = fields.iter().map(|(k, v)| format!("{k}: {v}")).collect();
            format!("M {{{}}}", fields.join(", "))
        }
        other => panic!("unknown type {other:?}"),
    }
}

fn ordered<T: Ord>(values: impl IntoIterator<Item = T>) -> BTreeSet<T> {
    values.into_iter().collect()
}
