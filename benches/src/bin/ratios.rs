//! How many times faster we are than each rival, one line a comparison:
//! `keys/string-2/format 4.31`.
//!
//! Then the ratios above the fixed cost of the SDK's orchestrator, which ours then passes too
//! (`over put/order/modyne 3.10`), and the
//! allocations of each contender. With `--instructions`, also the instructions of each, counted by
//! `valgrind`. Arguments are prefixes of the names of cases.

use dynamo_model_benches::measure::instructions;
use dynamo_model_benches::measure::rows::{Figure, Row, Rows, label};
use dynamo_model_benches::{OURS, RAW};
use std::env;
use std::time::Duration;

/// For all contenders of a case together.
const BUDGET: Duration = Duration::from_secs(2);

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if instructions::was_call(&arguments) {
        return;
    }
    let only: Vec<&str> = arguments
        .iter()
        .copied()
        .filter(|it| !it.starts_with("--"))
        .collect();
    let mut rows = Rows::timed(&only, BUDGET);
    times(&rows);
    rows.count_memory();
    memory(&rows);
    if arguments.contains(&"--instructions") {
        if rows.count_instructions() {
            counts(&rows);
        } else {
            eprintln!("instructions are not counted: `valgrind` is missing or failed");
        }
    }
}

/// Cases that another contender does too.
fn rivals(rows: &Rows) -> impl Iterator<Item = &Row> {
    let rivals = rows.0.iter().filter(|row| row.contender != OURS);
    rivals.filter(|row| rows.row(&row.case, OURS).is_some())
}

/// Returns whether a row is a call. Keys are made without the SDK.
fn is_call(row: &Row) -> bool {
    !row.case.starts_with("keys/")
}

fn times(rows: &Rows) {
    for row in rivals(rows) {
        if let Some(ratio) = rows.ratio(&row.case, &row.contender, Figure::Time) {
            println!("{}/{} {ratio:.2}", row.case, row.contender);
        }
    }
    let fixed = rows.fixed(Figure::Time);
    println!("fixed {fixed:.0} ns");
    for row in rivals(rows).filter(|row| is_call(row)) {
        let ratio = rows.ratio_above_fixed(&row.case, &row.contender, Figure::Time);
        if let Some(ratio) = ratio {
            println!("over {}/{} {ratio:.2}", row.case, row.contender);
        }
    }
    decoding(rows);
}

/// The time to decode items: a page minus an empty one.
fn decoding(rows: &Rows) {
    for case in ["query/order/1000", "query/booking/1000"] {
        let empty = case.replace("1000", "0");
        let empty = |who: &str| rows.figure(&empty, who, Figure::Time).unwrap_or_default();
        if let Some(ratio) = rows.ratio_above(case, RAW, Figure::Time, empty) {
            println!("decode {case}/{RAW} {ratio:.2}");
        }
    }
}

fn memory(rows: &Rows) {
    for row in &rows.0 {
        let label = label(&row.case, &row.contender);
        if let Some(allocations) = row.allocations {
            println!("allocs {label} {allocations}");
        }
        if let Some(peak) = row.peak {
            println!("peak {label} {peak}");
        }
    }
}

fn counts(rows: &Rows) {
    println!("instructions fixed {:.0}", rows.fixed(Figure::Instructions));
    for row in rivals(rows) {
        let ours = rows.row(&row.case, OURS).and_then(|row| row.instructions);
        if let (Some(ours), Some(theirs)) = (ours, row.instructions) {
            println!(
                "instructions {}/{} {ours} {theirs}",
                row.case, row.contender
            );
        }
    }
}
