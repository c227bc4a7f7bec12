//! Two snapshots → the changes, their meaning for stored items, and the migration: tables and
//! indexes. [`entity`](super::entity) compares their contents.

use super::entity;
use super::snapshot::{Entity, Index, Settings, Snapshot, Table};
use super::{Change, Impact};
use std::collections::{BTreeMap, BTreeSet};

pub(super) const NEW_TABLE: &str = "a new table, and every item copied into it";
const NEW_INDEX: &str =
    "the index deleted and created again; DynamoDB fills it, and it returns no items until then";
const REWRITE_TYPE: &str = "this attribute rewritten on every item, in place";
const LEFT_BEHIND: &str = "its items deleted or moved; otherwise they stay unread";

const OF_AWS: &str = "a key of AWS";
const DECRYPTED: &str =
    "none for stored items; readers of the table then need no permissions for a key";
const KEY_RIGHTS: &str = "the rights to the key for each role that uses the table, before it is deployed; and the old key as long as a backup needs it";
const NO_RECOVERY: &str = "a backup on demand; when recovery is turned on again, it begins anew";
const NO_REPLICA: &str =
    "the programs of these regions moved to another one first; DynamoDB deletes the replicas";
const FIRST_REPLICA: &str = "nothing for stored items; a stack of CloudFormation must let go of the table and import it as `AWS::DynamoDB::GlobalTable`";
const UNPROTECTED: &str = "none for stored items; one call can then delete the table";

/// Collects changes, each with the place it is in.
pub(super) struct Changes {
    place: Vec<String>,
    found: Vec<Change>,
}

pub(super) fn changes(was: &Snapshot, is: &Snapshot) -> Vec<Change> {
    let mut out = Changes {
        place: Vec::new(),
        found: Vec::new(),
    };
    for (name, was, is) in both(&was.tables, &is.tables) {
        out.within(name.to_owned(), |out| match (was, is) {
            (Some(was), Some(is)) => table(out, was, is),
            (None, Some(is)) => out.add(
                Impact::Compatible,
                "",
                &format!("a table with the key {}", is.key),
                "",
            ),
            (Some(was), None) => {
                out.add(
                    Impact::Breaking,
                    &format!("a table with the key {}", was.key),
                    "",
                    LEFT_BEHIND,
                );
            }
            (None, None) => {}
        });
    }
    out.found
}

impl Changes {
    pub(super) fn within(&mut self, place: String, compare: impl FnOnce(&mut Self)) {
        self.place.push(place);
        compare(self);
        self.place.pop();
    }

    pub(super) fn add(&mut self, impact: Impact, was: &str, is: &str, needs: &str) {
        self.found.push(Change {
            impact,
            place: self.place.join(", "),
            was: was.to_owned(),
            is: is.to_owned(),
            needs: needs.to_owned(),
        });
    }

    /// Compares a setting of the table.
    fn setting(&mut self, what: &str, impact: Impact, was: &str, is: &str, needs: &str) {
        if was != is {
            self.within(what.to_owned(), |out| out.add(impact, was, is, needs));
        }
    }

    /// Compares a text that must not change.
    pub(super) fn same(&mut self, what: &str, was: &str, is: &str, needs: &str) {
        if was != is {
            let quoted = |text: &str| {
                if text.is_empty() {
                    String::new()
                } else {
                    format!("`{text}`")
                }
            };
            self.within(what.to_owned(), |out| {
                out.add(Impact::Breaking, &quoted(was), &quoted(is), needs);
            });
        }
    }
}

fn table(out: &mut Changes, was: &Table, is: &Table) {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    out.same("key", &was.key, &is.key, NEW_TABLE);
    out.same(
        "entity type",
        &text(&was.entity_type),
        &text(&is.entity_type),
        REWRITE_TYPE,
    );
    // Without a TTL on one side, no item expires there.
    if was.ttl.is_some() && is.ttl.is_some() {
        out.same("TTL", &text(&was.ttl), &text(&is.ttl), REWRITE_TYPE);
    }
    if let (Some(was), Some(is)) = (&was.settings, &is.settings) {
        settings(out, was, is);
    }
    for (name, was_index, is_index) in both(&was.indexes, &is.indexes) {
        out.within(format!("index {name}"), |out| {
            index(out, was_index, is_index);
        });
    }
    let (renamed, pairs) = entities(&was.entities, &is.entities);
    for (old, new) in &renamed {
        out.within(new.to_string(), |out| {
            out.add(
                Impact::Compatible,
                &format!("the type `{old}`"),
                &format!("the type `{new}`"),
                "",
            );
        });
    }
    for (name, was_entity, is_entity) in pairs {
        out.within(name.to_owned(), |out| match (was_entity, is_entity) {
            (Some(was), Some(is)) => entity::compare(out, was, is),
            (None, Some(is)) => {
                out.add(Impact::Compatible, "", &format!("`{}`", is.pk.template), "");
            }
            (Some(was), None) => {
                out.add(
                    Impact::Unclear,
                    &format!("`{}`", was.pk.template),
                    "",
                    LEFT_BEHIND,
                );
            }
            (None, None) => {}
        });
    }
}

