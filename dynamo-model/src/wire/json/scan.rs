//! A scanner of JSON bytes that neither allocates nor recurses.

use super::walk::Walk;
use core::fmt;
use core::num::NonZeroUsize;
use core::ops::Range;
use wide::u8x16;

/// The position of invalid JSON: it is truncated, or not JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Broken {
    at: usize,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the JSON is broken at byte {}", self.at)
    }
}

impl std::error::Error for Broken {}

/// A string between its quotes.
#[derive(Debug, Clone)]
pub(crate) struct Quoted {
    pub(crate) range: Range<usize>,
    /// Whether it has a backslash in it.
    pub(crate) escaped: bool,
}

/// A value `{"S":"…"}` or `{"N":"…"}` without escapes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct PlainText {
    /// Where the value begins.
    start: usize,
    /// Where its text ends: never at the beginning, so that an option of it takes no more room.
    end: NonZeroUsize,
}

impl PlainText {
    /// Returns the place of its text.
    #[inline]
    pub(crate) fn range(self) -> Range<usize> {
        self.start + SHORT..self.end.get()
    }

    /// Returns its text in the JSON in which it was found.
    #[inline]
    pub(crate) fn of(self, json: &[u8]) -> Option<&[u8]> {
        json.get(self.range())
    }
}

/// How far the bytes have been read.
#[derive(Debug, Clone)]
pub(crate) struct Scan<'t> {
    bytes: &'t [u8],
    at: usize,
}

impl<'t> Scan<'t> {
    pub(crate) fn new(bytes: &'t [u8], at: usize) -> Self {
        Self { bytes, at }
    }

    /// Returns the position.
    #[inline]
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    pub(crate) fn broken(&self) -> Broken {
        Broken { at: self.at }
    }

