//! The template parser of the macro: what it accepts, written down again, is the same template; what it refuses, it
//! explains.

use crate::grammar::{Placeholder, Precision, Spec, Template, TimePiece};

/// What templates are made of.
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
    "lower",
    "raw",
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
            let said = !errors.is_empty() && errors.iter().all(|error| !error.is_empty());
            assert!(said, "{text:?}");
        }
    }
}

fn write(template: &Template) -> String {
    let literal = |text: &str| text.replace('<', "<<");
    let mut out = literal(&template.head);
    for Placeholder { field, spec, after } in &template.parts {
        out += &match spec_text(spec) {
            Some(spec) => format!("<{field}:{spec}>"),
            None => format!("<{field}>"),
        };
        out += &literal(after);
    }
    out
}

fn spec_text(spec: &Spec) -> Option<String> {
    Some(match spec {
        Spec::Plain => return None,
        Spec::Padded(width) => format!("0{width}"),
        Spec::Precision(Precision::Seconds) => "s".into(),
        Spec::Precision(Precision::Millis) => "ms".into(),
        Spec::Precision(Precision::Micros) => "us".into(),
        Spec::Precision(Precision::Nanos) => "ns".into(),
        Spec::Format(pieces) => pieces.iter().map(piece_text).collect(),
        Spec::Lower => "lower".into(),
        Spec::Shard(count) => format!("shard({count})"),
        Spec::Raw => "raw".into(),
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
