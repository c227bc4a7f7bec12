//! Error messages put together at compile time, where `format!` cannot go.

use super::table::IndexId;

const CAPACITY: usize = 1_024;

/// The text of a compile error in the making.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Message {
    bytes: [u8; CAPACITY],
    len: usize,
}

impl Message {
    pub(crate) const fn new(text: &str) -> Self {
        Self {
            bytes: [0; CAPACITY],
            len: 0,
        }
        .text(text)
    }

    /// Appends text; truncates it at the capacity, at the end of a character.
    pub(crate) const fn text(mut self, text: &str) -> Self {
        let bytes = text.as_bytes();
        if self.len + bytes.len() > CAPACITY {
            return self;
        }
        let mut i = 0;
        while i < bytes.len() {
            self.bytes[self.len] = bytes[i];
            self.len += 1;
            i += 1;
        }
        self
    }

    /// Appends a name of the user's, in backticks.
    pub(crate) const fn name(self, name: &str) -> Self {
        self.text("`").text(name).text("`")
    }

    /// Appends `gsi1` and the like.
    pub(crate) const fn index(self, id: IndexId) -> Self {
        let (kind, number) = match id {
            IndexId::Gsi(number) => ("gsi", number),
            IndexId::Lsi(number) => ("lsi", number),
            IndexId::Vector(number) => ("vector", number),
        };
        let tens = [b'0' + number / 10 % 10];
        let ones = [b'0' + number % 10];
        let mut this = self.text(kind);
        if number > 9 {
            this = this.ascii(&tens);
        }
        this.ascii(&ones)
    }

    /// Appends a number.
    pub(crate) const fn number(self, number: usize) -> Self {
        let this = if number > 9 {
            self.number(number / 10)
        } else {
            self
        };
        this.ascii(&[b'0' + (number % 10) as u8])
    }

    pub(crate) const fn into_wrong(self) -> Verdict {
        Verdict::wrong(self)
    }

    const fn ascii(self, bytes: &[u8]) -> Self {
        match core::str::from_utf8(bytes) {
            Ok(text) => self.text(text),
            Err(_) => self,
        }
    }

    const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// The result of a check: success, or the message of a compile error.
#[derive(Debug, Clone, Copy)]
#[must_use]
pub struct Verdict(Option<Message>);

impl Verdict {
    pub(crate) const FINE: Self = Self(None);

    pub(crate) const fn wrong(message: Message) -> Self {
        Self(Some(message))
    }

    pub(crate) const fn is_wrong(&self) -> bool {
        self.0.is_some()
    }

    /// Stops the compilation where the check is written, if it failed.
    #[track_caller]
    #[allow(clippy::panic)]
    pub const fn enforce(self) {
        if let Some(message) = self.0 {
            panic!("{}", message.as_str());
        }
    }
}

/// Compares strings like `==`, in constants.
pub(crate) const fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([x, a_rest @ ..], [y, b_rest @ ..]) = (a, b) {
        if *x != *y {
            return false;
        }
        (a, b) = (a_rest, b_rest);
    }
    matches!((a, b), ([], []))
}
