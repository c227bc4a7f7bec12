//! DynamoDB's limits of an item, checked before it is sent.

use super::Item;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::value::NumberError;
use crate::value::digits::Digits;
use aws_sdk_dynamodb::types::AttributeValue;

/// An item has at most this many bytes, the names of its attributes included.
const MAX_ITEM: usize = 400 * 1024;
/// Lists and maps are nested at most this deep.
pub(super) const MAX_DEPTH: usize = 32;
pub(super) const TOO_DEEP: &str =
    "it is nested more than 32 deep; store the inner part as a text, or as items of its own";
/// The size of a list or map in addition to its contents.
pub(super) const COLLECTION: usize = 3;
const MAX_DIGITS: usize = 38;

/// Checks an item; its size, as DynamoDB counts it.
pub(crate) fn check_item(context: &ErrorContext, item: &Item) -> Result<usize, Error> {
    let mut bytes = 0;
    for (name, value) in item {
        let size = size(value, 0).map_err(|_| refused(context, name, value))?;
        bytes += name.len() + size;
    }
    check_size(context, bytes)?;
    Ok(bytes)
}

/// Returns why an attribute is refused.
#[cold]
pub(super) fn refused(context: &ErrorContext, name: &str, value: &AttributeValue) -> Error {
    let reason = size(value, 0).err().unwrap_or("it cannot be written");
    let attribute = name.to_owned();
    let kind = ErrorKind::Encode { attribute };
    Error::new(context.clone(), kind, Some(reason.into()))
}

/// Refuses a part that alone makes an item too large.
pub(crate) fn check_size(context: &ErrorContext, bytes: usize) -> Result<(), Error> {
    if bytes <= MAX_ITEM {
        return Ok(());
    }
    let kind = ErrorKind::TooLarge {
        bytes,
        max: MAX_ITEM,
    };
    Err(Error::new(context.clone(), kind, None))
}

/// Returns the size of a value that was checked before.
pub(crate) fn value_bytes(value: &AttributeValue) -> usize {
    size(value, 0).unwrap_or_default()
}

/// Counts as the developer guide does under "DynamoDB item sizes and formats".
pub(super) fn size(value: &AttributeValue, depth: usize) -> Result<usize, &'static str> {
    if depth > MAX_DEPTH {
        return Err(TOO_DEEP);
    }
    Ok(match value {
        AttributeValue::S(text) => text.len(),
        AttributeValue::N(number) => number_size(number)?,
        AttributeValue::B(bytes) => bytes.as_ref().len(),
        AttributeValue::Ss(texts) if !texts.is_empty() => texts.iter().map(String::len).sum(),
        AttributeValue::Ns(numbers) if !numbers.is_empty() => {
            let sizes = numbers.iter().map(|number| number_size(number));
            sizes.sum::<Result<usize, _>>()?
        }
        AttributeValue::Bs(all) if !all.is_empty() => {
            all.iter().map(|bytes| bytes.as_ref().len()).sum()
        }
        AttributeValue::Ss(_) | AttributeValue::Ns(_) | AttributeValue::Bs(_) => {
            return Err(
                "a set is empty; leave the attribute out, with an `Option` or \
                 `skip_serializing_if`",
            );
        }
        AttributeValue::L(values) => {
            let sizes = values.iter().map(|value| Ok(1 + size(value, depth + 1)?));
            COLLECTION + sizes.sum::<Result<usize, &'static str>>()?
        }
        AttributeValue::M(values) => {
            let sizes = values
                .iter()
                .map(|(name, value)| Ok(1 + name.len() + size(value, depth + 1)?));
            COLLECTION + sizes.sum::<Result<usize, &'static str>>()?
        }
        _ => 1,
    })
}

