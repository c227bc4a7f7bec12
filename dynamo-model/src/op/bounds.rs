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

/// Where a condition on a write names attributes: any of them.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Anywhere;

/// The index `I` of the table `Self` carries the attribute `A`, an [`AttributeName`]. Implemented by the derive
/// of the table.
#[doc(hidden)]
pub trait Projects<I, A> {}

#[diagnostic::do_not_recommend]
impl<T, A> Projects<Anywhere, A> for T {}

#[diagnostic::do_not_recommend]
impl<T, A> Projects<Primary, A> for T {}

macro_rules! projects_everything {
    ($($index:ident)*) => {$(
        impl<A> Projects<crate::index::$index, A> for crate::__private::NoTable {}
        impl ProjectsAll<crate::index::$index> for crate::__private::NoTable {}
    )*};
}

projects_everything! {
    Gsi1 Gsi2 Gsi3 Gsi4 Gsi5 Gsi6 Gsi7 Gsi8 Gsi9 Gsi10 Gsi11 Gsi12 Gsi13 Gsi14 Gsi15 Gsi16 Gsi17
    Gsi18 Gsi19 Gsi20 Lsi1 Lsi2 Lsi3 Lsi4 Lsi5
}

/// An attribute's name as a type, for [`Projects`]: its hash.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct AttributeName<const NAME: u64>;

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

/// An index that carries whole items. Implemented by the derive of the table.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "the index `{I}` of `{Self}` does not carry the whole item",
    label = "projection is `keys_only` or `include`",
    note = "read a part with `.project::<…>()`, the whole items with `.hydrate(&db)`, or declare `projection = all` on the table"
)]
pub trait ProjectsAll<I> {}

#[diagnostic::do_not_recommend]
impl<T> ProjectsAll<Primary> for T {}

/// `Self` and `T` are one type. A bound on a parameter of a method itself is reported at the method's name, and one
/// on a parameter of its type at the receiver: so the bound is on a `__J` with `I: Is<__J>`.
#[doc(hidden)]
pub trait Is<T> {}

impl<T> Is<T> for T {}
