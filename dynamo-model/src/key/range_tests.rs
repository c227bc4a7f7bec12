//! Tests of ranges: the text range of a part against the range of its values.

use super::*;
use crate::key::template::{Field, Form, PartSchema, Precision, Role, Spec, Transform};
use proptest::prelude::*;

struct Text;
impl Field for Text {
    type Part = String;
}

struct Number;
impl Field for Number {
    type Part = i64;
}

struct At;
impl Field for At {
    type Part = jiff::Timestamp;
}

const NUMBER: PartSchema = PartSchema::new::<Number>("number", Spec::of(Form::Padded(20)), "");
const LAST: &[PartSchema] = &[PartSchema::new::<Text>("text", Spec::PLAIN, "")];
const FIRST: &[PartSchema] = &[
    PartSchema::new::<Text>("text", Spec::PLAIN, "#"),
    PartSchema::new::<Text>("text", Spec::PLAIN, ""),
];
const NUMBERS: &[PartSchema] = &[
    PartSchema::new::<Number>("number", Spec::of(Form::Padded(20)), ":"),
    NUMBER,
];
const NUMBER_LAST: &[PartSchema] = &[NUMBER];
const TIME: &[PartSchema] = &[
    PartSchema::new::<At>("at", Spec::of(Form::Precision(Precision::Millis)), "#"),
    LAST[0],
];

const DESCENDING: Spec = Spec::of(Form::Padded(4)).with(Transform::Descending);
const DESCENDING_FIRST: &[PartSchema] = &[
    PartSchema::new::<Number>("number", DESCENDING, "#"),
    LAST[0],
];
const DESCENDING_LAST: &[PartSchema] = &[PartSchema::new::<Number>("number", DESCENDING, "")];
const ADJACENT: &[PartSchema] = &[
    PartSchema::new::<Number>("number", Spec::of(Form::Padded(4)), ""),
    LAST[0],
];
const DESCENDING_ADJACENT: &[PartSchema] =
    &[PartSchema::new::<Number>("number", DESCENDING, ""), LAST[0]];

const fn template(head: &'static str, parts: &'static [PartSchema]) -> Template {
    Template::new("E", Role::SortKey, "…", head, parts)
}

static TEXT_LAST: Template = template("S#", LAST);
static TEXT_BARE: Template = template("", LAST);
static TEXT_FIRST: Template = template("S#", FIRST);
static TEXT_FIRST_BARE: Template = template("", FIRST);
static INTEGERS: Template = template("N:", NUMBERS);
static INTEGER_LAST: Template = template("N:", NUMBER_LAST);
static TIMES: Template = template("T#", TIME);

/// A number, then text, with the number ascending or descending, next to the text or before a
/// delimiter.
static NUMBER_THEN_TEXT: [Template; 3] = [
    template("D#", DESCENDING_FIRST),
    template("A#", ADJACENT),
    template("", DESCENDING_ADJACENT),
];
static NUMBER_DESCENDING: Template = template("D#", DESCENDING_LAST);

/// Whether DynamoDB would return a key for the condition.
fn holds(condition: &SortCondition, key: &str) -> bool {
    let text = |value: &KeyValue| value.as_str().map(str::to_owned).unwrap_or_default();
    match condition {
        SortCondition::Any => true,
        SortCondition::Nothing => false,
        SortCondition::Equals(value) => key == text(value),
        SortCondition::BeginsWith(prefix) => key.starts_with(prefix.as_str()),
        SortCondition::Between(low, high) => *key >= *text(low) && *key <= *text(high),
        SortCondition::AtLeast(low) => *key >= *text(low),
        SortCondition::AtMost(high) => *key <= *text(high),
        // These keys have one attribute.
        SortCondition::After(..) => false,
    }
}

/// All six forms of a range over `a` and `b`, and the seventh, which has no syntax in Rust.
fn forms<T: Clone>(a: &T, b: &T) -> Vec<(Bound<T>, Bound<T>)> {
    let (a, b) = (a.clone(), b.clone());
    vec![
        (Bound::Included(a.clone()), Bound::Excluded(b.clone())),
        (Bound::Included(a.clone()), Bound::Included(b.clone())),
        (Bound::Included(a.clone()), Bound::Unbounded),
        (Bound::Unbounded, Bound::Excluded(b.clone())),
        (Bound::Unbounded, Bound::Included(b.clone())),
        (Bound::Unbounded, Bound::Unbounded),
        (Bound::Excluded(a), Bound::Excluded(b)),
    ]
}

fn condition<T: crate::KeyPart>(
    template: &'static Template,
    range: &(Bound<T>, Bound<T>),
) -> SortCondition {
    PrefixBuilder::new(template, KeyType::S)
        .range(KeyRange::<T>::bounds(range))
        .expect("values that fit")
}

