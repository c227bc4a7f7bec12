//! Tests of the overlap check: predicted collisions against built keys.

use super::{can_meet, keys_can_meet};
use crate::key::part::PartValue;
use crate::key::template::{Field, Form, PartSchema, Role, Spec, Template, Transform};
use proptest::prelude::*;

struct Text;
impl Field for Text {
    type Part = String;
}

struct Number;
impl Field for Number {
    type Part = u8;
}

/// A template with up to two parts over very few characters, so that two of them often collide.
#[derive(Debug, Clone)]
struct Sketch {
    head: &'static str,
    parts: Vec<(Kind, &'static str)>,
}

#[derive(Debug, Clone, Copy)]
enum Kind {
    Text,
    Number,
    Padded,
}

impl Sketch {
    fn template(&self) -> &'static Template {
        let last = self.parts.len().saturating_sub(1);
        let parts: Vec<PartSchema> = self
            .parts
            .iter()
            .enumerate()
            .map(|(i, &(kind, after))| {
                // Between two parts there is always something.
                let after = if i < last && after.is_empty() {
                    "#"
                } else {
                    after
                };
                match kind {
                    Kind::Text => PartSchema::new::<Text>("text", Spec::PLAIN, after),
                    Kind::Number => PartSchema::new::<Number>("number", Spec::PLAIN, after),
                    Kind::Padded => {
                        PartSchema::new::<Number>("number", Spec::of(Form::Padded(2)), after)
                    }
                }
            })
            .collect();
        let parts: &'static [PartSchema] = Box::leak(parts.into_boxed_slice());
        Box::leak(Box::new(Template::new(
            "E",
            Role::SortKey,
            self.head,
            self.head,
            parts,
        )))
    }

    /// Returns the key for these values, or `None` if a part refuses one.
    fn build(&self, texts: &[String; 2], numbers: [u8; 2]) -> Option<String> {
        let value = |i: usize| match self.parts[i].0 {
            Kind::Text => PartValue::Text(&texts[i]),
            Kind::Number | Kind::Padded => PartValue::Integer {
                negative: false,
                magnitude: numbers[i].into(),
            },
        };
        let template = self.template();
        match self.parts.len() {
            0 => template.text([]).ok(),
            1 => template.text([value(0)]).ok(),
            _ => template.text([value(0), value(1)]).ok(),
        }
    }
}

fn sketch() -> impl Strategy<Value = Sketch> {
    let literal = || proptest::sample::select(vec!["", "", "#", "#1", "A#", "A", "#A#", ":1"]);
    let after = proptest::sample::select(vec!["", "#", "#1", ":", "#A#"]);
    let kind = proptest::sample::select(vec![Kind::Text, Kind::Text, Kind::Number, Kind::Padded]);
    (literal(), proptest::collection::vec((kind, after), 0..3))
        .prop_map(|(head, parts)| Sketch { head, parts })
}

fn text() -> impl Strategy<Value = String> {
    let character = proptest::sample::select(vec!['1', 'A', '#', ':', '2', '3', '$', '%']);
    proptest::collection::vec(character, 1..4).prop_map(String::from_iter)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 20_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn keys_that_collide_were_predicted(
        a in sketch(), b in sketch(),
        texts in [[text(), text()], [text(), text()]],
        numbers in [[0..13_u8, 0..13_u8], [0..13_u8, 0..13_u8]],
    ) {
        let keys = a.build(&texts[0], numbers[0]).zip(b.build(&texts[1], numbers[1]));
        if let Some((x, y)) = keys && x == y {
            prop_assert!(can_meet(a.template(), b.template()), "{a:?} and {b:?} both make {x}");
        }
        prop_assert!(can_meet(a.template(), a.template()), "{a:?} meets itself");
        prop_assert_eq!(
            can_meet(a.template(), b.template()), can_meet(b.template(), a.template()),
            "{:?} {:?}", a, b
        );
    }
}

fn meets(
    a: (&'static str, &[(Kind, &'static str)]),
    b: (&'static str, &[(Kind, &'static str)]),
) -> bool {
    let [a, b] = [a, b].map(|(head, parts)| Sketch {
        head,
        parts: parts.to_vec(),
    });
    can_meet(a.template(), b.template())
}

