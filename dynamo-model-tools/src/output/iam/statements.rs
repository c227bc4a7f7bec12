//! Statements: the allowed actions by table and index, merged so that each appears once.

use super::leading_keys::{self, LeadingKeys};
use super::{Policy, Refusal, no_scan};
use crate::output::pascal;
use crate::{EntityModel, Model, ModelError, TableModel};
use dynamo_model::__tools::can_meet;
use dynamo_model::schema::{IndexSchema, KeyType, Template};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

const READ_ITEMS: [&str; 3] = ["BatchGetItem", "GetItem", "Query"];
const WRITE_ITEMS: [&str; 5] = [
    "BatchWriteItem",
    "ConditionCheckItem",
    "DeleteItem",
    "PutItem",
    "UpdateItem",
];

/// A migration reads all items, replaces items one by one or in transactions, and requests their
/// number.
const MIGRATE_ITEMS: [&str; 7] = [
    "ConditionCheckItem",
    "DeleteItem",
    "DescribeTable",
    "GetItem",
    "PutItem",
    "Scan",
    "UpdateItem",
];

/// A table, or an index of one.
type Place = (String, Option<String>);

/// Partition keys that a statement is limited to: one value, and whether a `*` is in it.
type Keys = (String, bool);

/// The allowed actions: on each of some partitions, or on all of them.
#[derive(Debug, Default)]
pub(super) struct Statements {
    places: BTreeMap<Place, BTreeMap<Option<Keys>, BTreeSet<String>>>,
}

impl Statements {
    /// Allows an action, on every partition.
    pub(super) fn allow(&mut self, table: &str, index: Option<&str>, action: &str) {
        self.add(table, index, None, &[action]);
    }

    /// Allows actions on some partitions.
    fn allow_keys(
        &mut self,
        table: &str,
        index: Option<&str>,
        actions: &[&str],
        keys: &LeadingKeys,
    ) {
        for value in &keys.values {
            self.add(table, index, Some((value.clone(), keys.like)), actions);
        }
    }

    fn add(&mut self, table: &str, index: Option<&str>, keys: Option<Keys>, actions: &[&str]) {
        let place = (table.to_owned(), index.map(str::to_owned));
        let allowed = self
            .places
            .entry(place)
            .or_default()
            .entry(keys)
            .or_default();
        allowed.extend(actions.iter().map(|&action| action.to_owned()));
    }

    /// The tables on which anything is allowed.
    pub(super) fn tables(&self) -> BTreeSet<String> {
        self.places.keys().map(|(table, _)| table.clone()).collect()
    }

    pub(super) fn finish(self, policy: &Policy) -> Vec<Value> {
        let places = self.places.into_iter();
        places
            .flat_map(|((table, index), keys)| statements(policy, &table, index.as_deref(), keys))
            .collect()
    }
}

/// Partitions share a statement only if the same actions are allowed on them: a write that is
/// allowed on one must not become allowed on another.
fn statements(
    policy: &Policy,
    table: &str,
    index: Option<&str>,
    keys: BTreeMap<Option<Keys>, BTreeSet<String>>,
) -> Vec<Value> {
    let everywhere = keys.get(&None).cloned().unwrap_or_default();
    let mut groups: BTreeMap<(BTreeSet<String>, Option<bool>), Vec<String>> = BTreeMap::new();
    for (keys, actions) in keys {
        match keys {
            None => {
                groups.insert((actions, None), Vec::new());
            }
            Some((value, like)) => {
                let actions: BTreeSet<_> = actions.difference(&everywhere).cloned().collect();
                if !actions.is_empty() {
                    groups.entry((actions, Some(like))).or_default().push(value);
                }
            }
        }
    }
    let sid = pascal(table);
    let several = groups.len() > 1;
    let groups = groups.into_iter().enumerate();
    let each = groups.map(|(i, ((actions, like), values))| {
        let actions = actions.iter().map(|action| format!("dynamodb:{action}"));
        let mut statement = json!({
            "Effect": "Allow",
            "Action": actions.collect::<Vec<_>>(),
            "Resource": policy.arn(table, index),
        });
        // The resource names an index, and a policy has room for 6144 characters.
        if index.is_none() {
            let sid = if several {
                format!("{sid}{}", i + 1)
            } else {
                sid.clone()
            };
            statement["Sid"] = json!(sid);
        }
        if let Some(like) = like {
            let compare = if like { "StringLike" } else { "StringEquals" };
            statement["Condition"] = json!({
                format!("ForAllValues:{compare}"): { "dynamodb:LeadingKeys": values },
                // Of no keys at all, anything is true.
                "Null": { "dynamodb:LeadingKeys": "false" },
            });
        }
        statement
    });
    each.collect()
}