    /// Returns the next byte that is not white space.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<u8, Broken> {
        match self.bytes.get(self.at) {
            // DynamoDB sends none.
            Some(byte) if *byte > b' ' => Ok(*byte),
            _ => self.peek_after_space(),
        }
    }

    #[cold]
    fn peek_after_space(&mut self) -> Result<u8, Broken> {
        loop {
            match self.bytes.get(self.at) {
                Some(b' ' | b'\n' | b'\r' | b'\t') => self.at += 1,
                Some(byte) => return Ok(*byte),
                None => return Err(self.broken()),
            }
        }
    }

    #[inline]
    pub(crate) fn expect(&mut self, byte: u8) -> Result<(), Broken> {
        if self.bytes.get(self.at) != Some(&byte) && self.peek()? != byte {
            return Err(self.broken());
        }
        self.at += 1;
        Ok(())
    }

    /// Passes the next byte if it is this one. Returns whether it was.
    #[inline]
    pub(crate) fn accept(&mut self, byte: u8) -> Result<bool, Broken> {
        let next = self.peek()? == byte;
        self.at += usize::from(next);
        Ok(next)
    }

    /// Passes exactly these bytes, if they are next.
    #[inline]
    pub(crate) fn accept_all(&mut self, bytes: &[u8]) -> bool {
        let next = self.bytes[self.at..].starts_with(bytes);
        self.at += if next { bytes.len() } else { 0 };
        next
    }

    /// Checks that only white space is left.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        match self.peek() {
            Err(_) => Ok(()),
            Ok(_) => Err(self.broken()),
        }
    }

    #[inline(always)]
    pub(crate) fn string(&mut self) -> Result<Quoted, Broken> {
        self.expect(b'"')?;
        let start = self.at;
        let end = special_from(self.bytes, start);
        if self.bytes.get(end) != Some(&b'"') {
            return self.escaped_string(start, end);
        }
        self.at = end + 1;
        let (range, escaped) = (start..end, false);
        Ok(Quoted { range, escaped })
    }

    /// Continues a string with escapes.
    #[cold]
    fn escaped_string(&mut self, start: usize, at: usize) -> Result<Quoted, Broken> {
        match after_string(self.bytes, at) {
            Ok(after) => self.at = after,
            Err(end) => return self.broken_at(end),
        }
        let (range, escaped) = (start..self.at - 1, true);
        Ok(Quoted { range, escaped })
    }

    /// Reads the next name of an object, and the colon after it; `None` at its end. `first` is for
    /// the comma.
    #[inline]
    pub(crate) fn name(&mut self, first: &mut bool) -> Result<Option<Quoted>, Broken> {
        if !self.more(b'}', first)? {
            return Ok(None);
        }
        let name = self.string()?;
        self.expect(b':')?;
        Ok(Some(name))
    }

    /// Returns whether another element follows in an array or object, before the byte that closes
    /// it.
    #[inline(always)]
    pub(crate) fn more(&mut self, close: u8, first: &mut bool) -> Result<bool, Broken> {
        if self.accept(close)? {
            return Ok(false);
        }
        if !core::mem::take(first) {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// Skips one value.
    pub(crate) fn skip(&mut self) -> Result<(), Broken> {
        self.value().map(|_| ())
    }

    /// Passes one value of any kind. Returns its place.
    pub(crate) fn value(&mut self) -> Result<Range<usize>, Broken> {
        let first = self.peek()?;
        let start = self.at;
        match first {
            b'{' | b'[' => self.nested()?,
            b'"' => self.string().map(|_| ())?,
            _ => self.word()?,
        }
        Ok(start..self.at)
    }

    /// Skips to the bracket that closes the next one. The reader checks that each is closed by its
    /// own kind.
    fn nested(&mut self) -> Result<(), Broken> {
        // Most values are a text or a number, and passed as one.
        if is_short(self.bytes, self.at) {
            let end = special_from(self.bytes, self.at + SHORT);
            if self.bytes[end..].starts_with(b"\"}") {
                self.at = end + 2;
                return Ok(());
            }
        }
        match Walk::default().over(&self.bytes[self.at..]) {
            Ok(length) => {
                self.at += length;
                Ok(())
            }
            Err(length) => self.broken_at(self.at + length),
        }
    }

    #[cold]
    fn broken_at<T>(&mut self, at: usize) -> Result<T, Broken> {
        self.at = at;
        Err(self.broken())
    }

    /// Returns the next value, if it begins like this, without advancing. `None` also for a text
    /// with escapes.
    #[inline]
    pub(crate) fn plain_text(&self, open: &[u8; SHORT]) -> Option<PlainText> {
        let start = self.at;
        if self.bytes.get(start..)?.first_chunk() != Some(open) {
            return None;
        }
        let end = special_from(self.bytes, start + SHORT);
        if !self.bytes.get(end..)?.starts_with(b"\"}") {
            return None;
        }
        let end = NonZeroUsize::new(end)?;
        Some(PlainText { start, end })
    }

    /// Returns the next name of an object, and passes the colon. Returns `None` without advancing
    /// at the end of the object, at white space, and for a name with escapes.
    #[inline(always)]
    pub(crate) fn plain_name(&mut self, first: bool) -> Option<Range<usize>> {
        let start = match self.bytes.get(self.at..)? {
            [b',', b'"', ..] if !first => self.at + 2,
            [b'"', ..] if first => self.at + 1,
            _ => return None,
        };
        let end = special_from(self.bytes, start);
        if !self.bytes.get(end..)?.starts_with(b"\":") {
            return None;
        }
        self.at = end + 2;
        Some(start..end)
    }

    /// Returns the text of a value that was looked at.
    #[inline]
    pub(crate) fn text(&self, value: PlainText) -> Option<&'t [u8]> {
        value.of(self.bytes)
    }

    /// Skips a value that was inspected before, if it is next.
    #[inline]
    pub(crate) fn accept_text(&mut self, value: PlainText) -> bool {
        let next = value.start == self.at;
        if next {
            self.at = value.end.get() + 2;
        }
        next
    }

    /// Passes a number, or one of the three words.
    fn word(&mut self) -> Result<(), Broken> {
        let rest = &self.bytes[self.at..];
        let part = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
        let length = rest.iter().take_while(|byte| part(byte)).count();
        if length == 0 {
            return Err(self.broken());
        }
        self.at += length;
        Ok(())
    }
}

/// How long `{"S":"` is, and `{"N":"`.
const SHORT: usize = 6;
pub(crate) const OPEN_S: &[u8; SHORT] = b"{\"S\":\"";
pub(crate) const OPEN_N: &[u8; SHORT] = b"{\"N\":\"";