#[test]
fn templates_of_one_table_are_compared() {
    // The literals differ.
    assert!(!meets(("PROFILE", &[]), ("ANSWER#", &[(Kind::Text, "")])));
    assert!(!meets(
        ("tag#uname#", &[(Kind::Text, "")]),
        ("tag#kid#", &[(Kind::Text, "")])
    ));
    assert!(!meets(("A", &[]), ("A#", &[(Kind::Text, "")])));
    // A value may equal the other's literal.
    assert!(meets(("USER#", &[(Kind::Text, "")]), ("USER#ADMIN", &[])));
    assert!(meets(
        ("", &[(Kind::Text, "")]),
        ("USER#", &[(Kind::Text, "#"), (Kind::Text, "")])
    ));
    // A value that is escaped, or has another alphabet or width, cannot.
    assert!(!meets(
        ("", &[(Kind::Text, "#X")]),
        ("A#B", &[(Kind::Text, "#X")])
    ));
    assert!(!meets(("ITEM#", &[(Kind::Number, "")]), ("ITEM#META", &[])));
    assert!(!meets(("ITEM#", &[(Kind::Padded, "")]), ("ITEM#123", &[])));
    assert!(meets(("ITEM#", &[(Kind::Padded, "")]), ("ITEM#12", &[])));
}

/// A key of two templates whose parts name fields, so that the sort key can repeat those of the
/// partition key.
#[derive(Debug, Clone)]
struct KeySketch {
    pk: HalfSketch,
    sk: HalfSketch,
}

type HalfSketch = (&'static str, Vec<(Named, &'static str)>);

/// A field and its form; `A` and `B` are texts, `N` is a number.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Named {
    A,
    B,
    LowerA,
    RawA,
    N,
    PaddedN,
}

/// The values of one item: of `A`, of `B`, of `N`.
type Values = (String, String, u8);

impl Named {
    fn part(self, after: &'static str) -> PartSchema {
        let lower = Spec::PLAIN.with(Transform::Lower);
        match self {
            Named::A => PartSchema::new::<Text>("a", Spec::PLAIN, after),
            Named::B => PartSchema::new::<Text>("b", Spec::PLAIN, after),
            Named::LowerA => PartSchema::new::<Text>("a", lower, after),
            Named::RawA => PartSchema::new::<Text>("a", Spec::PLAIN.raw(), after),
            Named::N => PartSchema::new::<Number>("n", Spec::PLAIN, after),
            Named::PaddedN => PartSchema::new::<Number>("n", Spec::of(Form::Padded(2)), after),
        }
    }

    fn value(self, (a, b, n): &Values) -> PartValue<'_> {
        match self {
            Named::A | Named::LowerA | Named::RawA => PartValue::Text(a),
            Named::B => PartValue::Text(b),
            Named::N | Named::PaddedN => PartValue::Integer {
                negative: false,
                magnitude: (*n).into(),
            },
        }
    }
}

fn half((head, parts): &HalfSketch, role: Role) -> &'static Template {
    let last = parts.len().saturating_sub(1);
    let parts = parts.iter().enumerate().map(|(i, &(part, after))| {
        // Between two parts there is always something.
        part.part(if i < last && after.is_empty() {
            "#"
        } else {
            after
        })
    });
    let parts: &'static [PartSchema] = Box::leak(parts.collect());
    Box::leak(Box::new(Template::new("E", role, head, head, parts)))
}

fn text_of(
    template: &'static Template,
    (_, parts): &HalfSketch,
    values: &Values,
) -> Option<String> {
    let value = |i: usize| parts[i].0.value(values);
    match parts.len() {
        0 => template.text([]).ok(),
        1 => template.text([value(0)]).ok(),
        _ => template.text([value(0), value(1)]).ok(),
    }
}

impl KeySketch {
    fn templates(&self) -> (&'static Template, Option<&'static Template>) {
        let pk = half(&self.pk, Role::PartitionKey);
        (pk, Some(half(&self.sk, Role::SortKey)))
    }

