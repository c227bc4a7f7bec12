//! Runs the compiler itself, as cargo calls it, with unstable switches for diagnosis. Cargo would
//! compile the dependencies again with such switches.

use super::seconds::Package;
use std::io;
use std::path::PathBuf;
use std::process::Command;

/// How cargo compiles a program for `cargo check`.
pub(super) struct Rustc {
    directory: PathBuf,
    /// For a shell.
    command: String,
}

impl Rustc {
    /// Compiles the program once, and listens.
    pub(super) fn of(package: &Package, program: &str) -> io::Result<Self> {
        package.touch(program)?;
        let mut cargo = package.cargo("check");
        let output = cargo.args(["--verbose", "--example", program]).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        // Running `… rustc --crate-name modyne_used …`
        let name = format!("--crate-name {} ", program.replace('-', "_"));
        let line = said.lines().find(|line| line.contains(&name));
        let command = line.and_then(|line| line.split('`').nth(1));
        let command = command.ok_or_else(|| io::Error::other(format!("no call in: {said}")))?;
        Ok(Self {
            directory: package.directory.clone(),
            command: command.to_owned(),
        })
    }

    /// Returns the compiler's output with this switch.
    pub(super) fn run(&self, switch: &str) -> io::Result<String> {
        let output = Command::new("sh")
            .current_dir(&self.directory)
            .env("RUSTC_BOOTSTRAP", "1")
            .args(["-c", &format!("{} {switch} 2>&1", self.command)])
            .output()?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        Err(io::Error::other(format!(
            "{} {switch} failed",
            self.command
        )))
    }
}
