//! Which partitions would be asked for more than one can give.

use super::units::Use;
use super::{HotPartition, Rate};
use crate::key::kind::Name;
use crate::schema::{Form, Template};
use std::collections::BTreeMap;

/// What one partition gives in a second.
const READ_LIMIT: f64 = 3_000.0;
const WRITE_LIMIT: f64 = 1_000.0;

/// Table, index, template.
type Place = (String, Option<String>, &'static str);

/// What is asked of the busiest partition of each place.
#[derive(Debug, Default)]
pub(super) struct Heat {
    places: BTreeMap<Place, Load>,
}

#[derive(Debug, Default)]
struct Load {
    read: f64,
    write: f64,
    patterns: Vec<String>,
}

impl Heat {
    /// What a pattern adds, at its peak.
    pub(super) fn add(&mut self, pattern: &str, used: &Use, rate: Rate) {
        let Some(template) = used.template else {
            return;
        };
        // A declared share is of the runs, and so of where they read and write; an index has its own.
        let declared = rate
            .hottest
            .filter(|_| used.index.is_none() || used.read > 0.0);
        let Some(share) = declared.or_else(|| share(template)) else {
            return;
        };
        let runs = rate.per_second * rate.peak * share;
        let place = (used.table.clone(), used.index.clone(), template.text);
        let load = self.places.entry(place).or_default();
        load.read += used.read * runs;
        load.write += used.write * runs;
        if !load.patterns.iter().any(|known| known == pattern) {
            load.patterns.push(pattern.to_owned());
        }
    }

    pub(super) fn too_hot(self) -> Vec<HotPartition> {
        let hot = self
            .places
            .into_iter()
            .filter_map(|((table, index, template), load)| {
                let shards = (load.read / READ_LIMIT)
                    .max(load.write / WRITE_LIMIT)
                    .ceil();
                (shards > 1.0).then(|| HotPartition {
                    table,
                    index,
                    template: template.to_owned(),
                    read_units: load.read,
                    write_units: load.write,
                    shards: shards as u32,
                    patterns: load.patterns,
                })
            });
        hot.collect()
    }
}

/// The least that the busiest partition can get: an equal part, where the values of a key are few and known.
fn share(template: &Template) -> Option<f64> {
    let mut partitions = 1.0;
    for part in template.parts {
        let empty = usize::from(part.spec.or_empty);
        partitions *= match (part.spec.form, part.kind, part.values) {
            (Form::Shard(count), ..) => f64::from(count),
            (_, _, Some(values)) => (values.len() + empty).max(1) as f64,
            (_, Name::Boolean, _) => (2 + empty) as f64,
            // All that is written in one bucket of time is written while it lasts.
            (Form::Format(_), ..) => 1.0,
            _ => return None,
        };
    }
    Some(1.0 / partitions)
}
