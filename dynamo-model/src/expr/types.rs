//! The conditions of an attribute's type. Each is a trait with its own message, because the
//! compiler's message would only name bounds.

use super::operand::AsOperand;
use crate::Value;
use crate::wire::EncodeError;
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::{rc::Rc, sync::Arc};

/// A type that DynamoDB has an order for: it is stored as a number, text or bytes.
///
/// Numbers, text and dates are ordered; so is a newtype with `#[derive(KeyPart)]` of any of these.
/// A bool is not, nor an enum, whose names sort alphabetically and not as its variants do. Nor is a
/// time: serde omits trailing zeros of its second, so that `10:00:00.5Z` sorts before `10:00:00Z`.
/// Store it with [`rfc3339_millis`](crate::format::rfc3339_millis),
/// [`epoch_millis`](crate::format::epoch_millis) or another function that sorts; see
/// [`Encoded`](crate::expr::Encoded).
///
/// For a type of your own that is not a key part, implement it, provided that serde's output does
/// sort:
///
/// ```
/// use dynamo_model::expr::{Ordered, Path};
///
/// #[derive(serde::Serialize)]
/// struct Celsius(f64);
///
/// impl Ordered for Celsius {}
///
/// let frost = Path::<Celsius>::attribute("outside").lt(Celsius(0.0));
/// assert_eq!(frost.to_string(), "outside < 0");
/// ```
///
/// A type of another crate goes into a newtype first.
#[diagnostic::on_unimplemented(
    message = "DynamoDB has no order for an attribute of type `{Self}`",
    label = "only numbers, text and bytes have an order",
    note = "compare a bool or an enum with `eq`, `ne` or `is_in`, a list, set or map by its \
            `size()`, a struct by one of its fields",
    note = "a type of your own whose values sort as serde writes them can implement \
            `dynamo_model::expr::Ordered`"
)]
pub trait Ordered {}

#[diagnostic::do_not_recommend]
impl<T: Ordered> Ordered for Option<T> {}

macro_rules! implement {
    ($name:ident: $($ty:ty),* $(,)?) => {$(
        #[diagnostic::do_not_recommend]
        impl $name for $ty {}
    )*};
}

implement!(Ordered: u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64, char, crate::value::Number);
implement!(Ordered: core::num::NonZeroU8, core::num::NonZeroU16, core::num::NonZeroU32, core::num::NonZeroU64,
    core::num::NonZeroU128, core::num::NonZeroUsize, core::num::NonZeroI8, core::num::NonZeroI16, core::num::NonZeroI32,
    core::num::NonZeroI64, core::num::NonZeroI128, core::num::NonZeroIsize);
implement!(Ordered: str, String, Box<str>, Arc<str>, Rc<str>, Cow<'_, str>);
#[cfg(feature = "uuid")]
implement!(Ordered: uuid::Uuid);
#[cfg(feature = "ulid")]
implement!(Ordered: ulid::Ulid);
#[cfg(feature = "chrono")]
implement!(Ordered: chrono::NaiveDate);
#[cfg(feature = "jiff")]
implement!(Ordered: jiff::civil::Date);
#[cfg(feature = "time")]
implement!(Ordered: time::Date);

/// For generated code: the type inside a newtype. The lifetime is there because the compiler
/// refuses bounds without a parameter that it knows to be false.
macro_rules! inner {
    ($($name:ident $of:ident),*) => {$(
        #[doc(hidden)]
        pub trait $name<'a> {}
        impl<T: $of + ?Sized> $name<'_> for T {}
    )*};
}

inner!(InnerOrdered Ordered, InnerHasBeginning HasBeginning, InnerHasSize HasSize);

/// The text of a time has a variable number of fractional digits, so this is implemented for no
/// time. A separate trait, because its message can explain that.
#[diagnostic::on_unimplemented(
    message = "`{T}` is stored as text that does not sort: serde leaves out zeros at the end of \
               the second",
    label = "the stored text varies in width",
    note = "to compare it by order or prefix, write `#[serde(with = \
            \"dynamo_model::format::rfc3339_millis\")]` (text) or `#[serde(with = \
            \"dynamo_model::format::epoch_millis\")]` (a number) on the field, and `default` \
            beside it if it is an `Option`",
    note = "a time without a date or an offset needs a function of your own that writes a fixed \
            width, and `#[dynamo(sorts_as = text)]` on the field"
)]
#[doc(hidden)]
pub trait FixedWidth<T: ?Sized> {}

