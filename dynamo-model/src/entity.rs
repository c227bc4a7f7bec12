//! The traits that the derives implement.

use crate::error::KeyError;
use crate::index::{IndexMarker, Primary};
use crate::key::{ItemKeyAttribute, Key, KeyRef, PartValue, item};
use crate::membership::{AnyOf, Slots};
use crate::schema::{EntitySchema, TableSchema};

/// A DynamoDB table; derived with `#[derive(DynamoTable)]`.
///
/// ```
/// use dynamo_model::{DynamoTable, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// assert_eq!(App::SCHEMA.name, "App");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table",
    label = "not a table",
    note = "write `#[derive(DynamoTable)]` and `#[table(name = \"…\", pk = \"…\")]` on it"
)]
pub trait Table {
    #[doc(hidden)]
    type Slots: Slots;

    /// Which entities can be scanned: [`AnyEntity`](crate::membership::AnyEntity), or with
    /// `no_scan` [`DeclaredEntities`](crate::membership::DeclaredEntities).
    #[doc(hidden)]
    type Scans;

    /// The name of the type, and DynamoDB's name of the table; `None` for a declaration with
    /// errors.
    #[doc(hidden)]
    const NAMES: Option<(&'static str, &'static str)>;

    /// The declaration without its entities: for declarations that the entities refer to.
    #[doc(hidden)]
    const BARE: TableSchema;

    /// The declaration, as data.
    const SCHEMA: TableSchema;

    /// Creates the table, its indexes and settings, and waits until it can be used.
    #[cfg(feature = "client")]
    fn create_table(db: &crate::Dynamo) -> impl Future<Output = Result<(), crate::Error>> + Send {
        crate::schema::deploy::create(db, const { &Self::SCHEMA })
    }

    /// Returns whether the table exists.
    #[cfg(feature = "client")]
    fn exists(db: &crate::Dynamo) -> impl Future<Output = Result<bool, crate::Error>> + Send {
        crate::schema::deploy::exists(db, const { &Self::SCHEMA })
    }

    /// Deletes the table, with all of its items, and waits until it is gone. Fails if it does not
    /// exist or has deletion protection.
    #[cfg(feature = "client")]
    fn drop_table(db: &crate::Dynamo) -> impl Future<Output = Result<(), crate::Error>> + Send {
        crate::schema::deploy::delete(db, const { &Self::SCHEMA })
    }

