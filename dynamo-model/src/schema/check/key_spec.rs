//! Rules about the specs in a template: `020`, `lower`, `epoch_s`.

use crate::key::template::{PartSchema, Template, Transform};
use crate::schema::message::{Message, Verdict};

/// A spec is for some kinds of values.
pub(super) const fn specs(template: &Template) -> Verdict {
    let mut parts = template.parts;
    while let [part, rest @ ..] = parts {
        if let Some(fit) = part.spec.unfit_for(part.kind) {
            return unfit_spec(template, part, fit);
        }
        if part.hides_empty() {
            return empty_is_hidden(template, part);
        }
        if let (Some(case), Some(values)) = (part.spec.transform, part.values)
            && let Some((a, b)) = same_in_one_case(values)
        {
            return one_case(part, case, (a, b));
        }
        parts = rest;
    }
    Verdict::FINE
}

/// Returns two values of an enum that `lower` or `upper` would make equal: their keys could not be
/// distinguished. Letters beyond ASCII count as equal, because constants cannot change their case;
/// letters of scripts without case do not.
const fn same_in_one_case(values: &[&'static str]) -> Option<(&'static str, &'static str)> {
    let mut rest = values;
    while let [first, others @ ..] = rest {
        let mut i = 0;
        while i < others.len() {
            if same_without_case(first.as_bytes(), others[i].as_bytes()) {
                return Some((first, others[i]));
            }
            i += 1;
        }
        rest = others;
    }
    None
}

const fn same_without_case(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while i < a.len() && i < b.len() {
        let beyond = !a[i].is_ascii() && !b[i].is_ascii();
        // U+3000 to U+9FFF: kana and ideographs.
        let without_case = matches!(a[i], 0xe3..=0xe9) || matches!(b[i], 0xe3..=0xe9);
        if beyond && !without_case && a[i] != b[i] {
            return true;
        }
        if !a[i].eq_ignore_ascii_case(&b[i]) {
            return false;
        }
        i += 1;
    }
    a.len() == b.len()
}

const fn one_case(part: &PartSchema, case: Transform, (a, b): (&str, &str)) -> Verdict {
    Verdict::wrong(
        Message::new("`")
            .text(case.as_str())
            .text("` gives the values ")
            .name(a)
            .text(" and ")
            .name(b)
            .text(" of the field ")
            .name(part.field)
            .text(" the same key; rename one of them, or remove `")
            .text(case.as_str())
            .text("`"),
    )
}

const fn unfit_spec(template: &Template, part: &PartSchema, fit: &str) -> Verdict {
    Verdict::wrong(
        Message::new("the spec in ")
            .name(template.text)
            .text(" is for ")
            .text(fit)
            .text(", but the field ")
            .name(part.field)
            .text(" is ")
            .text(part.kind.as_str())
            .text("; remove the spec, or change the field's type"),
    )
}

const fn empty_is_hidden(template: &Template, part: &PartSchema) -> Verdict {
    Verdict::wrong(
        Message::new("a value of ")
            .name(part.field)
            .text(" may begin with what follows it in ")
            .name(template.text)
            .text(
                ", so an empty part would be ambiguous; put another delimiter after it, as in `#`",
            ),
    )
}
