//! What the types of an entity and an index must have for a read to make sense. Implemented by the derives,
//! or here.

use crate::entity::Entity;
use crate::index::Primary;
use crate::op::Projection;

/// The typed attributes of an entity, for filters. Implemented by the derive.
#[doc(hidden)]
pub trait HasFields: Entity {
    type Fields<I>;
    fn fields<I>() -> Self::Fields<I>;
}

/// A field that a filter on the index `Self` may name: DynamoDB takes no key attribute of what is queried.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a filter cannot name the key attribute `{F}` of what is queried",
    label = "a key attribute",
    note = "give it as an argument of the query, or as a part of the sort key"
)]
pub trait NotKey<F> {}

/// Where a condition on a write names attributes: any of them.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Anywhere;

impl<F> NotKey<F> for Anywhere {}

/// An index with strongly consistent reads: the table itself and its local indexes.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a global secondary index has no strongly consistent reads",
    label = "not on a global index",
    note = "remove `.consistent()`, or read from the table or a local index"
)]
pub trait ConsistentRead {}

impl ConsistentRead for Primary {}

macro_rules! consistent {
    ($($lsi:ident),*) => {$( impl ConsistentRead for crate::index::$lsi {} )*};
}

consistent!(Lsi1, Lsi2, Lsi3, Lsi4, Lsi5);

/// A projection of the entity `E` that can be read from the index `I`: the derive has checked that its fields
/// are there. One trait for all of that, so that there is one message.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no projection of `{E}` that can be read from `{I}`",
    label = "no projection of `{E}` from `{I}`",
    note = "write `#[derive(DynamoProjection)]` and `#[projection(of = {E})]` on it; to read it from an index, name that too, as in `from(table, gsi1)`"
)]
pub trait ProjectedFrom<E, I>: Projection<Of = E> {}

/// An index that carries whole items.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the index `{I}` of `{Self}` does not carry the whole item",
    label = "projection is `keys_only` or `include`",
    note = "read a part with `.project::<…>()`, the whole items with `.hydrate(&db)`, or declare `projection = all` on the table"
)]
pub trait ProjectsAll<I> {}
