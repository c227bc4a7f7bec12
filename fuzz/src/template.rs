//! The template parser of the macro: an accepted template, printed and parsed again, is the same
//! template; a refused one has an explanation.

use crate::grammar::{
    EpochUnit, Form, Placeholder, Precision, Spec, Template, TimePiece, Transform,
};

/// Pieces of templates.
pub const WORDS: &[&str] = &[
    "<",
    ">",
    "<<",
    ":",
    "#",
    "%",
    "%%",
    "%Y",
    "%m",
    "%d",
    "%j",
    "%H",
    "%M",
    "%S",
    "%3f",
    "%9f",
    "%F",
    "%T",
    "shard(",
    "shard(10)",
    ")",
    "0",
    "020",
    "039",
    "040",
    "s",
    "ms",
    "us",
    "ns",
    "epoch_s",
    "epoch_ms",
    "lower",
    "upper",
    "raw",
    "or_empty",
    "desc",
    "+",
    "r#",
    "a",
    "_",
    "type",
    "é",
    "円",
    " ",
    "\n",
    "\u{0}",
    "<a>",
    "<b:06>",
    "<user_id>",
    "😀",
];

/// DynamoDB's limit for a partition key.
const MAX_BYTES: usize = 2_048;

/// A template.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    match Template::parse(&text, MAX_BYTES) {
        Ok(template) => {
            let written = write(&template);
            let again = Template::parse(&written, MAX_BYTES);
            let same = again.is_ok_and(|it| it.head == template.head && it.parts == template.parts);
            assert!(same, "{text:?} is {written:?}");
        }
        Err(errors) => {
            let said = !errors.is_empty() && errors.iter().all(|error| !error.message.is_empty());
            assert!(said, "{text:?}");
        }
    }
}

fn write(template: &Template) -> String {
    let literal = |text: &str| text.replace('<', "<<");
    let mut out = literal(&template.head);
    for Placeholder {
        field, spec, after, ..
    } in &template.parts
    {
        out += &match spec_text(spec) {
            Some(spec) => format!("<{field}:{spec}>"),
            None => format!("<{field}>"),
        };
        out += &literal(after);
    }
    out
}

fn spec_text(spec: &Spec) -> Option<String> {
    let transform = spec.transform.map(|transform| match transform {
        Transform::Lower => "lower".to_owned(),
        Transform::Upper => "upper".to_owned(),
        Transform::Descending => "desc".to_owned(),
    });
    let raw = spec.raw.then(|| "raw".to_owned());
    let or_empty = spec.or_empty.then(|| "or_empty".to_owned());
    let words: Vec<_> = [form_text(&spec.form), transform, raw, or_empty]
        .into_iter()
        .flatten()
        .collect();
    (!words.is_empty()).then(|| words.join("+"))
}

fn form_text(form: &Form) -> Option<String> {
    Some(match form {
        Form::Plain => return None,
        Form::Padded(width) => format!("0{width}"),
        Form::Precision(Precision::Seconds) => "s".into(),
        Form::Precision(Precision::Millis) => "ms".into(),
        Form::Precision(Precision::Micros) => "us".into(),
        Form::Precision(Precision::Nanos) => "ns".into(),
        Form::Epoch(EpochUnit::Seconds) => "epoch_s".into(),
        Form::Epoch(EpochUnit::Millis) => "epoch_ms".into(),
        Form::Format(pieces) => pieces.iter().map(piece_text).collect(),
        Form::Shard(count) => format!("shard({count})"),
    })
}

fn piece_text(piece: &TimePiece) -> String {
    match piece {
        TimePiece::Literal(text) => text.replace('%', "%%"),
        TimePiece::Year => "%Y".into(),
        TimePiece::Month => "%m".into(),
        TimePiece::Day => "%d".into(),
        TimePiece::DayOfYear => "%j".into(),
        TimePiece::Hour => "%H".into(),
        TimePiece::Minute => "%M".into(),
        TimePiece::Second => "%S".into(),
        TimePiece::Fraction(digits) => format!("%{digits}f"),
    }
}
