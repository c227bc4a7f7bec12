//! `cargo run --bin migrate`: migrates ten thousand items of the study app's first release to the
//! next one, while the run is killed five times. `--items`, `--kills` and `--per-second` change the
//! numbers.

use dynamo_model::migrate::MigrationReport;
use dynamo_model::{BatchWrite, Dynamo, Table};
use dynamo_model_examples::Failure;
use dynamo_model_examples::exam::ExamStudyApp;
use dynamo_model_examples::exam::migration::{FirstAnswer, FirstUser};
use dynamo_model_examples::exam::migration::{answers, first_release, profiles};
use std::io::{IsTerminal, Write};
use std::time::Duration;

/// The length of the bar.
const WIDTH: u64 = 40;

struct Options {
    items: u32,
    kills: u32,
    per_second: u32,
}

fn options() -> Result<Options, Failure> {
    let mut options = Options {
        items: 10_000,
        kills: 5,
        per_second: 5_000,
    };
    let mut arguments = std::env::args().skip(1);
    while let Some(name) = arguments.next() {
        let value = arguments.next().ok_or(format!("{name} needs a number"))?;
        let number = value
            .parse()
            .map_err(|_| format!("{name} {value}: not a number"))?;
        match name.as_str() {
            "--items" => options.items = number,
            "--kills" => options.kills = number,
            "--per-second" => options.per_second = number,
            _ => return Err(format!("{name}: there are --items, --kills and --per-second").into()),
        }
    }
    Ok(options)
}

/// Draws over itself on a terminal; elsewhere only the end is a line.
fn draw(name: &str, report: &MigrationReport) {
    let total = report.estimate.max(report.read).max(1);
    let full = usize::try_from(WIDTH * report.read / total).unwrap_or_default();
    let rest = usize::try_from(WIDTH).unwrap_or_default() - full;
    let bar = format!(
        "{name:8} [{}{}] {}/{total}, {} migrated",
        "#".repeat(full),
        ".".repeat(rest),
        report.read,
        report.migrated
    );
    if std::io::stdout().is_terminal() {
        print!("\r{bar}");
        let _ = std::io::stdout().flush();
    }
}

/// Both migrations, one after the other.
async fn migrate(db: &Dynamo, per_second: u32) -> Result<(), dynamo_model::Error> {
    let users = profiles()
        .segments(4)
        .page_size(250)
        .items_per_second(per_second)
        .on_progress(|report| draw("profiles", report));
    let report = users.run(db).await?;
    end("profiles", &report);
    let first_answers = answers()
        .segments(4)
        .page_size(250)
        .items_per_second(per_second)
        .on_progress(|report| draw("answers", report));
    let report = first_answers.run(db).await?;
    end("answers", &report);
    Ok(())
}

fn end(name: &str, report: &MigrationReport) {
    draw(name, report);
    let resumed = if report.resumed {
        ", from its checkpoint"
    } else {
        ""
    };
    println!(
        "\n{name}: {} read, {} migrated, {} were already{resumed}",
        report.read, report.migrated, report.already
    );
}

async fn load(db: &Dynamo, items: u32) -> Result<(), Failure> {
    ExamStudyApp::create_table(db).await?;
    let (users, first) = first_release(items);
    BatchWrite::new().load::<FirstUser>(users).send(db).await?;
    BatchWrite::new()
        .load::<FirstAnswer>(first)
        .send(db)
        .await?;
    println!("{items} items of the first release");
    Ok(())
}

#[tokio::main]
async fn main() -> Result<(), Failure> {
    let Options {
        items,
        kills,
        per_second,
    } = options()?;
    let db = Dynamo::embedded()?;
    load(&db, items).await?;
    let preview = (
        profiles().dry_run(&db).await?,
        answers().dry_run(&db).await?,
    );
    println!(
        "dry run: {} users and {} answers are to be migrated",
        preview.0.migrated, preview.1.migrated
    );
    for kill in 1..=kills {
        // Dropping the future simulates a killed process, except for the request in flight.
        let patience = Duration::from_millis(u64::from(items) / 20 + u64::from(kill) * 37);
        let run = tokio::time::timeout(patience, migrate(&db, per_second)).await;
        match run {
            Ok(done) => return Ok(done?),
            Err(_) => println!("\nkilled, for the {kill}. time"),
        }
    }
    migrate(&db, per_second).await?;
    let (users, answered) = (
        profiles().dry_run(&db).await?,
        answers().dry_run(&db).await?,
    );
    println!(
        "{} users and {} answers in the new form",
        users.already, answered.already
    );
    let left = users.migrated + answered.migrated;
    println!("{left} items left in the old one");
    Ok(())
}
