//! The entities of a table: traits of generated code, with names that read well in compile errors.

use crate::entity::{Items, Table};
use crate::key::ItemKeyAttribute;
use crate::schema::check::has_attribute;
use crate::schema::message::{Message, Verdict, same};
use crate::schema::{EntitySchema, TableSchema};
use crate::unknown::UnknownItem;
use core::fmt;
use core::marker::PhantomData;

/// A type for `#[table(items = …)]`; `#[derive(DynamoItems)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an enum of a table's entities",
    label = "not an items enum",
    note = "write `#[derive(DynamoItems)]` and `#[items(table = …)]` on an enum with one variant \
            for each entity"
)]
pub trait ItemsEnum {
    /// The name of the Rust type.
    const NAME: &'static str;
    /// The declarations of the entities, in the order of the variants.
    const ENTITIES: &'static [&'static EntitySchema];
    /// The names of the table that the enum names. Not its schema, which has the enum's entities in
    /// it.
    const TABLE: Option<(&'static str, &'static str)>;
}

/// The slots of a table's entities: with an items enum each entity has its own slot, otherwise all
/// share one. A table with an items enum has a separate type for this instead of the enum, so that
/// a public table may have a private enum.
pub trait Slots {
    /// The place of an entity.
    type Slot<E>;
}

/// A table that declares no items enum: it has one entity.
#[derive(Debug)]
pub struct OneEntity;

impl Slots for OneEntity {
    type Slot<E> = ();
}

/// A table whose entities can all be scanned.
#[derive(Debug)]
pub struct AnyEntity;

/// A table with `no_scan`: an entity is scanned only if it declares the reason.
#[derive(Debug)]
pub struct DeclaredEntities;

/// The bound on [`Table::Scans`](crate::Table::Scans) for scanning an entity that declares no
/// reason.
pub trait CanScan {}

impl CanScan for AnyEntity {}

/// An entity whose table allows scanning it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be scanned, because its table is declared with `no_scan`",
    label = "a scan reads the whole table",
    note = "query a partition or an index; if `{Self}` must be scanned, write `#[dynamo(scannable \
            = \"why\")]` on it, with the reason"
)]
pub trait MayScan {}

#[diagnostic::do_not_recommend]
impl<E: crate::Entity> MayScan for E where <E::Table as crate::Table>::Scans: CanScan {}

/// An items enum whose table allows scanning it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be scanned, because its table is declared with `no_scan`",
    label = "a scan reads the whole table",
    note = "read the partitions with `collection`, or scan one entity that declares the reason with `#[dynamo(scannable = \"why\")]`"
)]
pub trait MayScanAll {}

#[diagnostic::do_not_recommend]
impl<T: crate::Items> MayScanAll for T where <T::Table as Table>::Scans: CanScan {}

/// Writes of an entity do not check the type of the stored item.
#[derive(Debug)]
pub struct AnyType;

/// Every write of an entity checks the type of the stored item.
#[derive(Debug)]
pub struct OwnTypeOnly;

/// The bound on entities for an operation without conditions.
#[diagnostic::on_unimplemented(
    message = "writes of `{E}` check the entity type of the stored item, which a batch cannot do",
    label = "needs a condition",
    note = "use `create`, `put` or `delete`, alone or in a transaction: `{E}` declares \
            `shares_key_with` or `check_type`"
)]
pub trait WithoutTypeCheck<E> {}

impl<E> WithoutTypeCheck<E> for AnyType {}

/// An entity and its table.
pub trait EntityOf {
    /// The table.
    type Table;
}

/// The slot of an entity in its table. The lifetime delays the bound to the place of use.
pub trait Occupies<'a> {
    /// The place.
    type Slot;
}

impl<E: EntityOf<Table: Table>> Occupies<'_> for E {
    type Slot = <<E::Table as Table>::Slots as Slots>::Slot<E>;
}

/// Implemented for a table by each of its entities, and without an items enum by at most one: two
/// entities whose keys are not compared could overwrite each other's items.
pub trait SeveralEntitiesNeedAnItemsEnum<'a, Slot> {}

/// An entity with a variant in the items enum `M`; `#[derive(DynamoItems)]` implements it.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an entity of `{M}`, so a collection of `{M}` would find nothing \
               there",
    label = "of an entity that is not in `{M}`",
    note = "use the key of an entity that has a variant in `{M}`, or add a variant for `{Self}`"
)]
pub trait InItems<M> {}

