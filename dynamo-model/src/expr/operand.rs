//! What a path can be compared with.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

/// A value that can be compared with an attribute of type `T`: `T`, `&T`, and for text also `&str`. An
/// optional attribute is compared with the value that it may have.
///
/// ```
/// use dynamo_model::AsOperand;
///
/// fn takes(value: impl AsOperand<String>) -> bool {
///     value.operand().is_ok()
/// }
/// assert!(takes("text") && takes(String::from("text")));
/// ```
#[diagnostic::on_unimplemented(
    message = "an attribute of type `{T}` cannot be compared with `{Self}`",
    label = "expected `{T}`",
    note = "compare with a value of the field's own type; for an optional field with the value itself, or ask whether it is there with `exists()`"
)]
pub trait AsOperand<T: ?Sized> {
    /// The value, as DynamoDB stores it.
    #[doc(hidden)]
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error>;
}

macro_rules! operands {
    ($(($($generic:ident)?) $value:ty => $of:ty;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($generic: Serialize)?> AsOperand<$of> for $value {
            fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error> {
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
