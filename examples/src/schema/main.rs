//! `schema`: prints an output of one of the six schemas.

use dynamo_model_examples::outputs::{OUTPUTS, Output, Settings, find};
use dynamo_model_examples::{Result, SCHEMAS, Schema};
use std::io::{self, Write};
use std::process::ExitCode;

const FAILURE: u8 = 1;
const MISUSE: u8 = 2;

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os()
        .skip(1)
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    let arguments: Vec<_> = arguments.iter().map(String::as_str).collect();
    match arguments.as_slice() {
        [] | ["--help" | "-h"] => say(&usage()),
        [name, output] => match (find(name), OUTPUTS.iter().find(|it| it.name == *output)) {
            (Some((schema, settings)), Some(output)) => print(&schema, &settings, output).await,
            (None, _) => misuse(&format!("no schema `{name}`; there are {}", names())),
            (_, None) => misuse(&format!("no output `{output}`; there are {}", outputs())),
        },
        _ => misuse("a schema and an output are needed, as in `schema booking cloudformation`"),
    }
}

async fn print(schema: &Schema, settings: &Settings, output: &Output) -> ExitCode {
    match render(schema, settings, output).await {
        Ok(text) => say(&text),
        Err(error) => {
            // A failure to print is ignored.
            let _ = writeln!(io::stderr(), "schema: {error}");
            ExitCode::from(FAILURE)
        }
    }
}

async fn render(schema: &Schema, settings: &Settings, output: &Output) -> Result<String> {
    output.render(&schema.model(settings).await?, settings)
}

/// A closed pipe, as in `schema q html | head`, is not a failure.
fn say(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => ExitCode::from(FAILURE),
        _ => ExitCode::SUCCESS,
    }
}

fn misuse(message: &str) -> ExitCode {
    let _ = writeln!(io::stderr(), "schema: {message}; try `schema --help`");
    ExitCode::from(MISUSE)
}

fn names() -> String {
    SCHEMAS.map(|schema| schema.name).join(", ")
}

fn outputs() -> String {
    OUTPUTS.map(|output| output.name).join(", ")
}

fn usage() -> String {
    let outputs = OUTPUTS.iter();
    let outputs: String = outputs
        .map(|it| format!("  {:<16}{}\n", it.name, it.what))
        .collect();
    format!(
        "Prints what is made from the declarations of one of the six schemas.\n\n\
         Usage: schema NAME OUTPUT\n\nNames: {}\n\nOutputs:\n{outputs}",
        names()
    )
}
