//! The page.

use super::{Figures, aims, tables};
use crate::RAW;
use crate::measure::rows::Figure;

pub(super) fn page(figures: &Figures) -> String {
    let rows = &figures.rows;
    let fixed = rows.fixed(Figure::Time) / 1e3;
    let fixed_instructions = rows.fixed(Figure::Instructions);
    let fixed_allocations = rows.fixed(Figure::Allocations);
    let about = |name: &str| figures.about.get(name).to_owned();
    let time = tables::calls(figures, Figure::Time);
    let over = tables::above_fixed(figures);
    let instructions = tables::calls(figures, Figure::Instructions);
    let allocations = tables::calls(figures, Figure::Allocations);
    let peak = tables::calls(figures, Figure::Peak);
    let keys = tables::keys(figures, Figure::Time);
    let key_instructions = tables::keys(figures, Figure::Instructions);
    let key_allocations = tables::keys(figures, Figure::Allocations);
    let (compile, passes) = (tables::compile(figures), tables::passes(figures));
    let (aims, lost) = (aims::aims(figures), aims::lost(figures));
    format!(
        r#"# Results

Written by `cargo run --release -p dynamo-model-benches --bin results`, which measures everything on this page;
with `-- --draw`, it writes the page again from `results/figures.txt`. What is measured, and how, is in
[README.md](README.md).

{} · {} · {} · {} cores, shared · commit {}\
aws-sdk-dynamodb {} · serde_dynamo {} · modyne {} · dynamodb-facade {}

In all tables, `× rival` is the rival's figure divided by ours: above 1 we are better, and **below 0.98** the rival is.

## What was to be reached

`{RAW}`'s figure divided by ours; decoding is a page of 1000 less an empty one.

{aims}
## What is not won

Rows in which a rival is better by more than 2 %, with its figure divided by ours:

{lost}
## The fixed cost

A `GetItem` with no key, answered with `{{}}`, through `{RAW}` alone: **{fixed:.1} µs**, {fixed_instructions:.0}
instructions, {fixed_allocations:.0} allocations. Everybody pays this for every call, as everybody uses the
SDK. It includes signing, endpoint rules, retries' and timeouts' bookkeeping; no network.

![What the SDK takes for any call, and the rest](results/fixed.svg)

## Time

Microseconds of one call.

![Time of a call](results/time.svg)

{time}
### Above the fixed cost

{over}
## Instructions

As `valgrind` counts them. It has no SHA instructions, so that signing a request takes more of them than it would
take on the processor; for everybody alike.

{instructions}
## Allocations

Allocations and reallocations of one call.

![Allocations of a call](results/allocations.svg)

{allocations}
## Memory

Bytes at the height of a call, above what there was before it. The answer's bytes are not counted: they are there
before.

![Memory of a call, at its height](results/peak.svg)

{peak}
## Keys

One key, in nanoseconds.

{keys}
Instructions:

{key_instructions}
Allocations:

{key_allocations}
## Compile time

50 entities of eight attributes, with one index each. *Declared* is a library of nothing else; *used* has for each of
them a function that puts, gets, updates and queries. `serde` is the same structs with serde alone, and used with
the SDK and serde_dynamo by hand. `dynamo-model-items` has in addition the enum of all fifty, for which the compiler
compares the key templates of every two of them; no other library has that check.

![Compiling 50 entities](results/compile.svg)

{compile}
![Where the compiler's time goes](results/passes.svg)

{passes}"#,
        about("date"),
        about("rustc"),
        about("valgrind"),
        about("cores"),
        about("commit"),
        about("aws-sdk-dynamodb"),
        about("serde_dynamo"),
        about("modyne"),
        about("dynamodb-facade"),
    )
}
