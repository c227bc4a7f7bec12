//! The measurements, by case and contender; and the lines in which one program reports to another.

use super::{instructions, time};
use crate::calls::FIXED;
use crate::{OURS, OURS_ON_SDK, RAW, cases};
use std::env;
use std::process::{Command, Stdio};
use std::time::Duration;

/// The measurements of one contender in one case.
#[derive(Debug, Clone)]
pub struct Row {
    /// Such as `put/order`.
    pub case: String,
    /// Such as `modyne`.
    pub contender: String,
    /// Of one call.
    pub nanoseconds: f64,
    /// Of one call, where they were counted.
    pub instructions: Option<u64>,
    /// Those of them that hash the signed text.
    pub hashing: Option<u64>,
    /// Allocations and reallocations of one call, where they were counted.
    pub allocations: Option<u64>,
    /// The peak of bytes allocated during the call, if counted.
    pub peak: Option<u64>,
}

/// One of a row's figures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Figure {
    Time,
    Instructions,
    /// Without the hashing of the signed text.
    Unhashed,
    Allocations,
    Peak,
}

impl Row {
    /// Returns a figure, where it was measured.
    #[must_use]
    pub fn figure(&self, figure: Figure) -> Option<f64> {
        match figure {
            Figure::Time => Some(self.nanoseconds),
            Figure::Instructions => self.instructions.map(|count| count as f64),
            Figure::Unhashed => Some(self.instructions?.saturating_sub(self.hashing?) as f64),
            Figure::Allocations => self.allocations.map(|count| count as f64),
            Figure::Peak => self.peak.map(|bytes| bytes as f64),
        }
    }
}

/// All rows, in the order of the cases.
#[derive(Debug, Clone, Default)]
pub struct Rows(pub Vec<Row>);

impl Rows {
    /// Measures the time of every case whose name has one of these prefixes, or of all if there are
    /// none.
    #[must_use]
    pub fn timed(only: &[&str], budget: Duration) -> Self {
        let mut rows = Vec::new();
        for case in cases() {
            // The fixed cost is always needed.
            let wanted = only.iter().any(|prefix| case.name.starts_with(prefix));
            if !(wanted || only.is_empty() || case.name == FIXED) {
                continue;
            }
            let contenders = case.contenders();
            let times = time::best(&contenders, budget);
            rows.extend(
                contenders
                    .iter()
                    .zip(times)
                    .map(|(contender, nanoseconds)| Row {
                        case: case.name.into(),
                        contender: contender.name.into(),
                        nanoseconds,
                        instructions: None,
                        hashing: None,
                        allocations: None,
                        peak: None,
                    }),
            );
        }
        Self(rows)
    }

    /// Counts the instructions of every row; whether it could be done.
    pub fn count_instructions(&mut self) -> bool {
        for row in &mut self.0 {
            let counted = instructions::count(&row.case, &row.contender, row.nanoseconds);
            row.instructions = counted.map(|it| it.all);
            row.hashing = counted.map(|it| it.hashing);
        }
        self.0.iter().any(|row| row.instructions.is_some())
    }

    /// Runs the programs that count allocations. They are separate, because their allocators would
    /// slow the timed code.
    pub fn count_memory(&mut self) {
        for (what, case, contender, number) in lines("allocs").chain(lines("peaks")) {
            let mut rows = self.0.iter_mut();
            let row = rows.find(|row| row.case == case && row.contender == contender);
            match (row, what.as_str()) {
                (Some(row), "allocs") => row.allocations = Some(number),
                (Some(row), "peak") => row.peak = Some(number),
                _ => {}
            }
        }
    }

    /// One row.
    #[must_use]
    pub fn row(&self, case: &str, contender: &str) -> Option<&Row> {
        let mut rows = self.0.iter();
        rows.find(|row| row.case == case && row.contender == contender)
    }

    /// Returns a figure of one row.
    #[must_use]
    pub fn figure(&self, case: &str, contender: &str, figure: Figure) -> Option<f64> {
        self.row(case, contender)?.figure(figure)
    }

    /// Returns the SDK's own cost of a call.
    #[must_use]
    pub fn fixed(&self, figure: Figure) -> f64 {
        self.figure(FIXED, RAW, figure).unwrap_or_default()
    }

    /// Returns how many times more a rival takes than we do.
    #[must_use]
    pub fn ratio(&self, case: &str, rival: &str, figure: Figure) -> Option<f64> {
        self.ratio_above(case, rival, figure, |_| 0.0)
    }

    /// Returns our figure through the SDK's orchestrator, above its fixed cost.
    #[must_use]
    pub fn ours_above_fixed(&self, case: &str, figure: Figure) -> Option<f64> {
        let through = self.figure(case, OURS_ON_SDK, figure);
        let ours = through.or_else(|| self.figure(case, OURS, figure))?;
        Some(ours - self.fixed(figure))
    }

    /// Returns the ratio above the fixed cost, with all requests through the SDK's orchestrator.
    /// Infinite if ours is not above it.
    #[must_use]
    pub fn ratio_above_fixed(&self, case: &str, rival: &str, figure: Figure) -> Option<f64> {
        let theirs = self.figure(case, rival, figure)? - self.fixed(figure);
        Some(quotient(theirs, self.ours_above_fixed(case, figure)?))
    }

    /// Returns the ratio above another cost. Infinite if ours is not above it.
    #[must_use]
    pub fn ratio_above(
        &self,
        case: &str,
        rival: &str,
        figure: Figure,
        anyway: impl Fn(&str) -> f64,
    ) -> Option<f64> {
        let ours = self.figure(case, OURS, figure)? - anyway(OURS);
        let theirs = self.figure(case, rival, figure)? - anyway(rival);
        Some(quotient(theirs, ours))
    }
}

fn quotient(theirs: f64, ours: f64) -> f64 {
    match ours > 0.0 {
        true => theirs / ours,
        false => f64::INFINITY,
    }
}

/// `put/order/modyne`; for us, `put/order`.
#[must_use]
pub fn label(case: &str, contender: &str) -> String {
    if contender == OURS {
        case.to_owned()
    } else {
        format!("{case}/{contender}")
    }
}

/// Parses the output of such a program: figure, case, contender and number.
fn lines(program: &str) -> impl Iterator<Item = (String, String, String, u64)> {
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let manifest = concat!(env!("CARGO_MANIFEST_DIR"), "/Cargo.toml");
    let output = Command::new(cargo)
        .args(["run", "--quiet", "--release", "--manifest-path", manifest])
        .args(["--bin", program])
        .stderr(Stdio::inherit())
        .output();
    let output = output.map(|output| output.stdout).unwrap_or_default();
    let text = String::from_utf8(output).unwrap_or_default();
    let lines: Vec<_> = text.lines().filter_map(line).collect();
    if lines.is_empty() {
        eprintln!("nothing was counted by `{program}`");
    }
    lines.into_iter()
}

/// `allocs put/order/modyne 123`.
fn line(line: &str) -> Option<(String, String, String, u64)> {
    let mut words = line.split(' ');
    let (what, label, number) = (words.next()?, words.next()?, words.next()?);
    let case = cases().into_iter().find(|case| {
        let rest = label.strip_prefix(case.name);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    })?;
    let contender = label[case.name.len()..].strip_prefix('/').unwrap_or(OURS);
    Some((
        what.into(),
        case.name.into(),
        contender.into(),
        number.parse().ok()?,
    ))
}
