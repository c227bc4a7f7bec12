//! `tour`: prints every key of the five schemas, built from the documents' sample values, and checks that
//! each parses back to the parts that made it.

use dynamo_model_examples::{SCHEMAS, Sample, SampleKey, Schema};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::process::ExitCode;

const USAGE: &str = "\
Prints every key of the five example schemas, and checks that it parses back.

Usage: tour [--schema NAME]

Options:
  --schema NAME  only this one: exam, shop, booking, shogi or q
  --help         this text

Ends with 0 if all keys are right, 1 if one is not, 2 if it was called wrongly.
";

const FAILURE: u8 = 1;
const MISUSE: u8 = 2;

enum Request {
    Help,
    Tour(Vec<Schema>),
}

fn main() -> ExitCode {
    let arguments = std::env::args_os().skip(1);
    let request = read(arguments.map(|argument| argument.to_string_lossy().into_owned()));
    let stdout = io::stdout();
    let paint =
        Paint(stdout.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()));
    let mut out = BufWriter::new(stdout.lock());
    let written = match request {
        Ok(Request::Help) => out.write_all(USAGE.as_bytes()).map(|()| true),
        Ok(Request::Tour(schemas)) => tour(&mut out, paint, &schemas),
        Err(message) => {
            // Nothing to be done where even this cannot be said.
            let _ = writeln!(io::stderr(), "tour: {message}; try `tour --help`");
            return ExitCode::from(MISUSE);
        }
    };
    match written.and_then(|fine| out.flush().map(|()| fine)) {
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

fn read(mut arguments: impl Iterator<Item = String>) -> Result<Request, String> {
    let mut schemas = SCHEMAS.to_vec();
    while let Some(argument) = arguments.next() {
        let name = match argument.split_once('=') {
            _ if argument == "--help" || argument == "-h" => return Ok(Request::Help),
            Some(("--schema", name)) => name.to_owned(),
            _ if argument == "--schema" => arguments
                .next()
                .ok_or_else(|| format!("`--schema` needs a name: {}", names()))?,
            _ => {
                return Err(format!(
                    "no option `{argument}`; there are `--schema NAME` and `--help`"
                ));
            }
        };
        schemas = SCHEMAS
            .iter()
            .copied()
            .filter(|schema| schema.name == name)
            .collect();
        if schemas.is_empty() {
            return Err(format!("no schema `{name}`; there are {}", names()));
        }
    }
    Ok(Request::Tour(schemas))
}

fn names() -> String {
    SCHEMAS.map(|schema| schema.name).join(", ")
}

/// Whether every key was right.
fn tour(out: &mut impl Write, paint: Paint, schemas: &[Schema]) -> io::Result<bool> {
    let (mut right, mut all) = (0, 0);
    let mut made = true;
    for schema in schemas {
        let (name, title) = (paint.bold(schema.name), schema.title);
        writeln!(out, "{name}: {title}")?;
        match (schema.samples)() {
            Ok(samples) => {
                let keys = || samples.iter().flat_map(|sample| &sample.keys);
                all += keys().count();
                right += keys().filter(|key| key.outcome.is_ok()).count();
                print_samples(out, paint, &samples)?;
            }
            Err(error) => {
                made = false;
                writeln!(out, "\n  {} {error}", paint.red("✗"))?;
            }
        }
        writeln!(out)?;
    }
    let fine = made && right == all;
    let summary = format!("{right} of {all} keys parse back to the parts that made them");
    let mark = if fine {
        paint.green("✓")
    } else {
        paint.red("✗")
    };
    writeln!(out, "{mark} {summary}")?;
    Ok(fine)
}

fn print_samples(out: &mut impl Write, paint: Paint, samples: &[Sample]) -> io::Result<()> {
    let mut table = "";
    for sample in samples {
        if sample.table.name != table {
            table = sample.table.name;
            let key = match sample.table.sk {
                Some(sk) => format!("{} + {}", sample.table.pk.name, sk.name),
                None => sample.table.pk.name.to_owned(),
            };
            writeln!(out, "\n  {} {}", paint.bold(table), paint.dim(&key))?;
        }
        writeln!(out, "    {}", sample.entity.entity)?;
        let width = |text: fn(&SampleKey) -> &str| {
            let widths = sample.keys.iter().map(|key| text(key).chars().count());
            widths.max().unwrap_or_default()
        };
        let widths = (width(|key| key.place), width(|key| &key.template));
        for key in &sample.keys {
            print_key(out, paint, key, widths)?;
        }
    }
    Ok(())
}

fn print_key(
    out: &mut impl Write,
    paint: Paint,
    key: &SampleKey,
    (place_width, template_width): (usize, usize),
) -> io::Result<()> {
    let place = format!("{:place_width$}", key.place);
    let template = paint.dim(&format!("{:template_width$}", key.template));
    write!(out, "      {place}  {template} → {}", key.key)?;
    match &key.outcome {
        Ok(()) => writeln!(out, " {}", paint.green("✓")),
        Err(why) => writeln!(out, " {} {why}", paint.red("✗")),
    }
}

/// Colour, where it is wanted.
#[derive(Clone, Copy)]
struct Paint(bool);

impl Paint {
    fn with(self, code: u8, text: &str) -> String {
        if self.0 {
            format!("\x1b[{code}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    fn bold(self, text: &str) -> String {
        self.with(1, text)
    }

    fn dim(self, text: &str) -> String {
        self.with(2, text)
    }

    fn red(self, text: &str) -> String {
        self.with(31, text)
    }

    fn green(self, text: &str) -> String {
        self.with(32, text)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::{Paint, tour};
    use dynamo_model_examples::exam::{User, user};
    use dynamo_model_examples::{Sample, Schema};

    fn failing(samples: fn() -> dynamo_model_examples::Result<Vec<Sample>>) -> String {
        let (name, title) = ("wrong", "a schema that fails");
        let mut out = Vec::new();
        let schema = Schema {
            name,
            title,
            samples,
        };
        assert!(!tour(&mut out, Paint(false), &[schema]).unwrap());
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn a_wrong_key_fails_the_tour() {
        let out = failing(|| Ok(vec![Sample::of(&user()?, |_| User::key("u2")).done()]));
        assert!(
            out.contains("USER#u1 + PROFILE ✗ parsed back, it is USER#u2"),
            "{out}"
        );
        assert!(out.contains("✗ 0 of 1 keys"), "{out}");
    }

    #[test]
    fn a_sample_that_cannot_be_made_fails_the_tour() {
        let out = failing(|| Err("no such day".into()));
        assert!(out.contains("✗ no such day"), "{out}");
    }
}
