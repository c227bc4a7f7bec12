//! What a read returns: items of one entity, of any entity of a table, or parts of items.
//!
//! A query, a scan and a get are the same for all of them. The type decides which items belong to
//! the read, and how they are decoded.

use super::bounds::ProjectsAll;
use super::own_items::OwnItems;
use super::paging::{Entities, Want};
use super::projection::{DecodablePart, Projection};
use super::write::Expires;
use crate::db::Dynamo;
use crate::entity::{Entity, Items, Table};
use crate::error::{ContextKey, Error, ErrorContext};
use crate::index::{IndexMarker, Primary};
use crate::membership::{AnyOf, InItems};
use crate::schema::{EntitySchema, IndexId, TableSchema, check, found};
use crate::wire::{self, Decodable, Owned, RawItem, ReadItems, Serde, StoredItem};
use core::fmt;
use core::marker::PhantomData;

/// What a query or scan returns: an entity, [`AnyOf`] the entities of an items enum, or a
/// [`PartOf`] each item.
///
/// ```
/// use dynamo_model::index::IndexMarker;
/// use dynamo_model::read::{Query, SelectedFrom};
/// use dynamo_model::{Dynamo, Error};
///
/// /// Any query: of an entity, a collection, or a projection.
/// async fn newest<S, I>(db: &Dynamo, query: Query<S, I>) -> Result<Vec<S::Item>, Error>
/// where
///     S: SelectedFrom<I>,
///     I: IndexMarker,
/// {
///     query.descending().limit(10).all(db).await
/// }
/// ```
pub trait Selection {
    /// The type of the items.
    type Item;

    #[doc(hidden)]
    fn selected<I: IndexMarker>() -> &'static Selected;
}

/// A [`Selection`] that can be decoded, and that the table (`I` = [`Primary`]) or the index `I`
/// carries.
pub trait SelectedFrom<I>: Decodes + CarriedBy<I> {}

#[diagnostic::do_not_recommend]
impl<S: Decodes + CarriedBy<I>, I> SelectedFrom<I> for S {}

/// A [`Selection`] whose items can be decoded.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from an item",
    label = "`{Self}` does not implement `serde::Deserialize`, or has a field that borrows",
    note = "write `#[derive(serde::Deserialize)]` on `{Self}`; declare a field that borrows, such as `&str`, as `String` or `Cow<'_, str>`"
)]
pub trait Decodes: Selection {
    /// Returns `None` for an item that does not belong to the read.
    #[doc(hidden)]
    fn decode<I: IndexMarker>(item: StoredItem<'_>) -> Result<Option<Self::Item>, Error>;
}

/// A [`Selection`] that the index `I` carries.
#[diagnostic::on_unimplemented(
    message = "the index `{I}` is not declared to carry whole items",
    label = "needs `projection = all`",
    note = "read a part with `.project::<…>()`, the whole items with `.hydrate(&db)`, or declare `projection = all` on the table; in generic code, add the bound `{Self}: CarriedBy<{I}>`"
)]
pub trait CarriedBy<I> {}

/// A [`Selection`] of whole items: of one entity, or of any.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is a part of an item, and not a whole one",
    label = "not whole items",
    note = "remove `.project()`, or read the parts with `.all(&db)`"
)]
pub trait WholeItems: CarriedBy<Primary> {}

/// A function without the type of the selection.
pub(super) fn decoded<S: Decodes, I: IndexMarker>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<S::Item>, Error> {
    S::decode::<I>(StoredItem { context, item })
}

/// The fields of the projection `P`; see [`Projection`].
pub struct PartOf<P>(PhantomData<fn() -> P>);

impl<P> fmt::Debug for PartOf<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PartOf").finish_non_exhaustive()
    }
}

/// The entity `E` is among the items that are read, so that its keys and fields narrow the read.
pub trait Contains<E> {}

impl<E: Entity> Contains<E> for E {}

impl<T, E: InItems<T>> Contains<E> for AnyOf<T> {}

impl<P: Projection> Contains<P::Of> for PartOf<P> {}

