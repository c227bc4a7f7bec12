//! Tables and their indexes.

use super::{EntitySchema, VectorIndexSchema};
use core::fmt;

/// A table: its key, its indexes, its settings.
///
/// ```
/// use dynamo_model::schema::{Billing, KeyType};
/// use dynamo_model::{DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = N("seq"), point_in_time_recovery)]
/// struct App;
///
/// let schema = App::SCHEMA;
/// assert_eq!(schema.name, "App");
/// assert_eq!(schema.sk.map(|sk| sk.key_type), Some(KeyType::N));
/// assert!(schema.point_in_time_recovery);
/// assert_eq!(schema.billing, Billing::OnDemand);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TableSchema {
    /// The name of the Rust type.
    pub table: &'static str,
    /// The declared table name.
    pub name: &'static str,
    /// The partition key.
    pub pk: KeyAttribute,
    /// The sort key.
    pub sk: Option<KeyAttribute>,
    /// Global and local secondary indexes.
    pub indexes: &'static [IndexSchema],
    /// Vector indexes.
    pub vectors: &'static [VectorIndexSchema],
    /// The attribute that contains the entity type of an item.
    pub entity_type: Option<&'static str>,
    /// The declarations of the entities, if `#[table(items = …)]` names their enum; otherwise
    /// empty.
    pub items: &'static [&'static EntitySchema],
    /// The name of that enum.
    pub(crate) items_enum: &'static str,
    /// The table that the enum names: the type, and DynamoDB's name.
    pub(crate) items_of: Option<(&'static str, &'static str)>,
    /// The attribute that contains the TTL of an item.
    pub ttl: Option<&'static str>,
    /// Encryption at rest.
    pub encryption: Encryption,
    /// Continuous backups.
    pub point_in_time_recovery: bool,
    /// How capacity is paid for.
    pub billing: Billing,
    /// The view type of the stream.
    pub stream: Option<Stream>,
    /// The other regions that have the table: `replicas("eu-west-1")`.
    pub replicas: &'static [&'static str],
    /// Whether its replicas have strong consistency: DynamoDB takes no transactions then.
    pub multi_region_strong: bool,
    /// The maximum throughput of the table on demand.
    pub on_demand_maximum: Option<Throughput>,
    /// The throughput that the table can take at once.
    pub warm_throughput: Option<Throughput>,
    /// What storage and requests cost.
    pub class: TableClass,
    /// Tags: names and values.
    pub tags: &'static [(&'static str, &'static str)],
    /// Whether the table must be unprotected before it can be deleted.
    pub deletion_protection: bool,
    /// `no_scan`: entities that do not declare a reason cannot be scanned.
    pub no_scan: bool,
    /// The settings that the declaration must have: `require(encryption, point_in_time_recovery)`.
    pub required: &'static [&'static str],
    /// The doc comment on the declaration.
    pub doc: &'static str,
    /// False if the declaration had errors; then it is not compared with others.
    pub(crate) complete: bool,
}

