//! One part's value ⇄ its text, before escaping: the only code that formats and parses numbers,
//! times and identifiers in a key.
//!
//! [`encode`] writes any value, or returns its error; [`plain`] writes the usual ones, at the speed
//! of hand-written code; [`mod@decode`] reads them back. [`inline`] assembles the text of a value
//! that is not text itself, from [`digits`]; [`transform`] changes the case or the order of a text.

mod decode;
mod digits;
mod encode;
mod epoch;
mod inline;
mod known_length;
#[cfg(test)]
mod tests;
mod transform;

pub(crate) use decode::{decode, decode_integer};
pub(crate) use encode::Encoded;
pub(crate) use known_length::{marks, plain_len, push_plain, push_within};
#[cfg(feature = "client")]
pub(crate) use known_length::{strip, strip_prefix};

const UUID_LEN: usize = 36;
const ULID_LEN: usize = 26;
const DATE_LEN: usize = "2024-01-15".len();

/// The digits of a ULID.
const CROCKFORD: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
