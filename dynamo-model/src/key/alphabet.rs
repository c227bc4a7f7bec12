//! The bytes that the text of a part can contain, known at compile time. They decide whether a part
//! needs escaping, and whether two templates can collide.

use super::escape::Escape;
use super::part::kind::Name;
use super::template::{Form, Spec, TimePiece, Transform};

/// A set of bytes: the ASCII ones by bit, all others together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alphabet {
    ascii: u128,
    beyond: bool,
}

// Constants, because the compiler evaluates one of them for every part of every entity.
const DIGITS: Alphabet = Alphabet::none().with("0123456789");
const DIGITS_AND_MINUS: Alphabet = DIGITS.with("-");
const DIGITS_AND_TILDE: Alphabet = DIGITS.with("~");
const BOOLEAN: Alphabet = Alphabet::none().with("truefalse");
const TIME: Alphabet = DIGITS.with("-:T.Z");
const UUID: Alphabet = DIGITS.with("abcdef-");
const ULID: Alphabet = DIGITS.with("ABCDEFGHJKMNPQRSTVWXYZ");

impl Alphabet {
    pub(crate) const ANY: Self = Self {
        ascii: u128::MAX,
        beyond: true,
    };

    const fn none() -> Self {
        Self {
            ascii: 0,
            beyond: false,
        }
    }

    const fn with(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        let mut i = 0;
        while i < bytes.len() {
            if bytes[i] < 128 {
                self.ascii |= 1 << bytes[i];
            } else {
                self.beyond = true;
            }
            i += 1;
        }
        self
    }

    /// Returns a set of one byte.
    pub(crate) const fn byte(byte: u8) -> Self {
        if byte < 128 {
            Self {
                ascii: 1 << byte,
                beyond: false,
            }
        } else {
            Self {
                ascii: 0,
                beyond: true,
            }
        }
    }

    /// Returns the bytes of a part's text, before escaping.
    pub(crate) const fn of(
        kind: Name,
        spec: Spec,
        values: Option<&'static [&'static str]>,
    ) -> Self {
        let plain = Self::untransformed(kind, spec, values);
        match spec.transform {
            Some(Transform::Lower | Transform::Upper) => plain.in_one_case(spec.transform),
            _ => plain,
        }
    }

    /// Keeps letters in lower or upper case. A few characters beyond ASCII have ASCII letters
    /// there.
    const fn in_one_case(self, transform: Option<Transform>) -> Self {
        const LOWER: u128 = Alphabet::none().with("abcdefghijklmnopqrstuvwxyz").ascii;
        const UPPER: u128 = LOWER >> 32;
        let letters = LOWER | UPPER;
        let cased = match (transform, self.beyond) {
            (Some(Transform::Upper), true) => UPPER,
            (Some(Transform::Upper), false) => (self.ascii >> 32 | self.ascii) & UPPER,
            (_, true) => LOWER,
            (_, false) => (self.ascii << 32 | self.ascii) & LOWER,
        };
        Self {
            ascii: self.ascii & !letters | cased,
            beyond: self.beyond,
        }
    }

    const fn untransformed(
        kind: Name,
        spec: Spec,
        values: Option<&'static [&'static str]>,
    ) -> Self {
        match (spec.form, kind) {
            (Form::Shard(_) | Form::Epoch(_), _) => DIGITS,
            (Form::Format(pieces), _) => {
                let mut set = DIGITS;
                let mut i = 0;
                while i < pieces.len() {
                    if let TimePiece::Literal(text) = pieces[i] {
                        set = set.with(text);
                    }
                    i += 1;
                }
                set
            }
            (_, Name::Text | Name::Enum) => match values {
                None => Self::ANY,
                Some(values) => {
                    let mut set = Self::none();
                    let mut i = 0;
                    while i < values.len() {
                        set = set.with(values[i]);
                        i += 1;
                    }
                    set
                }
            },
            (_, Name::Integer) if spec.is_descending() => DIGITS_AND_TILDE,
            (_, Name::Integer | Name::Date) => DIGITS_AND_MINUS,
            (_, Name::Boolean) => BOOLEAN,
            (_, Name::Time) => TIME,
            (_, Name::Uuid) => UUID,
            (_, Name::Ulid) => ULID,
            (_, Name::Bytes | Name::Decimal) => Self::ANY,
        }
    }

    /// Returns the bytes left once the text is escaped.
    pub(crate) const fn escaped(mut self, escape: Escape) -> Self {
        match escape {
            Escape::None => self,
            // The lead and the hex digits sort above every escaped byte.
            Escape::Below(lead) => {
                self.ascii &= !((1 << lead) - 1);
                self.with("0123456789ABCDEF").join(Self::byte(lead))
            }
            Escape::Only { delimiter, lead } => {
                self.ascii &= !(1 << delimiter);
                self.with("0123456789ABCDEF").join(Self::byte(lead))
            }
        }
    }

    const fn join(self, other: Self) -> Self {
        Self {
            ascii: self.ascii | other.ascii,
            beyond: self.beyond || other.beyond,
        }
    }

    /// Returns whether some byte is in both sets.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.ascii & other.ascii != 0 || (self.beyond && other.beyond)
    }

    /// Returns whether the set has all bytes of a text.
    pub(crate) fn spells(self, text: &str) -> bool {
        text.bytes().all(|byte| self.meets(Self::byte(byte)))
    }

    /// Returns whether any of its bytes would be escaped. Uses bits instead of a loop, because it
    /// runs at compile time for every entity.
    pub(crate) const fn touches(self, escape: Escape) -> bool {
        self.ascii & escape.ascii() != 0
    }
}