/// Stands for the text; not the time itself, for which the compiler would show the message of
/// [`Ordered`].
#[doc(hidden)]
#[derive(Debug)]
pub struct StoredText<'a>(core::marker::PhantomData<&'a ()>);

/// The bound has a lifetime, because the compiler refuses bounds that it knows to be false.
macro_rules! times {
    ($($feature:literal: $($ty:ty),*;)*) => {$($(
        #[cfg(feature = $feature)]
        impl Ordered for $ty where for<'a> StoredText<'a>: FixedWidth<$ty> {}
        #[cfg(feature = $feature)]
        impl HasBeginning for $ty where for<'a> StoredText<'a>: FixedWidth<$ty> {}
    )*)*};
}

times! {
    "client": std::time::SystemTime;
    "chrono": chrono::DateTime<chrono::Utc>, chrono::NaiveDateTime, chrono::NaiveTime;
    "jiff": jiff::Timestamp, jiff::Zoned, jiff::civil::DateTime, jiff::civil::Time;
    "time": time::OffsetDateTime, time::UtcDateTime, time::PrimitiveDateTime, time::Time;
}

/// A type whose text has meaningful prefixes: text and dates.
///
/// ```
/// use dynamo_model::expr::{HasBeginning, Path};
///
/// #[derive(serde::Serialize)]
/// struct Slug(String);
///
/// impl HasBeginning for Slug {} // a newtype with `#[derive(KeyPart)]` does not need this
///
/// let drafts = Path::<Slug>::attribute("slug").begins_with("draft-");
/// assert_eq!(drafts.to_string(), "begins_with(slug, \"draft-\")");
/// ```
#[diagnostic::on_unimplemented(
    message = "`begins_with` is for text, and an attribute of type `{Self}` is not text",
    label = "only text and dates have a beginning",
    note = "compare a number with `ge` or `between`, an enum with `eq` or `is_in`, an element of a \
            list with `at(0)`",
    note = "a newtype of text gets it with `#[derive(KeyPart)]`; another type that serde writes as \
            text can implement `dynamo_model::expr::HasBeginning`"
)]
pub trait HasBeginning {}

#[diagnostic::do_not_recommend]
impl<T: HasBeginning> HasBeginning for Option<T> {}

implement!(HasBeginning: str, String, Box<str>, Arc<str>, Rc<str>, Cow<'_, str>);
#[cfg(feature = "chrono")]
implement!(HasBeginning: chrono::NaiveDate);
#[cfg(feature = "jiff")]
implement!(HasBeginning: jiff::civil::Date);
#[cfg(feature = "time")]
implement!(HasBeginning: time::Date);

/// A type that contains elements: text, lists and sets. A newtype of text with `#[derive(KeyPart)]`
/// is one too; for another type of your own, declare its elements:
///
/// ```
/// use dynamo_model::expr::{HasElement, Path};
///
/// #[derive(serde::Serialize)]
/// struct Tags(Vec<String>);
///
/// impl HasElement for Tags {
///     type Element = String;
/// }
///
/// let gifts = Path::<Tags>::attribute("tags").contains("gift");
/// assert_eq!(gifts.to_string(), "contains(tags, \"gift\")");
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` has no elements",
    label = "only text, lists and sets contain something",
    note = "compare a single value with `eq` or `is_in`; of a map, ask whether an entry is there \
            with `entry(\"…\").exists()`"
)]
pub trait HasElement {
    /// The type of its elements.
    type Element: ?Sized;
}

/// A value that can be an element of an attribute, `E`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be an element of this attribute",
    label = "expected `{E}`",
    note = "give an element of the field's own type"
)]
pub trait ElementOf<E: ?Sized> {
    fn element(self) -> Result<AttributeValue, EncodeError>;
}

