//! Loads the schemas, runs their access patterns, and prints the results.

use crate::options::Options;
use crate::paint::Paint;
use dynamo_model::Dynamo;
use dynamo_model_examples::requirements::{self, Totals};
use dynamo_model_examples::{Failure, Pattern, Recorded, Recorder, Schema};
use serde_json::json;
use std::io::{self, IsTerminal, Write};

/// How many patterns there are, and how many are as promised.
#[derive(Default)]
struct Count {
    right: usize,
    all: usize,
}

#[derive(Default)]
struct Summary {
    /// Of the documents.
    documents: Count,
    /// The patterns of the schema without a document.
    own: Count,
    /// Schemas that could not be loaded.
    broken: usize,
}

impl Count {
    fn add(&mut self, right: bool) {
        self.all += 1;
        self.right += usize::from(right);
    }

    fn is_fine(&self) -> bool {
        self.right == self.all
    }
}

impl Summary {
    fn of(&mut self, schema: &Schema) -> &mut Count {
        match schema.requirements {
            Some(_) => &mut self.documents,
            None => &mut self.own,
        }
    }
}

/// The result of running a pattern.
struct Outcome(Recorded);

/// Whether every pattern is as promised.
pub(crate) async fn run(out: &mut impl Write, paint: Paint, options: &Options) -> io::Result<bool> {
    let mut summary = Summary::default();
    for schema in &options.schemas {
        if let Err(error) = tour(out, paint, options, schema, &mut summary).await? {
            summary.broken += 1;
            let mark = paint.red("✗");
            match options.json {
                true => print_json(
                    out,
                    &json!({ "schema": schema.name, "error": chain(&*error) }),
                )?,
                false => writeln!(out, "\n  {mark} {}\n", chain(&*error))?,
            }
        }
        out.flush()?;
    }
    let Summary {
        documents,
        own,
        broken,
    } = summary;
    let requirements = requirements(&options.schemas);
    let fine = documents.is_fine() && own.is_fine() && broken == 0 && requirements.is_ok();
    if options.json {
        let (right, all) = (documents.right + own.right, documents.all + own.all);
        let totals = requirements.map(|it| it.to_string());
        let totals = totals.unwrap_or_else(|why| why);
        print_json(
            out,
            &json!({ "as_promised": right, "patterns": all, "requirements": totals }),
        )?;
        return Ok(fine);
    }
    for (count, which) in [
        (documents, "access patterns do what their document promises"),
        (own, "access patterns of hosting do what it promises"),
    ] {
        if count.all > 0 {
            let mark = match count.is_fine() {
                true => paint.green("✓"),
                false => paint.red("✗"),
            };
            writeln!(out, "{mark} {} of {} {which}", count.right, count.all)?;
        }
    }
    if broken > 0 {
        writeln!(
            out,
            "{} {broken} schemas could not be loaded",
            paint.red("✗")
        )?;
    }
    match requirements {
        Ok(totals) if totals.all() == 0 => {}
        Ok(totals) => writeln!(out, "{} {totals}", paint.green("✓"))?,
        Err(why) => writeln!(out, "{} {why}", paint.red("✗"))?,
    }
    Ok(fine)
}

/// Returns the totals of the documents' requirements. A row that cannot be read is an error.
fn requirements(schemas: &[Schema]) -> Result<Totals, String> {
    let mut totals = Totals::default();
    for schema in schemas {
        let Some(page) = schema.requirements else {
            continue;
        };
        let read = requirements::parse(page);
        totals.add(&read.map_err(|why| format!("requirements of {}: {why}", schema.name))?);
    }
    Ok(totals)
}

/// One schema: its tables, its data, its patterns.
async fn tour(
    out: &mut impl Write,
    paint: Paint,
    options: &Options,
    schema: &Schema,
    summary: &mut Summary,
) -> io::Result<Result<(), Failure>> {
    if !options.json {
        writeln!(out, "{}: {}", paint.bold(schema.name), schema.title)?;
        out.flush()?;
    }
    let recorder = Recorder::default();
    let db = match connect(options, schema, &recorder) {
        Ok(db) => db,
        Err(error) => return Ok(Err(error)),
    };
    let loaded = match load(&db, schema).await {
        Ok(loaded) => loaded,
        Err(error) => return Ok(Err(error)),
    };
    let _ = recorder.take();
    if !options.json {
        let tables = schema.tables().map_or(0, |tables| tables.len());
        let tables = if tables == 1 {
            "1 table".into()
        } else {
            format!("{tables} tables")
        };
        let loaded = format!("  {loaded} items in {tables}");
        writeln!(out, "{}\n", paint.dim(&loaded))?;
    }
    for pattern in (schema.patterns)() {
        let outcome = Outcome(pattern.record(&db, &recorder).await);
        summary.of(schema).add(outcome.is_right());
        match options.json {
            true => print_json(out, &outcome.json(schema, &pattern))?,
            false => outcome.print(out, paint, options.explain, &pattern)?,
        }
    }
    if !options.json {
        writeln!(out)?;
    }
    if options.endpoint.is_some() {
        return Ok(delete(&db, schema).await);
    }
    Ok(Ok(()))
}

