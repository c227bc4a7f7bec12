//! What a path can be compared with.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;

/// A value that can be compared with an attribute of type `T`: `T`, `&T`, and for a `String` also `&str`.
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
    note = "compare with a value of the field's own type"
)]
pub trait AsOperand<T: ?Sized> {
    /// The value, as DynamoDB stores it.
    #[doc(hidden)]
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error>;
}

impl<T: Serialize> AsOperand<T> for T {
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error> {
        crate::wire::value(self)
    }
}

impl<T: Serialize> AsOperand<T> for &T {
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error> {
        crate::wire::value(*self)
    }
}

#[diagnostic::do_not_recommend]
impl AsOperand<String> for &str {
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error> {
        Ok(AttributeValue::S((*self).to_owned()))
    }
}