/// Returns whether a text or a number begins here.
#[inline]
fn is_short(bytes: &[u8], at: usize) -> bool {
    const FIRST_SIX: u64 = 0xFFFF_FFFF_FFFF;
    const S: u64 = u64::from_le_bytes(*b"{\"S\":\"\0\0");
    const N: u64 = u64::from_le_bytes(*b"{\"N\":\"\0\0");
    let Some(eight) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) else {
        return false;
    };
    let six = u64::from_le_bytes(*eight) & FIRST_SIX;
    six == S || six == N
}

/// Returns the end of a string whose first quote is before `at`; or the position where it is
/// truncated.
fn after_string(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    loop {
        at = special_from(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at += 2,
            // A control character, which JSON has only escaped, or the end.
            _ => return Err(at.min(bytes.len())),
        }
    }
}

/// Returns how many bytes from here are literal in a JSON string.
#[inline]
pub(crate) fn plain(bytes: &[u8]) -> usize {
    special_from(bytes, 0)
}

/// Returns the position of the first byte, from `at`, that is not literal in a JSON string; or the
/// end. Inspects sixteen bytes a step: most strings are no longer.
#[inline(always)]
fn special_from(bytes: &[u8], mut at: usize) -> usize {
    while let Some(sixteen) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let marks = special(u8x16::new(*sixteen));
        if marks != 0 {
            return at + marks.trailing_zeros() as usize;
        }
        at += 16;
    }
    special_at_end(bytes, at)
}

/// Does the same for fewer than sixteen remaining bytes. If sixteen bytes exist before them, the
/// last ones are inspected again.
#[inline(never)]
fn special_at_end(bytes: &[u8], at: usize) -> usize {
    let Some(sixteen) = bytes.last_chunk() else {
        let short = Short::new(bytes.get(at..).unwrap_or_default());
        return at + short.plain;
    };
    let before = at.saturating_sub(bytes.len() - 16);
    let marks = special(u8x16::new(*sixteen)) >> before;
    // After the last one, as if it were a control character.
    (at + marks.trailing_zeros() as usize).min(bytes.len())
}

/// Fewer than sixteen bytes, followed by zeros, assembled from overlapping parts: their number is
/// known only at run time, and copying them one by one is slower.
pub(super) struct Short {
    pub(super) bytes: [u8; 16],
    /// The number of bytes before the first special one.
    pub(super) plain: usize,
}

impl Short {
    /// Loads the first and the last bytes, if there are more.
    #[inline]
    pub(super) fn new(bytes: &[u8]) -> Self {
        let length = bytes.len();
        let both = |first: u64, last: u64, size: usize| {
            u128::from(first) | u128::from(last) << (8 * (length - size))
        };
        let whole = if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            both(u64::from_le_bytes(*first), u64::from_le_bytes(*last), 8)
        } else if let (Some(first), Some(last)) = (bytes.first_chunk(), bytes.last_chunk()) {
            let (first, last) = (u32::from_le_bytes(*first), u32::from_le_bytes(*last));
            both(first.into(), last.into(), 4)
        } else if let (Some(first), Some(last)) = (bytes.first(), bytes.last()) {
            let middle = u64::from(bytes[length / 2]) << (8 * (length / 2));
            both(u64::from(*first) | middle, u64::from(*last), 1)
        } else {
            0
        };
        let bytes = whole.to_le_bytes();
        let plain = special(u8x16::new(bytes)).trailing_zeros() as usize;
        Self { bytes, plain }
    }
}

/// Returns a bit for each special byte: a control character, a quote, or a backslash.
#[inline(always)]
fn special(bytes: u8x16) -> u32 {
    let control = bytes.min(u8x16::splat(b' ' - 1)).simd_eq(bytes);
    let quote = bytes.simd_eq(u8x16::splat(b'"'));
    let backslash = bytes.simd_eq(u8x16::splat(b'\\'));
    (control | quote | backslash).to_bitmask()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Covers every byte, at every place before and after the border of a step.
    #[test]
    fn what_is_special_is_found_wherever_it_is() {
        for length in 0..40 {
            assert_eq!(plain(&vec![b'a'; length]), length);
            for at in 0..length {
                for byte in 0..=u8::MAX {
                    let mut bytes = vec![0xE3; length];
                    bytes[at] = byte;
                    let special = byte < b' ' || byte == b'"' || byte == b'\\';
                    assert_eq!(plain(&bytes), if special { at } else { length });
                }
            }
        }
    }
}
