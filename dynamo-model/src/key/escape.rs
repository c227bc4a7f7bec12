//! Escaping: a value that contains the delimiter after it must not reach into the next part.
//!
//! Two ways, chosen at compile time by the character that follows the placeholder:
//!
//! - **Below.** After `#` and every other character up to `+`, each byte of the value that is not
//!   above the *next* character (`$` for `#`) becomes that next character and two hex digits. The
//!   delimiter is then smaller than every byte of the value, and an escape is smaller than any
//!   ordinary character, so the whole key sorts as the tuple of its parts: `a` < `a!` < `ab` gives
//!   `a#` < `a$21#` < `ab#`.
//! - **Only.** After `/`, `:`, `_` and the like, which sort above digits or letters, keeping order
//!   would mean escaping those. Only the delimiter and `%` are escaped, as `%3A`; such a part does
//!   not sort, and the compiler refuses a range on it.
//!
//! The last part of a partition key has no delimiter after it, but a value that contains the
//! delimiter could still equal the partition key of a longer template. So the delimiter and its
//! escape are escaped there; the order stays.
//!
//! Each character is escaped on its own, so the escape of a prefix is a prefix of the escape.

/// How the text of one part is escaped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// No escape is needed: the last part of a sort key, a part of fixed width, one without the
    /// delimiter in its alphabet, or `raw`.
    None,
    /// Every byte up to and including this one, which also leads the escape. Keeps order.
    Below(u8),
    /// Escapes two bytes: the delimiter, and the lead of the escape.
    Only { delimiter: u8, lead: u8 },
}

/// Returns the bit of an ASCII byte.
const fn bit(byte: u8) -> u128 {
    if byte < 128 { 1 << byte } else { 0 }
}

/// The highest delimiter after which order can be kept without escaping ordinary text.
const HIGHEST_ORDERED: u8 = b'+';

impl Escape {
    /// Returns the escape of a part of any text before `delimiter`.
    pub(crate) const fn before(delimiter: u8) -> Self {
        if delimiter <= HIGHEST_ORDERED {
            Escape::Below(delimiter + 1)
        } else {
            Escape::Only {
                delimiter,
                lead: b'%',
            }
        }
    }

    /// Returns the escape of the last part of a partition key after `delimiter`: no value may equal
    /// a longer key. No text follows against which it would have to sort, so two escaped characters
    /// are enough.
    pub(crate) const fn at_end(delimiter: u8) -> Self {
        Escape::Only {
            delimiter,
            lead: delimiter + 1,
        }
    }

    /// Compares like `==`, in constants.
    pub(crate) const fn same(self, other: Self) -> bool {
        match (self, other) {
            (Escape::None, Escape::None) => true,
            (Escape::Below(a), Escape::Below(b)) => a == b,
            (Escape::Only { delimiter: a, .. }, Escape::Only { delimiter: b, .. }) => a == b,
            _ => false,
        }
    }

    #[inline]
    pub(crate) const fn hits(self, byte: u8) -> bool {
        match self {
            Escape::None => false,
            Escape::Below(lead) => byte <= lead,
            Escape::Only { delimiter, lead } => byte == delimiter || byte == lead,
        }
    }

    /// Returns the ASCII bytes that need escaping, by bit.
    pub(crate) const fn ascii(self) -> u128 {
        match self {
            Escape::None => 0,
            Escape::Below(lead) => (bit(lead) << 1).wrapping_sub(1),
            Escape::Only { delimiter, lead } => bit(delimiter) | bit(lead),
        }
    }

    /// Returns how many bytes of `text` need escaping. Each takes two more bytes.
    pub(crate) fn count(self, text: &str) -> usize {
        match self {
            Escape::None => 0,
            Escape::Below(lead) => count(text, |byte| byte <= lead),
            Escape::Only { delimiter, lead } => {
                count(text, |byte| byte == delimiter || byte == lead)
            }
        }
    }

    /// Returns whether anything in `text` needs escaping.
    pub(crate) fn touches(self, text: &str) -> bool {
        self.marks(text) & MARKS != 0
    }

