//! Measures the compile time of a program of fifty entities: ours against the same structs with
//! serde alone, and with each library. The program is generated, so that it differs only in the
//! library's attributes.

mod crates;
mod expand;
mod passes;
mod rustc;
mod seconds;

pub use crates::{ENTITIES, LIBRARIES, Library};
pub use expand::Lines;

use rustc::Rustc;
use seconds::Package;
use std::io;

/// The cost of one library's entities.
#[derive(Debug, Clone)]
pub struct Cost {
    /// `serde`, or a library.
    pub library: String,
    /// Whether the entities are also read and written, or only declared.
    pub used: bool,
    /// Of `cargo check`, dependencies ready.
    pub check: Seconds,
    /// Seconds of `cargo build`.
    pub build: Seconds,
    /// Of the whole program, after macros.
    pub lines: usize,
    /// Seconds of `cargo check` by the compiler's passes, largest first.
    pub passes: Vec<(String, f64)>,
}

/// How long a command takes.
#[derive(Debug, Clone, Copy)]
pub struct Seconds {
    /// Elapsed time.
    pub wall: f64,
    /// Processor time: it depends little on other load.
    pub processor: f64,
}

/// Generates the programs and compiles each several times; the median counts.
///
/// # Errors
///
/// If a program cannot be written or does not compile.
pub fn measure() -> io::Result<Vec<Cost>> {
    let package = Package::generate()?;
    let mut costs = Vec::new();
    for used in [false, true] {
        for library in LIBRARIES {
            let program = crates::program(library.name, used);
            let rustc = Rustc::of(&package, &program)?;
            costs.push(Cost {
                library: library.name.into(),
                used,
                check: package.seconds("check", &program)?,
                build: package.seconds("build", &program)?,
                lines: rustc.expanded()?,
                passes: rustc.passes()?,
            });
            eprintln!("{program}: done");
        }
    }
    Ok(costs)
}
