//! The operands that a path can be compared with.

use crate::wire::EncodeError;
use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

/// A value that can be compared with an attribute of type `T`: `T`, `&T`, and for text also `&str`.
/// An optional attribute is compared with the value that it may have.
///
/// ```
/// use dynamo_model::expr::AsOperand;
///
/// fn takes(value: impl AsOperand<String>) -> bool {
///     value.operand().is_ok()
/// }
/// assert!(takes("text") && takes(String::from("text")));
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{T}` cannot be compared with `{Self}`",
    label = "expected `{T}`",
    note = "compare with a value of the field's own type; for an optional field with the value \
            itself, or ask whether it is there with `exists()`"
)]
pub trait AsOperand<T: ?Sized> {
    /// Returns the value, as DynamoDB stores it.
    #[doc(hidden)]
    fn operand(&self) -> Result<AttributeValue, EncodeError>;
}

macro_rules! operands {
    ($(($($generic:ident)?) $value:ty => $of:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generic: Serialize)?> AsOperand<$of> for $value {
            fn operand(&self) -> Result<AttributeValue, EncodeError> {
                crate::wire::value(self)
            }
        }
    )*};
}

operands! {
    (T) T => T;
    (T) &T => T;
    (T) T => Option<T>;
    (T) &T => Option<T>;
    () &str => str;
    () &str => String;
    () &str => Box<str>;
    () &str => std::sync::Arc<str>;
    () &str => std::rc::Rc<str>;
    () &str => std::borrow::Cow<'_, str>;
    () &str => Option<String>;
}

/// A value that names an entry of a map with keys of type `K`: `K` or `&K`, and for text also
/// `&str`. It is written as serde writes the keys of the map.
///
/// ```
/// use dynamo_model::expr::Path;
/// use std::collections::BTreeMap;
///
/// #[derive(serde::Serialize)]
/// #[serde(rename_all = "lowercase")]
/// enum Reaction {
///     Heart,
/// }
///
/// let hearts = Path::<BTreeMap<Reaction, u32>>::attribute("reactions").entry(Reaction::Heart).gt(9);
/// assert_eq!(hearts.to_string(), "reactions.heart > 9");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name an entry of a map whose keys are `{K}`",
    label = "expected `{K}`",
    note = "give a key of the map's own type"
)]
pub trait AsEntryName<K: ?Sized> {
    /// Returns the name of the entry in the map. Fails with the reason if the key cannot be a name.
    #[doc(hidden)]
    fn entry_name(&self) -> Result<String, String>;
}

#[diagnostic::do_not_recommend]
impl<K: Serialize> AsEntryName<K> for K {
    fn entry_name(&self) -> Result<String, String> {
        crate::wire::entry_name(self)
    }
}

#[diagnostic::do_not_recommend]
impl<K: Serialize> AsEntryName<K> for &K {
    fn entry_name(&self) -> Result<String, String> {
        crate::wire::entry_name(self)
    }
}

macro_rules! text_names {
    ($($text:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl AsEntryName<$text> for &str {
            fn entry_name(&self) -> Result<String, String> {
                Ok((*self).to_owned())
            }
        }
    )*};
}

text_names!(
    String,
    Box<str>,
    std::sync::Arc<str>,
    std::rc::Rc<str>,
    std::borrow::Cow<'_, str>
);
