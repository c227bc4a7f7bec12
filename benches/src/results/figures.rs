//! The measurements as text: one row a line, fields between tabs.

use super::About;
use crate::compile::{Cost, Seconds};
use crate::measure::rows::{Row, Rows};
use std::fmt;
use std::str::FromStr;

/// All measurements.
#[derive(Debug, Clone, Default)]
pub struct Figures {
    /// Their date and versions.
    pub about: About,
    /// At run time.
    pub rows: Rows,
    /// At compile time.
    pub costs: Vec<Cost>,
}

impl fmt::Display for Figures {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.about.0 {
            writeln!(f, "about\t{name}\t{value}")?;
        }
        for row in &self.rows.0 {
            let [instructions, allocations, peak, hashing] =
                [row.instructions, row.allocations, row.peak, row.hashing].map(known);
            writeln!(
                f,
                "row\t{}\t{}\t{:.2}\t{instructions}\t{allocations}\t{peak}\t{hashing}",
                row.case, row.contender, row.nanoseconds,
            )?;
        }
        for cost in &self.costs {
            write!(
                f,
                "cost\t{}\t{}\t{:.3}\t{:.3}\t{:.3}\t{:.3}\t{}",
                cost.library,
                cost.used,
                cost.check.wall,
                cost.check.processor,
                cost.build.wall,
                cost.build.processor,
                cost.lines
            )?;
            for (pass, seconds) in &cost.passes {
                write!(f, "\t{pass}\t{seconds:.3}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

fn known(number: Option<u64>) -> String {
    number.map_or_else(|| "-".into(), |number| number.to_string())
}

impl Figures {
    /// Parses the output of `to_string`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let mut figures = Self::default();
        for line in text.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            match fields[..] {
                ["about", name, value] => figures.about.0.push((name.into(), value.into())),
                ["row", ..] => figures.rows.0.push(row(&fields)?),
                ["cost", ..] => figures.costs.push(cost(&fields)?),
                _ => return None,
            }
        }
        Some(figures)
    }
}

fn row(fields: &[&str]) -> Option<Row> {
    let number = |field: usize| fields.get(field).and_then(|text| text.parse().ok());
    Some(Row {
        case: (*fields.get(1)?).into(),
        contender: (*fields.get(2)?).into(),
        nanoseconds: parsed(fields, 3)?,
        instructions: number(4),
        allocations: number(5),
        peak: number(6),
        hashing: number(7),
    })
}

fn cost(fields: &[&str]) -> Option<Cost> {
    let passes = fields.get(8..)?.chunks(2);
    let seconds = |field| {
        Some(Seconds {
            wall: parsed(fields, field)?,
            processor: parsed(fields, field + 1)?,
        })
    };
    Some(Cost {
        library: (*fields.get(1)?).into(),
        used: parsed(fields, 2)?,
        check: seconds(3)?,
        build: seconds(5)?,
        lines: parsed(fields, 7)?,
        passes: passes
            .filter_map(|pass| Some((pass[0].into(), parsed(pass, 1)?)))
            .collect(),
    })
}

fn parsed<T: FromStr>(fields: &[&str], field: usize) -> Option<T> {
    fields.get(field)?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_round_trip() {
        let text = "about\tdate\t2026-01-31\n\
            row\tput/order\tmodyne\t12.50\t300\t-\t4000\t20\n\
            cost\tmodyne\ttrue\t1.000\t0.900\t2.000\t3.100\t5000\tmacros\t0.250\n";
        let figures = Figures::parse(text).unwrap();
        assert_eq!(figures.to_string(), text);
        assert!(Figures::parse("row\tput/order\n").is_none());
    }
}
