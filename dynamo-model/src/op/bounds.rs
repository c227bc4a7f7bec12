//! Requirements of reads on the types of an entity and an index. Implemented by the derives, or
//! here.

use crate::entity::Entity;
use crate::index::Primary;
use crate::op::Projection;

/// The typed attributes of an entity, for filters. Implemented by the derive.
pub trait HasFields: Entity {
    #[doc(hidden)]
    type Fields<I>;
    #[doc(hidden)]
    fn fields<I>() -> Self::Fields<I>;
}

/// Where a condition on a write names attributes: any of them.
#[derive(Debug, Clone, Copy)]
pub struct Anywhere;

/// The index `I` of the table `Self` projects the attribute `A`, an [`AttributeName`]. Implemented
/// by the derive of the table.
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
    Gsi18 Gsi19 Gsi20 Lsi1 Lsi2 Lsi3 Lsi4 Lsi5 Vector1 Vector2 Vector3 Vector4 Vector5
}

/// An attribute's name as a type, for [`Projects`]: its hash.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct AttributeName<const NAME: u64>;

/// An index with strongly consistent reads: the table itself and its local indexes.
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

/// A projection of the entity `E` that can be read from the index `I`: the derive has checked that
/// its fields are there. One trait for all of that, so that there is one message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a projection of `{E}` that can be read from `{I}`",
    label = "not a projection of `{E}` from `{I}`",
    note = "write `#[derive(DynamoProjection)]` and `#[projection(of = {E})]` on it; to read it from an index, name that too, as in `from(table, gsi1)`"
)]
pub trait ProjectedFrom<E, I>: Projection<Of = E> {}

/// An index that projects whole items. Implemented by the derive of the table.
#[diagnostic::on_unimplemented(
    message = "the index `{I}` of `{Self}` is not declared to carry whole items",
    label = "needs `projection = all`",
    note = "read a part with `.project::<…>()`, the whole items with `.hydrate(&db)`, or declare `projection = all` on the table; in generic code, add the bound `{Self}: ProjectsAll<{I}>`"
)]
pub trait ProjectsAll<I> {}

#[diagnostic::do_not_recommend]
impl<T> ProjectsAll<Primary> for T {}

/// A table with entity types, as an attribute that its index `I` carries.
#[diagnostic::on_unimplemented(
    message = "items in `{I}` of the table `{Self}` do not have their entity type, which tells them apart",
    label = "no entity type in `{I}`",
    note = "write `entity_type = \"…\"` on the table, and name that attribute in `include` of an index that does not project everything"
)]
pub trait TypedIn<I> {}

#[diagnostic::do_not_recommend]
impl<T: TypedTable + Projects<I, T::TypeAttribute>, I> TypedIn<I> for T {}

/// A table with entity types. Implemented by the derive of the table.
#[doc(hidden)]
pub trait TypedTable {
    /// The attribute with the type, an [`AttributeName`].
    type TypeAttribute;
}