    fn build(&self, values: &Values) -> Option<(String, String)> {
        let (pk, sk) = self.templates();
        Some((
            text_of(pk, &self.pk, values)?,
            text_of(sk?, &self.sk, values)?,
        ))
    }
}

fn key_sketch() -> impl Strategy<Value = KeySketch> {
    let head = || proptest::sample::select(vec!["", "", "A#", "#"]);
    let after = || proptest::sample::select(vec!["", "", "#", "#1", "#A#", ":"]);
    let named = [
        Named::A,
        Named::A,
        Named::B,
        Named::LowerA,
        Named::RawA,
        Named::N,
        Named::PaddedN,
    ];
    let part = move || (proptest::sample::select(named.to_vec()), after());
    let half = move || (head(), proptest::collection::vec(part(), 0..3));
    (half(), half()).prop_map(|(pk, sk)| KeySketch { pk, sk })
}

fn values() -> impl Strategy<Value = Values> {
    let texts = [
        "1", "A", "a", "#", "1#1", "A#A#1", "1#A#12", "1:1", "$23", "a#", "#1",
    ];
    let text = move || proptest::sample::select(texts.map(String::from).to_vec());
    (text(), text(), 0..13_u8)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60_000, failure_persistence: None, ..ProptestConfig::default() })]

    /// design §3: overlap checks understand repeated fields. They return "disjoint" only if no
    /// values collide.
    #[test]
    fn whole_keys_that_collide_were_predicted(
        a in key_sketch(), b in key_sketch(), one_shape in any::<bool>(),
        x in values(), y in values(), one_value in any::<bool>(),
    ) {
        let b = if one_shape { KeySketch { pk: a.pk.clone(), ..b } } else { b };
        let y = if one_value { (x.0.clone(), y.1, y.2) } else { y };
        if let Some((one, other)) = a.build(&x).zip(b.build(&y)) && one == other {
            let met = keys_can_meet(a.templates(), b.templates());
            prop_assert!(met, "{a:?} of {x:?} and {b:?} of {y:?} both make {one:?}");
        }
        let met = keys_can_meet(a.templates(), b.templates());
        prop_assert_eq!(met, keys_can_meet(b.templates(), a.templates()), "{:?} {:?}", a, b);
        prop_assert!(keys_can_meet(a.templates(), a.templates()), "{a:?} meets itself");
        let apart = can_meet(a.templates().0, b.templates().0);
        prop_assert!(apart || !met, "a partition tells them apart");
    }
}

fn keys_meet(a: (HalfSketch, HalfSketch), b: (HalfSketch, HalfSketch)) -> bool {
    let [a, b] = [a, b].map(|(pk, sk)| KeySketch { pk, sk });
    keys_can_meet(a.templates(), b.templates())
}

/// Finding: "`ORDER#<id>`/`ORDER#<id>` beside `ORDER#<id>`/`ORDER#<id>#ITEM#<n:03>`"
#[test]
fn a_sort_key_that_repeats_the_partition_key_differs_from_a_longer_one() {
    let order = |parts: &[(Named, &'static str)]| ("ORDER#", parts.to_vec());
    let id = || order(&[(Named::A, "")]);
    let item = || order(&[(Named::A, "#ITEM#"), (Named::PaddedN, "")]);
    assert!(!keys_meet((id(), id()), (id(), item())));
    assert!(!keys_meet((id(), item()), (id(), id())));
    // The same form in both halves, for any form.
    let lower = || order(&[(Named::LowerA, "")]);
    let lower_item = || order(&[(Named::LowerA, "#ITEM#"), (Named::N, "")]);
    assert!(!keys_meet((lower(), lower()), (lower(), lower_item())));
    // Fields with another name, at the same position of the partition key.
    let other = || order(&[(Named::B, "")]);
    assert!(!keys_meet((other(), other()), (id(), item())));
    // Not repeated, or not escaped in the partition key: the text may hold the rest.
    assert!(keys_meet((id(), other()), (id(), item())));
    let raw = || order(&[(Named::RawA, "")]);
    assert!(keys_meet((raw(), raw()), (raw(), item())));
    // Both can be as long as the other.
    let open = || order(&[(Named::A, "#"), (Named::B, "")]);
    assert!(keys_meet((id(), open()), (id(), item())));
}
