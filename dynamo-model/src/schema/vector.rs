//! Vector indexes as data: what a table declares, and what an entity has in them.

#[cfg(feature = "client")]
use super::{EntitySchema, TableSchema};
use super::{IndexId, KeyAttribute, Projection};
use core::cmp::Ordering;
use core::fmt;

/// A vector index of a table.
///
/// ```
/// use dynamo_model::schema::Distance;
/// use dynamo_model::{DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Shop", pk = "PK")]
/// #[vector1(
///     name = "by-meaning", attribute = "meaning", dimensions = 1536, distance = cosine,
///     hash = "tenant", filters("category", N("year")), projection = keys_only,
/// )]
/// struct Shop;
///
/// let index = &Shop::SCHEMA.vectors[0];
/// assert_eq!((index.name, index.attribute, index.dimensions), ("by-meaning", "meaning", 1536));
/// assert_eq!(index.distance, Distance::Cosine);
/// assert_eq!(index.hash.map(|hash| hash.name), Some("tenant"));
/// assert_eq!(index.filters[1].to_string(), "year (N)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct VectorIndexSchema {
    /// `vector1` … `vector5`.
    pub id: IndexId,
    /// Its real name.
    pub name: &'static str,
    /// The attribute with the vectors.
    pub attribute: &'static str,
    /// How many floats each vector has.
    pub dimensions: usize,
    /// How two vectors are compared.
    pub distance: Distance,
    /// The attribute that divides the index, such as a tenant: each search names one value of it.
    pub hash: Option<KeyAttribute>,
    /// The attributes by which a search can be narrowed.
    pub filters: &'static [KeyAttribute],
    /// The projected attributes. The table's key, the hash and the filters are always there.
    pub projection: Projection,
}

impl VectorIndexSchema {
    /// For generated code, which sets the rest.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        id: IndexId,
        name: &'static str,
        (attribute, dimensions, distance): (&'static str, usize, Distance),
        (hash, filters): (Option<KeyAttribute>, &'static [KeyAttribute]),
        projection: Projection,
    ) -> Self {
        Self {
            id,
            name,
            attribute,
            dimensions,
            distance,
            hash,
            filters,
            projection,
        }
    }

    /// The attributes that a search can name: the hash, then the filters.
    pub fn search_attributes(&self) -> impl Iterator<Item = KeyAttribute> + use<> {
        self.hash.into_iter().chain(self.filters.iter().copied())
    }
}

/// How a vector index compares two vectors.
///
/// ```
/// use dynamo_model::schema::Distance;
///
/// // A distance is better if it is lower, a product if it is higher.
/// assert!(Distance::Cosine.is_closer(0.1, 0.9));
/// assert!(Distance::DotProduct.is_closer(0.9, 0.1));
/// assert_eq!(Distance::Euclidean.as_str(), "EUCLIDEAN");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Distance {
    /// The angle between them: 0 is the same direction, 2 the opposite one.
    Cosine,
    /// The length of their difference.
    Euclidean,
    /// Their product: the higher, the closer.
    DotProduct,
}

impl Distance {
    /// As DynamoDB calls it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Cosine => "COSINE",
            Self::Euclidean => "EUCLIDEAN",
            Self::DotProduct => "DOT_PRODUCT",
        }
    }

    /// Whether an item with the first score is closer than one with the second.
    #[must_use]
    pub fn is_closer(self, score: f64, other: f64) -> bool {
        self.compare(score, other) == Ordering::Less
    }

    /// Orders scores as DynamoDB orders results: the closest is the least.
    #[must_use]
    pub fn compare(self, score: f64, other: f64) -> Ordering {
        match self {
            Self::Cosine | Self::Euclidean => score.total_cmp(&other),
            Self::DotProduct => other.total_cmp(&score),
        }
    }
}

impl fmt::Display for Distance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Cosine => "cosine",
            Self::Euclidean => "euclidean",
            Self::DotProduct => "dot_product",
        })
    }
}

/// What an entity has in a vector index.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity, Vector};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Shop", pk = "PK")]
/// #[vector1(name = "by-meaning", attribute = "meaning", dimensions = 3, distance = cosine)]
/// struct Shop;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = Shop)]
/// #[pk("PRODUCT#<id>")]
/// #[vector1(field = meaning)]
/// struct Product {
///     id: u32,
///     meaning: Vector<3>,
/// }
///
/// let vector = &Product::SCHEMA.vectors[0];
/// assert_eq!((vector.field, vector.method), ("meaning", "similar_to"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct EntityVector {
    /// Which index.
    pub id: IndexId,
    /// The name of the function that searches.
    pub method: &'static str,
    /// The field with the vector.
    pub field: &'static str,
    /// The field that is the index's hash.
    pub hash: Option<&'static str>,
    /// The fields that are its filters.
    pub filters: &'static [&'static str],
}

impl EntityVector {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        id: IndexId,
        method: &'static str,
        field: &'static str,
        hash: Option<&'static str>,
        filters: &'static [&'static str],
    ) -> Self {
        Self {
            id,
            method,
            field,
            hash,
            filters,
        }
    }
}

/// The attribute and the value by which a search finds only items of the entity.
///
/// DynamoDB compares a filter with one value, so an entity with several types has none.
#[cfg(feature = "client")]
pub(crate) fn type_filter(
    table: &TableSchema,
    index: &VectorIndexSchema,
    entity: &'static EntitySchema,
) -> Option<(&'static str, &'static str)> {
    let own = entity
        .entity_type
        .filter(|_| entity.other_types.is_empty())?;
    let name = table.entity_type?;
    let mut filters = index.filters.iter();
    filters
        .any(|filter| filter.name == name)
        .then_some((name, own))
}
