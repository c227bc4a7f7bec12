//! Colour, where it is wanted.

use std::io::IsTerminal;

/// Whether to paint.
#[derive(Clone, Copy)]
pub(crate) struct Paint(pub(crate) bool);

impl Paint {
    /// On a terminal, unless `NO_COLOR` is set.
    pub(crate) fn of(out: &impl IsTerminal) -> Self {
        Self(out.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()))
    }

    fn with(self, code: u8, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    pub(crate) fn bold(self, text: &str) -> String {
        self.with(1, text)
    }

    pub(crate) fn dim(self, text: &str) -> String {
        self.with(2, text)
    }

    pub(crate) fn red(self, text: &str) -> String {
        self.with(31, text)
    }

    pub(crate) fn green(self, text: &str) -> String {
        self.with(32, text)
    }

    pub(crate) fn cyan(self, text: &str) -> String {
        self.with(36, text)
    }
}
