//! The options of the tour.

use dynamo_model_examples::{SCHEMAS, Schema};

pub(crate) const USAGE: &str = "\
Runs every access pattern of five documents and of a sixth schema, and says whether each does what is promised.

Usage: tour [OPTIONS]

Options:
  --schema NAME   only this one: exam, shop, booking, shogi, q or hosting
  --endpoint URL  on the engine there, as http://localhost:8000, instead of one in the process
  --explain       the whole of each request, as it was sent
  --json          a JSON object a line: each pattern, then the summary
  --keys          instead, every key of the schemas, built from sample values and parsed back
  --help          this text

Ends with 0 if all is as promised, 1 if something is not, 2 if it was called wrongly.
";

const VALID: &str =
    "`--schema NAME`, `--endpoint URL`, `--explain`, `--json`, `--keys` and `--help`";

pub(crate) enum Request {
    Help,
    Tour(Options),
}

#[derive(Debug)]
pub(crate) struct Options {
    pub(crate) schemas: Vec<Schema>,
    pub(crate) endpoint: Option<String>,
    pub(crate) explain: bool,
    pub(crate) json: bool,
    pub(crate) keys: bool,
}

pub(crate) fn read(mut arguments: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut options = Options {
        schemas: SCHEMAS.to_vec(),
        endpoint: None,
        explain: false,
        json: false,
        keys: false,
    };
    while let Some(argument) = arguments.next() {
        let (option, value) = match argument.split_once('=') {
            Some((option, value)) => (option.to_owned(), Some(value.to_owned())),
            None => (argument, None),
        };
        let mut value = |what: &str| {
            let value = value.clone().or_else(|| arguments.next());
            value.ok_or_else(|| format!("`{option}` needs {what}"))
        };
        match option.as_str() {
            "--help" | "-h" => return Ok(Request::Help),
            "--schema" => options.schemas = schema(&value(&format!("a name: {}", names()))?)?,
            "--endpoint" => options.endpoint = Some(value("an address, as http://localhost:8000")?),
            "--explain" => options.explain = true,
            "--json" => options.json = true,
            "--keys" => options.keys = true,
            _ => return Err(format!("no option `{option}`; there are {VALID}")),
        }
    }
    Ok(Request::Tour(options))
}

fn schema(name: &str) -> Result<Vec<Schema>, String> {
    let found: Vec<_> = SCHEMAS.into_iter().filter(|it| it.name == name).collect();
    if found.is_empty() {
        return Err(format!("no schema `{name}`; there are {}", names()));
    }
    Ok(found)
}

fn names() -> String {
    SCHEMAS.map(|schema| schema.name).join(", ")
}