    /// Compares the deployed table with the declaration: the steps from the one to the other, which
    /// [`Plan::apply`](crate::schema::plan::Plan::apply) takes. Changes nothing. See
    /// [`Plan`](crate::schema::plan::Plan).
    #[cfg(feature = "client")]
    fn plan(
        db: &crate::Dynamo,
    ) -> impl Future<Output = Result<crate::schema::plan::Plan<'static>, crate::Error>> + Send {
        crate::schema::plan::Plan::new(db, const { &Self::SCHEMA })
    }

    /// Compares the deployed table with the declaration: its key, indexes and stream, encryption,
    /// billing mode, deletion protection, TTL and recovery. The error's source lists every
    /// difference, a line each.
    ///
    /// Deployed settings beyond the declaration are not a difference: another program may use an
    /// index, auto scaling changes units, and more protection is harmless. A `tracing` event names
    /// them. A setting that the engine does not describe is not compared. The call needs the
    /// permissions `DescribeTable`, `DescribeTimeToLive` and `DescribeContinuousBackups`.
    #[cfg(feature = "client")]
    fn verify(db: &crate::Dynamo) -> impl Future<Output = Result<(), crate::Error>> + Send {
        crate::schema::deploy::verify(db, const { &Self::SCHEMA }, false)
    }

    /// Compares the deployed table with the declaration, as [`verify`](Self::verify) does, and also
    /// fails on deployed settings that are not declared.
    #[cfg(feature = "client")]
    fn verify_exactly(db: &crate::Dynamo) -> impl Future<Output = Result<(), crate::Error>> + Send {
        crate::schema::deploy::verify(db, const { &Self::SCHEMA }, true)
    }

    /// Makes an on-demand backup and waits until it can be restored: before a release, or before a
    /// migration. Fails with [`ErrorKind::Backup`](crate::ErrorKind::Backup) if DynamoDB would
    /// refuse the name.
    ///
    /// ```no_run
    /// use dynamo_model::{Dynamo, DynamoTable, Table};
    ///
    /// #[derive(DynamoTable)]
    /// #[table(name = "App", pk = "PK")]
    /// struct App;
    ///
    /// # async fn example(db: Dynamo) -> Result<(), dynamo_model::Error> {
    /// let backup = App::backup(&db, "before-2.0").await?;
    ///
    /// // `test-App` is made of it, compared with the declaration, counted, and deleted.
    /// let scratch = db.clone().with_table_prefix("test-");
    /// let tested = App::test_restore(&db, &backup, &scratch).await?;
    /// println!("{} items can be restored", tested.items);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "client")]
    fn backup(
        db: &crate::Dynamo,
        name: impl Into<String> + Send,
    ) -> impl Future<Output = Result<crate::table::Backup, crate::Error>> + Send {
        crate::schema::backups::back_up(db, const { &Self::SCHEMA }, name.into())
    }

    /// Creates the table of `db` from a backup, and waits until it can be used. Fails if the table
    /// exists: give the handle another table prefix to keep the old one.
    ///
    /// Settings that a backup lacks, or has otherwise than declared, are set as declared: stream,
    /// TTL, recovery, deletion protection, tags, billing, encryption, table class, warm throughput
    /// and the on-demand maximum. Indexes stay as the backup has them, and replicas are not added:
    /// [`plan`](Self::plan) does both. Alarms, scaling and policies come with your template. If a
    /// setting cannot be changed, the call fails and the table stays.
    #[cfg(feature = "client")]
    fn restore<'a>(
        db: &'a crate::Dynamo,
        backup: &'a crate::table::Backup,
    ) -> impl Future<Output = Result<(), crate::Error>> + Send + 'a {
        crate::schema::backups::restore(db, const { &Self::SCHEMA }, backup)
    }

    /// Starts an export of the current table to a bucket, in DynamoDB JSON, for an archive. It uses
    /// no capacity of the table, and takes some minutes:
    /// [`Export::is_done`](crate::table::Export::is_done). Fails before any request if the
    /// declaration has no point-in-time recovery, because DynamoDB exports from there.
    #[cfg(feature = "client")]
    fn export(
        db: &crate::Dynamo,
        bucket: impl Into<String> + Send,
        prefix: impl Into<String> + Send,
    ) -> impl Future<Output = Result<crate::table::Export, crate::Error>> + Send {
        let (bucket, prefix) = (bucket.into(), prefix.into());
        crate::schema::backups::export(db, const { &Self::SCHEMA }, bucket, prefix)
    }

    /// Tests that a backup can be restored: makes the table of `scratch` from it, compares that
    /// with the declaration, counts its items and deletes it, also where the comparison fails.
    /// `scratch` needs another table prefix than `db`, and a table that does not exist.
    #[cfg(feature = "client")]
    fn test_restore<'a>(
        db: &'a crate::Dynamo,
        backup: &'a crate::table::Backup,
        scratch: &'a crate::Dynamo,
    ) -> impl Future<Output = Result<crate::table::RestoreTest, crate::Error>> + Send + 'a {
        crate::schema::backups::test_restore(db, const { &Self::SCHEMA }, backup, scratch)
    }
}

/// One kind of item of a table; derived with `#[derive(DynamoEntity)]`.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("PROFILE")]
/// #[gsi1(pk = "INVITER#<inviter>", sk = "USER#<user_id>", as = by_inviter)]
/// struct User {
///     user_id: String,
///     inviter: Option<String>,
/// }
///
/// let user = User { user_id: "u2".into(), inviter: Some("u1".into()) };
/// assert_eq!(user.primary_key()?.to_string(), "USER#u2/PROFILE");
///
/// let attributes = user.key_attributes()?;
/// let names: Vec<_> = attributes.iter().map(|attribute| attribute.name).collect();
/// assert_eq!(names, ["PK", "SK", "GSI1PK", "GSI1SK"]);
///
/// // Without an inviter the item is not in the index: both attributes are absent.
/// let first = User { user_id: "u1".into(), inviter: None };
/// assert!(first.key_attributes()?[2..].iter().all(|attribute| attribute.value.is_none()));
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity",
    label = "not an entity",
    note = "write `#[derive(DynamoEntity)]`, `#[dynamo(table = …)]` and `#[pk(\"…\")]` on it"
)]
pub trait Entity: Sized {
    /// The table its items are in.
    type Table: Table;

