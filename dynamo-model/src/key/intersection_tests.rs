use super::*;
use SortCondition::{After, Any, AtLeast, AtMost, BeginsWith, Between, Equals, Nothing};

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
        // These keys have one attribute.
        After(..) => false,
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
        let (from, to) = (one.clone().upwards(), one.clone().downwards());
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
    assert_eq!((Nothing.upwards(), Nothing.downwards()), (Nothing, Nothing));
}

#[test]
fn numbers_are_compared_by_value() {
    let n = |text: &str| KeyValue::N(text.into());
    let both = AtLeast(n("9")).and(AtMost(n("10")));
    assert_eq!(both, Between(n("9"), n("10")));
    assert_eq!(AtLeast(n("10")).and(AtMost(n("9"))), Nothing);
}

#[test]
fn conditions_on_one_attribute_of_several_are_intersected_there() {
    let after = |condition: SortCondition| condition.after(vec![s("x")]);
    let both = after(AtLeast(s("a"))).and(after(AtMost(s("b"))));
    assert_eq!(both, after(Between(s("a"), s("b"))));
    assert_eq!(after(Any).and(after(Equals(s("a")))), after(Equals(s("a"))));
    let none = after(Equals(s("a"))).and(after(Equals(s("b"))));
    assert_eq!(none, Nothing);
}

#[test]
fn a_condition_on_a_later_attribute_remains_where_the_earlier_value_meets_the_other() {
    let later = Equals(s("a")).after(vec![s("m"), s("n")]);
    let met = [
        Any,
        Equals(s("m")),
        AtMost(s("m")),
        BeginsWith("m".into()),
        AtLeast(s("b")).after(vec![s("m")]),
    ];
    for one in met {
        assert_eq!(one.clone().and(later.clone()), later, "{one:?}");
        assert_eq!(later.clone().and(one.clone()), later, "{one:?}");
    }
    let missed = [
        Nothing,
        Equals(s("n")),
        AtMost(s("b")),
        Any.after(vec![s("n")]),
        AtLeast(s("o")).after(vec![s("m")]),
    ];
    for one in missed {
        assert_eq!(one.clone().and(later.clone()), Nothing, "{one:?}");
        assert_eq!(later.clone().and(one.clone()), Nothing, "{one:?}");
    }
}
