//! The contents of CreateTable as plain data: the SDK's request (`deploy.rs`) and every output that
//! describes a table are made from this one value.

use super::{IndexId, IndexSchema, KeyAttribute, Projection, TableSchema};

/// A table, as CreateTable sees it.
#[derive(Debug)]
pub struct CreateTable {
    /// Its own key.
    pub key_schema: KeySchema,
    /// Each key attribute once, whichever keys share it.
    pub attribute_definitions: Vec<KeyAttribute>,
    /// Global indexes.
    pub global: Vec<CreateIndex>,
    /// Local indexes.
    pub local: Vec<CreateIndex>,
    /// Read and write units; none on demand.
    pub throughput: Option<(u32, u32)>,
    /// The view of the stream.
    pub stream: Option<&'static str>,
    /// KMS, with a key where one is named.
    pub kms: Option<Option<&'static str>>,
    /// Whether DynamoDB refuses to delete it.
    pub deletion_protection: bool,
}

/// An attribute, and `HASH` or `RANGE`.
pub type KeySchema = Vec<(&'static str, &'static str)>;

/// An index, as CreateTable sees it.
#[derive(Debug)]
pub struct CreateIndex {
    /// Its name.
    pub name: &'static str,
    /// Its key.
    pub key_schema: KeySchema,
    /// `ALL`, `KEYS_ONLY` or `INCLUDE`.
    pub projection: &'static str,
    /// The attributes of `INCLUDE`.
    pub non_key_attributes: &'static [&'static str],
}

impl CreateTable {
    /// Reads the declaration.
    pub fn of(table: &TableSchema) -> Self {
        let indexes = |global: bool| {
            let indexes = table.indexes.iter();
            let indexes = indexes.filter(|it| matches!(it.id, IndexId::Gsi(_)) == global);
            indexes.map(CreateIndex::of).collect()
        };
        Self {
            key_schema: key_schema([table.pk], table.sk),
            attribute_definitions: key_attributes(table),
            global: indexes(true),
            local: indexes(false),
            throughput: table.billing.provisioned().map(|it| (it.read, it.write)),
            stream: table.stream.map(super::Stream::as_str),
            kms: table.encryption.kms(),
            deletion_protection: table.deletion_protection,
        }
    }
}

impl CreateIndex {
    fn of(index: &IndexSchema) -> Self {
        let (projection, non_key_attributes) = projection(index.projection);
        Self {
            name: index.name,
            key_schema: key_schema(index.partition_key(), index.sort_key()),
            projection,
            non_key_attributes,
        }
    }
}

/// Returns DynamoDB's word for the projection, and the attributes that it lists.
pub const fn projection(projection: Projection) -> (&'static str, &'static [&'static str]) {
    match projection {
        Projection::All => ("ALL", &[]),
        Projection::KeysOnly => ("KEYS_ONLY", &[]),
        Projection::Include(names) => ("INCLUDE", names),
    }
}

fn key_schema(
    pk: impl IntoIterator<Item = KeyAttribute>,
    sk: impl IntoIterator<Item = KeyAttribute>,
) -> KeySchema {
    let pk = pk.into_iter().map(|pk| (pk.name, "HASH"));
    pk.chain(sk.into_iter().map(|sk| (sk.name, "RANGE")))
        .collect()
}

fn key_attributes(table: &TableSchema) -> Vec<KeyAttribute> {
    let own = [Some(table.pk), table.sk];
    let indexes = table.indexes.iter().flat_map(IndexSchema::keys);
    let mut attributes: Vec<KeyAttribute> = Vec::new();
    for attribute in own.into_iter().flatten().chain(indexes) {
        if !attributes.contains(&attribute) {
            attributes.push(attribute);
        }
    }
    attributes
}
