//! Key encoding: one key text from its values, by `format!`, by hand, and by the generated builder.

mod by_hand;

use crate::{Case, Contender, Entry};
use dynamo_model::key::{KeyValue, PartitionKey};
use dynamo_model::{DynamoEntity, DynamoTable, KeyError};
use jiff::Timestamp;
use std::hint::black_box;
use uuid::Uuid;

/// The values of the keys.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct Values {
    pub tenant: String,
    pub region: String,
    pub user: String,
    pub order: String,
    pub id: Uuid,
    pub at: Timestamp,
    pub number: u64,
}

impl Values {
    /// Ordinary values without characters to escape.
    #[must_use]
    pub fn ordinary() -> Self {
        Self {
            tenant: "acme-corporation".into(),
            region: "ap-northeast-1".into(),
            user: "user-0123456789".into(),
            order: "2025-000123456".into(),
            id: Uuid::from_u128(0x67e5_5044_10b1_426f_9247_bb68_0e5f_e0c8),
            at: Timestamp::constant(1_748_772_000, 123_456_789),
            number: 1_234_567_890,
        }
    }
}

/// Independent entities: their keys overlap, so no items enum could contain them.
#[derive(DynamoTable)]
#[table(name = "Bench", pk = "PK")]
struct Bench;

#[derive(DynamoEntity)]
#[dynamo(table = Bench, former)]
#[pk("ORDER#<region>#<order>")]
struct String2 {
    region: String,
    order: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = Bench, former)]
#[pk("TENANT#<tenant>#<region>#USER#<user>#ORDER#<order>")]
struct String4 {
    tenant: String,
    region: String,
    user: String,
    order: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = Bench, former)]
#[pk("EVENT#<id>")]
struct WithUuid {
    id: Uuid,
}

#[derive(DynamoEntity)]
#[dynamo(table = Bench, former)]
#[pk("EVENT#<at:ms>")]
struct WithTime {
    at: Timestamp,
}

#[derive(DynamoEntity)]
#[dynamo(table = Bench, former)]
#[pk("INVOICE#<number:020>")]
struct WithPadded {
    number: u64,
}

#[derive(DynamoEntity)]
#[dynamo(table = Bench, former)]
#[pk("TENANT#<tenant>#<at:ms>#<id>#<number:020>")]
struct Mixed4 {
    tenant: String,
    at: Timestamp,
    id: Uuid,
    number: u64,
}

/// Returns the text of a key. The test below ensures that there is one.
fn text<E>(key: Result<PartitionKey<E>, KeyError>) -> String {
    match key.map(PartitionKey::into_value) {
        Ok(KeyValue::S(text)) => text,
        _ => String::new(),
    }
}

macro_rules! case {
    ($name:literal, |$v:ident| { ours: $ours:expr, format: $format:expr, hand_written: $hand:expr $(,)? }) => {
        Case {
            name: concat!("keys/", $name),
            entries: &[
                entry!(crate::OURS, |$v| $ours, text),
                entry!("format", |$v| $format, String::from),
                entry!("hand-written", |$v| $hand, String::from),
            ],
        }
    };
}

macro_rules! entry {
    ($name:expr, |$v:ident| $key:expr, $text:expr) => {
        Entry {
            name: $name,
            make: || {
                let (values, shown) = (Values::ordinary(), Values::ordinary());
                Contender {
                    name: $name,
                    run: Box::new(move || {
                        let $v = black_box(&values);
                        black_box(&$key);
                    }),
                    text: Box::new(move || {
                        let $v = &shown;
                        $text($key)
                    }),
                }
            },
        }
    };
}

/// Every comparison of this module.
pub const CASES: &[Case] = &[
    case!("string-2", |v| {
        ours: String2::partition_key(&v.region, &v.order),
        format: format!("ORDER#{}#{}", v.region, v.order),
        hand_written: by_hand::string_2(v),
    }),
    case!("string-4", |v| {
        ours: String4::partition_key(&v.tenant, &v.region, &v.user, &v.order),
        format: format!("TENANT#{}#{}#USER#{}#ORDER#{}", v.tenant, v.region, v.user, v.order),
        hand_written: by_hand::string_4(v),
    }),
    case!("uuid", |v| {
        ours: WithUuid::partition_key(v.id),
        format: format!("EVENT#{}", v.id),
        hand_written: by_hand::uuid(v),
    }),
    case!("time", |v| {
        ours: WithTime::partition_key(v.at),
        format: format!("EVENT#{:.3}", v.at),
        hand_written: by_hand::time(v),
    }),
    case!("padded", |v| {
        ours: WithPadded::partition_key(v.number),
        format: format!("INVOICE#{:020}", v.number),
        hand_written: by_hand::padded(v),
    }),
    case!("mixed-4", |v| {
        ours: Mixed4::partition_key(&v.tenant, v.at, v.id, v.number),
        format: format!("TENANT#{}#{:.3}#{}#{:020}", v.tenant, v.at, v.id, v.number),
        hand_written: by_hand::mixed_4(v),
    }),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_allocated_once() {
        for case in CASES {
            let ours = (case.contenders()[0].text)();
            assert_eq!(ours.capacity(), ours.len(), "{}", case.name);
        }
    }
}
