use super::can_meet;
use crate::key::part::PartValue;
use crate::key::template::{Field, Form, PartSchema, Role, Spec, Template};
use proptest::prelude::*;

struct Text;
impl Field for Text {
    type Part = String;
}

struct Number;
impl Field for Number {
    type Part = u8;
}

/// A template with up to two parts over very few characters, so that two of them often meet.
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

    /// The key for these values, or `None` where a part refuses one.
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
    fn what_meets_was_foreseen(
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
fn templates_of_one_table() {
    // The literal tells them apart.
    assert!(!meets(("PROFILE", &[]), ("ANSWER#", &[(Kind::Text, "")])));
    assert!(!meets(
        ("tag#uname#", &[(Kind::Text, "")]),
        ("tag#kid#", &[(Kind::Text, "")])
    ));
    assert!(!meets(("A", &[]), ("A#", &[(Kind::Text, "")])));
    // A value may be the other's literal.
    assert!(meets(("USER#", &[(Kind::Text, "")]), ("USER#ADMIN", &[])));
    assert!(meets(
        ("", &[(Kind::Text, "")]),
        ("USER#", &[(Kind::Text, "#"), (Kind::Text, "")])
    ));
    // Not so for a value that is escaped, or has another alphabet or width.
    assert!(!meets(
        ("", &[(Kind::Text, "#X")]),
        ("A#B", &[(Kind::Text, "#X")])
    ));
    assert!(!meets(("ITEM#", &[(Kind::Number, "")]), ("ITEM#META", &[])));
    assert!(!meets(("ITEM#", &[(Kind::Padded, "")]), ("ITEM#123", &[])));
    assert!(meets(("ITEM#", &[(Kind::Padded, "")]), ("ITEM#12", &[])));
}
