//! The declarations against the documents: every key string, every attribute, every sample item.
#![allow(clippy::unwrap_used)]

mod booking;
mod exam;
mod q;
mod shogi;
mod shop;
mod support;

use dynamo_model_examples::SCHEMAS;
use std::collections::BTreeSet;

#[test]
fn every_entity_has_a_sample_of_every_key() {
    for schema in SCHEMAS {
        for sample in (schema.samples)().unwrap() {
            let places: Vec<_> = sample.keys.iter().map(|key| key.place).collect();
            let mut declared = vec!["table"];
            let indexes = sample.entity.indexes.iter();
            declared.extend(indexes.map(|index| sample.table.index(index.id).unwrap().name));
            assert_eq!(places, declared, "{}", sample.entity.entity);
            for key in sample.keys {
                assert_eq!(key.outcome, Ok(()), "{}: {}", sample.entity.entity, key.key);
            }
        }
    }
}

#[test]
fn nothing_of_the_documents_is_missing() {
    let counts = SCHEMAS.map(|schema| {
        let samples = (schema.samples)().unwrap();
        let tables: BTreeSet<_> = samples.iter().map(|sample| sample.table.name).collect();
        (schema.name, tables.len(), samples.len())
    });
    let expected = [
        ("exam", 1, 4),
        ("shop", 1, 7),
        ("booking", 7, 9),
        ("shogi", 1, 8),
        ("q", 12, 12),
        ("hosting", 1, 8),
    ];
    assert_eq!(counts, expected);
}

#[test]
fn every_declared_index_is_used() {
    for schema in SCHEMAS {
        let samples = (schema.samples)().unwrap();
        for sample in &samples {
            for index in sample.table.indexes {
                let used = samples.iter().any(|other| {
                    other.table.name == sample.table.name
                        && other.keys.iter().any(|key| key.place == index.name)
                });
                assert!(used, "{} of {}", index.name, sample.table.name);
            }
        }
    }
}
