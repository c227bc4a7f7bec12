//! `tour`: every access pattern of the five documents and of `hosting`, on an engine in the process
//! or on another one.

mod keys;
mod options;
mod paint;
mod patterns;

use options::{Options, Request};
use paint::Paint;
use std::io::{self, BufWriter, Write};
use std::process::ExitCode;

const FAILURE: u8 = 1;
const MISUSE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let arguments = arguments.map(|argument| argument.to_string_lossy().into_owned());
    let request = match options::read(arguments) {
        Ok(request) => request,
        Err(message) => {
            // A failure to print is ignored.
            let _ = writeln!(io::stderr(), "tour: {message}; try `tour --help`");
            return ExitCode::from(MISUSE);
        }
    };
    match run(request).await {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(FAILURE),
        // The reader has seen enough, as in `tour | head`.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "tour: cannot write: {error}");
            ExitCode::from(FAILURE)
        }
    }
}

/// Whether all is as promised.
async fn run(request: Request) -> io::Result<bool> {
    let stdout = io::stdout();
    let paint = Paint::of(&stdout);
    let mut out = BufWriter::new(stdout);
    let fine = match request {
        Request::Help => out.write_all(options::USAGE.as_bytes()).map(|()| true),
        Request::Tour(Options {
            keys: true,
            schemas,
            ..
        }) => keys::print(&mut out, paint, &schemas),
        Request::Tour(options) => patterns::run(&mut out, paint, &options).await,
    }?;
    out.flush()?;
    Ok(fine)
}
