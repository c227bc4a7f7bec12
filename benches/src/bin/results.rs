//! Measures everything and writes `RESULTS.md` with its plots; with `--draw`, writes them again
//! from the last measurement. `--runtime` and `--compile` measure one half and keep the other.

use dynamo_model_benches::compile;
use dynamo_model_benches::measure::instructions;
use dynamo_model_benches::measure::rows::Rows;
use dynamo_model_benches::results::{self, About, Figures};
use std::env;
use std::io;
use std::time::Duration;

/// For all contenders of a case together.
const BUDGET: Duration = Duration::from_secs(2);

fn main() -> io::Result<()> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    if instructions::was_call(&arguments) {
        return Ok(());
    }
    let all = arguments.is_empty();
    let mut figures = results::load().unwrap_or_default();
    if all {
        figures = Figures::default();
    }
    if all || arguments.contains(&"--runtime") {
        figures.rows = run_time();
        figures.about = About::now();
        results::write(&figures)?;
    }
    if all || arguments.contains(&"--compile") {
        figures.costs = compile::measure()?;
        figures.about = About::now();
    }
    results::write(&figures)
}

fn run_time() -> Rows {
    let mut rows = Rows::timed(&[], BUDGET);
    eprintln!("times: done");
    rows.count_memory();
    eprintln!("allocations: done");
    if !rows.count_instructions() {
        eprintln!("instructions are not counted: `valgrind` is missing or failed");
    }
    rows
}
