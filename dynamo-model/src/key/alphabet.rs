//! Which bytes the text of a part can contain, known at compile time: it decides whether a part needs
//! escaping at all, and whether two templates can meet.

use super::escape::Escape;
use super::part::kind::Name;
use super::template::{Spec, TimePiece};

/// A set of bytes: the ASCII ones by bit, all others together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Alphabet {
    ascii: u128,
    beyond: bool,
}

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

    /// One byte.
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

    /// The bytes of a part's text, before escaping.
    pub(crate) const fn of(
        kind: Name,
        spec: Spec,
        values: Option<&'static [&'static str]>,
    ) -> Self {
        const DIGITS: &str = "0123456789";
        match (spec, kind) {
            (Spec::Shard(_), _) => Self::none().with(DIGITS),
            (Spec::Format(pieces), _) => {
                let mut set = Self::none().with(DIGITS);
                let mut i = 0;
                while i < pieces.len() {
                    if let TimePiece::Literal(text) = pieces[i] {
                        set = set.with(text);
                    }
                    i += 1;
                }
                set
            }
            (Spec::Lower | Spec::Raw, _) => Self::ANY,
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
            (_, Name::Integer) => Self::none().with(DIGITS).with("-"),
            (_, Name::Boolean) => Self::none().with("truefalse"),
            (_, Name::Time) => Self::none().with(DIGITS).with("-:T.Z"),
            (_, Name::Date) => Self::none().with(DIGITS).with("-"),
            (_, Name::Uuid) => Self::none().with(DIGITS).with("abcdef-"),
            (_, Name::Ulid) => Self::none().with(DIGITS).with("ABCDEFGHJKMNPQRSTVWXYZ"),
            (_, Name::Bytes) => Self::ANY,
        }
    }

    pub(crate) const fn contains(self, byte: u8) -> bool {
        if byte < 128 {
            self.ascii >> byte & 1 == 1
        } else {
            self.beyond
        }
    }

    /// The bytes left once the text is escaped.
    pub(crate) const fn escaped(mut self, escape: Escape) -> Self {
        match escape {
            Escape::None => self,
            // The lead and the hex digits are above everything that is escaped.
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

    /// Whether some byte is in both.
    pub(crate) const fn meets(self, other: Self) -> bool {
        self.ascii & other.ascii != 0 || (self.beyond && other.beyond)
    }

    /// Whether any of its bytes would be escaped.
    pub(crate) const fn touches(self, escape: Escape) -> bool {
        let mut byte = 0;
        while byte < 128 {
            if self.contains(byte) && escape.hits(byte) {
                return true;
            }
            byte += 1;
        }
        false
    }
}
