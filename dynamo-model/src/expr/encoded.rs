//! Fields that serde writes through a function of their own.

use super::change::{List, SetOf};
use super::number::{NumberRange, Numeric};
use super::operand::AsOperand;
use super::types::{HasBeginning, HasElement, Ordered};
use crate::wire::{OperandWriter, Refused};
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;

/// The type of an attribute whose field has `#[serde(with = "…")]` or `serialize_with`: it is compared with, and
/// set to, values of the field's own type, written as serde writes the field.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use std::collections::HashSet;
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
///     #[serde(with = "serde_dynamo::string_set")]
///     tags: HashSet<String>,
/// }
///
/// let tags = HashSet::from(["rust".to_owned()]);
/// let update = Post::update("p1").set(|post| post.tags(), tags); // a set, as `put` writes it
/// let update = Post::update("p1").add_to_set(|post| post.tags(), ["dynamodb"]);
/// ```
#[derive(Debug)]
pub struct Encoded<F, W>(PhantomData<fn() -> (F, W)>);

/// How a field is written. Implemented by the derives.
#[doc(hidden)]
pub trait Encoding {
    type Field;
    fn encode(field: &Self::Field) -> Result<AttributeValue, serde_dynamo::Error>;
}

/// For generated code: what a serializing function writes.
#[doc(hidden)]
pub fn encoded(
    write: impl FnOnce(OperandWriter<'_>) -> Result<(), Refused>,
) -> Result<AttributeValue, serde_dynamo::Error> {
    crate::wire::written(write)
}

#[diagnostic::do_not_recommend]
impl<F, W: Encoding<Field = F>> AsOperand<Encoded<F, W>> for F {
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error> {
        W::encode(self)
    }
}

#[diagnostic::do_not_recommend]
impl<F, W: Encoding<Field = F>> AsOperand<Encoded<F, W>> for &F {
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error> {
        W::encode(self)
    }
}

/// An optional field is compared with, and added to by, what is within.
#[diagnostic::do_not_recommend]
impl<F: Clone, W: Encoding<Field = Option<F>>> AsOperand<Encoded<Option<F>, W>> for F {
    fn operand(&self) -> Result<AttributeValue, serde_dynamo::Error> {
        W::encode(&Some(self.clone()))
    }
}

impl<F: Ordered, W> Ordered for Encoded<F, W> {}
impl<F: HasBeginning, W> HasBeginning for Encoded<F, W> {}
impl<F: Numeric, W> Numeric for Encoded<F, W> {
    const RANGE: NumberRange = F::RANGE;
}

impl<F: Numeric, W> Numeric for Encoded<Option<F>, W> {
    const RANGE: NumberRange = F::RANGE;
}

impl<F: HasElement, W> HasElement for Encoded<F, W> {
    type Element = F::Element;
}

impl<F: SetOf, W> SetOf for Encoded<F, W> {
    type Element = F::Element;
}

impl<F: List, W> List for Encoded<F, W> {
    type Element = F::Element;
}
