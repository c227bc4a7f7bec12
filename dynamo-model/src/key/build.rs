//! Template + values → key text.

use super::decimal::Decimal;
use super::declared::{key_type, sort_template, templates};
use super::escape::{Escape, MARKS};
use super::part::PartValue;
use super::part::{AsKeyPart, AsOptionalKeyPart, KeyPart};
use super::partition_key::PartitionKey;
use super::template::{Field, Form, PartSchema, Role, Template};
use super::text::{self, Encoded};
use super::value::{Key, KeyValue};
use crate::entity::Entity;
use crate::error::{KeyError, KeyErrorKind};
use crate::index::IndexMarker;
use crate::schema::KeyType;

impl Template {
    /// Returns the key text, with one allocation of exactly its length.
    #[doc(hidden)]
    #[inline]
    pub fn text<const P: usize>(
        &'static self,
        values: [PartValue<'_>; P],
    ) -> Result<String, KeyError> {
        match self.plain_text(&values) {
            Some(text) => Ok(text),
            None => self.any_text(&values),
        }
    }

    /// Returns the key as a DynamoDB value. A template of one placeholder on an N or B attribute
    /// has the type of the field; every other key is text.
    #[doc(hidden)]
    #[inline(always)]
    pub fn build<const P: usize>(
        &'static self,
        key_type: KeyType,
        values: [PartValue<'_>; P],
    ) -> Result<KeyValue, KeyError> {
        match self.plain(key_type, &values) {
            Some(value) => Ok(value),
            // A copy, so that the values themselves can stay in registers.
            None => self.any(key_type, &{ values }),
        }
    }

    /// Returns the key, if [`plain_text`](Self::plain_text) can make it.
    ///
    /// Unoptimised builds fold nothing, so there it is compiled once instead of for every entity.
    #[cfg_attr(debug_assertions, inline(never))]
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn plain<const P: usize>(
        &self,
        key_type: KeyType,
        values: &[PartValue<'_>; P],
    ) -> Option<KeyValue> {
        let text = match key_type {
            KeyType::N if self.is_epoch() => None,
            KeyType::S | KeyType::N => self.plain_text(values),
            KeyType::B => None,
        };
        text.map(|text| self.value(key_type, text))
    }

    /// Builds the key of values whose number is known only at run time.
    pub(crate) fn build_any(
        &'static self,
        key_type: KeyType,
        values: &[PartValue<'_>],
    ) -> Result<KeyValue, KeyError> {
        self.any(key_type, values)
    }

    #[inline(always)]
    fn value(&self, key_type: KeyType, text: String) -> KeyValue {
        match (key_type, self.parts) {
            (KeyType::S, _) | (_, []) => KeyValue::S(text),
            (KeyType::N, _) => KeyValue::N(text),
            (KeyType::B, _) => KeyValue::B(text.into()),
        }
    }

    /// Returns the key text if each part is copied unchanged or has a known width, which is nearly
    /// always the case. Returns `None` if a part must be escaped, measured or refused.
    ///
    /// Always inlined: the template is a constant there, so the loops unroll, the matches fold, and
    /// the result equals hand-written code. The string must not be passed to a function that is not
    /// inlined: then it leaves the registers, and moving a value that was just written to memory
    /// stalls the processor.
    #[inline(always)]
    fn plain_text<const P: usize>(&self, values: &[PartValue<'_>; P]) -> Option<String> {
        let mut len = self.head.len();
        for (part, &value) in self.parts.iter().zip(values) {
            len += text::plain_len(part, value)? + part.after.len();
        }
        if len > self.role.max_bytes() {
            return None;
        }
        // A separate loop, because the compiler unrolls only small ones.
        let mut marks = 0;
        for (part, &value) in self.parts.iter().zip(values) {
            marks |= text::marks(part, value);
        }
        if marks & MARKS != 0 {
            return None;
        }
        let mut out = String::with_capacity(len);
        text::push_within(self.head, &mut out)?;
        for (part, &value) in self.parts.iter().zip(values) {
            text::push_plain(part, value, &mut out)?;
            text::push_within(part.after, &mut out)?;
        }
        Some(out)
    }

    /// Returns the key for any parts, or the error.
    #[inline(never)]
    fn any(&self, key_type: KeyType, values: &[PartValue<'_>]) -> Result<KeyValue, KeyError> {
        if let (KeyType::B, Some(PartValue::Bytes(bytes))) = (key_type, values.first()) {
            return self.bytes(bytes);
        }
        if let (KeyType::N, [part], [value]) = (key_type, self.parts, values) {
            let value = part.to_number(*value);
            if Decimal::of(value).is_some_and(|decimal| !decimal.is_valid()) {
                return Err(self.error(part, KeyErrorKind::NumberOutOfRange));
            }
            return Ok(self.value(key_type, self.any_text(&[value])?));
        }
        Ok(self.value(key_type, self.any_text(values)?))
    }

    /// Returns whether the whole key is a time as a number since 1970, which needs no width in a
    /// key of type N.
    const fn is_epoch(&self) -> bool {
        matches!(self.parts, [part] if matches!(part.spec.form, Form::Epoch(_)))
    }

    /// Builds the text. It encodes each part twice, once to measure it, which costs less than a
    /// place to keep the texts.
    fn any_text(&self, values: &[PartValue<'_>]) -> Result<String, KeyError> {
        let mut len = self.head.len();
        for (part, value) in self.parts.iter().zip(values) {
            len += self.encode(part, value)?.len(part.escape) + part.after.len();
        }
        if len > self.role.max_bytes() {
            return Err(self.too_long(values, len));
        }
        let mut out = String::with_capacity(len);
        out.push_str(self.head);
        for (part, value) in self.parts.iter().zip(values) {
            self.encode(part, value)?.push(part.escape, &mut out);
            out.push_str(part.after);
        }
        Ok(out)
    }

    fn encode<'v>(
        &self,
        part: &PartSchema,
        value: &PartValue<'v>,
    ) -> Result<Encoded<'v>, KeyError> {
        Encoded::new(part, *value).map_err(|kind| self.error(part, kind))
    }

    fn bytes(&self, bytes: &[u8]) -> Result<KeyValue, KeyError> {
        let (part, max) = (self.parts.first(), self.role.max_bytes());
        let field = part.map(|part| part.field);
        if bytes.is_empty() {
            return Err(KeyError::new(self, field, KeyErrorKind::Empty));
        }
        if bytes.len() > max {
            let kind = KeyErrorKind::TooLong {
                bytes: bytes.len(),
                max,
            };
            return Err(KeyError::new(self, field, kind));
        }
        Ok(KeyValue::B(bytes.to_vec()))
    }

    /// Refuses a time finer than the precision of the key in a field that is stored only in this
    /// part, because the item would lose it.
    #[doc(hidden)]
    pub fn refuse_loss(&'static self, part: usize, value: PartValue<'_>) -> Result<(), KeyError> {
        let (Some(part), PartValue::Time { nanos, .. }) = (self.parts.get(part), value) else {
            return Ok(());
        };
        match part.spec.form.fraction_digits() {
            Some(digits) if nanos % 10_u32.pow(9 - digits as u32) != 0 => {
                Err(self.error(part, KeyErrorKind::TooPrecise))
            }
            _ => Ok(()),
        }
    }

    #[cold]
    pub(crate) fn error(&self, part: &PartSchema, kind: KeyErrorKind) -> KeyError {
        KeyError::new(self, Some(part.field), kind)
    }

    #[cold]
    fn too_long(&self, values: &[PartValue<'_>], bytes: usize) -> KeyError {
        let len =
            |part, value: &PartValue<'_>| Some(Encoded::new(part, *value).ok()?.len(Escape::None));
        let longest = self
            .parts
            .iter()
            .zip(values)
            .max_by_key(|(part, value)| len(part, value));
        let kind = KeyErrorKind::TooLong {
            bytes,
            max: self.role.max_bytes(),
        };
        KeyError::new(self, longest.map(|(part, _)| part.field), kind)
    }
}

/// Builds a partition key, for generated code.
#[doc(hidden)]
#[inline(always)]
pub fn partition<E: Entity, I: IndexMarker, const P: usize>(
    values: [PartValue<'_>; P],
) -> Result<PartitionKey<E, I>, KeyError> {
    let template = const { templates::<E, I>().0 };
    let key_type = const { key_type::<E, I>(Role::PartitionKey) };
    // The result is built where its value is known, because otherwise the compiler would copy it.
    match template.plain(key_type, &values) {
        Some(value) => Ok(PartitionKey::new(value)),
        None => template.any(key_type, &{ values }).map(PartitionKey::new),
    }
}

impl<E: Entity, I: IndexMarker> Key<E, I> {
    /// For generated code: of a table or index without a sort key.
    #[doc(hidden)]
    #[inline]
    pub fn of_one<const P: usize>(pk: [PartValue<'_>; P]) -> Result<Self, KeyError> {
        Ok(Self::new(partition::<E, I, P>(pk)?.into_value(), None))
    }

    /// For generated code: both halves. `#[inline]`, as the kinds of the values are known where it
    /// is called. Not always, as a library has several callers of it, and would compile for half as
    /// long again.
    #[doc(hidden)]
    #[inline]
    pub fn of_both<const P: usize, const S: usize>(
        pk: [PartValue<'_>; P],
        sk: [PartValue<'_>; S],
    ) -> Result<Self, KeyError> {
        let pk = partition::<E, I, P>(pk)?.into_value();
        let template = const { sort_template::<E, I>() };
        let sk = template.build(const { key_type::<E, I>(Role::SortKey) }, sk)?;
        Ok(Self::new(pk, Some(sk)))
    }
}

/// Returns the value of an argument, for generated code.
#[doc(hidden)]
#[inline]
pub fn argument<F: Field, A: AsKeyPart<F::Part>>(argument: &A) -> PartValue<'_> {
    argument.as_part()
}

/// For generated code: the argument of a part that may be empty.
#[doc(hidden)]
#[inline]
pub fn optional_argument<T, A>(argument: &A) -> PartValue<'_>
where
    T: KeyPart + ?Sized,
    A: AsOptionalKeyPart<T>,
{
    argument.as_optional_part().unwrap_or(PartValue::Absent)
}

/// For generated code: the value of a part that may be empty.
#[doc(hidden)]
#[inline]
pub fn optional_value<T: KeyPart>(value: Option<&T>) -> PartValue<'_> {
    value.map_or(PartValue::Absent, KeyPart::to_part)
}

/// A value that a field of type `T` is compared with in the condition of an index.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value of `{T}`, the type of the field in this condition",
    label = "expected `{T}`",
    note = "give the value that the field has while the item is in the index, as in `when(state = \
     State::Open)`"
)]
pub trait ConditionValue<T: ?Sized> {
    #[doc(hidden)]
    fn is(&self, part: Option<PartValue<'_>>) -> bool;
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart + ?Sized, A: AsKeyPart<T>> ConditionValue<T> for A {
    fn is(&self, part: Option<PartValue<'_>>) -> bool {
        part == Some(self.as_part())
    }
}

/// Returns the value of a field, for generated code.
#[doc(hidden)]
#[inline]
pub fn value<F: Field>(field: &F::Part) -> PartValue<'_> {
    field.to_part()
}
