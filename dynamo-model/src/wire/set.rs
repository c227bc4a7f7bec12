//! Lists that serde wrote, as DynamoDB's sets.

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

/// Returns SS, NS or BS of these elements, which are one or more. Returns the elements if their
/// types differ or cannot be in a set. With `bytes`, a list of numbers is a binary.
pub(crate) fn set_of(
    mut elements: Vec<AttributeValue>,
    bytes: bool,
) -> Result<AttributeValue, Vec<AttributeValue>> {
    if bytes {
        elements = elements.into_iter().map(binary).collect();
    }
    let set = match elements.first() {
        Some(AttributeValue::S(_)) => {
            all(&elements, |it| it.as_s().ok().cloned()).map(AttributeValue::Ss)
        }
        Some(AttributeValue::N(_)) => {
            all(&elements, |it| it.as_n().ok().cloned()).map(AttributeValue::Ns)
        }
        Some(AttributeValue::B(_)) => {
            all(&elements, |it| it.as_b().ok().cloned()).map(AttributeValue::Bs)
        }
        _ => None,
    };
    set.ok_or(elements)
}

/// Returns the elements if they have one type. DynamoDB refuses repeated elements.
fn all<T: PartialEq>(
    elements: &[AttributeValue],
    of: impl Fn(&AttributeValue) -> Option<T>,
) -> Option<Vec<T>> {
    let mut kept: Vec<T> = Vec::with_capacity(elements.len());
    for element in elements {
        let element = of(element)?;
        if !kept.contains(&element) {
            kept.push(element);
        }
    }
    Some(kept)
}

/// Returns a sequence of bytes, which serde writes as a list of numbers.
pub(crate) fn binary(element: AttributeValue) -> AttributeValue {
    let AttributeValue::L(numbers) = &element else {
        return element;
    };
    let byte = |it: &AttributeValue| it.as_n().ok()?.parse::<u8>().ok();
    match numbers.iter().map(byte).collect::<Option<Vec<u8>>>() {
        Some(bytes) => AttributeValue::B(Blob::new(bytes)),
        None => element,
    }
}