/// Less protection is breaking, so that a review sees it; stored items are read as before.
fn settings(out: &mut Changes, was: &Settings, is: &Settings) {
    let key = |it: &Settings| it.encryption.clone().unwrap_or_else(|| OF_AWS.to_owned());
    let (impact, needs) = match (&was.encryption, &is.encryption) {
        (Some(_), None) => (Impact::Breaking, DECRYPTED),
        _ => (Impact::Unclear, KEY_RIGHTS),
    };
    out.setting("encryption", impact, &key(was), &key(is), needs);
    let switches = [
        (
            "point-in-time recovery",
            was.point_in_time_recovery,
            is.point_in_time_recovery,
            NO_RECOVERY,
        ),
        (
            "deletion protection",
            was.deletion_protection,
            is.deletion_protection,
            UNPROTECTED,
        ),
    ];
    for (what, was, is, needs) in switches {
        let shown = |on: bool| if on { "on" } else { "off" };
        let (impact, needs) = match is {
            false => (Impact::Breaking, needs),
            true => (Impact::Compatible, ""),
        };
        out.setting(what, impact, shown(was), shown(is), needs);
    }
    let regions = |it: &Settings| Vec::from_iter(it.replicas.iter().cloned()).join(", ");
    let (impact, needs) = match was.replicas.is_subset(&is.replicas) {
        false => (Impact::Breaking, NO_REPLICA),
        true if was.replicas.is_empty() => (Impact::Unclear, FIRST_REPLICA),
        true => (Impact::Compatible, ""),
    };
    out.setting("replicas", impact, &regions(was), &regions(is), needs);
    let consistency = |it: &Settings| {
        if it.multi_region_strong {
            "strong"
        } else {
            "eventual"
        }
    };
    let (strong, now) = (consistency(was), consistency(is));
    out.setting(
        "consistency between regions",
        Impact::Breaking,
        strong,
        now,
        NEW_TABLE,
    );
    let units = |units: Option<(u32, u32)>| {
        units.map_or_else(String::new, |(read, write)| {
            format!("{read} read and {write} write units")
        })
    };
    let class = |it: &Settings| it.table_class.clone().unwrap_or_default();
    let tags = |it: &Settings| {
        let tags = it
            .tags
            .iter()
            .map(|(name, value)| format!("{name}={value}"));
        Vec::from_iter(tags).join(", ")
    };
    let harmless = [
        (
            "on-demand maximum",
            units(was.on_demand_maximum),
            units(is.on_demand_maximum),
        ),
        (
            "warm throughput",
            units(was.warm_throughput),
            units(is.warm_throughput),
        ),
        ("table class", class(was), class(is)),
        ("tags", tags(was), tags(is)),
    ];
    for (what, was, is) in &harmless {
        out.setting(what, Impact::Compatible, was, is, "");
    }
    let (was, is) = (&was.billing, &is.billing);
    out.setting("billing", Impact::Compatible, was, is, "");
}

fn index(out: &mut Changes, was: Option<&Index>, is: Option<&Index>) {
    let shown = |index: &Index| {
        format!(
            "{} index on {}, {}",
            index.kind, index.key, index.projection
        )
    };
    match (was, is) {
        (Some(was), Some(is)) if was == is => {}
        (Some(was), Some(is)) => {
            let local = was.kind == "local" || is.kind == "local";
            let needs = if local { NEW_TABLE } else { NEW_INDEX };
            out.add(Impact::Breaking, &shown(was), &shown(is), needs);
        }
        // A local index exists from the table's creation on.
        (None, Some(is)) if is.kind == "local" => {
            out.add(Impact::Breaking, "", &shown(is), NEW_TABLE);
        }
        (None, Some(is)) => out.add(Impact::Compatible, "", &shown(is), ""),
        (Some(was), None) if was.kind == "local" => {
            out.add(Impact::Breaking, &shown(was), "", NEW_TABLE);
        }
        (Some(was), None) => out.add(Impact::Compatible, &shown(was), "", ""),
        (None, None) => {}
    }
}

/// Returns the names of both, each once, with the values of either side.
pub(super) fn both<'s, T>(
    was: &'s BTreeMap<String, T>,
    is: &'s BTreeMap<String, T>,
) -> impl Iterator<Item = (&'s str, Option<&'s T>, Option<&'s T>)> {
    let names: BTreeSet<&str> = was.keys().chain(is.keys()).map(String::as_str).collect();
    names
        .into_iter()
        .map(|name| (name, was.get(name), is.get(name)))
}

type Pairs<'s> = Vec<(&'s str, Option<&'s Entity>, Option<&'s Entity>)>;

/// Returns a removed entity, and a new one with the same keys: only the Rust type was renamed.
fn entities<'s>(
    was: &'s BTreeMap<String, Entity>,
    is: &'s BTreeMap<String, Entity>,
) -> (Vec<(&'s str, &'s str)>, Pairs<'s>) {
    let (mut renamed, mut pairs): (Vec<(&str, &str)>, Pairs<'s>) = (Vec::new(), Vec::new());
    for (name, old, new) in both(was, is) {
        if let (Some(old), None) = (old, new) {
            let same = is.iter().find(|(other, it)| {
                !was.contains_key(*other)
                    && it.pk.template == old.pk.template
                    && it.sk.as_ref().map(|sk| &sk.template)
                        == old.sk.as_ref().map(|sk| &sk.template)
            });
            if let Some((other, it)) = same {
                renamed.push((name, other));
                pairs.push((other, Some(old), Some(it)));
                continue;
            }
        }
        pairs.push((name, old, new));
    }
    let new_names: BTreeSet<&str> = renamed.iter().map(|(_, new)| *new).collect();
    pairs.retain(|(name, old, _)| old.is_some() || !new_names.contains(name));
    (renamed, pairs)
}