/// Any entity of the items enum `T`: what its collections and scans read, and whose key its
/// `key` is.
///
/// ```
/// use dynamo_model::read::{AnyOf, Collection, Query};
///
/// /// Both are the type of a collection.
/// fn same<T>(collection: Collection<T>) -> Query<AnyOf<T>> {
///     collection
/// }
/// ```
pub struct AnyOf<T>(PhantomData<fn() -> T>);

impl<T: Items> fmt::Debug for AnyOf<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("AnyOf").field(&T::NAME).finish()
    }
}

/// The variant with `#[items(unknown)]`, as a separate type.
pub trait UnknownVariant {
    /// The type in the variant.
    type Item: IsUnknownItem;
}

/// The type that the variant with `#[items(unknown)]` holds.
#[diagnostic::on_unimplemented(
    message = "the variant for unknown items holds `dynamo_model::read::UnknownItem`, and not \
               `{Self}`; write `Unknown(UnknownItem)`",
    label = "not an `UnknownItem`"
)]
pub trait IsUnknownItem {
    /// Returns the item.
    fn from_item(item: UnknownItem) -> Self;
    /// Returns its key attributes.
    fn key_attributes(&self) -> Vec<ItemKeyAttribute>;
}

impl IsUnknownItem for UnknownItem {
    fn from_item(item: UnknownItem) -> Self {
        item
    }

    fn key_attributes(&self) -> Vec<ItemKeyAttribute> {
        self.key_attributes()
    }
}

/// The requirements of the items enum for the variant of unknown items.
#[derive(Debug)]
pub struct UnknownOf<V>(PhantomData<V>);

impl<V: UnknownVariant> UnknownOf<V> {
    /// Returns the item, in the variant's own type.
    #[must_use]
    pub fn from_item(item: UnknownItem) -> V::Item {
        IsUnknownItem::from_item(item)
    }

    /// Returns the key attributes of the item.
    pub fn key_attributes(item: &V::Item) -> Vec<ItemKeyAttribute> {
        item.key_attributes()
    }
}

/// Returns the table with the entities of its items enum.
#[must_use]
pub const fn with_items<I: ItemsEnum>(mut table: TableSchema) -> TableSchema {
    table.items = I::ENTITIES;
    table.items_enum = I::NAME;
    table.items_of = I::TABLE;
    table
}

/// The items enum of a table names that table.
pub const fn same_table<T: Table>() -> Verdict {
    let table = T::SCHEMA;
    let Some((named, name)) = table.items_of else {
        return Verdict::FINE;
    };
    if !table.complete || same(table.table, named) && same(table.name, name) {
        return Verdict::FINE;
    }
    Message::new("the items enum of table ")
        .name(table.table)
        .text(" names table ")
        .name(named)
        .text("; write `#[items(table = ")
        .text(table.table)
        .text(")]` on it, or name another enum")
        .into_wrong()
}

/// An attribute that an index includes is one of some entity of the table.
pub const fn included<T: Table>(name: &str) -> Verdict {
    let table = T::SCHEMA;
    let mut entities = table.items;
    let mut known = !table.complete || entities.is_empty();
    while let [entity, rest @ ..] = entities {
        let any = entity.has_flattened || entity.rest.is_some();
        known |= !entity.is_complete() || any || has_attribute(entity, name);
        entities = rest;
    }
    if known || is_own(&table, name) {
        return Verdict::FINE;
    }
    Message::new("no entity of table ")
        .name(table.table)
        .text(" has the attribute ")
        .name(name)
        .text(
            ", so the index would never carry it; name an attribute as it is stored, or remove it",
        )
        .into_wrong()
}

/// Returns whether the library itself writes the attribute.
const fn is_own(table: &TableSchema, name: &str) -> bool {
    let entity_type = matches!(table.entity_type, Some(own) if same(own, name));
    let ttl = matches!(table.ttl, Some(own) if same(own, name));
    let mut own = entity_type || ttl;
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        // The attributes of a native key are those of its items.
        if !index.native {
            own |= same(index.pk.name, name);
            own |= matches!(&index.sk, Some(sk) if same(sk.name, name));
        }
        indexes = rest;
    }
    own
}
