//! Stored forms that serde alone does not distinguish: sets, and fields that store NULL.
//!
//! serde writes a `HashSet` and a `Vec` alike. The derives get the [`Form`] of a field's type
//! through [`Probe`], so that an alias of a set is a set too.

use core::marker::PhantomData;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// How a value is stored.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, Default)]
pub enum Form {
    /// As serde writes it.
    #[default]
    Plain,
    /// SS, NS or BS, by its elements; an empty one is omitted.
    Set,
    /// BS: each element is a sequence of bytes to serde.
    ByteSet,
    /// A nested struct, of which these fields need attention. A function, as a struct may contain
    /// itself.
    Fields(fn() -> &'static [FieldForm]),
    /// A list or map of such values.
    Each(fn() -> Form),
    /// The same, of sets of bytes in the end.
    EachOfBytes(fn() -> Form),
    /// A decimal, which serde writes as a text: it needs a function that writes a number.
    Decimal,
    /// A set of decimals, which serde writes as texts.
    DecimalSet,
}

/// The same kind of form. Two fields with one name have one type, so that this is enough.
impl PartialEq for Form {
    fn eq(&self, other: &Self) -> bool {
        core::mem::discriminant(self) == core::mem::discriminant(other)
    }
}

impl Eq for Form {}

/// A field of a nested struct.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FieldForm {
    pub(crate) name: &'static str,
    /// `#[dynamo(null)]`: `None` is stored as NULL.
    pub(crate) null: bool,
    pub(crate) form: Form,
}

impl FieldForm {
    /// For generated code.
    #[must_use]
    pub const fn new(name: &'static str, null: bool, form: Form) -> Self {
        Self { name, null, form }
    }
}

impl Form {
    /// For generated code: the elements decide the type of a set.
    #[must_use]
    pub const fn of(self, elements: Elements) -> Self {
        match (self, elements) {
            (Self::Set, Elements::Bytes) => Self::ByteSet,
            (Self::Each(form), Elements::Bytes) => Self::EachOfBytes(form),
            (_, Elements::Decimals) => Self::DecimalSet,
            (form, _) => form,
        }
    }

    pub(crate) const fn is_set(self) -> bool {
        matches!(self, Self::Set | Self::ByteSet)
    }

    pub(crate) const fn is_plain(self) -> bool {
        matches!(self, Self::Plain)
    }
}

#[cfg(feature = "client")]
impl Form {
    /// Returns the form of a field of a nested struct, and whether it keeps NULL.
    pub(crate) fn field(self, name: &str) -> (Self, bool) {
        let Self::Fields(fields) = self else {
            return (Self::Plain, false);
        };
        let field = fields().iter().find(|field| field.name == name);
        field.map_or((Self::Plain, false), |field| (field.form, field.null))
    }

    /// Returns the form of an element of a list, or of a value of a map.
    pub(crate) fn each(self) -> Self {
        match self {
            Self::Each(form) => form(),
            Self::EachOfBytes(form) => form().of(Elements::Bytes),
            _ => Self::Plain,
        }
    }
}

/// A type with a special stored form. `#[derive(DynamoNested)]` implements it for nested structs.
#[doc(hidden)]
pub trait StoredForm {
    const FORM: Form;
}

impl<T, S> StoredForm for HashSet<T, S> {
    const FORM: Form = Form::Set;
}

impl<T> StoredForm for BTreeSet<T> {
    const FORM: Form = Form::Set;
}

macro_rules! same_form {
    ($($ty:ty),*) => {$(
        impl<T: StoredForm> StoredForm for $ty {
            const FORM: Form = T::FORM;
        }
    )*};
}

same_form!(Option<T>, Box<T>, &T);

/// Returns the form of a list or map.
const fn each<T: StoredForm>() -> Form {
    match T::FORM {
        Form::Decimal => Form::Decimal,
        _ => Form::Each(|| T::FORM),
    }
}

#[cfg(feature = "rust_decimal")]
impl StoredForm for rust_decimal::Decimal {
    const FORM: Form = Form::Decimal;
}

macro_rules! each_form {
    ($(($($generic:ident)*) $ty:ty),*) => {$(
        impl<$($generic,)* T: StoredForm> StoredForm for $ty {
            const FORM: Form = each::<T>();
        }
    )*};
}

