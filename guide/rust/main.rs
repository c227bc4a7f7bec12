//! Builds the guide as web pages, checks it, and serves it on this machine.
//!
//! ```console
//! cargo run -p dynamo-model-guide             # builds it and serves it on http://127.0.0.1:3000
//! cargo run -p dynamo-model-guide -- build    # writes target/guide
//! cargo run -p dynamo-model-guide -- check    # fails on a broken link or a missing chapter
//! ```
//!
//! The book has mdBook's layout, so that mdBook can build it too. This program exists because
//! mdBook takes minutes to compile, and because it checks links into the repository.

mod book;

use book::Book;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

type Outcome<T> = Result<T, Box<dyn Error>>;

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let done = match command.as_deref() {
        None => serve(3000),
        Some("serve") => match arguments.next().map_or(Ok(3000), |port| port.parse()) {
            Ok(port) => serve(port),
            Err(error) => Err(error.into()),
        },
        Some("build") => build().map(|to| println!("{}", to.join("index.html").display())),
        Some("check") => check(),
        Some(other) => Err(format!("no command `{other}`; use serve, build or check").into()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the directory of the book: this crate.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Writes all pages, and returns their directory.
fn build() -> Outcome<PathBuf> {
    let to = root().join("../target/guide");
    let book = Book::read(root())?;
    book::pages::write(&book, &to)?;
    Ok(to)
}

fn check() -> Outcome<()> {
    let book = Book::read(root())?;
    let (links, mut problems) = book::links::check(&book)?;
    problems.extend(book::reference::check(&book)?);
    for problem in &problems {
        eprintln!("{problem}");
    }
    build()?;
    match problems.len() {
        0 => {
            let chapters = book.chapters().count();
            println!("{chapters} chapters, {links} links: fine");
            Ok(())
        }
        count => Err(format!("{count} problems in the guide").into()),
    }
}

fn serve(port: u16) -> Outcome<()> {
    let to = build()?;
    book::server::serve(&to, port)
}
