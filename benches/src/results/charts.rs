//! The plots.

use super::Figures;
use super::svg::{Chart, Group, Series};
use crate::calls::CASES;
use crate::measure::rows::Figure;
use crate::{OURS, OURS_ON_SDK, RAW};

const COLOURS: [(&str, &str); 4] = [
    (OURS, "#2563eb"),
    (RAW, "#9ca3af"),
    ("modyne", "#f59e0b"),
    ("dynamodb-facade", "#10b981"),
];

/// File names and contents.
pub(super) fn all(figures: &Figures) -> Vec<(&'static str, String)> {
    let relative = |figure, title: &str| relative(figures, figure, title).svg();
    vec![
        ("time.svg", relative(Figure::Time, "Time of a call")),
        (
            "allocations.svg",
            relative(Figure::Allocations, "Allocations of a call"),
        ),
        (
            "peak.svg",
            relative(Figure::Peak, "Memory of a call, at its height"),
        ),
        ("fixed.svg", fixed(figures).svg()),
        ("compile.svg", compile(figures).svg()),
        ("passes.svg", passes(figures).svg()),
    ]
}

fn everyone() -> Vec<Series> {
    let series = COLOURS.iter().map(|(name, colour)| Series {
        name: (*name).into(),
        colour,
    });
    series.collect()
}

/// Returns the figure of each contender as a fraction of the SDK's.
fn relative(figures: &Figures, figure: Figure, title: &str) -> Chart {
    let names = CASES.iter().map(|case| case.name);
    let names = names.filter(|name| figures.rows.row(name, OURS).is_some());
    let groups = names.map(|name| {
        let raw = figures.rows.figure(name, RAW, figure).unwrap_or(1.0);
        let bars = COLOURS.iter().map(|(who, _)| {
            let value = figures.rows.figure(name, who, figure)? / raw;
            Some((value, format!("{value:.2}")))
        });
        Group {
            label: name.into(),
            bars: bars.collect(),
        }
    });
    Chart {
        title: title.into(),
        subtitle: format!("1 is {RAW} with serde_dynamo and format!; shorter is better"),
        series: everyone(),
        groups: groups.collect(),
        mark: Some(1.0),
        stacked: false,
    }
}

/// Small calls: the SDK's fixed cost, and the rest.
fn fixed(figures: &Figures) -> Chart {
    let fixed = figures.rows.fixed(Figure::Time) / 1e3;
    let small = [
        "get/missing",
        "get/order",
        "query/order/10",
        "put/order",
        "put/booking",
        "update/order",
    ];
    let groups = small.iter().flat_map(|name| {
        COLOURS.iter().filter_map(move |(who, _)| {
            // Ours goes around the orchestrator, unless it is told not to.
            let who = if *who == OURS { &OURS_ON_SDK } else { who };
            let time = figures.rows.figure(name, who, Figure::Time)? / 1e3;
            Some(Group {
                label: format!("{name} · {who}"),
                bars: vec![
                    Some((fixed, String::new())),
                    Some((time - fixed, format!("{time:.1} µs"))),
                ],
            })
        })
    });
    Chart {
        title: "What the SDK takes for any call, and the rest".into(),
        subtitle: "microseconds; the first part is a GetItem without key and response, the same \
                   for all"
            .into(),
        series: vec![
            Series {
                name: "fixed cost of a call".into(),
                colour: "#d1d5db",
            },
            Series {
                name: "above it".into(),
                colour: "#2563eb",
            },
        ],
        groups: groups.collect(),
        mark: None,
        stacked: true,
    }
}

fn program(library: &str, used: bool) -> String {
    format!("{library}, {}", if used { "used" } else { "declared" })
}

fn compile(figures: &Figures) -> Chart {
    let groups = figures.costs.iter().map(|cost| Group {
        label: program(&cost.library, cost.used),
        bars: [cost.check.processor, cost.build.processor]
            .map(|it| Some((it, format!("{it:.2} s"))))
            .into(),
    });
    Chart {
        title: "Compiling 50 entities".into(),
        subtitle: "seconds of a processor after dependencies are built, not incremental; shorter \
                   is better"
            .into(),
        series: vec![
            Series {
                name: "cargo check".into(),
                colour: "#60a5fa",
            },
            Series {
                name: "cargo build".into(),
                colour: "#1e40af",
            },
        ],
        groups: groups.collect(),
        mark: None,
        stacked: false,
    }
}

const PASSES: [&str; 7] = [
    "#93c5fd", "#2563eb", "#a78bfa", "#10b981", "#f59e0b", "#f472b6", "#d1d5db",
];

fn passes(figures: &Figures) -> Chart {
    let groups = figures.costs.iter().map(|cost| {
        let total: f64 = cost.passes.iter().map(|(_, seconds)| seconds).sum();
        let bars = cost
            .passes
            .iter()
            .map(|(_, it)| Some((*it, format!("{total:.2} s"))));
        Group {
            label: program(&cost.library, cost.used),
            bars: bars.collect(),
        }
    });
    let names = figures
        .costs
        .first()
        .map(|cost| cost.passes.as_slice())
        .unwrap_or_default();
    let series = names.iter().zip(PASSES).map(|((name, _), colour)| Series {
        name: name.clone(),
        colour,
    });
    Chart {
        title: "Where the compiler's time goes".into(),
        subtitle: "seconds of cargo check, for 50 entities".into(),
        series: series.collect(),
        groups: groups.collect(),
        mark: None,
        stacked: true,
    }
}