    /// Returns some of the bits in [`MARKS`] if a byte of `text` needs escaping, and none of them
    /// otherwise; other bits have no meaning. So the marks of several texts can be joined and
    /// tested once.
    ///
    /// Inlined for texts of 8 to 16 bytes, as most identifiers are: two words that overlap, and no
    /// call.
    #[inline(always)]
    pub(crate) fn marks(self, text: &str) -> u64 {
        let bytes = text.as_bytes();
        let any = match (self, bytes.first_chunk(), bytes.last_chunk()) {
            (Escape::None, ..) => false,
            (_, Some(&first), Some(&last)) if bytes.len() <= 16 => {
                let [first, last] = [first, last].map(u64::from_ne_bytes);
                return self.marks_in(first) | self.marks_in(last);
            }
            (Escape::Below(lead), ..) => any_up_to(bytes, lead),
            (Escape::Only { delimiter, lead }, ..) => any_of(bytes, [delimiter, lead]),
        };
        if any { MARKS } else { 0 }
    }

    #[inline(always)]
    const fn marks_in(self, word: u64) -> u64 {
        match self {
            Escape::None => 0,
            Escape::Below(lead) => marks_below(word, lead + 1),
            Escape::Only { delimiter, lead } => {
                // Zero where the word has that byte.
                let (a, b) = (EACH * delimiter as u64, EACH * lead as u64);
                marks_below(word ^ a, 1) | marks_below(word ^ b, 1)
            }
        }
    }

    const fn lead(self) -> char {
        match self {
            Escape::None => '%',
            Escape::Below(lead) | Escape::Only { lead, .. } => lead as char,
        }
    }

    /// Appends `character`, escaped if it must be. Only ASCII is ever escaped.
    pub(crate) fn push(self, character: char, out: &mut String) {
        if character.is_ascii() && self.hits(character as u8) {
            out.extend(self.escaped(character as u8));
        } else {
            out.push(character);
        }
    }

    const fn escaped(self, byte: u8) -> [char; 3] {
        const HEX: &[u8; 16] = b"0123456789ABCDEF";
        let (high, low) = (HEX[(byte >> 4) as usize], HEX[(byte & 15) as usize]);
        [self.lead(), high as char, low as char]
    }

    /// Returns the rest of `key` after `character`, escaped if necessary; `None` if the key does
    /// not begin with it.
    pub(crate) fn strip(self, character: char, key: &str) -> Option<&str> {
        if !character.is_ascii() || !self.hits(character as u8) {
            return key.strip_prefix(character);
        }
        let escaped = self.escaped(character as u8);
        escaped
            .into_iter()
            .try_fold(key, |key, it| key.strip_prefix(it))
    }

    /// Undoes [`push`](Self::push). Returns `None` for text that it never writes: a bare delimiter,
    /// a broken escape, or an escape of a character that needs none.
    pub(crate) fn undo(self, text: &str) -> Option<String> {
        let mut out = String::with_capacity(text.len());
        let mut characters = text.chars();
        while let Some(character) = characters.next() {
            if character == self.lead() {
                let high = characters.next()?.to_digit(16)?;
                let low = characters.next()?.to_digit(16)?;
                let byte = u8::try_from(high * 16 + low).ok()?;
                if !self.hits(byte) || !byte.is_ascii() {
                    return None;
                }
                out.push(byte as char);
            } else if character.is_ascii() && self.hits(character as u8) {
                return None;
            } else {
                out.push(character);
            }
        }
        Some(out)
    }
}

/// Counts without branches, eight lanes at a time where the compiler can.
#[inline]
fn count(text: &str, hit: impl Fn(u8) -> bool) -> usize {
    text.bytes().map(|byte| usize::from(hit(byte))).sum()
}

/// One in each byte of a word.
const EACH: u64 = u64::MAX / 255;
/// The highest bit of each byte.
pub(crate) const MARKS: u64 = EACH << 7;

/// Returns a mark if a byte of `word` is below `past`, possibly with other marks, and none if all
/// are `past` or above. Only a byte below it makes the subtraction borrow. Bytes
/// from 128 up look as if they did, and are excluded.
#[inline(always)]
const fn marks_below(word: u64, past: u8) -> u64 {
    word.wrapping_sub(EACH * past as u64) & !word
}

/// Returns whether one of `bytes` is at most `most`.
fn any_up_to(bytes: &[u8], most: u8) -> bool {
    any(bytes, |byte| byte <= most)
}

