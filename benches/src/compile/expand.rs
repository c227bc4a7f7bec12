//! How much code macros write.

use super::seconds::{Package, run};
use std::io;

/// Lines of code.
pub type Lines = usize;

impl Package {
    /// The lines of a program after macros, as the compiler prints them.
    pub(super) fn expanded(&self, program: &str) -> io::Result<Lines> {
        let output = run(self
            .cargo("rustc")
            // The compiler's own switches are not for stable programs; this one is only looked at.
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["--profile", "check", "--example", program])
            .args(["--", "-Zunpretty=expanded"]))?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.lines().filter(|line| !line.trim().is_empty()).count())
    }
}