/// On a shared engine, the tables have a unique prefix.
fn connect(options: &Options, schema: &Schema, recorder: &Recorder) -> Result<Dynamo, Failure> {
    match &options.endpoint {
        Some(url) => {
            let prefix = format!("tour-{}-{}-", std::process::id(), schema.name);
            let db = recorder.record(&Dynamo::endpoint(url));
            Ok(db.with_table_prefix(prefix))
        }
        None => Ok(recorder.record(&Dynamo::embedded()?)),
    }
}

/// Deletes the tables.
async fn delete(db: &Dynamo, schema: &Schema) -> Result<(), Failure> {
    for table in schema.tables()? {
        let request = db.client().delete_table();
        request.table_name(db.table_name(&table)).send().await?;
    }
    Ok(())
}

/// Loads the data, with a bar on a terminal; how many items there are.
async fn load(db: &Dynamo, schema: &Schema) -> Result<usize, Failure> {
    let on_terminal = io::stderr().is_terminal();
    let mut loaded = 0;
    let mut progress = |items: usize| {
        loaded = items;
        if on_terminal {
            let bar = "█".repeat((items / 100).min(40));
            // A bar that cannot be drawn is ignored.
            let _ = write!(io::stderr(), "\r  loading {bar:<40} {items}");
        }
    };
    let result = (schema.load)(db, &mut progress).await;
    if on_terminal {
        let _ = write!(io::stderr(), "\r\x1b[2K");
    }
    result.map(|()| loaded)
}

impl Outcome {
    fn is_right(&self) -> bool {
        matches!(&self.0.found, Ok(found) if found.as_promised.is_ok())
    }

    /// Returns the failure, if there is one.
    fn fault(&self) -> Option<String> {
        match &self.0.found {
            Ok(found) => found.as_promised.clone().err(),
            Err(error) => Some(chain(&**error)),
        }
    }

    fn items(&self) -> usize {
        self.0.found.as_ref().map_or(0, |found| found.items)
    }

    fn print(
        &self,
        out: &mut impl Write,
        paint: Paint,
        explain: bool,
        pattern: &Pattern,
    ) -> io::Result<()> {
        let mark = if self.is_right() {
            paint.green("✓")
        } else {
            paint.red("✗")
        };
        let number = paint.bold(pattern.number);
        writeln!(out, "  {mark} {number} {}", pattern.name)?;
        writeln!(out, "      {}", paint.cyan(&pattern.call_line()))?;
        for sent in &self.0.sent {
            writeln!(out, "      → {}", sent)?;
            if explain {
                let body = serde_json::to_string_pretty(&sent.body).unwrap_or_default();
                let body = body.lines().map(|line| format!("          {line}\n"));
                write!(out, "{}", paint.dim(&body.collect::<String>()))?;
            }
        }
        let (items, consumed) = (self.items(), self.0.consumed);
        let items = if items == 1 {
            "1 item".into()
        } else {
            format!("{items} items")
        };
        let cost = paint.dim(&format!("{items}, {consumed} capacity units"));
        writeln!(out, "      {cost}")?;
        match self.fault() {
            Some(fault) => writeln!(out, "      {}", paint.red(&fault)),
            None => Ok(()),
        }
    }

    fn json(&self, schema: &Schema, pattern: &Pattern) -> serde_json::Value {
        let requests = self
            .0
            .sent
            .iter()
            .map(|sent| json!({ "operation": sent.operation, "body": sent.body }));
        json!({
            "schema": schema.name,
            "number": pattern.number,
            "name": pattern.name,
            "call": pattern.call_line(),
            "requests": requests.collect::<Vec<_>>(),
            "items": self.items(),
            "capacity_units": self.0.consumed,
            "as_promised": self.is_right(),
            "fault": self.fault(),
        })
    }
}

fn print_json(out: &mut impl Write, value: &serde_json::Value) -> io::Result<()> {
    writeln!(out, "{value}")
}

/// Returns an error with its causes.
fn chain(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(error) = source {
        text += &format!(": {error}");
        source = error.source();
    }
    text
}