/// A selection, for code that is compiled once.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Selected {
    pub(super) table: &'static TableSchema,
    pub(super) id: Option<IndexId>,
    pub(super) entities: Entities,
    /// The name of the Rust type.
    name: &'static str,
    /// Whether a query of an entity can find items of others.
    finds_others: bool,
    /// The attributes of a projection.
    pub(super) attributes: &'static [&'static str],
    /// Whether an item is of the enum; fails if nothing says so.
    is_own: Option<fn(&ErrorContext, &RawItem) -> Result<(), Error>>,
}

impl fmt::Debug for Selected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Selected").field(&self.name).finish()
    }
}

impl Selected {
    const fn entity<E: Entity, I: IndexMarker>(attributes: &'static [&'static str]) -> Self {
        let (table, entity) = const { (&<E::Table as Table>::SCHEMA, &E::SCHEMA) };
        Self {
            table,
            id: I::ID,
            entities: Entities::One(const { &&E::SCHEMA }),
            name: entity.entity,
            finds_others: found::finds_others(table, entity, I::ID),
            attributes,
            is_own: None,
        }
    }

    /// Returns the same entity in an index that is known at run time.
    pub(super) fn in_index(self, entity: &EntitySchema, id: Option<IndexId>) -> Self {
        Self {
            id,
            finds_others: found::finds_others(self.table, entity, id),
            ..self
        }
    }

    pub(super) fn context(
        &self,
        db: &Dynamo,
        operation: &'static str,
        key: Option<ContextKey>,
    ) -> ErrorContext {
        ErrorContext {
            operation,
            entity: self.name,
            table: db.deployed_name(self.table),
            key: key.map(|key| self.hidden_key().map_or(key, ContextKey::from)),
        }
    }

    /// Returns the template of a key with a sensitive field.
    pub(super) fn hidden_key(&self) -> Option<String> {
        match self.entities {
            Entities::One(entity) => entity.hidden_key(),
            Entities::Items(all) => all.iter().find_map(|entity| entity.hidden_key()),
        }
    }

    /// Returns whether the key in the table or index that is read contains a sensitive field.
    pub(super) fn hides_key(&self) -> bool {
        let entities = self.entities.as_slice();
        entities.iter().any(|entity| entity.hides_key(self.id))
    }

    pub(super) fn own_of_query(&self, want: Want, whole: bool) -> OwnItems {
        match (self.entities, self.is_own) {
            (Entities::One(entity), _) => {
                let owned = Owned::new(self.table, entity, self.id);
                // An item with the whole key of the entity cannot be another's.
                let whole = self.id.is_none() && whole;
                OwnItems::of_query(owned, want, self.finds_others, whole)
            }
            (Entities::Items(_), is_own) => OwnItems::of_enum(self.table, self.id, is_own),
        }
    }

    pub(super) fn own_of_scan(&self, want: Want) -> OwnItems {
        match (self.entities, self.is_own) {
            (Entities::One(entity), _) => {
                OwnItems::of_scan(Owned::new(self.table, entity, self.id), want)
            }
            (Entities::Items(_), is_own) => OwnItems::of_enum(self.table, self.id, is_own),
        }
    }

    /// Returns whether an item, of which maybe only the key is known, belongs to the selection.
    pub(super) fn has_key_of(&self, context: &ErrorContext, item: &RawItem) -> Result<bool, Error> {
        match self.entities {
            Entities::One(entity) => Owned::new(self.table, entity, self.id).is_own(context, item),
            Entities::Items(_) => Ok(!OwnItems::is_library_item(self.table, item)),
        }
    }

    /// Returns the attributes to read of a projection: its own, and the keys of its other fields.
    /// Only attributes in the index: a local index would fetch others from the table, at a cost.
    pub(super) fn projected(&self) -> Vec<&'static str> {
        let index = self.id.and_then(|id| self.table.index(id));
        let indexes = self.table.indexes.iter();
        let keys = indexes.flat_map(|index| [Some(index.pk), index.sk]);
        let own = [Some(self.table.pk), self.table.sk];
        let keys = own.into_iter().chain(keys).flatten();
        let keys = keys.map(|attribute| attribute.name);
        let attributes = self.attributes.iter().copied().chain(keys);
        let mut names: Vec<_> = attributes.chain(self.table.entity_type).collect();
        names.retain(|name| index.is_none_or(|index| check::carries(self.table, index, name)));
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Returns the attributes with the key of an item in the table, and its type.
    pub(super) fn key_names(&self) -> Vec<&'static str> {
        let table = self.table;
        let index = self.id.and_then(|id| table.index(id));
        let carried = |name: &&str| index.is_none_or(|it| check::carries(table, it, name));
        let typed = match self.entities {
            Entities::One(entity) => Owned::new(table, entity, self.id).typed,
            Entities::Items(_) => true,
        };
        let names = [Some(table.pk.name), table.sk.map(|sk| sk.name)];
        let names = names.into_iter().flatten();
        names
            .chain(table.entity_type.filter(|_| typed).filter(carried))
            .collect()
    }
}

