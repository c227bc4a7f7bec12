//! The partitions whose load would exceed their limits.

use super::units::Use;
use super::{HotPartition, Rate};
use dynamo_model::key::kind::Name;
use dynamo_model::schema::{Form, Template};
use std::collections::BTreeMap;

/// The limits of one partition a second.
const READ_LIMIT: f64 = 3_000.0;
const WRITE_LIMIT: f64 = 1_000.0;

/// Table, index, template.
type Place = (String, Option<String>, &'static str);

/// The load of the hottest partition of each table and index.
#[derive(Debug, Default)]
pub(super) struct Heat {
    places: BTreeMap<Place, Load>,
}

#[derive(Debug)]
struct Load {
    /// How many shards the template has; one without.
    shards: u32,
    read: f64,
    write: f64,
    patterns: Vec<String>,
}

impl Heat {
    /// Adds the peak load of a pattern.
    pub(super) fn add(&mut self, pattern: &str, used: &Use, rate: Rate) {
        let Some(template) = used.template else {
            return;
        };
        // A declared share is of the runs, and so of where they read and write; an index has its
        // own.
        let declared = rate
            .hottest
            .filter(|_| used.index.is_none() || used.read > 0.0);
        let Some(share) = declared.or_else(|| share(template)) else {
            return;
        };
        let runs = rate.per_second * rate.peak * share;
        let place = (used.table.clone(), used.index.clone(), template.text);
        let load = self.places.entry(place).or_insert_with(|| Load {
            shards: shards_of(template),
            read: 0.0,
            write: 0.0,
            patterns: Vec::new(),
        });
        load.read += used.read * runs;
        load.write += used.write * runs;
        if !load.patterns.iter().any(|known| known == pattern) {
            load.patterns.push(pattern.to_owned());
        }
    }

    /// The partitions that are too hot, and those that would be without the shards of their
    /// template.
    pub(super) fn partitions(self) -> (Vec<HotPartition>, Vec<HotPartition>) {
        let (mut hot, mut cured) = (Vec::new(), Vec::new());
        for ((table, index, template), load) in self.places {
            let declared = load.shards;
            let partition = |factor: f64, shards: u32| HotPartition {
                table: table.clone(),
                index: index.clone(),
                template: template.to_owned(),
                read_units: load.read * factor,
                write_units: load.write * factor,
                shards,
                patterns: load.patterns.clone(),
            };
            let needed = shards_for(load.read, load.write);
            let all = f64::from(declared);
            if needed > 1 {
                hot.push(partition(1.0, needed));
            } else if shards_for(load.read * all, load.write * all) > 1 {
                cured.push(partition(all, declared));
            }
        }
        (hot, cured)
    }
}

/// Returns the number of partitions that keeps each below the limits.
fn shards_for(read: f64, write: f64) -> u32 {
    (read / READ_LIMIT).max(write / WRITE_LIMIT).ceil() as u32
}

fn shards_of(template: &Template) -> u32 {
    let shards = template.parts.iter().map(|part| match part.spec.form {
        Form::Shard(count) => count,
        _ => 1,
    });
    shards.product()
}

/// Returns the smallest share of the busiest partition: an equal part, if the values of a key are
/// few and known.
fn share(template: &Template) -> Option<f64> {
    let mut partitions = 1.0;
    for part in template.parts {
        let empty = usize::from(part.spec.or_empty);
        partitions *= match (part.spec.form, part.kind, part.values) {
            (Form::Shard(count), ..) => f64::from(count),
            (_, _, Some(values)) => (values.len() + empty).max(1) as f64,
            (_, Name::Boolean, _) => (2 + empty) as f64,
            // All writes during one time bucket go to that bucket.
            (Form::Format(_), ..) => 1.0,
            _ => return None,
        };
    }
    Some(1.0 / partitions)
}