impl Model {
    fn chosen<'m>(&'m self, name: &str) -> Result<(&'m TableModel, &'m EntityModel), ModelError> {
        let mut entities = self.entities();
        entities
            .find(|(_, entity)| entity.schema.entity == name)
            .ok_or_else(|| {
                let message =
                    format!("no entity `{name}`; add it with `Model::items` or `Model::entity`");
                ModelError::new(message)
            })
    }

    /// Allows whole entities. In a shared table, only their partitions.
    pub(super) fn allow_entities(
        &self,
        policy: &Policy,
        out: &mut Statements,
    ) -> Result<(), ModelError> {
        for name in &policy.reads {
            let (table, entity) = self.chosen(name)?;
            allow_entity(
                policy,
                table,
                table.schema.name,
                None,
                entity.schema.pk,
                &READ_ITEMS,
                out,
            );
            for index in entity.schema.indexes {
                let Some(declared) = table.index_of(index) else {
                    continue;
                };
                let place = Some(declared.name);
                allow_entity(
                    policy,
                    table,
                    table.schema.name,
                    place,
                    index.pk,
                    &["Query"],
                    out,
                );
            }
        }
        for name in &policy.writes {
            let (table, entity) = self.chosen(name)?;
            let uniques = || entity.schema.uniques.iter();
            for unique in uniques() {
                if let Some(table) = unique.table {
                    allow_values(table.name, unique.template, &WRITE_ITEMS, out);
                }
            }
            let uniques = uniques().filter(|unique| unique.table.is_none());
            let uniques = uniques.map(|unique| unique.template);
            for template in [entity.schema.pk].into_iter().chain(uniques) {
                allow_entity(
                    policy,
                    table,
                    table.schema.name,
                    None,
                    template,
                    &WRITE_ITEMS,
                    out,
                );
            }
            // A unique item is read before it changes.
            if !entity.schema.uniques.is_empty() {
                allow_entity(
                    policy,
                    table,
                    table.schema.name,
                    None,
                    entity.schema.pk,
                    &["GetItem"],
                    out,
                );
            }
        }
        for name in &policy.searches {
            let (table, entity) = self.chosen(name)?;
            let vectors = entity.schema.vectors.iter();
            let vectors = vectors.filter_map(|it| table.schema.vector(it.id));
            vectors.for_each(|it| out.allow(table.schema.name, Some(it.name), "SearchVectors"));
        }
        for name in &policy.scans {
            let (table, entity) = self.chosen(name)?;
            if table.schema.no_scan && entity.schema.scannable.is_none() {
                return Err(ModelError::new(no_scan(table, &format!("`{name}`"))));
            }
            out.allow(table.schema.name, None, "Scan");
        }
        for name in &policy.migrations {
            let (table, entity) = self.chosen(name)?;
            out.add(table.schema.name, None, None, &MIGRATE_ITEMS);
            for unique in entity.schema.uniques {
                if let Some(table) = unique.table {
                    let actions = [&WRITE_ITEMS[..], &["GetItem"]].concat();
                    allow_values(table.name, unique.template, &actions, out);
                }
            }
        }
        Ok(())
    }

    /// Allows the caller's own items of these entities.
    pub(super) fn isolate(
        &self,
        policy: &Policy,
        out: &mut Statements,
        refused: &mut Vec<Refusal>,
        notes: &mut Vec<String>,
    ) -> Result<(), ModelError> {
        for name in &policy.reads {
            let (table, entity) = self.chosen(name)?;
            let mut refuse = |place: String, reason| {
                refused.push(Refusal {
                    entity: name.clone(),
                    place,
                    reason,
                });
            };
            match own(policy, table.schema.pk.key_type, entity.schema.pk) {
                Ok(keys) => {
                    out.allow_keys(table.schema.name, None, &READ_ITEMS, &keys);
                    notes.extend(neighbours(policy, table, None, (entity, entity.schema.pk)));
                }
                Err(reason) => refuse("in the table".into(), reason),
            }
            for index in entity.schema.indexes {
                let Some(declared) = table.index_of(index) else {
                    continue;
                };
                match own(policy, declared.pk.key_type, index.pk) {
                    Ok(keys) => {
                        let place = Some(declared.name);
                        out.allow_keys(table.schema.name, place, &["Query"], &keys);
                        notes.extend(neighbours(
                            policy,
                            table,
                            Some(declared),
                            (entity, index.pk),
                        ));
                    }
                    Err(reason) => refuse(format!("in the index `{}`", declared.name), reason),
                }
            }
        }
        for name in &policy.writes {
            let (table, entity) = self.chosen(name)?;
            match own_writes(policy, table, entity) {
                Ok(keys) => {
                    for (name, keys) in &keys {
                        out.allow_keys(name, None, &WRITE_ITEMS, keys);
                    }
                    notes.extend(neighbours(policy, table, None, (entity, entity.schema.pk)));
                }
                Err(reason) => refused.push(Refusal {
                    entity: name.clone(),
                    place: "to be written".into(),
                    reason,
                }),
            }
        }
        for name in &policy.searches {
            let (table, entity) = self.chosen(name)?;
            let vectors = entity.schema.vectors.iter();
            for index in vectors.filter_map(|it| table.schema.vector(it.id)) {
                refused.push(Refusal {
                    entity: name.clone(),
                    place: format!("in the vector index `{}`", index.name),
                    reason: "DynamoDB does not apply `dynamodb:LeadingKeys` to searches, so the \
                             caller could name the hash of others; let a service search for it"
                        .into(),
                });
            }
        }
        for name in policy.scans.iter().chain(&policy.migrations) {
            refused.push(Refusal {
                entity: self.chosen(name)?.1.schema.entity.into(),
                place: "to be scanned".into(),
                reason: "a scan names no partition, so it reads the items of everybody".into(),
            });
        }
        notes.sort();
        notes.dedup();
        Ok(())
    }
}

