//! Counts the lines of code that macros write.

use super::rustc::Rustc;
use std::io;

/// Lines of code.
pub type Lines = usize;

impl Rustc {
    /// Returns the lines of a program after macros, as the compiler prints them.
    pub(super) fn expanded(&self) -> io::Result<Lines> {
        let text = self.run("-Zunpretty=expanded")?;
        Ok(text.lines().filter(|line| !line.trim().is_empty()).count())
    }
}