/// Returns whether `bytes` contains one of the two.
fn any_of(bytes: &[u8], [a, b]: [u8; 2]) -> bool {
    any(bytes, |byte| (byte == a) | (byte == b))
}

/// Looks at blocks of one size, which the compiler turns into a few instructions each. The last
/// block overlaps the one before it: to look twice is quicker than to look at single bytes.
/// [`Escape::marks`] has looked at texts of 8 to 16 bytes itself.
#[inline(always)]
fn any(bytes: &[u8], hit: impl Fn(u8) -> bool + Copy) -> bool {
    if let Some(last) = bytes.last_chunk::<16>() {
        let (blocks, _) = bytes[..bytes.len() - 1].as_chunks::<16>();
        blocks.iter().any(|block| any_in(block, hit)) || any_in(last, hit)
    } else if let (Some(first), Some(last)) = (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
        any_in(first, hit) | any_in(last, hit)
    } else {
        bytes.iter().any(|&byte| hit(byte))
    }
}

#[inline(always)]
fn any_in<const N: usize>(block: &[u8; N], hit: impl Fn(u8) -> bool) -> bool {
    block.iter().fold(false, |any, &byte| any | hit(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers every byte, in texts of every length, also at the borders of blocks.
    #[test]
    fn the_fast_scan_agrees_with_the_slow_one() {
        let around = ["", "a", "zzzzzzz", "\u{7f}é鈴", "0123456789abcdef"];
        for escape in (0..128).map(Escape::before) {
            for middle in (0..128_u8).map(char::from).chain(['é', '鈴', '\u{10ffff}']) {
                for (before, after) in around.iter().flat_map(|b| around.map(|a| (b, a))) {
                    let text = format!("{before}{middle}{after}");
                    assert_eq!(
                        escape.touches(&text),
                        escape.count(&text) > 0,
                        "{escape:?} {text:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn bits_mark_the_matching_bytes() {
        let before = (0..128).map(Escape::before);
        let at_end = (0..127).map(Escape::at_end);
        for escape in before.chain(at_end).chain([Escape::None]) {
            for byte in 0..128 {
                let by_bit = escape.ascii() >> byte & 1 == 1;
                assert_eq!(by_bit, escape.hits(byte), "{escape:?} {byte}");
            }
        }
    }

    /// Covers one byte to escape, at every place in texts of every length.
    #[test]
    fn every_position_is_found() {
        for (delimiter, hit) in [(b'#', '#'), (b':', ':'), (b':', '%')] {
            let escape = Escape::before(delimiter);
            for (len, context) in
                (0..40).flat_map(|len| (0..=len).map(move |context| (len, context)))
            {
                let mut text = "z".repeat(len);
                assert!(!escape.touches(&text), "{text}");
                text.insert(context, hit);
                assert!(escape.touches(&text), "{text}");
            }
        }
    }

    fn escaped(escape: Escape, text: &str) -> String {
        let mut out = String::new();
        text.chars().for_each(|c| escape.push(c, &mut out));
        assert_eq!(out.len(), text.len() + 2 * escape.count(text));
        assert_eq!(escape.undo(&out).as_deref(), Some(text));
        out
    }

    #[test]
    fn ordinary_text_is_not_escaped() {
        for text in [
            "u1",
            "user@example.com",
            "社団戦/2025/鈴木",
            "FE-2023-01",
            "100%",
            "a+b:c_d",
        ] {
            assert_eq!(escaped(Escape::before(b'#'), text), text);
        }
    }

    #[test]
    fn the_delimiter_and_what_sorts_below_it_are_escaped() {
        assert_eq!(escaped(Escape::before(b'#'), "a#ADMIN"), "a$23ADMIN");
        assert_eq!(escaped(Escape::before(b'#'), "a b!$"), "a$20b$21$24");
        assert_eq!(escaped(Escape::before(b':'), "a:b 1%"), "a%3Ab 1%25");
    }

    #[test]
    fn invalid_escapes_are_refused() {
        let escape = Escape::before(b'#');
        for text in ["a#b", "a$", "a$2", "a$zz", "a$41", "a b"] {
            assert_eq!(escape.undo(text), None, "{text}");
        }
    }
}
