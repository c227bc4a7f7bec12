//! Whether two attributes, or items, are the same to DynamoDB, which writes numbers and sets in its
//! own way.

use super::Item;
use crate::value::digits::Digits;
use aws_sdk_dynamodb::types::AttributeValue;
use core::cmp::Ordering;

/// Returns whether two items are equal as stored.
pub(crate) fn items_eq(a: &Item, b: &Item) -> bool {
    let stored =
        |(name, a): (&String, &AttributeValue)| b.get(name).is_some_and(|b| values_eq(a, b));
    a.len() == b.len() && a.iter().all(stored)
}

pub(crate) fn values_eq(a: &AttributeValue, b: &AttributeValue) -> bool {
    use AttributeValue::{Bs, L, M, N, Ns, Ss};
    match (a, b) {
        (N(a), N(b)) => a == b || by_value(a, b).is_eq(),
        (Ss(a), Ss(b)) => sorted(a.iter()) == sorted(b.iter()),
        (Bs(a), Bs(b)) => {
            sorted(a.iter().map(AsRef::as_ref)) == sorted(b.iter().map(AsRef::as_ref))
        }
        (Ns(a), Ns(b)) => {
            let (mut a, mut b) = (a.clone(), b.clone());
            a.sort_unstable_by(|a, b| by_value(a, b));
            b.sort_unstable_by(|a, b| by_value(a, b));
            a.len() == b.len() && a.iter().zip(&b).all(|(a, b)| by_value(a, b).is_eq())
        }
        (L(a), L(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| values_eq(a, b)),
        (M(a), M(b)) => items_eq(a, b),
        _ => a == b,
    }
}

fn sorted<T: Ord>(elements: impl Iterator<Item = T>) -> Vec<T> {
    let mut elements: Vec<T> = elements.collect();
    elements.sort_unstable();
    elements
}

/// Compares two numbers exactly, which floats would not.
fn by_value(a: &str, b: &str) -> Ordering {
    match (Digits::of(a), Digits::of(b)) {
        (Some(a), Some(b)) => a.compare(&b),
        _ => a.cmp(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> AttributeValue {
        AttributeValue::N(text.into())
    }

    #[test]
    fn a_number_is_the_same_however_it_is_written() {
        let same_ones = [
            ("1", "1.0"),
            ("100", "1E2"),
            ("100", "+1.00e+2"),
            ("0.001", "1e-3"),
            ("-0", "0.00"),
            ("007", "7"),
            ("-12.50", "-1.25E1"),
        ];
        for (a, b) in same_ones {
            assert!(values_eq(&number(a), &number(b)), "{a} and {b}");
        }
        let others = [
            ("1", "-1"),
            ("1", "10"),
            ("9007199254740993", "9007199254740992"),
            ("0.1", "0.01"),
        ];
        for (a, b) in others {
            assert!(!values_eq(&number(a), &number(b)), "{a} and {b}");
        }
    }

    #[test]
    fn sets_have_no_order_and_lists_have_one() {
        let texts = |texts: &[&str]| texts.iter().map(|it| (*it).to_owned()).collect::<Vec<_>>();
        let strings = |it: &[&str]| AttributeValue::Ss(texts(it));
        assert!(values_eq(&strings(&["a", "b"]), &strings(&["b", "a"])));
        assert!(!values_eq(&strings(&["a", "b"]), &strings(&["b"])));
        let bytes = |it: &[u8]| AttributeValue::Bs(it.iter().map(|it| vec![*it].into()).collect());
        assert!(values_eq(&bytes(&[1, 2]), &bytes(&[2, 1])));
        assert!(!values_eq(&bytes(&[1, 2]), &bytes(&[1, 3])));
        let numbers = |it: &[&str]| AttributeValue::Ns(texts(it));
        assert!(values_eq(&numbers(&["1", "20"]), &numbers(&["2e1", "1.0"])));
        let list = |it: &[&str]| AttributeValue::L(it.iter().map(|it| number(it)).collect());
        assert!(values_eq(&list(&["1", "2"]), &list(&["1.0", "2"])));
        assert!(!values_eq(&list(&["1", "2"]), &list(&["2", "1"])));
    }

    #[test]
    fn an_item_is_another_with_one_attribute_more() {
        let own = Item::from([("a".to_owned(), number("1"))]);
        let more = Item::from([("a".to_owned(), number("1")), ("b".to_owned(), number("2"))]);
        assert!(items_eq(&own, &own.clone()));
        assert!(!items_eq(&own, &more) && !items_eq(&more, &own));
    }
}
