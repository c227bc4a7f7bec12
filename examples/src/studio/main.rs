//! `studio`: opens the studio over one of the six schemas, with its sample data on the embedded
//! engine.

use dynamo_model::Dynamo;
use dynamo_model_examples::{Result, SCHEMAS, Schema};
use dynamo_model_tools::studio::Studio;
use std::io::{self, Write};
use std::process::ExitCode;

const FAILURE: u8 = 1;
const MISUSE: u8 = 2;

#[derive(Default)]
struct Arguments {
    schema: Option<&'static Schema>,
    port: u16,
    write: bool,
    show_sensitive: bool,
}

#[tokio::main]
async fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if arguments
        .iter()
        .any(|it| matches!(it.as_str(), "--help" | "-h"))
    {
        return say(&usage(), ExitCode::SUCCESS);
    }
    let parsed = match parse(&arguments) {
        Ok(parsed) => parsed,
        Err(message) => {
            let text = format!("studio: {message}; try `studio --help`\n");
            return say(&text, ExitCode::from(MISUSE));
        }
    };
    match open(parsed).await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => say(&format!("studio: {error}\n"), ExitCode::from(FAILURE)),
    }
}

async fn open(arguments: Arguments) -> Result<()> {
    let schema = arguments.schema.unwrap_or(&SCHEMAS[0]);
    let db = Dynamo::embedded()?;
    let mut loaded = 0;
    (schema.load)(&db, &mut |items| loaded = items).await?;
    let studio = Studio::new((schema.live)(), db)
        .port(arguments.port)
        .write(arguments.write)
        .show_sensitive(arguments.show_sensitive);
    let open = studio.open().await?;
    let text = format!(
        "{loaded} items of `{}` are loaded. Open {}\n",
        schema.name,
        open.url()
    );
    io::stdout().write_all(text.as_bytes())?;
    Ok(open.run().await?)
}

fn parse(arguments: &[String]) -> Result<Arguments, String> {
    let mut parsed = Arguments::default();
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        match argument.as_str() {
            "--write" => parsed.write = true,
            "--show-sensitive" => parsed.show_sensitive = true,
            "--port" => {
                let port = rest.next().and_then(|it| it.parse().ok());
                parsed.port = port.ok_or("`--port` needs a number from 0 to 65535")?;
            }
            option if option.starts_with('-') => return Err(format!("no option `{option}`")),
            name => {
                let schema = SCHEMAS.iter().find(|it| it.name == name);
                let there = || format!("no schema `{name}`; there are {}", names());
                parsed.schema = Some(schema.ok_or_else(there)?);
            }
        }
    }
    Ok(parsed)
}

/// A failure to print is ignored.
fn say(text: &str, code: ExitCode) -> ExitCode {
    let _ = io::stderr().write_all(text.as_bytes());
    code
}

fn names() -> String {
    SCHEMAS.map(|schema| schema.name).join(", ")
}

fn usage() -> String {
    format!(
        "Opens the studio over a schema, with sample data on the embedded engine.\n\n\
         Usage: studio [NAME] [--write] [--show-sensitive] [--port PORT]\n\n\
         Names: {}\n\n  \
         --write           allow writes; they are lost at the end\n  \
         --show-sensitive  show sensitive fields\n  \
         --port            listen on this port instead of a free one\n",
        names()
    )
}
