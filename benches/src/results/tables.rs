//! Tables, in Markdown.

use super::Figures;
use super::aims::NOISE;
use crate::compile::ENTITIES;
use crate::measure::rows::Figure;
use crate::{OURS, OURS_ON_SDK, RAW, cases};
use std::fmt::Write;

/// The other contenders that make calls.
const CALLERS: [&str; 4] = [RAW, "modyne", "dynamodb-facade", OURS_ON_SDK];

/// The same without ours.
const RIVALS: [&str; 3] = [RAW, "modyne", "dynamodb-facade"];
const WRITERS: [&str; 2] = ["format", "hand-written"];

fn head(first: &str, columns: &[String]) -> String {
    let rule = "|---".repeat(columns.len() + 1);
    format!("| {first} | {} |\n{rule}|\n", columns.join(" | "))
}

fn names(prefix: &str) -> Vec<&'static str> {
    let names = cases().into_iter().map(|case| case.name);
    names.filter(|name| name.starts_with(prefix)).collect()
}

/// Calls: the figure of each contender, and its ratio to ours.
pub(super) fn calls(figures: &Figures, figure: Figure) -> String {
    let names: Vec<_> = names("")
        .into_iter()
        .filter(|name| !name.starts_with("keys/"))
        .collect();
    table(figures, figure, &names, &CALLERS)
}

/// Keys: the same.
pub(super) fn keys(figures: &Figures, figure: Figure) -> String {
    table(figures, figure, &names("keys/"), &WRITERS)
}

fn table(figures: &Figures, figure: Figure, names: &[&str], rivals: &[&str]) -> String {
    let columns = [OURS].iter().chain(rivals).map(|name| format!("`{name}`"));
    let ratios = rivals.iter().map(|name| format!("× `{name}`"));
    let mut text = head("", &columns.chain(ratios).collect::<Vec<_>>());
    for name in names {
        let _ = write!(text, "| `{name}` |");
        for contender in [OURS].iter().chain(rivals) {
            let value = figures.rows.figure(name, contender, figure);
            let _ = write!(
                text,
                " {} |",
                value.map_or_else(String::new, |value| show(value, figure))
            );
        }
        for rival in rivals {
            let ratio = figures.rows.ratio(name, rival, figure);
            let _ = write!(text, " {} |", ratio.map_or_else(String::new, bold_if_lost));
        }
        text.push('\n');
    }
    text
}

/// Above the fixed cost: time and instructions, ours and the ratio of the others.
pub(super) fn above_fixed(figures: &Figures) -> String {
    let mut columns = vec![format!("`{OURS_ON_SDK}`, µs")];
    columns.extend(RIVALS.map(|name| format!("× `{name}`")));
    columns.push(format!("`{OURS_ON_SDK}`, instructions"));
    columns.extend(RIVALS.map(|name| format!("× `{name}`")));
    let mut text = head("", &columns);
    for name in names("")
        .into_iter()
        .filter(|name| !name.starts_with("keys/"))
    {
        if figures.rows.row(name, OURS).is_none() {
            continue;
        }
        let _ = write!(text, "| `{name}` |");
        for figure in [Figure::Time, Figure::Instructions] {
            let ours = figures.rows.ours_above_fixed(name, figure);
            let _ = write!(
                text,
                " {} |",
                ours.map_or_else(String::new, |value| show(value, figure))
            );
            for rival in RIVALS {
                let ratio = figures.rows.ratio_above_fixed(name, rival, figure);
                let _ = write!(text, " {} |", ratio.map_or_else(String::new, bold_if_lost));
            }
        }
        text.push('\n');
    }
    text
}

fn bold_if_lost(ratio: f64) -> String {
    if ratio < NOISE {
        format!("**{ratio:.2}**")
    } else {
        format!("{ratio:.2}")
    }
}

/// Times in microseconds, where they are not tiny.
fn show(value: f64, figure: Figure) -> String {
    match figure {
        Figure::Time if value.abs() < 1_000.0 => format!("{value:.0} ns"),
        Figure::Time if value.abs() < 100_000.0 => format!("{:.1}", value / 1e3),
        Figure::Time => format!("{:.0}", value / 1e3),
        _ => format!("{value:.0}"),
    }
}

/// Returns the compile time of fifty entities.
pub(super) fn compile(figures: &Figures) -> String {
    let columns = [
        "`cargo check`, s",
        "of a processor",
        "`cargo build`, s",
        "of a processor",
        "lines an entity",
    ];
    let mut text = head("", &columns.map(str::to_owned));
    for cost in &figures.costs {
        let used = if cost.used {
            "declared and used"
        } else {
            "declared"
        };
        let lines = cost.lines / ENTITIES;
        let [check, build] = [cost.check, cost.build]
            .map(|seconds| format!("{:.2} | {:.2}", seconds.wall, seconds.processor));
        let _ = writeln!(
            text,
            "| `{}`, {used} | {check} | {build} | {lines} |",
            cost.library
        );
    }
    text
}

/// Where `cargo check` spends it.
pub(super) fn passes(figures: &Figures) -> String {
    let Some(first) = figures.costs.first() else {
        return String::new();
    };
    let columns: Vec<String> = first.passes.iter().map(|(name, _)| name.clone()).collect();
    let mut text = head("seconds", &columns);
    for cost in &figures.costs {
        let used = if cost.used {
            "declared and used"
        } else {
            "declared"
        };
        let _ = write!(text, "| `{}`, {used} |", cost.library);
        for (_, seconds) in &cost.passes {
            let _ = write!(text, " {seconds:.2} |");
        }
        text.push('\n');
    }
    text
}