    /// The declaration, as data.
    const SCHEMA: EntitySchema;

    /// For generated code: the value of a key field; `None` if an optional one is absent.
    #[doc(hidden)]
    fn __part(&self, field: &str) -> Option<PartValue<'_>>;

    /// Returns the item's key in the table.
    fn primary_key(&self) -> Result<Key<Self, Primary>, KeyError> {
        item::primary_key(self)
    }

    /// Returns every key attribute of the item, those of its indexes included, each once. If an
    /// optional field removes the item from an index, the attributes of that index have no value.
    /// The attributes of an index key such as `pk = (tenant, region)` are the item's own data, and
    /// not among them.
    fn key_attributes(&self) -> Result<Vec<ItemKeyAttribute>, KeyError> {
        let (table, entity) = const { (&<Self::Table as Table>::SCHEMA, &Self::SCHEMA) };
        item::attributes(self, table, entity)
    }

    /// Stores this item, and replaces the item that has its key; see [`Put`](crate::write::Put).
    /// Undeclared attributes of the stored item are removed. [`merge`](Self::merge) keeps them, a
    /// `#[dynamo(rest)]` field carries them along, and [`update`](Self::update) changes only the
    /// attributes that it names.
    #[cfg(feature = "client")]
    fn put(&self) -> crate::write::Put<Self>
    where
        Self: crate::bounds::Writable<Whole: crate::bounds::Encodable>,
    {
        crate::write::Put::new(crate::op::EntityItem::of(self))
    }

    /// Stores this item, whose key must be free. Otherwise it fails with
    /// [`ErrorKind::AlreadyExists`](crate::ErrorKind::AlreadyExists), and the error has the stored
    /// item.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User {
    /// #     user_id: String,
    /// # }
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// let user = User { user_id: "u1".into() };
    /// user.create().send(&db).await?;
    /// let error = user.create().send(&db).await.unwrap_err();
    /// assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "client")]
    fn create(&self) -> crate::write::Create<Self>
    where
        Self: crate::bounds::Writable<Whole: crate::bounds::Encodable>,
    {
        crate::write::Create::new(crate::op::EntityItem::of(self))
    }

    /// Stores all attributes that the entity declares, and leaves other attributes of the item as
    /// they are; see [`Merge`](crate::write::Merge). [`put`](Self::put) replaces the whole item.
    #[cfg(feature = "client")]
    fn merge(&self) -> crate::write::Merge<Self>
    where
        Self: crate::bounds::Writable<Whole: crate::bounds::Encodable>,
    {
        crate::write::Merge::new(crate::op::EntityItem::of(self))
    }

    /// Updates this item, which was read before; see [`Update`](crate::write::Update).
    #[cfg(feature = "client")]
    fn update(&self) -> crate::write::Update<Self, crate::expr::Loaded>
    where
        Self: crate::bounds::Writable<Whole: crate::bounds::Encodable>,
    {
        crate::write::Update::loaded(self)
    }

    /// Deletes this item, which was read before; see [`Delete`](crate::write::Delete).
    #[cfg(feature = "client")]
    fn delete(&self) -> crate::write::Delete<Self>
    where
        Self: crate::bounds::Writable<Whole: crate::bounds::Encodable>,
    {
        crate::write::Delete::loaded(crate::op::DeleteRequest::loaded(self))
    }
}