/// Allows one place of an entity, limited to its partitions if other entities share the table.
fn allow_entity(
    policy: &Policy,
    table: &TableModel,
    name: &str,
    index: Option<&str>,
    template: &Template,
    actions: &[&str],
    out: &mut Statements,
) {
    let is_chosen = |entity: &EntityModel| {
        let name = entity.schema.entity;
        policy
            .reads
            .iter()
            .chain(&policy.writes)
            .any(|it| it == name)
    };
    let alone = table.entities.iter().all(is_chosen);
    match leading_keys::of_entity(template).filter(|_| !alone) {
        Some(keys) => out.allow_keys(name, index, actions, &keys),
        None => actions
            .iter()
            .for_each(|action| out.allow(name, index, action)),
    }
}

/// Allows the unique items of a constraint in a reservations table, which others may use too.
fn allow_values(table: &str, template: &Template, actions: &[&str], out: &mut Statements) {
    match leading_keys::of_entity(template) {
        Some(keys) => out.allow_keys(table, None, actions, &keys),
        None => out.add(table, None, None, actions),
    }
}

fn own(policy: &Policy, key_type: KeyType, template: &Template) -> Result<LeadingKeys, String> {
    if key_type != KeyType::S {
        let letter = key_type.as_str();
        return Err(format!(
            "its partition key is of type {letter}, and a policy compares text; make it text"
        ));
    }
    leading_keys::own(template, &policy.isolation)
}

/// Refuses a unique item whose key does not begin with the caller: it is written with the entity.
fn own_writes(
    policy: &Policy,
    table: &TableModel,
    entity: &EntityModel,
) -> Result<Vec<(&'static str, LeadingKeys)>, String> {
    let own_key = own(policy, table.schema.pk.key_type, entity.schema.pk)?;
    let mut keys = vec![(table.schema.name, own_key)];
    for unique in entity.schema.uniques {
        let of_unique = leading_keys::own(unique.template, &policy.isolation);
        let name = unique.table.map_or(table.schema.name, |table| table.name);
        let of_unique = of_unique.map_err(|_| {
            format!(
                "`#[unique(\"{}\")]` is a separate item, and its key does not begin with the \
                 caller; write it with a service",
                unique.constraint
            )
        })?;
        keys.push((name, of_unique));
    }
    Ok(keys)
}

/// Returns the other entities in the same partitions: the condition does not see sort keys.
fn neighbours(
    policy: &Policy,
    table: &TableModel,
    index: Option<&IndexSchema>,
    (entity, template): (&EntityModel, &Template),
) -> Option<String> {
    let chosen = |name| {
        policy
            .reads
            .iter()
            .chain(&policy.writes)
            .any(|it| it == name)
    };
    let others = table
        .entities
        .iter()
        .filter(|it| it.schema.entity != entity.schema.entity);
    let others = others.filter(|other| {
        let own_template = match index {
            None => Some(other.schema.pk),
            Some(index) => {
                let mut indexes = other.schema.indexes.iter();
                indexes.find(|it| it.id == index.id).map(|it| it.pk)
            }
        };
        let Some(there) = own_template else {
            return false;
        };
        let is_own = leading_keys::own(there, &policy.isolation).is_ok();
        can_meet(there, template) && !(chosen(other.schema.entity) && is_own)
    });
    let names: Vec<_> = others
        .map(|other| format!("`{}`", other.schema.entity))
        .collect();
    let place = index.map(|index| format!(" in `{}`", index.name));
    (!names.is_empty()).then(|| {
        format!(
            "the partitions of `{}`{} also hold {}, which the caller can reach: a policy does not \
             see sort keys",
            entity.schema.entity,
            place.unwrap_or_default(),
            names.join(", ")
        )
    })
}
