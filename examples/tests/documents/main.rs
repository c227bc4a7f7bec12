//! The declarations against the documents: every key string, every attribute, every sample item.
#![allow(clippy::unwrap_used)]

mod booking;
mod exam;
mod q;
mod shogi;
mod shop;
mod support;

use dynamo_model::schema::IndexId;
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
fn every_entity_of_the_documents_is_declared() {
    let counts = SCHEMAS.map(|schema| {
        let samples = (schema.samples)().unwrap();
        let tables: BTreeSet<_> = samples.iter().map(|sample| sample.table.name).collect();
        (schema.name, tables.len(), samples.len())
    });
    let expected = [
        ("exam", 1, 4),
        ("shop", 2, 9),
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

/// `README.md` has a row for each schema: its tables, entities, indexes, keys and access patterns.
#[test]
fn the_readme_has_the_correct_counts() {
    let readme = include_str!("../../README.md");
    let mut of_documents = 0;
    for schema in SCHEMAS {
        let samples = (schema.samples)().unwrap();
        let tables = schema.tables().unwrap();
        let indexes = tables.iter().flat_map(|table| table.indexes);
        let (global, local): (Vec<&_>, Vec<&_>) =
            indexes.partition(|index| matches!(index.id, IndexId::Gsi(_)));
        let kinds = [(global.len(), "GSI"), (local.len(), "LSI")];
        let kinds = kinds.iter().filter(|(count, _)| *count > 0);
        let kinds: Vec<_> = kinds
            .map(|(count, kind)| format!("{count} {kind}"))
            .collect();
        let row = format!(
            "| [{name}](src/{name}/mod.rs) | {} | {} | {} | {} | {} |",
            tables.len(),
            samples.len(),
            if kinds.is_empty() {
                "none".into()
            } else {
                kinds.join(", ")
            },
            samples
                .iter()
                .map(|sample| sample.keys.len())
                .sum::<usize>(),
            (schema.patterns)().len(),
            name = schema.name,
        );
        assert!(readme.contains(&row), "README.md should have: {row}");
        if schema.requirements.is_some() {
            of_documents += (schema.patterns)().len();
        }
    }
    let sum = format!("The documents have {of_documents} access patterns together.");
    assert!(readme.contains(&sum), "README.md should have: {sum}");
}