/// Counts one byte for two digits, and one or two for sign and exponent.
pub(super) fn number_size(number: &str) -> Result<usize, &'static str> {
    // Most are whole, and short.
    if (1..=MAX_DIGITS).contains(&number.len()) && number.bytes().all(|it| it.is_ascii_digit()) {
        let zeros = number.bytes().take_while(|digit| *digit == b'0').count();
        return Ok((number.len() - zeros).div_ceil(2) + 1);
    }
    Digits::parse(number).map_err(NumberError::text)?;
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits = mantissa.bytes().filter(u8::is_ascii_digit);
    let significant = digits.skip_while(|digit| *digit == b'0').count();
    Ok(significant.min(MAX_DIGITS).div_ceil(2) + 1 + usize::from(number.starts_with('-')))
}

/// The same for the text of a float, if that has no exponent and so at most 38 digits; `None` for
/// any other, also for NaN.
#[inline]
pub(super) fn decimal_size(number: &[u8]) -> Option<usize> {
    let mut significant = 0;
    for byte in number {
        match byte {
            b'0' if significant == 0 => {}
            b'0'..=b'9' => significant += 1,
            b'.' | b'-' => {}
            _ => return None,
        }
    }
    let negative = usize::from(number.first() == Some(&b'-'));
    Some(usize::div_ceil(significant, 2) + 1 + negative)
}

/// Does the same for a whole number with its shortest text.
pub(super) fn integer_size(number: &str) -> usize {
    let negative = usize::from(number.starts_with('-'));
    let digits = number.len() - negative;
    let significant = if number == "0" { 0 } else { digits };
    significant.div_ceil(2) + 1 + negative
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n(number: &str) -> Result<usize, &'static str> {
        size(&AttributeValue::N(number.into()), 0)
    }

    #[test]
    fn numbers_cost_a_byte_for_two_digits() {
        assert_eq!(n("27"), Ok(2));
        assert_eq!(n("-27"), Ok(3));
        assert_eq!(n("461"), Ok(3));
        assert_eq!(n("0.5e-10"), Ok(2));
    }

    #[test]
    fn numbers_that_dynamodb_has_not_are_refused() {
        assert!(n("NaN").is_err() && n("inf").is_err() && n("").is_err());
        for number in ["0", "-0", "0.5", "-0.001", "100", "16777216", "-1.0009999"] {
            assert_eq!(
                decimal_size(number.as_bytes()),
                number_size(number).ok(),
                "{number}"
            );
        }
        assert_eq!(decimal_size(b"1e-7"), None);
        assert_eq!(decimal_size(b"NaN"), None);
        assert!(n(&"9".repeat(38)).is_ok());
        assert!(n(&"9".repeat(39)).is_err());
        assert!(n(&format!("1{}", "0".repeat(50))).is_ok());
    }

    #[test]
    fn numbers_have_a_range() {
        for taken in ["0", "0.0", "-0", "9.9e125", "1e-130", "-0.01e-128", "0e999"] {
            assert!(n(taken).is_ok(), "{taken}");
        }
        let large = format!("1{}", "0".repeat(126));
        for refused in ["1e126", "-10e125", "9e-131", "0.1e-130", &large] {
            assert!(n(refused).is_err(), "{refused}");
        }
    }

    #[test]
    fn nesting_has_an_end() {
        let nested = |depth| {
            let inner = AttributeValue::L(vec![]);
            (0..depth).fold(inner, |inner, _| AttributeValue::L(vec![inner]))
        };
        assert!(size(&nested(32), 0).is_ok());
        assert!(size(&nested(33), 0).is_err());
    }

    #[test]
    fn an_item_is_its_names_and_values() {
        let item = Item::from([
            ("name".to_owned(), AttributeValue::S("太郎".into())),
            (
                "tags".to_owned(),
                AttributeValue::L(vec![AttributeValue::Bool(true)]),
            ),
        ]);
        let context = ErrorContext::default();
        assert_eq!(
            check_item(&context, &item).unwrap(),
            (4 + 6) + (4 + 3 + 1 + 1)
        );
        let large = AttributeValue::S("x".repeat(MAX_ITEM));
        let error = check_item(&context, &Item::from([("a".to_owned(), large)])).unwrap_err();
        let (bytes, max) = (MAX_ITEM + 1, MAX_ITEM);
        assert_eq!(error.kind(), &ErrorKind::TooLarge { bytes, max });
    }
}