/// An entity's key in the table (`I` = [`Primary`]) or in an index (`I` =
/// [`Gsi1`](crate::index::Gsi1) …).
///
/// ```
/// use dynamo_model::index::{Gsi1, Primary};
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::bounds::IndexedBy;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// #[gsi1(name = "by-email", pk = "email")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[gsi1(pk = "<email>", as = by_email)]
/// struct User {
///     user_id: String,
///     email: String,
/// }
///
/// let user = User { user_id: "u1".into(), email: "a@example.com".into() };
/// let key = IndexedBy::<Gsi1>::key_in(&user)?.expect("not sparse");
/// assert_eq!(key.to_string(), "a@example.com");
/// assert_eq!(key.parse()?.email, "a@example.com");
///
/// let parts = <User as IndexedBy<Primary>>::parse("USER#u1".into(), None)?;
/// assert_eq!(parts.user_id, "u1");
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no key in the index `{I}`",
    note = "declare it on the entity, as in `#[gsi1(pk = \"…\", sk = \"…\")]`"
)]
pub trait IndexedBy<I: IndexMarker>: Entity {
    /// The fields of the key.
    type Parts;

    /// Returns the item's key in the index, or `None` if an absent optional field leaves the item
    /// out of it.
    fn key_in(&self) -> Result<Option<Key<Self, I>>, KeyError> {
        item::key_in(self)
    }

    /// Returns the fields of a stored key.
    fn parse(pk: KeyRef<'_>, sk: Option<KeyRef<'_>>) -> Result<Self::Parts, KeyError>;
}

/// The fields of the key of `E`, in the table or in the index `I`: the result of [`Key::parse`].
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::bounds::KeyParts;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// fn owner(key: KeyParts<User>) -> String {
///     key.user_id
/// }
/// assert_eq!(owner(User::parse_key("USER#u1")?), "u1");
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub type KeyParts<E, I = Primary> = <E as IndexedBy<I>>::Parts;

/// Every kind of item in a table; derived on an enum with `#[derive(DynamoItems)]`.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Items};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("PROFILE")]
/// struct User {
///     user_id: String,
/// }
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// #[derive(DynamoItems)]
/// #[items(table = App)]
/// enum AppItem {
///     User(User),
///     Order(Order),
/// }
///
/// let entity = AppItem::entity_of("USER#u1".into(), Some("ORDER#000042".into()))?;
/// assert_eq!(entity.entity, "Order");
/// # let _ = [AppItem::User(User { user_id: "u1".into() }), Order { user_id: "u1".into(), number: 1 }.into()];
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub trait Items: Sized {
    /// The table.
    type Table: Table;

    /// The name of the Rust type.
    const NAME: &'static str;

    /// The declarations of the entities, in the order of the variants.
    const ENTITIES: &'static [&'static EntitySchema];

    /// Whether there is a variant for items of no entity.
    const HAS_UNKNOWN: bool = false;

    /// Returns the entity of a key. Two entities have no key in common, so there is at most one.
    fn entity_of(pk: KeyRef<'_>, sk: Option<KeyRef<'_>>)
    -> Result<&'static EntitySchema, KeyError>;

    /// Returns the entity of this item; `None` in the variant for unknown items.
    fn entity(&self) -> Option<&'static EntitySchema>;

    /// Returns the key attributes of this item; see [`Entity::key_attributes`].
    fn key_attributes(&self) -> Result<Vec<ItemKeyAttribute>, KeyError>;

    /// Stores this item, as [`Entity::put`] of its entity does. The variant for unknown items fails
    /// in `send`, and so it does in every other write.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable};
    /// use dynamo_model::{Items, Table, Transaction};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", items = AppItem)]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<id>")]
    /// # struct User {
    /// #     id: u32,
    /// # }
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("TEAM#<id>")]
    /// # struct Team {
    /// #     id: u32,
    /// # }
    ///
    /// #[derive(DynamoItems)]
    /// #[items(table = App)]
    /// enum AppItem {
    ///     User(User),
    ///     Team(Team),
    /// }
    ///
    /// # #[tokio::main(flavor = "current_thread")]
    /// # async fn main() -> Result<(), dynamo_model::Error> {
    /// # let db = Dynamo::embedded()?;
    /// # App::create_table(&db).await?;
    /// AppItem::User(User { id: 1 }).put().send(&db).await?;
    ///
    /// let items = [AppItem::User(User { id: 2 }), AppItem::Team(Team { id: 1 })];
    /// Transaction::new().add_all(items.iter().map(AppItem::create)).send(&db).await?;
    /// # Ok(())
    /// # }
    /// ```
    #[cfg(feature = "client")]
    fn put(&self) -> crate::write::Put<Self>
    where
        Self: crate::bounds::CanWrite<crate::bounds::WithConditions>,
    {
        crate::write::Put::new(self.entity_item())
    }

    /// Stores this item, whose key must be free, as [`Entity::create`] of its entity does.
    #[cfg(feature = "client")]
    fn create(&self) -> crate::write::Create<Self>
    where
        Self: crate::bounds::CanWrite<crate::bounds::WithConditions>,
    {
        crate::write::Create::new(self.entity_item())
    }

    /// Stores the declared attributes of this item, as [`Entity::merge`] of its entity does.
    #[cfg(feature = "client")]
    fn merge(&self) -> crate::write::Merge<Self>
    where
        Self: crate::bounds::CanWrite<crate::bounds::WithConditions>,
    {
        crate::write::Merge::new(self.entity_item())
    }

    /// Deletes this item, which was read before, as [`Entity::delete`] of its entity does.
    #[cfg(feature = "client")]
    fn delete(&self) -> crate::write::Delete<Self>
    where
        Self: crate::bounds::CanWrite<crate::bounds::WithConditions>,
    {
        crate::write::Delete::loaded(self.delete_request())
    }

    /// The key of this item in the table, whatever its entity is. Its `get()` reads the item again.
    fn key(&self) -> Result<Key<AnyOf<Self>>, KeyError> {
        let table = const { &<Self::Table as Table>::SCHEMA };
        let mut attributes = self.key_attributes()?;
        let mut take = |name: &str| {
            let mut known = attributes.iter_mut();
            known.find(|it| it.name == name)?.value.take()
        };
        let sk = table.sk.and_then(|sk| take(sk.name));
        let pk = take(table.pk.name);
        pk.map(|pk| Key::new(pk, sk))
            .ok_or_else(|| KeyError::no_entity(Self::NAME))
    }
}

