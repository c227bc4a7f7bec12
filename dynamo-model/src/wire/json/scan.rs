//! A walk over JSON bytes that allocates nothing and calls nothing recursively.

use core::fmt;
use core::ops::Range;

/// Where the JSON is not what it should be: it is cut off, or not JSON at all.
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

    pub(crate) fn broken(&self) -> Broken {
        Broken { at: self.at }
    }

    /// The next byte that is no white space.
    #[inline]
    pub(crate) fn peek(&mut self) -> Result<u8, Broken> {
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
        if self.peek()? != byte {
            return Err(self.broken());
        }
        self.at += 1;
        Ok(())
    }

    /// Whether the next byte is this one, which is passed then.
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

    /// Nothing but white space is left.
    pub(crate) fn end(&mut self) -> Result<(), Broken> {
        match self.peek() {
            Err(_) => Ok(()),
            Ok(_) => Err(self.broken()),
        }
    }

    #[inline]
    pub(crate) fn string(&mut self) -> Result<Quoted, Broken> {
        self.expect(b'"')?;
        let start = self.at;
        let mut escaped = false;
        loop {
            self.at += plain(&self.bytes[self.at..]);
            match self.bytes.get(self.at) {
                Some(b'"') => break,
                Some(b'\\') => {
                    escaped = true;
                    self.at += 2;
                    if self.at > self.bytes.len() {
                        self.at = self.bytes.len();
                        return Err(self.broken());
                    }
                }
                // A control character, which JSON has only escaped, or the end.
                _ => return Err(self.broken()),
            }
        }
        let range = start..self.at;
        self.at += 1;
        Ok(Quoted { range, escaped })
    }

    /// The next name of an object, and the colon after it; `None` at its end. `first` is for the comma.
    #[inline]
    pub(crate) fn name(&mut self, first: &mut bool) -> Result<Option<Quoted>, Broken> {
        if !self.more(b'}', first)? {
            return Ok(None);
        }
        let name = self.string()?;
        self.expect(b':')?;
        Ok(Some(name))
    }

    /// Whether another element follows in an array or object, before the byte that closes it.
    #[inline]
    pub(crate) fn more(&mut self, close: u8, first: &mut bool) -> Result<bool, Broken> {
        if self.accept(close)? {
            return Ok(false);
        }
        if !core::mem::take(first) {
            self.expect(b',')?;
        }
        Ok(true)
    }

    /// Passes one value that nobody wants.
    pub(crate) fn skip(&mut self) -> Result<(), Broken> {
        self.value().map(|_| ())
    }

    /// Passes one value of any kind; where it was.
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

    /// Passes everything up to the bracket that closes the next one. That each is closed by its own kind is left
    /// to whoever reads it.
    fn nested(&mut self) -> Result<(), Broken> {
        let (mut at, mut open) = (self.at, 0_usize);
        loop {
            match self.bytes.get(at) {
                Some(b'"') => match after_string(self.bytes, at + 1) {
                    Ok(after) => at = after,
                    Err(end) => {
                        self.at = end;
                        return Err(self.broken());
                    }
                },
                Some(b'{' | b'[') => {
                    open += 1;
                    at += 1;
                }
                Some(b'}' | b']') => {
                    open -= 1;
                    at += 1;
                    if open == 0 {
                        self.at = at;
                        return Ok(());
                    }
                }
                Some(_) => at += 1,
                None => {
                    self.at = at;
                    return Err(self.broken());
                }
            }
        }
    }

    /// A number, or one of the three words.
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

/// Where a string ends whose first quote is before `at`; or where it breaks off.
#[inline]
fn after_string(bytes: &[u8], mut at: usize) -> Result<usize, usize> {
    loop {
        at += plain(bytes.get(at..).unwrap_or_default());
        match bytes.get(at) {
            Some(b'"') => return Ok(at + 1),
            Some(b'\\') => at += 2,
            _ => return Err(at.min(bytes.len())),
        }
    }
}

/// How many bytes from here on stand for themselves in a JSON string. Eight are looked at in one step.
#[inline]
pub(crate) fn plain(bytes: &[u8]) -> usize {
    let mut at = 0;
    while let Some(eight) = bytes[at..].first_chunk::<8>() {
        let marks = special(u64::from_le_bytes(*eight));
        if marks != 0 {
            return at + (marks.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    // The last eight once more, of which the first are known to be plain.
    if let Some(eight) = bytes.last_chunk::<8>() {
        let marks = special(u64::from_le_bytes(*eight));
        let found = (marks.trailing_zeros() / 8) as usize;
        return bytes.len() - 8 + found.min(8);
    }
    let rest = bytes[at..].iter();
    at + rest.take_while(|byte| !is_special(**byte)).count()
}

fn is_special(byte: u8) -> bool {
    byte < b' ' || byte == b'"' || byte == b'\\'
}

/// The high bit of each byte that is special. A borrow may mark a byte above one that is rightly marked; the
/// lowest mark is always right.
#[inline]
fn special(eight: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let zero = |word: u64| word.wrapping_sub(ONES) & !word;
    let quote = zero(eight ^ (ONES * b'"' as u64));
    let backslash = zero(eight ^ (ONES * b'\\' as u64));
    let control = eight.wrapping_sub(ONES * b' ' as u64) & !eight;
    (quote | backslash | control) & HIGH
}