fn text() -> impl Strategy<Value = String> {
    let characters = vec![
        '#',
        '$',
        'a',
        'b',
        '!',
        '\0',
        '\u{1}',
        '山',
        '\u{e000}',
        '\u{10ffff}',
        '"',
    ];
    proptest::collection::vec(proptest::sample::select(characters), 1..4)
        .prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4_096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_ranges_are_ranges_of_values(a in text(), b in text(), other in text(), rest in text()) {
        use core::ops::RangeBounds;
        for range in forms(&a, &b) {
            for value in [&a, &b, &other, &format!("{a}{other}")] {
                let part = PartValue::Text(value);
                for template in [&TEXT_LAST, &TEXT_BARE] {
                    let key = template.text([part]).unwrap();
                    prop_assert_eq!(holds(&condition(template, &range), &key), range.contains(value), "{:?} {:?}", range, value);
                }
                for template in [&TEXT_FIRST, &TEXT_FIRST_BARE] {
                    let key = template.text([part, PartValue::Text(&rest)]).unwrap();
                    prop_assert_eq!(holds(&condition(template, &range), &key), range.contains(value), "{:?} {:?}", range, value);
                }
            }
        }
    }

    #[test]
    fn integer_ranges_are_ranges_of_values(a in -20..20_i64, b in -20..20_i64, value in -20..20_i64, rest in any::<i64>()) {
        use core::ops::RangeBounds;
        use crate::KeyPart;
        for range in forms(&a, &b) {
            let key = INTEGERS.text([value.to_part(), rest.to_part()]).unwrap();
            prop_assert_eq!(holds(&condition(&INTEGERS, &range), &key), range.contains(&value));
            let key = INTEGER_LAST.text([value.to_part()]).unwrap();
            prop_assert_eq!(holds(&condition(&INTEGER_LAST, &range), &key), range.contains(&value));
        }
    }

    #[test]
    fn ranges_of_descending_and_adjacent_parts_are_ranges_of_values(
        a in -20..20_i64, b in -20..20_i64, value in -20..20_i64, rest in text(),
    ) {
        use core::ops::RangeBounds;
        use crate::KeyPart;
        for range in forms(&a, &b) {
            for template in &NUMBER_THEN_TEXT {
                let key = template.text([value.to_part(), PartValue::Text(&rest)]).unwrap();
                let condition = condition(template, &range);
                prop_assert_eq!(holds(&condition, &key), range.contains(&value), "{:?} {} {:?}", range, key, condition);
            }
            let key = NUMBER_DESCENDING.text([value.to_part()]).unwrap();
            prop_assert_eq!(holds(&condition(&NUMBER_DESCENDING, &range), &key), range.contains(&value));
        }
    }

    #[test]
    fn time_ranges_are_ranges_of_values(a in 0..50_i64, b in 0..50_i64, value in 0..50_i64, rest in text()) {
        use core::ops::RangeBounds;
        use crate::KeyPart;
        let at = |ms| jiff::Timestamp::from_millisecond(ms).unwrap();
        for range in forms(&at(a), &at(b)) {
            let key = TIMES.text([at(value).to_part(), PartValue::Text(&rest)]).unwrap();
            prop_assert_eq!(holds(&condition(&TIMES, &range), &key), range.contains(&at(value)));
        }
    }

    #[test]
    fn number_keys_compare_as_numbers(a in -5..5_i64, b in -5..5_i64, value in -5..5_i64) {
        use core::ops::RangeBounds;
        for range in forms(&a, &b) {
            let number = |value: &KeyValue| value.as_str().unwrap().parse::<i64>().unwrap();
            let holds = match whole_range(KeyRange::<i64>::bounds(&range)) {
                SortCondition::Any => true,
                SortCondition::AtLeast(low) => value >= number(&low),
                SortCondition::AtMost(high) => value <= number(&high),
                SortCondition::Between(low, high) => (number(&low)..=number(&high)).contains(&value),
                _ => false,
            };
            prop_assert_eq!(holds, range.contains(&value));
        }
    }
}

#[test]
fn a_month_of_prices() {
    let at = |text: &str| text.parse::<jiff::Timestamp>().unwrap();
    let range = (
        Bound::Included(at("2024-01-01T00:00:00Z")),
        Bound::Excluded(at("2024-02-01T00:00:00Z")),
    );
    assert_eq!(
        condition(&TIMES, &range),
        SortCondition::Between(
            KeyValue::S("T#2024-01-01T00:00:00.000Z".into()),
            KeyValue::S("T#2024-02-01T00:00:00.000Z".into()),
        )
    );
}
