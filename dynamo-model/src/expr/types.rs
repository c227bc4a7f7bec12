//! What the type of an attribute lets a condition ask. Each is a trait with a message of its own, because
//! the compiler's would name only bounds.

use super::operand::AsOperand;
use crate::Value;
use crate::key::{KeyPart, kind, sort_key::HasPrefix};
use aws_sdk_dynamodb::types::AttributeValue;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::{rc::Rc, sync::Arc};

/// A type that DynamoDB has an order for: it is stored as a number, text or bytes.
///
/// Numbers, text and the types of times and dates are; so is a newtype with `#[derive(KeyPart)]` of any of
/// these. A bool is not, nor an enum, whose names sort by the alphabet and not as its variants do.
///
/// For a type of your own that is no key part, say so, provided that what serde writes does sort:
///
/// ```
/// use dynamo_model::{Ordered, Path};
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
    note = "compare a bool or an enum with `eq`, `ne` or `is_in`, a list, set or map by its `size()`, a struct by one of its fields",
    note = "a type of your own whose values sort as serde writes them can implement `dynamo_model::Ordered`"
)]
pub trait Ordered {}

#[diagnostic::do_not_recommend]
impl<T: KeyPart<Kind: OrderedKind> + ?Sized> Ordered for T {}

#[diagnostic::do_not_recommend]
impl<T: Ordered> Ordered for Option<T> {}

/// The kinds whose attributes are numbers, text or bytes that sort.
#[doc(hidden)]
pub trait OrderedKind: kind::Kind {}

macro_rules! ordered {
    ($kind_or_type:ident: $($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl $kind_or_type for $ty {}
    )*};
}

ordered!(OrderedKind: kind::Text, kind::Integer, kind::Decimal, kind::Time, kind::Date, kind::Uuid, kind::Ulid, kind::Bytes);
ordered!(Ordered: f32, f64, char);
#[cfg(feature = "chrono")]
ordered!(Ordered: chrono::NaiveDateTime, chrono::NaiveTime);
#[cfg(feature = "time")]
ordered!(Ordered: time::PrimitiveDateTime, time::Time);
#[cfg(feature = "jiff")]
ordered!(Ordered: jiff::civil::DateTime, jiff::civil::Time);

/// A type whose text is known by its beginning: text, times and dates.
///
/// ```
/// use dynamo_model::{HasBeginning, Path};
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
    message = "`begins_with` is for text, and an attribute of type `{Self}` is none",
    label = "only text, times and dates have a beginning",
    note = "compare a number with `ge` or `between`, an enum with `eq` or `is_in`, an element of a list with `at(0)`",
    note = "a newtype of text gets it with `#[derive(KeyPart)]`; another type that serde writes as text can implement `dynamo_model::HasBeginning`"
)]
pub trait HasBeginning {}

#[diagnostic::do_not_recommend]
impl<T: KeyPart<Kind: HasPrefix> + ?Sized> HasBeginning for T {}

#[diagnostic::do_not_recommend]
impl<T: HasBeginning> HasBeginning for Option<T> {}

/// A type that contains elements: text, lists and sets. A newtype of text with `#[derive(KeyPart)]` is one
/// too; for another type of your own, say what is in it:
///
/// ```
/// use dynamo_model::{HasElement, Path};
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
    label = "only text, lists and sets have elements"
)]
pub trait HasElement {
    /// What it contains.
    type Element: ?Sized;
}

/// An attribute type and a value that can be an element of it. One bound for both, so that there is one
/// message where either does not fit.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` cannot contain this value",
    label = "text contains text, a list or set its elements, and nothing else contains anything",
    note = "give an element of the field's own type; compare a single value with `eq` or `is_in`; of a map, ask whether an entry is there with `entry(\"…\").exists()`"
)]
pub trait Contains<V> {
    fn element(value: V) -> Result<AttributeValue, serde_dynamo::Error>;
}

#[diagnostic::do_not_recommend]
impl<T: HasElement + ?Sized, V: AsOperand<T::Element>> Contains<V> for T {
    fn element(value: V) -> Result<AttributeValue, serde_dynamo::Error> {
        value.operand()
    }
}

/// A list, whose elements have positions.
///
/// ```
/// fn positions<T: dynamo_model::HasPosition>() {}
/// positions::<Vec<u32>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` has no positions",
    label = "only lists have positions",
    note = "ask for an element of a set with `contains`, for an entry of a map with `entry(\"…\")`, for a field of a struct with `fields()`"
)]
pub trait HasPosition {
    /// What is at each of them.
    type Element;
}

/// A map, whose entries have names.
///
/// ```
/// fn entries<T: dynamo_model::HasEntry>() {}
/// entries::<std::collections::HashMap<String, u32>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{Self}` has no entries",
    label = "only maps have entries",
    note = "ask for an element of a list with `at(0)`, for a field of a struct with `fields()`"
)]
pub trait HasEntry {
    /// What names them.
    type Key;
    /// What is in each of them.
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