impl<E: Entity> Selection for E {
    type Item = E;

    fn selected<I: IndexMarker>() -> &'static Selected {
        const { &Selected::entity::<E, I>(&[]) }
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity + Decodable<Serde>> Decodes for E {
    fn decode<I: IndexMarker>(item: StoredItem<'_>) -> Result<Option<E>, Error> {
        E::decode_own(item)
    }
}

impl<E: Entity<Table: ProjectsAll<I>>, I> CarriedBy<I> for E {}

impl<E: Entity> WholeItems for E {}

impl<T: Items> Selection for AnyOf<T> {
    type Item = T;

    fn selected<I: IndexMarker>() -> &'static Selected {
        const {
            let table: &'static TableSchema = &<T::Table as Table>::SCHEMA;
            &Selected {
                table,
                id: I::ID,
                entities: Entities::Items(T::ENTITIES),
                name: T::NAME,
                finds_others: false,
                attributes: &[],
                is_own: Some(match is_typed(table, I::ID) {
                    true => is_own::<T, true>,
                    false => is_own::<T, false>,
                }),
            }
        }
    }
}

/// Whether the items in a table or an index have their type.
pub(super) const fn is_typed(table: &TableSchema, id: Option<IndexId>) -> bool {
    let Some(name) = table.entity_type else {
        return false;
    };
    match id {
        Some(id) => match table.index(id) {
            Some(index) => check::carries(table, index, name),
            None => true,
        },
        None => true,
    }
}

fn is_own<T: Items, const TYPED: bool>(
    context: &ErrorContext,
    item: &RawItem,
) -> Result<(), Error> {
    wire::recognise::<T>(context, item, TYPED).map(drop)
}

impl<T: ReadItems<Serde>> Decodes for AnyOf<T> {
    fn decode<I: IndexMarker>(
        StoredItem { context, item }: StoredItem<'_>,
    ) -> Result<Option<T>, Error> {
        if OwnItems::is_library_item(&<T::Table as Table>::SCHEMA, &item) {
            return Ok(None);
        }
        wire::decode_items(context, item).map(Some)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Items<Table: ProjectsAll<I>>, I> CarriedBy<I> for AnyOf<T> {}

impl<T: Items> WholeItems for AnyOf<T> {}

/// The entities that have no expiry time do not expire.
#[diagnostic::do_not_recommend]
impl<T> Expires for AnyOf<T> {}

impl<P: Projection> Selection for PartOf<P> {
    type Item = P;

    fn selected<I: IndexMarker>() -> &'static Selected {
        const { &Selected::entity::<P::Of, I>(P::ATTRIBUTES) }
    }
}

impl<P: Projection + DecodablePart> Decodes for PartOf<P> {
    fn decode<I: IndexMarker>(item: StoredItem<'_>) -> Result<Option<P>, Error> {
        P::decode::<I>(item)
    }
}

/// The derive has checked it, where the query was projected.
impl<P, I> CarriedBy<I> for PartOf<P> {}

#[diagnostic::do_not_recommend]
impl<P: Projection<Of: Expires>> Expires for PartOf<P> {}