each_form!(() Vec<T>, () VecDeque<T>, () [T], (K S) HashMap<K, T, S>, (K) BTreeMap<K, T>);

impl<T: StoredForm, const N: usize> StoredForm for [T; N] {
    const FORM: Form = each::<T>();
}

/// The elements of a set, where they decide how it is stored.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Elements {
    /// Those of any other set.
    Plain,
    /// Sequences of bytes.
    Bytes,
    /// Decimals, which serde writes as texts.
    Decimals,
}

/// A set of such elements, also within options, lists and maps.
#[doc(hidden)]
pub trait SetElements {
    const ELEMENTS: Elements;
}

macro_rules! set_elements {
    ($elements:ident: $(($($generic:tt)*) $ty:ty),*) => {$(
        impl<$($generic)*> SetElements for $ty {
            const ELEMENTS: Elements = Elements::$elements;
        }
    )*};
}

set_elements!(Bytes: (S) HashSet<Vec<u8>, S>, (const N: usize, S) HashSet<[u8; N], S>, (S) HashSet<Box<[u8]>, S>);
set_elements!(Bytes: () BTreeSet<Vec<u8>>, (const N: usize) BTreeSet<[u8; N]>, () BTreeSet<Box<[u8]>>);
#[cfg(feature = "rust_decimal")]
set_elements!(Decimals: (S) HashSet<rust_decimal::Decimal, S>, () BTreeSet<rust_decimal::Decimal>);

impl<T: SetElements> SetElements for Option<T> {
    const ELEMENTS: Elements = T::ELEMENTS;
}

impl<T: SetElements> SetElements for Box<T> {
    const ELEMENTS: Elements = T::ELEMENTS;
}

macro_rules! elements_of_each {
    ($(($($generic:tt)*) $ty:ty),*) => {$(
        impl<$($generic)* T: SetElements> SetElements for $ty {
            const ELEMENTS: Elements = T::ELEMENTS;
        }
    )*};
}

elements_of_each!(() Vec<T>, () VecDeque<T>, () [T], (K, S,) HashMap<K, T, S>, (K,) BTreeMap<K, T>);

/// Probes a type for an optional trait: an inherent constant takes precedence over that of
/// [`Unprobed`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// The answer of [`Probe`] for all other types.
#[doc(hidden)]
pub trait Unprobed {
    const FORM: Form = Form::Plain;
    const ELEMENTS: Elements = Elements::Plain;
    const OPTIONAL: bool = false;
}

impl<T: ?Sized> Unprobed for Probe<T> {}

impl<T: StoredForm + ?Sized> Probe<T> {
    /// The form of the type.
    pub const FORM: Form = T::FORM;
}

impl<T: SetElements + ?Sized> Probe<T> {
    /// The elements of the set.
    pub const ELEMENTS: Elements = T::ELEMENTS;
}

impl<T> Probe<Option<T>> {
    /// Whether it is an `Option`, also through an alias.
    pub const OPTIONAL: bool = true;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_is_recognised_under_any_name() {
        type Tags = HashSet<String>;
        type Maybe<T> = Option<T>;
        assert_eq!(<Probe<Tags>>::FORM, Form::Set);
        assert_eq!(<Probe<Maybe<BTreeSet<u8>>>>::FORM, Form::Set);
        assert_eq!(<Probe<Vec<String>>>::FORM, Form::Plain);
        assert_eq!(<Probe<Vec<Tags>>>::FORM.each(), Form::Set);
        assert_eq!(<Probe<HashSet<Vec<u8>>>>::ELEMENTS, Elements::Bytes);
        type Deep = BTreeMap<String, Vec<BTreeSet<Vec<u8>>>>;
        let deep = <Probe<Deep>>::FORM.of(<Probe<Deep>>::ELEMENTS);
        assert_eq!(deep.each().each(), Form::ByteSet);
        assert_eq!(<Probe<Tags>>::ELEMENTS, Elements::Plain);
        const { assert!(<Probe<Maybe<u8>>>::OPTIONAL && !<Probe<u8>>::OPTIONAL) };
    }
}
