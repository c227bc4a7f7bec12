//! How values are stored where serde alone cannot tell: sets, and fields that keep NULL.
//!
//! serde writes a `HashSet` and a `Vec` alike. The derives ask the field's type for its [`Form`] through [`Probe`],
//! so that an alias of a set is a set too.

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
    /// A nested struct, of which these fields need attention. A function, as a struct may contain itself.
    Fields(fn() -> &'static [FieldForm]),
    /// A list or map of such values.
    Each(fn() -> Form),
    /// A decimal, which serde writes as a text: it needs a function that writes a number.
    Decimal,
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
    /// For generated code: a set of byte sequences is a binary set.
    #[must_use]
    pub const fn or_bytes(self, bytes: bool) -> Self {
        match self {
            Self::Set if bytes => Self::ByteSet,
            form => form,
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
    /// A field of a nested struct: its form, and whether it keeps NULL.
    pub(crate) fn field(self, name: &str) -> (Self, bool) {
        let Self::Fields(fields) = self else {
            return (Self::Plain, false);
        };
        let field = fields().iter().find(|field| field.name == name);
        field.map_or((Self::Plain, false), |field| (field.form, field.null))
    }

    /// An element of a list, or a value of a map.
    pub(crate) fn each(self) -> Self {
        match self {
            Self::Each(form) => form(),
            _ => Self::Plain,
        }
    }
}

/// A type that is stored in a form of its own. `#[derive(DynamoNested)]` implements it for nested structs.
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

/// Of a list or map.
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

/// A set of byte sequences.
#[doc(hidden)]
pub trait BytesInSet {}

impl<S> BytesInSet for HashSet<Vec<u8>, S> {}
impl<const N: usize, S> BytesInSet for HashSet<[u8; N], S> {}
impl<S> BytesInSet for HashSet<Box<[u8]>, S> {}
impl BytesInSet for BTreeSet<Vec<u8>> {}
impl BytesInSet for BTreeSet<Box<[u8]>> {}
impl<const N: usize> BytesInSet for BTreeSet<[u8; N]> {}
impl<T: BytesInSet> BytesInSet for Option<T> {}
impl<T: BytesInSet> BytesInSet for Box<T> {}

/// Asks a type for what it may not have: an inherent constant comes before that of [`Unprobed`].
#[doc(hidden)]
#[derive(Debug)]
pub struct Probe<T: ?Sized>(PhantomData<T>);

/// What [`Probe`] says of all other types.
#[doc(hidden)]
pub trait Unprobed {
    const FORM: Form = Form::Plain;
    const BYTES: bool = false;
    const OPTIONAL: bool = false;
}

impl<T: ?Sized> Unprobed for Probe<T> {}

impl<T: StoredForm + ?Sized> Probe<T> {
    /// The form of the type.
    pub const FORM: Form = T::FORM;
}

impl<T: BytesInSet + ?Sized> Probe<T> {
    /// Whether it is a set of byte sequences.
    pub const BYTES: bool = true;
}

impl<T> Probe<Option<T>> {
    /// Whether it is an `Option`, under whatever name.
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
        const { assert!(<Probe<HashSet<Vec<u8>>>>::BYTES && !<Probe<Tags>>::BYTES) };
        const { assert!(<Probe<Maybe<u8>>>::OPTIONAL && !<Probe<u8>>::OPTIONAL) };
    }
}
