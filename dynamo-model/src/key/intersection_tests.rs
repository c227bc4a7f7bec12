use super::*;
use SortCondition::{Any, AtLeast, AtMost, BeginsWith, Between, Equals, Nothing};

fn s(text: &str) -> KeyValue {
    KeyValue::S(text.into())
}

fn conditions() -> Vec<SortCondition> {
    let texts = ["a", "a#", "a#1", "a#1#", "a#2", "a$", "b"];
    let mut all = vec![Any, Nothing];
    for text in texts {
        all.extend([
            Equals(s(text)),
            BeginsWith(text.into()),
            AtLeast(s(text)),
            AtMost(s(text)),
        ]);
        let above = texts.iter().filter(|other| **other > text);
        all.extend(above.map(|other| Between(s(text), s(other))));
    }
    all
}

fn meets(key: &str, condition: &SortCondition) -> bool {
    let key = s(key);
    match condition {
        Any => true,
        Nothing => false,
        Equals(exact) => key == *exact,
        BeginsWith(prefix) => key.as_str().is_some_and(|it| it.starts_with(prefix)),
        Between(low, high) => key >= *low && key <= *high,
        AtLeast(low) => key >= *low,
        AtMost(high) => key <= *high,
    }
}

const KEYS: [&str; 14] = [
    "A",
    "a",
    "a#",
    "a#0",
    "a#1",
    "a#1#",
    "a#1#x",
    "a#10",
    "a#2",
    "a#\u{10ffff}x",
    "a$",
    "a%",
    "b",
    "b1",
];

#[test]
fn the_intersection_contains_exactly_the_keys_that_meet_both() {
    for one in conditions() {
        for other in conditions() {
            let both = one.clone().and(other.clone());
            for key in KEYS {
                let expected = meets(key, &one) && meets(key, &other);
                assert_eq!(
                    meets(key, &both),
                    expected,
                    "{key}: {one:?} and {other:?} became {both:?}"
                );
            }
        }
    }
}

#[test]
fn half_of_a_condition_keeps_one_end() {
    for one in conditions().into_iter().filter(|it| *it != Nothing) {
        let (from, to) = (one.clone().from_here(), one.clone().to_here());
        for key in KEYS.into_iter().filter(|key| meets(key, &one)) {
            assert!(meets(key, &from) && meets(key, &to), "{key}: {one:?}");
        }
        let both = from.and(to);
        for key in KEYS {
            assert_eq!(
                meets(key, &both),
                meets(key, &one),
                "{key}: {one:?}, {both:?}"
            );
        }
    }
    assert_eq!((Nothing.from_here(), Nothing.to_here()), (Nothing, Nothing));
}

#[test]
fn numbers_are_compared_by_value() {
    let n = |text: &str| KeyValue::N(text.into());
    let both = AtLeast(n("9")).and(AtMost(n("10")));
    assert_eq!(both, Between(n("9"), n("10")));
    assert_eq!(AtLeast(n("10")).and(AtMost(n("9"))), Nothing);
}
