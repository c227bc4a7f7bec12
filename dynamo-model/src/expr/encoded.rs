//! Fields with a serde function.

use super::change::{List, SetOf};
use super::number::{NumberRange, Numeric};
use super::operand::AsOperand;
use super::types::{HasBeginning, HasElement, HasSize, Ordered};
use crate::wire::{EncodeError, OperandWriter, Refused};
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;
use serde::ser::Error as _;

/// The type of an attribute whose field has `#[serde(with = "…")]` or `serialize_with`: it is
/// compared with, and set to, values of the field's own type, written as serde writes the field.
///
/// Every such field has `eq`, `ne`, `is_in` and `set`. Order, prefix and size need a stored form
/// that supports them. The derive knows some functions, such as
/// [`epoch_millis`](crate::format::epoch_millis) and
/// [`rfc3339_millis`](crate::format::rfc3339_millis); for another function,
/// `#[dynamo(sorts_as = number)]`, `sorts_as = text` or `sorts_as = bytes` declares that its values
/// sort so. `add` and `subtract` need a field without a function.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use std::time::SystemTime;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("POST#<id>")]
/// struct Post {
///     id: String,
///     #[serde(with = "dynamo_model::format::rfc3339_millis")]
///     posted_at: SystemTime,
/// }
///
/// let update = Post::update("p1").set(|post| post.posted_at(), SystemTime::now());
/// let recent = Post::scan().filter(|post| post.posted_at().gt(SystemTime::UNIX_EPOCH));
/// ```
#[derive(Debug)]
pub struct Encoded<F, W>(PhantomData<fn() -> (F, W)>);

/// How a field is written. Implemented by the derives.
#[doc(hidden)]
pub trait Encoding {
    type Field;
    fn encode(field: &Self::Field) -> Result<AttributeValue, EncodeError>;
}

/// The stored form of an encoding answers a question about a field of type `F`. Implemented by the
/// derives.
#[doc(hidden)]
pub trait Supports<Q, F> {}

/// The conditions that a stored form supports.
#[doc(hidden)]
pub(crate) mod question {
    /// `lt`, `le`, `gt`, `ge`, `between`
    #[derive(Debug)]
    pub struct Order;
    /// `begins_with`
    #[derive(Debug)]
    pub struct Beginning;
    /// `contains`
    #[derive(Debug)]
    pub struct Contents;
    /// `append`, `prepend`, `add_to_set`, `delete_from_set`
    #[derive(Debug)]
    pub struct Elements;
    /// `size`
    #[derive(Debug)]
    pub struct Length;
    /// `add`, `subtract`
    #[derive(Debug)]
    pub struct Sum;
}

/// The known output of a function.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub enum StoredAs {
    Any,
    Number,
    Text,
    Bytes,
}

/// For generated code: returns the output of a serializing function; fails if it is not the
/// declared type.
#[doc(hidden)]
pub fn encoded(
    stored_as: StoredAs,
    write: impl FnOnce(OperandWriter<'_>) -> Result<(), Refused>,
) -> Result<AttributeValue, EncodeError> {
    let value = crate::wire::written(write)?;
    let wanted = match (stored_as, &value) {
        (StoredAs::Any, _)
        | (_, AttributeValue::Null(_))
        | (StoredAs::Number, AttributeValue::N(_))
        | (StoredAs::Text, AttributeValue::S(_))
        | (StoredAs::Bytes, AttributeValue::B(_)) => return Ok(value),
        (StoredAs::Number, _) => "number",
        (StoredAs::Text, _) => "text",
        (StoredAs::Bytes, _) => "bytes",
    };
    let written = super::condition::type_name(&value);
    Err(EncodeError::custom(format!(
        "the field is declared to sort as {wanted}, and its function writes {written}; change \
         `sorts_as`, or the function"
    )))
}

#[diagnostic::do_not_recommend]
impl<F, W: Encoding<Field = F>> AsOperand<Encoded<F, W>> for F {
    fn operand(&self) -> Result<AttributeValue, EncodeError> {
        W::encode(self)
    }
}

#[diagnostic::do_not_recommend]
impl<F, W: Encoding<Field = F>> AsOperand<Encoded<F, W>> for &F {
    fn operand(&self) -> Result<AttributeValue, EncodeError> {
        W::encode(self)
    }
}

/// An optional field is compared with the value that it may have.
#[diagnostic::do_not_recommend]
impl<F: Clone, W: Encoding<Field = Option<F>>> AsOperand<Encoded<Option<F>, W>> for F {
    fn operand(&self) -> Result<AttributeValue, EncodeError> {
        W::encode(&Some(self.clone()))
    }
}

#[diagnostic::do_not_recommend]
impl<F: Clone, W: Encoding<Field = Option<F>>> AsOperand<Encoded<Option<F>, W>> for &F {
    fn operand(&self) -> Result<AttributeValue, EncodeError> {
        W::encode(&Some((*self).clone()))
    }
}

impl<F, W: Supports<question::Order, F>> Ordered for Encoded<F, W> {}
impl<F, W: Supports<question::Beginning, F>> HasBeginning for Encoded<F, W> {}
impl<F, W: Supports<question::Length, F>> HasSize for Encoded<F, W> {}

/// Only for a number that is stored unchanged, for example with `dynamo_model::format::decimal`.
impl<F: Numeric, W: Supports<question::Sum, F>> Numeric for Encoded<F, W> {
    const RANGE: NumberRange = F::RANGE;
}

impl<F: Numeric, W: Supports<question::Sum, Option<F>>> Numeric for Encoded<Option<F>, W> {
    const RANGE: NumberRange = F::RANGE;
}

impl<F: HasElement, W: Supports<question::Contents, F>> HasElement for Encoded<F, W> {
    type Element = F::Element;
}

impl<F: SetOf, W: Supports<question::Elements, F>> SetOf for Encoded<F, W> {
    type Element = F::Element;
}

impl<F: List, W: Supports<question::Elements, F>> List for Encoded<F, W> {
    type Element = F::Element;
}
