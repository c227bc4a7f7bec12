//! Writes the targets, whether they were reached, and every row in which a rival is better.

use super::Figures;
use crate::compile::Cost;
use crate::measure::rows::Figure;
use crate::{OURS, RAW};
use std::fmt::Write;

/// A row counts as lost only beyond the noise of two measurements.
pub(super) const NOISE: f64 = 0.98;

/// Returns the aims, as a list.
pub(super) fn aims(figures: &Figures) -> String {
    let mut text = String::new();
    for entity in ["order", "booking"] {
        let page = format!("query/{entity}/1000");
        let time = decoding(figures, entity, Figure::Time);
        aim(
            &mut text,
            &format!("decoding 1000 of `{entity}`, time"),
            6.0,
            time,
        );
        let counted = decoding(figures, entity, Figure::Instructions);
        let _ = writeln!(text, "  - in instructions: {}", times(counted));
        let whole = figures.rows.ratio(&page, RAW, Figure::Time);
        let _ = writeln!(
            text,
            "  - the whole call, with the fixed cost: {}",
            times(whole)
        );
        let allocations = figures.rows.ratio(&page, RAW, Figure::Allocations);
        aim(
            &mut text,
            &format!("`{page}`, allocations"),
            5.0,
            allocations,
        );
    }
    for put in ["put/order", "put/booking"] {
        let time = above(figures, put, Figure::Time);
        aim(
            &mut text,
            &format!("`{put}` above the fixed cost, time"),
            2.0,
            time,
        );
        let counted = above(figures, put, Figure::Instructions);
        let _ = writeln!(text, "  - in instructions: {}", times(counted));
        let unhashed = above(figures, put, Figure::Unhashed);
        let _ = writeln!(
            text,
            "  - in instructions, without hashing the body, which the SDK does for all: {}",
            times(unhashed)
        );
    }
    compiling(figures, &mut text);
    text
}

fn aim(text: &mut String, name: &str, aim: f64, reached: Option<f64>) {
    let verdict = match reached {
        Some(ratio) if ratio >= aim => "reached",
        Some(_) => "**missed**",
        None => "not measured",
    };
    let _ = writeln!(
        text,
        "- {name}: {}; the target is {aim} ×: {verdict}",
        times(reached)
    );
}

fn times(ratio: Option<f64>) -> String {
    ratio.map_or_else(|| "?".into(), |ratio| format!("{ratio:.2} ×"))
}

/// Returns a page of 1000 minus an empty one, which is the time to decode the items.
fn decoding(figures: &Figures, entity: &str, figure: Figure) -> Option<f64> {
    let empty = format!("query/{entity}/0");
    let empty = |who: &str| figures.rows.figure(&empty, who, figure).unwrap_or_default();
    let page = format!("query/{entity}/1000");
    figures.rows.ratio_above(&page, RAW, figure, empty)
}

fn above(figures: &Figures, case: &str, figure: Figure) -> Option<f64> {
    figures.rows.ratio_above_fixed(case, RAW, figure)
}

/// Writes the compile time against that of the slowest rival.
fn compiling(figures: &Figures, text: &mut String) {
    for used in [false, true] {
        let what = if used {
            "declared and used"
        } else {
            "declared"
        };
        let of = |ours: bool| {
            let costs = figures.costs.iter().filter(move |cost| cost.used == used);
            costs.filter(move |cost| {
                (cost.library == OURS) == ours && cost.library != "dynamo-model-items"
            })
        };
        let Some(ours) = of(true).next() else {
            continue;
        };
        let check: fn(&Cost) -> f64 = |cost| cost.check.processor;
        let build: fn(&Cost) -> f64 = |cost| cost.build.processor;
        for (command, seconds) in [("check", check), ("build", build)] {
            let dearest = of(false).map(seconds).fold(0.0, f64::max);
            let seconds = seconds(ours);
            let verdict = if seconds <= dearest {
                "reached"
            } else {
                "**missed**"
            };
            let _ = writeln!(
                text,
                "- `cargo {command}` of 50 entities, {what}: {seconds:.2} s of processor time; \
                 the target is the slowest rival, {dearest:.2} s: {verdict}"
            );
        }
    }
}

/// Every row in which a rival is faster, allocates less often, or needs less memory.
pub(super) fn lost(figures: &Figures) -> String {
    let mut text = String::new();
    let kinds = [
        (Figure::Time, "time"),
        (Figure::Instructions, "instructions"),
        (Figure::Allocations, "allocations"),
        (Figure::Peak, "peak bytes"),
    ];
    for (figure, name) in kinds {
        let rows = figures.rows.0.iter().filter(|row| row.contender != OURS);
        let lost = rows.filter_map(|row| {
            let ratio = figures.rows.ratio(&row.case, &row.contender, figure)?;
            (ratio < NOISE).then(|| format!("`{}/{}` {ratio:.2}", row.case, row.contender))
        });
        let lost: Vec<String> = lost.collect();
        let (count, lost) = match lost.len() {
            0 => ("none".into(), String::new()),
            count => (count.to_string(), format!(": {}", lost.join(", "))),
        };
        let _ = writeln!(text, "- {name}, {count}{lost}");
    }
    text
}
