//! The contents of CreateTable as plain data: the SDK's request (`deploy.rs`) and every output that
//! describes a table are made from this one value.

use super::{Billing, Encryption, IndexId, IndexSchema, KeyAttribute, Projection, TableSchema};

/// A table, as CreateTable sees it.
#[derive(Debug)]
pub(crate) struct CreateTable {
    pub(crate) key_schema: KeySchema,
    /// Each key attribute once, whichever keys share it.
    pub(crate) attribute_definitions: Vec<KeyAttribute>,
    pub(crate) global: Vec<CreateIndex>,
    pub(crate) local: Vec<CreateIndex>,
    /// Read and write units; none on demand.
    pub(crate) throughput: Option<(u32, u32)>,
    pub(crate) stream: Option<&'static str>,
    /// KMS, with a key where one is named.
    pub(crate) kms: Option<Option<&'static str>>,
    pub(crate) deletion_protection: bool,
}

/// An attribute, and `HASH` or `RANGE`.
pub(crate) type KeySchema = Vec<(&'static str, &'static str)>;

/// An index, as CreateTable sees it.
#[derive(Debug)]
pub(crate) struct CreateIndex {
    pub(crate) name: &'static str,
    pub(crate) key_schema: KeySchema,
    /// `ALL`, `KEYS_ONLY` or `INCLUDE`.
    pub(crate) projection: &'static str,
    pub(crate) non_key_attributes: &'static [&'static str],
}

impl CreateTable {
    pub(crate) fn of(table: &TableSchema) -> Self {
        let indexes = |global: bool| {
            let indexes = table.indexes.iter();
            let indexes = indexes.filter(|it| matches!(it.id, IndexId::Gsi(_)) == global);
            indexes.map(CreateIndex::of).collect()
        };
        Self {
            key_schema: key_schema(table.pk, table.sk),
            attribute_definitions: key_attributes(table),
            global: indexes(true),
            local: indexes(false),
            throughput: match table.billing {
                Billing::OnDemand => None,
                Billing::Provisioned { read, write } => Some((read, write)),
            },
            stream: table.stream.map(super::Stream::as_str),
            kms: match table.encryption {
                Encryption::AwsOwned => None,
                Encryption::Kms(key) => Some(key),
            },
            deletion_protection: table.deletion_protection,
        }
    }
}

impl CreateIndex {
    fn of(index: &IndexSchema) -> Self {
        let (projection, non_key_attributes) = projection(index.projection);
        Self {
            name: index.name,
            key_schema: key_schema(index.pk, index.sk),
            projection,
            non_key_attributes,
        }
    }
}

/// DynamoDB's word, and the attributes where they are listed.
pub(crate) const fn projection(projection: Projection) -> (&'static str, &'static [&'static str]) {
    match projection {
        Projection::All => ("ALL", &[]),
        Projection::KeysOnly => ("KEYS_ONLY", &[]),
        Projection::Include(names) => ("INCLUDE", names),
    }
}

fn key_schema(pk: KeyAttribute, sk: Option<KeyAttribute>) -> KeySchema {
    let mut schema = vec![(pk.name, "HASH")];
    schema.extend(sk.map(|sk| (sk.name, "RANGE")));
    schema
}

fn key_attributes(table: &TableSchema) -> Vec<KeyAttribute> {
    let own = [Some(table.pk), table.sk];
    let indexes = table.indexes.iter();
    let indexes = indexes.flat_map(|index| [Some(index.pk), index.sk]);
    let mut attributes: Vec<KeyAttribute> = Vec::new();
    for attribute in own.into_iter().chain(indexes).flatten() {
        if !attributes.contains(&attribute) {
            attributes.push(attribute);
        }
    }
    attributes
}
