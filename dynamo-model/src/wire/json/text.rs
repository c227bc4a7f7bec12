//! The text of JSON strings: escaped and not.

use super::scan::{Short, plain};

/// Returns the text between two quotes, with its escapes decoded.
pub(crate) fn unescape(text: &str) -> Option<String> {
    let mut plain = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('\\') {
        plain.push_str(before);
        let mut chars = after.chars();
        let (character, used) = match chars.next()? {
            'n' => ('\n', 1),
            't' => ('\t', 1),
            'r' => ('\r', 1),
            'b' => ('\u{8}', 1),
            'f' => ('\u{c}', 1),
            same @ ('"' | '\\' | '/') => (same, 1),
            'u' => unicode(after)?,
            _ => return None,
        };
        plain.push(character);
        rest = &after[used..];
    }
    plain.push_str(rest);
    Some(plain)
}

/// Reads `u3042`, or `ud867\ude3d` for a character beyond 16 bits; returns its length too.
fn unicode(after: &str) -> Option<(char, usize)> {
    let unit = |at: usize| {
        let digits = after.get(at..at + 4)?;
        let hex = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
    };
    let first = unit(1)?;
    if !(0xD800..0xDC00).contains(&first) {
        return Some((char::from_u32(first)?, 5));
    }
    let second = unit(7).filter(|second| (0xDC00..0xE000).contains(second))?;
    if after.get(5..7) != Some("\\u") {
        return None;
    }
    let code = 0x1_0000 + ((first - 0xD800) << 10) + (second - 0xDC00);
    Some((char::from_u32(code)?, 11))
}

/// Appends a text with its quotes.
pub(crate) fn push_quoted(text: &str, out: &mut Vec<u8>) {
    if text.len() < 16 {
        let short = Short::new(text.as_bytes());
        if short.plain == text.len() {
            return push_short(&short, out);
        }
    }
    push_any(text, out);
}

/// Copies sixteen bytes, and truncates after the text. Most texts are short, without characters to
/// escape.
#[inline]
fn push_short(short: &Short, out: &mut Vec<u8>) {
    out.reserve(18);
    out.push(b'"');
    out.extend_from_slice(&short.bytes);
    out.truncate(out.len() - 16 + short.plain);
    out.push(b'"');
}

fn push_any(text: &str, out: &mut Vec<u8>) {
    let mut rest = text.as_bytes();
    out.reserve(rest.len() + 2);
    out.push(b'"');
    loop {
        let (before, after) = rest.split_at(plain(rest));
        out.extend_from_slice(before);
        let Some((special, after)) = after.split_first() else {
            break;
        };
        push_escape(*special, out);
        rest = after;
    }
    out.push(b'"');
}

#[cold]
fn push_escape(special: u8, out: &mut Vec<u8>) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    let short = match special {
        b'"' | b'\\' => special,
        b'\n' => b'n',
        b'\r' => b'r',
        b'\t' => b't',
        _ => {
            let (high, low) = (usize::from(special >> 4), usize::from(special & 15));
            out.extend_from_slice(b"\\u00");
            out.extend_from_slice(&[HEX[high], HEX[low]]);
            return;
        }
    };
    out.extend_from_slice(&[b'\\', short]);
}