impl TableSchema {
    /// Declares a table with only a partition key. For generated code, which sets the rest.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(table: &'static str, name: &'static str, pk: KeyAttribute) -> Self {
        Self {
            table,
            name,
            pk,
            sk: None,
            indexes: &[],
            vectors: &[],
            entity_type: None,
            items: &[],
            items_enum: "",
            items_of: None,
            ttl: None,
            encryption: Encryption::AwsOwned,
            point_in_time_recovery: false,
            billing: Billing::OnDemand,
            stream: None,
            replicas: &[],
            multi_region_strong: false,
            on_demand_maximum: None,
            warm_throughput: None,
            class: TableClass::Standard,
            tags: &[],
            deletion_protection: false,
            no_scan: false,
            required: &[],
            doc: "",
            complete: true,
        }
    }

    /// Returns the schema of a declaration with errors.
    #[doc(hidden)]
    #[must_use]
    pub const fn incomplete(table: &'static str) -> Self {
        let mut this = Self::new(table, table, KeyAttribute::new("", KeyType::S));
        this.complete = false;
        this
    }

    /// Returns an index, if the table declares it.
    #[must_use]
    pub const fn index(&self, id: IndexId) -> Option<&IndexSchema> {
        let mut indexes = self.indexes;
        while let [index, rest @ ..] = indexes {
            if index.id.same(id) {
                return Some(index);
            }
            indexes = rest;
        }
        None
    }

    /// A vector index, where the table declares it.
    #[must_use]
    pub const fn vector(&self, id: IndexId) -> Option<&VectorIndexSchema> {
        let mut indexes = self.vectors;
        while let [index, rest @ ..] = indexes {
            if index.id.same(id) {
                return Some(index);
            }
            indexes = rest;
        }
        None
    }

    /// Returns whether an attribute is part of the table's own key.
    #[cfg(feature = "client")]
    pub(crate) fn is_key(&self, name: &str) -> bool {
        name == self.pk.name || self.sk.is_some_and(|sk| sk.name == name)
    }

    /// Returns whether the table uses an attribute: in a key of it or of an index, or as the entity
    /// type.
    #[cfg(feature = "client")]
    pub(crate) fn uses(&self, name: &str) -> bool {
        let mut keys = self
            .indexes
            .iter()
            .flat_map(|it| [Some(it.pk), it.sk])
            .flatten();
        self.is_key(name) || self.entity_type == Some(name) || keys.any(|key| key.name == name)
    }

    /// Returns the key attributes of the table or, with an id, of an index.
    #[must_use]
    pub const fn key(&self, id: Option<IndexId>) -> (KeyAttribute, Option<KeyAttribute>) {
        match id {
            Some(id) => match self.index(id) {
                Some(index) => (index.pk, index.sk),
                // A compile-time check has reported it already.
                None => (self.pk, self.sk),
            },
            None => (self.pk, self.sk),
        }
    }
}

/// A key attribute: its name and type.
///
/// ```
/// use dynamo_model::schema::{KeyAttribute, KeyType};
///
/// let pk = KeyAttribute::new("PK", KeyType::S);
/// assert_eq!(pk.to_string(), "PK (S)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyAttribute {
    /// The attribute's name.
    pub name: &'static str,
    /// Its type.
    pub key_type: KeyType,
}

impl KeyAttribute {
    /// Declares a key attribute of this name and type.
    #[must_use]
    pub const fn new(name: &'static str, key_type: KeyType) -> Self {
        Self { name, key_type }
    }
}

impl fmt::Display for KeyAttribute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.name, self.key_type.as_str())
    }
}

/// The three types a key attribute can have.
///
/// ```
/// assert_eq!(dynamo_model::schema::KeyType::B.as_str(), "B");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyType {
    /// String.
    S,
    /// Number.
    N,
    /// Binary.
    B,
}

impl KeyType {
    /// Returns the letter that DynamoDB uses.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            KeyType::S => "S",
            KeyType::N => "N",
            KeyType::B => "B",
        }
    }
}

/// A global or local secondary index.
///
/// ```
/// use dynamo_model::schema::Projection;
/// use dynamo_model::{DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "shogi", pk = "pk", sk = "sk")]
/// #[lsi1(name = "CommonLSI", sk = "clsi_sk", projection = include("cgsi_pk"))]
/// struct Shogi;
///
/// let index = &Shogi::SCHEMA.indexes[0];
/// assert_eq!(index.name, "CommonLSI");
/// assert_eq!(index.pk.name, "pk"); // an LSI has the table's partition key
/// assert_eq!(index.projection, Projection::Include(&["cgsi_pk"]));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct IndexSchema {
    /// `gsi1` … `lsi5`.
    pub id: IndexId,
    /// Its real name.
    pub name: &'static str,
    /// The partition key.
    pub pk: KeyAttribute,
    /// The sort key.
    pub sk: Option<KeyAttribute>,
    /// The projected attributes.
    pub projection: Projection,
}

impl IndexSchema {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        id: IndexId,
        name: &'static str,
        pk: KeyAttribute,
        sk: Option<KeyAttribute>,
        projection: Projection,
    ) -> Self {
        Self {
            id,
            name,
            pk,
            sk,
            projection,
        }
    }
}

/// How a declaration calls an index.
///
/// ```
/// assert_eq!(dynamo_model::schema::IndexId::Lsi(2).to_string(), "lsi2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum IndexId {
    /// A global secondary index, 1 to 20.
    Gsi(u8),
    /// A local secondary index, 1 to 5.
    Lsi(u8),
    /// A vector index, 1 to 5.
    Vector(u8),
}

