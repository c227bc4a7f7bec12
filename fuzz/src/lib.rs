//! Properties that must hold for any input: one function for each target, run by libFuzzer
//! (`cargo fuzz run <target>`), by a seeded loop over the corpus in `cargo test` ([`mutate`]), and
//! on single files (`cargo run -p dynamo-model-fuzz --bin <target> -- <file>`).
//!
//! A target fails by a panic: of the library, or of its own assertions.

pub mod cursor;
pub mod keys;
pub mod lock;
pub mod mutate;
pub mod stream;
pub mod template;
pub mod wire;

// The parser of the macro, included as source because a macro crate exports only macros.
#[allow(dead_code)]
#[path = "../../dynamo-model-derive/src/template.rs"]
mod grammar;
#[allow(dead_code)]
#[path = "../../dynamo-model-derive/src/suggest.rs"]
mod suggest;

/// A target by its name, which is also that of its corpus.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// As in `corpus/<name>`.
    pub name: &'static str,
    /// Panics if a property does not hold.
    pub check: fn(&[u8]),
    /// Pieces of its inputs.
    pub words: &'static [&'static str],
}

/// All of them.
pub const TARGETS: [Target; 6] = [
    Target {
        name: "keys",
        check: keys::check,
        words: keys::WORDS,
    },
    Target {
        name: "wire",
        check: wire::check,
        words: wire::WORDS,
    },
    Target {
        name: "cursor",
        check: cursor::check,
        words: cursor::WORDS,
    },
    Target {
        name: "template",
        check: template::check,
        words: template::WORDS,
    },
    Target {
        name: "stream",
        check: stream::check,
        words: stream::WORDS,
    },
    Target {
        name: "lock",
        check: lock::check,
        words: lock::WORDS,
    },
];

/// Runs a target on the files that the program was given.
pub fn replay(check: fn(&[u8])) -> std::io::Result<()> {
    let files: Vec<_> = std::env::args_os().skip(1).collect();
    for file in &files {
        check(&std::fs::read(file)?);
    }
    println!("{} inputs, nothing found", files.len());
    Ok(())
}
