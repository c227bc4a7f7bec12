//! The query of a cursor: the definition of the query as bytes, and their hash.
//!
//! The bytes do not depend on `Debug`, on the names of Rust types or on aliases, because cursors
//! outlive releases. They contain the real values, sensitive ones too; only their hash leaves the
//! process. Each field is a letter, the length of its content in four bytes, and the content. A new
//! field gets a new letter and is left out where it is not used, so that cursors of queries without
//! it stay valid.

use crate::key::partitions::Ends;
use crate::key::range::SortCondition;
use crate::key::{KeyRef, KeyValue, partitions};
use crate::schema::{EntitySchema, TableSchema};
use aws_sdk_dynamodb::types::AttributeValue;
use core::ops::Bound;
use sha2::{Digest, Sha256};

/// The definition of a query.
#[derive(Debug, Default)]
pub(crate) struct Definition(Vec<u8>);

impl Definition {
    pub(crate) fn field(&mut self, letter: u8, bytes: &[u8]) {
        self.0.push(letter);
        push_sized(bytes, &mut self.0);
    }

    /// Adds the field if it has content.
    pub(crate) fn field_if(&mut self, letter: u8, bytes: Option<&[u8]>) {
        if let Some(bytes) = bytes {
            self.field(letter, bytes);
        }
    }

    /// Adds an entity by its type, or by its keys in a table without types, and never by its name
    /// in Rust.
    pub(crate) fn entity(&mut self, table: &TableSchema, entity: &EntitySchema) {
        match table.entity_type.and(entity.entity_type) {
            Some(entity_type) => self.field(b'e', entity_type.as_bytes()),
            None => {
                self.field(b'k', entity.pk.text.as_bytes());
                self.field_if(b'k', entity.sk.map(|sk| sk.text.as_bytes()));
            }
        }
    }

    pub(crate) fn partition(&mut self, pk: &KeyValue) {
        let mut bytes = Vec::new();
        push_key(pk, &mut bytes);
        self.field(b'p', &bytes);
    }

    /// Adds buckets and shards; and the range, which determines the items that are read.
    pub(crate) fn partitions(&mut self, groups: &[Vec<KeyValue>], range: Option<&Ends>) {
        let mut bytes = Vec::new();
        for group in groups {
            bytes.extend_from_slice(&size(group.len()));
            group.iter().for_each(|pk| push_key(pk, &mut bytes));
        }
        self.field(b'g', &bytes);
        if let Some((from, to)) = range {
            let mut bytes = Vec::new();
            let mut push = |kind: u8, value| {
                let (seconds, nanos) = partitions::moment(value);
                bytes.push(kind);
                bytes.extend_from_slice(&seconds.to_be_bytes());
                bytes.extend_from_slice(&nanos.to_be_bytes());
            };
            push(b'[', *from);
            match to {
                Bound::Included(end) => push(b']', *end),
                Bound::Excluded(end) => push(b')', *end),
                Bound::Unbounded => {}
            }
            self.field(b'r', &bytes);
        }
    }

    pub(crate) fn sort(&mut self, sort: &SortCondition) {
        let mut bytes = Vec::new();
        let mut push = |kind: u8, values: &[&KeyValue]| {
            bytes.push(kind);
            values.iter().for_each(|value| push_key(value, &mut bytes));
        };
        match sort {
            SortCondition::Any => return,
            SortCondition::Nothing => push(b'0', &[]),
            SortCondition::Equals(exact) => push(b'=', &[exact]),
            SortCondition::BeginsWith(prefix) => push(b'^', &[&KeyValue::S(prefix.clone())]),
            SortCondition::Between(low, high) => push(b'-', &[low, high]),
            SortCondition::AtLeast(low) => push(b'>', &[low]),
            SortCondition::AtMost(high) => push(b'<', &[high]),
            SortCondition::After(given, next) => {
                for value in given {
                    self.sort(&SortCondition::Equals(value.clone()));
                }
                return self.sort(next);
            }
        }
        self.field(b's', &bytes);
    }

    /// Returns eight bytes that identify the query.
    pub(crate) fn hash(&self) -> u64 {
        let hash = Sha256::digest(&self.0);
        hash.first_chunk()
            .map_or(0, |first| u64::from_be_bytes(*first))
    }
}

/// Returns a length as four bytes, because no request is longer.
fn size(len: usize) -> [u8; 4] {
    u32::try_from(len).unwrap_or(u32::MAX).to_be_bytes()
}

fn push_sized(bytes: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&size(bytes.len()));
    out.extend_from_slice(bytes);
}

fn push_key(key: &KeyValue, out: &mut Vec<u8>) {
    let (kind, bytes) = match key.as_ref() {
        KeyRef::S(text) => (b'S', text.as_bytes()),
        KeyRef::N(number) => (b'N', number.as_bytes()),
        KeyRef::B(bytes) => (b'B', bytes),
    };
    out.push(kind);
    push_sized(bytes, out);
}