#[diagnostic::do_not_recommend]
impl<E: ?Sized, V: AsOperand<E>> ElementOf<E> for V {
    fn element(self) -> Result<AttributeValue, EncodeError> {
        self.operand()
    }
}

/// A type with a size: text has characters, bytes have bytes; lists, sets and maps have elements. A
/// number, a bool and a time do not, and DynamoDB would find no item.
///
/// For a type of your own, implement it, provided that serde writes text, bytes, a list or a map:
///
/// ```
/// use dynamo_model::expr::{HasSize, Path};
///
/// #[derive(serde::Serialize)]
/// struct Tags(Vec<String>);
///
/// impl HasSize for Tags {}
///
/// let tagged = Path::<Tags>::attribute("tags").size().gt(0);
/// assert_eq!(tagged.to_string(), "size(tags) > 0");
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` has no size",
    label = "only text, bytes, lists, sets and maps have a size",
    note = "compare a number with `gt` or `between`, a bool or an enum with `eq`; ask for the size \
            of a field of a struct",
    note = "a type of your own that serde writes as text, bytes, a list or a map can implement \
            `dynamo_model::expr::HasSize`"
)]
pub trait HasSize {}

#[diagnostic::do_not_recommend]
impl<T: HasSize> HasSize for Option<T> {}

implement!(HasSize: Value, str, String, Box<str>, Arc<str>, Rc<str>, Cow<'_, str>);

#[diagnostic::do_not_recommend]
impl<T, const N: usize> HasSize for [T; N] {}

macro_rules! sized {
    ($(($($generic:ident)*) $ty:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generic),*> HasSize for $ty {}
    )*};
}

sized! {
    (T) Vec<T>;
    (T) VecDeque<T>;
    (T S) HashSet<T, S>;
    (T) BTreeSet<T>;
    (K V S) HashMap<K, V, S>;
    (K V) BTreeMap<K, V>;
}

/// A list, whose elements have positions.
///
/// ```
/// fn positions<T: dynamo_model::expr::HasPosition>() {}
/// positions::<Vec<u32>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` has no positions",
    label = "only lists have positions",
    note = "ask for an element of a set with `contains`, for an entry of a map with \
            `entry(\"…\")`, for a field of a struct with `fields()`"
)]
pub trait HasPosition {
    /// The type of its elements.
    type Element;
}

/// A map, whose entries have names.
///
/// ```
/// fn entries<T: dynamo_model::expr::HasEntry>() {}
/// entries::<std::collections::HashMap<String, u32>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` has no entries",
    label = "only maps have entries",
    note = "ask for an element of a list with `at(0)`, for a field of a struct with `fields()`"
)]
pub trait HasEntry {
    /// The type of its keys.
    type Key;
    /// The type of its values.
    type Value;
}

macro_rules! has {
    ($name:ident::$inside:ident: $(($($generic:ident)*) $ty:ty => $is:ty;)*) => {
        $(
            #[diagnostic::do_not_recommend]
            impl<$($generic),*> $name for $ty {
                type $inside = $is;
            }
        )*

        #[diagnostic::do_not_recommend]
        impl<T: $name> $name for Option<T> {
            type $inside = T::$inside;
        }
    };
}

has! { HasElement::Element:
    (T) Vec<T> => T;
    (T) VecDeque<T> => T;
    (T S) HashSet<T, S> => T;
    (T) BTreeSet<T> => T;
    () str => String;
    () String => String;
    () Box<str> => String;
    () Arc<str> => String;
    () Rc<str> => String;
    () Cow<'_, str> => String;
}

has! { HasPosition::Element:
    (T) Vec<T> => T;
    (T) VecDeque<T> => T;
    () Value => Value;
}

macro_rules! has_entry {
    ($(($($generic:ident)*) $ty:ty => $key:ty, $value:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generic),*> HasEntry for $ty {
            type Key = $key;
            type Value = $value;
        }
    )*};
}

has_entry! {
    (K V S) HashMap<K, V, S> => K, V;
    (K V) BTreeMap<K, V> => K, V;
    () Value => String, Value;
}

#[diagnostic::do_not_recommend]
impl<T: HasEntry> HasEntry for Option<T> {
    type Key = T::Key;
    type Value = T::Value;
}