/// The type of a `#[dynamo(version)]` field.
#[diagnostic::on_unimplemented(
    message = "a version is an integer, and `{Self}` is not",
    label = "not an integer",
    note = "declare the `#[dynamo(version)]` field as `u64` (or `u32`, `i64`, `i32`)"
)]
pub trait VersionNumber {}

/// The type of a `#[dynamo(ttl)]` field without a serde function.
#[diagnostic::on_unimplemented(
    message = "a TTL is stored as a number of seconds since 1970, and serde writes `{Self}` in \
               another form",
    label = "not epoch seconds",
    note = "add `#[serde(with = \"dynamo_model::format::epoch_seconds\")]` to a time; or declare \
            the field as `u64`, `i64` or `u32`, or an `Option` of one of them"
)]
pub trait TtlNumber: EpochSeconds {}

/// The type of a `#[dynamo(ttl)]` field: an integer, a time of `chrono`, `jiff`, `time` or the
/// standard library, or an `Option` of one.
#[diagnostic::on_unimplemented(
    message = "a TTL is a time, and `{Self}` is not",
    label = "neither a time nor an integer",
    note = "declare the `#[dynamo(ttl)]` field as a time of `chrono`, `jiff`, `time` or the \
            standard library, as `u64`, `i64` or `u32`, or as an `Option` of one of them"
)]
pub trait EpochSeconds: Sized {
    /// Clamps a time that does not fit the type.
    fn from_seconds(seconds: u64) -> Self;

    /// Returns `None` if there is no time.
    fn seconds(&self) -> Option<i64>;

    /// Returns the value of an absent attribute.
    fn absent() -> Option<Self> {
        None
    }
}

macro_rules! integers {
    (versions: $($version:ty),*; seconds: $($seconds:ty),*) => {
        $( impl VersionNumber for $version {} )*
        $( impl EpochSeconds for $seconds {
            fn from_seconds(seconds: u64) -> Self {
                Self::try_from(seconds).unwrap_or(Self::MAX)
            }

            fn seconds(&self) -> Option<i64> {
                Some(i64::try_from(*self).unwrap_or(i64::MAX))
            }
        }
        impl TtlNumber for $seconds {} )*
    };
}