/// Adds a value of a filter, as text that no other value has.
pub(crate) fn push_value(value: &AttributeValue, out: &mut String) {
    match value {
        AttributeValue::S(text) => push_text("S", text, out),
        AttributeValue::N(number) => push_text("N", number, out),
        AttributeValue::B(bytes) => push_text("B", &hex(bytes.as_ref()), out),
        AttributeValue::Bool(value) => out.push_str(if *value { "T" } else { "F" }),
        AttributeValue::Null(_) => out.push('0'),
        AttributeValue::Ss(texts) => push_set("SS", texts.clone(), out),
        AttributeValue::Ns(numbers) => push_set("NS", numbers.clone(), out),
        AttributeValue::Bs(set) => {
            push_set("BS", set.iter().map(|it| hex(it.as_ref())).collect(), out);
        }
        AttributeValue::L(list) => {
            out.push_str(&format!("L{}:", list.len()));
            list.iter().for_each(|element| push_value(element, out));
        }
        AttributeValue::M(map) => {
            let mut entries: Vec<_> = map.iter().collect();
            entries.sort_unstable_by_key(|(name, _)| *name);
            out.push_str(&format!("M{}:", entries.len()));
            for (name, value) in entries {
                push_text("", name, out);
                push_value(value, out);
            }
        }
        // DynamoDB has ten types.
        _ => out.push('?'),
    }
}

/// Adds a text with its length: `S3:abc`.
pub(crate) fn push_text(kind: &str, text: &str, out: &mut String) {
    out.push_str(&format!("{kind}{}:{text}", text.len()));
}

fn push_set(kind: &str, mut elements: Vec<String>, out: &mut String) {
    elements.sort_unstable();
    out.push_str(&format!("{kind}{}:", elements.len()));
    elements.iter().for_each(|it| push_text("", it, out));
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::Path;

    fn described(condition: &crate::expr::Condition) -> String {
        condition.definition().unwrap_or_default()
    }

    /// The expected text is literal, so that a change of the encoding is seen: it would refuse
    /// every cursor that clients hold.
    #[test]
    fn a_filter_is_described_by_its_structure_names_and_values() {
        let name = Path::<String>::attribute("name");
        let age = Path::<u32>::attribute("age");
        assert_eq!(described(&name.eq("a")), "n4:name = S1:a");
        assert_eq!(
            described(&(age.ge(18_u32) & !name.exists())),
            "(n3:age >= N2:18 AND NOT attribute_exists(n4:name))"
        );
        // The content of a text is never mistaken for its context.
        assert_ne!(
            described(&name.eq("a OR n4:name = S1:b")),
            described(&(name.eq("a") | name.eq("b")))
        );
    }

    #[test]
    fn every_type_of_value_is_described() {
        let s = |text: &str| AttributeValue::S(text.into());
        let n = |text: &str| AttributeValue::N(text.into());
        let map = [("b".to_owned(), n("2")), ("a".to_owned(), s("1"))];
        for (value, text) in [
            (s("é"), "S2:é"),
            (n("1"), "N1:1"),
            (AttributeValue::B(vec![0, 255].into()), "B4:00ff"),
            (AttributeValue::Bool(true), "T"),
            (AttributeValue::Bool(false), "F"),
            (AttributeValue::Null(true), "0"),
            (
                AttributeValue::Ss(vec!["b".into(), "a".into()]),
                "SS2:1:a1:b",
            ),
            (AttributeValue::Ns(vec!["2".into()]), "NS1:1:2"),
            (AttributeValue::Bs(vec![vec![1].into()]), "BS1:2:01"),
            (AttributeValue::L(vec![s("a"), n("1")]), "L2:S1:aN1:1"),
            (AttributeValue::M(map.into()), "M2:1:aS1:11:bN1:2"),
        ] {
            let mut out = String::new();
            push_value(&value, &mut out);
            assert_eq!(out, text);
        }
    }

    #[test]
    fn each_sort_condition_has_bytes_of_its_own() {
        let k = |text: &str| KeyValue::S(text.into());
        let all = [
            SortCondition::Any,
            SortCondition::Nothing,
            SortCondition::Equals(k("a")),
            SortCondition::BeginsWith("a".into()),
            SortCondition::Between(k("a"), k("b")),
            SortCondition::AtLeast(k("a")),
            SortCondition::AtMost(k("a")),
        ];
        let shown = all.map(|sort| {
            let mut definition = Definition::default();
            definition.sort(&sort);
            definition.0.escape_ascii().to_string()
        });
        assert_eq!(
            shown,
            [
                r"",
                r"s\x00\x00\x00\x010",
                r"s\x00\x00\x00\x07=S\x00\x00\x00\x01a",
                r"s\x00\x00\x00\x07^S\x00\x00\x00\x01a",
                r"s\x00\x00\x00\r-S\x00\x00\x00\x01aS\x00\x00\x00\x01b",
                r"s\x00\x00\x00\x07>S\x00\x00\x00\x01a",
                r"s\x00\x00\x00\x07<S\x00\x00\x00\x01a",
            ]
        );
    }
}