impl IndexId {
    /// Compares like `==`, in constants.
    pub(crate) const fn same(self, other: Self) -> bool {
        match (self, other) {
            (IndexId::Gsi(a), IndexId::Gsi(b))
            | (IndexId::Lsi(a), IndexId::Lsi(b))
            | (IndexId::Vector(a), IndexId::Vector(b)) => a == b,
            _ => false,
        }
    }
}

impl fmt::Display for IndexId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexId::Gsi(number) => write!(f, "gsi{number}"),
            IndexId::Lsi(number) => write!(f, "lsi{number}"),
            IndexId::Vector(number) => write!(f, "vector{number}"),
        }
    }
}

/// The attributes that an index has besides the keys.
///
/// ```
/// use dynamo_model::schema::Projection;
///
/// assert_ne!(Projection::All, Projection::KeysOnly);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// All of them.
    All,
    /// None.
    KeysOnly,
    /// These.
    Include(&'static [&'static str]),
}

/// Encryption at rest.
///
/// ```
/// use dynamo_model::schema::Encryption;
///
/// assert_eq!(Encryption::Kms(Some("alias/app")).kms(), Some(Some("alias/app")));
/// assert_eq!(Encryption::AwsOwned.kms(), None);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encryption {
    /// An AWS owned key, DynamoDB's default.
    AwsOwned,
    /// KMS, with this key, or with the account's own for DynamoDB.
    Kms(Option<&'static str>),
}

impl Encryption {
    /// Returns the KMS key, in an option because none may be named; `None` without KMS.
    #[must_use]
    pub const fn kms(self) -> Option<Option<&'static str>> {
        match self {
            Self::AwsOwned => None,
            Self::Kms(key) => Some(key),
        }
    }
}

/// How capacity is paid for.
///
/// ```
/// use dynamo_model::schema::Billing;
///
/// let billing = Billing::Provisioned { read: 5, write: 1 };
/// assert_eq!(billing.provisioned().map(|units| units.read), Some(5));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Billing {
    /// By request.
    OnDemand,
    /// By capacity units a second, for the table and for each of its indexes.
    Provisioned {
        /// Read units.
        read: u32,
        /// Write units.
        write: u32,
    },
}

impl Billing {
    /// Returns the units a second; `None` on demand.
    #[must_use]
    pub const fn provisioned(self) -> Option<Throughput> {
        match self {
            Self::OnDemand => None,
            Self::Provisioned { read, write } => Some(Throughput { read, write }),
        }
    }
}

/// Read and write units a second.
///
/// ```
/// use dynamo_model::{DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", billing = on_demand(max_read = 1000, max_write = 500))]
/// struct App;
///
/// assert_eq!(App::SCHEMA.on_demand_maximum.map(|maximum| maximum.write), Some(500));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Throughput {
    /// Read units.
    pub read: u32,
    /// Write units.
    pub write: u32,
}

/// What storage and requests cost.
///
/// ```
/// use dynamo_model::schema::TableClass;
///
/// assert_eq!(TableClass::InfrequentAccess.as_str(), "STANDARD_INFREQUENT_ACCESS");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TableClass {
    /// The default.
    Standard,
    /// Cheaper storage, dearer requests.
    InfrequentAccess,
}

impl TableClass {
    /// Returns DynamoDB's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Standard => "STANDARD",
            Self::InfrequentAccess => "STANDARD_INFREQUENT_ACCESS",
        }
    }
}

/// The images in a stream record.
///
/// ```
/// assert_eq!(dynamo_model::schema::Stream::NewImage.as_str(), "NEW_IMAGE");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Stream {
    KeysOnly,
    NewImage,
    OldImage,
    NewAndOldImages,
}

impl Stream {
    /// Returns DynamoDB's name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Stream::KeysOnly => "KEYS_ONLY",
            Stream::NewImage => "NEW_IMAGE",
            Stream::OldImage => "OLD_IMAGE",
            Stream::NewAndOldImages => "NEW_AND_OLD_IMAGES",
        }
    }
}
