//! The contents of CreateTable as plain data: the SDK's request (`deploy.rs`) and every output that
//! describes a table are made from this one value.

use super::{IndexId, IndexSchema, KeyAttribute, Projection, TableSchema, VectorIndexSchema};

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
    /// Vector indexes.
    pub vectors: Vec<CreateVector>,
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
            key_schema: key_schema(table.pk, table.sk),
            attribute_definitions: key_attributes(table),
            global: indexes(true),
            local: indexes(false),
            vectors: table.vectors.iter().map(CreateVector::of).collect(),
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
            key_schema: key_schema(index.pk, index.sk),
            projection,
            non_key_attributes,
        }
    }
}

/// A vector index, as CreateTable sees it.
#[derive(Debug)]
pub struct CreateVector {
    /// Its name.
    pub name: &'static str,
    /// The attribute with the vectors.
    pub attribute: &'static str,
    /// How many floats each vector has.
    pub dimensions: usize,
    /// `COSINE`, `EUCLIDEAN` or `DOT_PRODUCT`.
    pub distance: &'static str,
    /// Attributes, and `HASH` or `INLINE_FILTER`.
    pub search_schema: KeySchema,
    /// `ALL`, `KEYS_ONLY` or `INCLUDE`.
    pub projection: &'static str,
    /// The attributes of `INCLUDE`.
    pub non_key_attributes: &'static [&'static str],
}

impl CreateVector {
    pub(crate) fn of(index: &VectorIndexSchema) -> Self {
        let (projection, non_key_attributes) = projection(index.projection);
        let hash = index.hash.map(|hash| (hash.name, "HASH"));
        let filters = index.filters.iter();
        let filters = filters.map(|filter| (filter.name, "INLINE_FILTER"));
        Self {
            name: index.name,
            attribute: index.attribute,
            dimensions: index.dimensions,
            distance: index.distance.as_str(),
            search_schema: hash.into_iter().chain(filters).collect(),
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

fn key_schema(pk: KeyAttribute, sk: Option<KeyAttribute>) -> KeySchema {
    let mut schema = vec![(pk.name, "HASH")];
    schema.extend(sk.map(|sk| (sk.name, "RANGE")));
    schema
}

fn key_attributes(table: &TableSchema) -> Vec<KeyAttribute> {
    let own = [Some(table.pk), table.sk];
    let indexes = table.indexes.iter();
    let indexes = indexes.flat_map(|index| [Some(index.pk), index.sk]);
    let vectors = table.vectors.iter();
    let vectors = vectors.flat_map(|vector| vector.search_attributes().map(Some));
    let mut attributes: Vec<KeyAttribute> = Vec::new();
    for attribute in own.into_iter().chain(indexes).chain(vectors).flatten() {
        if !attributes.contains(&attribute) {
            attributes.push(attribute);
        }
    }
    attributes
}