integers! {
    versions: u16, u32, u64, u128, usize, i16, i32, i64, i128, isize;
    // `i32` ends in 2038.
    seconds: u32, u64, i64
}

impl<T: EpochSeconds> EpochSeconds for Option<T> {
    fn from_seconds(seconds: u64) -> Self {
        Some(T::from_seconds(seconds))
    }

    fn seconds(&self) -> Option<i64> {
        self.as_ref()?.seconds()
    }

    fn absent() -> Option<Self> {
        Some(None)
    }
}

impl<T: TtlNumber> TtlNumber for Option<T> {}

impl EpochSeconds for std::time::SystemTime {
    fn from_seconds(seconds: u64) -> Self {
        std::time::UNIX_EPOCH + std::time::Duration::from_secs(seconds.min(LATEST))
    }

    fn seconds(&self) -> Option<i64> {
        let since = self
            .duration_since(std::time::UNIX_EPOCH)
            .unwrap_or_default();
        Some(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
    }
}

/// The last second of the year 9999, which all of the types hold.
const LATEST: u64 = 253_402_300_799;

/// A time of another crate.
#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
macro_rules! times {
    ($($feature:literal $time:ty, $of:ident => $from:expr, $to:ident;)*) => {$(
        #[cfg(feature = $feature)]
        impl EpochSeconds for $time {
            fn from_seconds(seconds: u64) -> Self {
                let $of = i64::try_from(seconds.min(LATEST)).unwrap_or_default();
                $from.unwrap_or_default()
            }

            fn seconds(&self) -> Option<i64> {
                Some(self.$to())
            }
        }
    )*};
}

#[cfg(any(feature = "chrono", feature = "jiff", feature = "time"))]
times! {
    "chrono" chrono::DateTime<chrono::Utc>, seconds => Self::from_timestamp(seconds, 0), timestamp;
    // jiff ends a day before.
    "jiff" jiff::Timestamp, seconds => Self::from_second(seconds.min(jiff::Timestamp::MAX.as_second())), as_second;
}

#[cfg(feature = "time")]
impl EpochSeconds for time::OffsetDateTime {
    fn from_seconds(seconds: u64) -> Self {
        let seconds = i64::try_from(seconds.min(LATEST)).unwrap_or_default();
        Self::from_unix_timestamp(seconds).unwrap_or(Self::UNIX_EPOCH)
    }

    fn seconds(&self) -> Option<i64> {
        Some(self.unix_timestamp())
    }
}

/// For `#[serde(with = "dynamo_model::format::epoch_seconds")]`: stores a time as the number of
/// seconds since 1970, which DynamoDB's TTL requires. For the times of `chrono`, `jiff`, `time` and
/// the standard library, and for an `Option` of one, which also needs `default`.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use std::time::SystemTime;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", ttl = "expires")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("SESSION#<id>")]
/// struct Session {
///     id: String,
///     #[dynamo(ttl)]
///     #[serde(default, with = "dynamo_model::format::epoch_seconds")]
///     expires: Option<SystemTime>,
/// }
/// ```
#[cfg(feature = "client")]
pub mod epoch_seconds {
    use super::EpochSeconds;
    use serde::de::Error;
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    /// Writes a time as a number.
    pub fn serialize<T: EpochSeconds, S: Serializer>(time: &T, to: S) -> Result<S::Ok, S::Error> {
        time.seconds().serialize(to)
    }

    /// Reads a time from a number; fails if the value is not a number.
    pub fn deserialize<'de, T: EpochSeconds, D: Deserializer<'de>>(from: D) -> Result<T, D::Error> {
        match Option::<i64>::deserialize(from)? {
            Some(seconds) => {
                let seconds = u64::try_from(seconds);
                let seconds = seconds.map_err(|_| D::Error::custom("a time before 1970"))?;
                Ok(T::from_seconds(seconds))
            }
            None => T::absent().ok_or_else(|| D::Error::custom("no time")),
        }
    }
}
