//! Writes the page.

use super::{Figures, aims, tables};
use crate::measure::rows::Figure;
use crate::{OURS_ON_SDK, RAW};

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

`cargo run --release -p dynamo-model-benches --bin results` measures everything on this page and writes
it. With `-- --draw`, it writes the page again from `results/figures.txt`. [README.md](README.md)
describes the method.

{} · {} · {} · {} cores, shared · commit {}\
aws-sdk-dynamodb {} · serde_dynamo {} · modyne {} · dynamodb-facade {}

In all tables, `× rival` is the rival's figure divided by ours: above 1 we are better, and
**below 0.98** the rival is better.

## Targets

`{RAW}`'s figure divided by ours. Decoding is the time of a page of 1000 minus that of an empty page.

{aims}
## Rows in which a rival is better

The rival is better by more than 2 %. The number is its figure divided by ours:

{lost}
## The fixed cost

A `GetItem` with no key, answered with `{{}}`, through `{RAW}` alone: **{fixed:.1} µs**, {fixed_instructions:.0}
instructions, {fixed_allocations:.0} allocations. Every contender that uses the SDK's orchestrator pays this for
every call, and so does `{OURS_ON_SDK}`, which is ours with `Dynamo::with_sdk_transport`. It includes signing,
endpoint rules, and the bookkeeping of retries and timeouts, but no network. Without that setting, ours goes
around the orchestrator ([transports](../docs/transports.md)).

![The fixed cost of the SDK, and the rest](results/fixed.svg)

## Time

The microseconds of one call.

![Time of a call](results/time.svg)

{time}
### Above the fixed cost

{over}
## Instructions

`valgrind` counts them. It does not have the processor's SHA instructions, so signing a request takes
more instructions here than on the processor. This is the same for all contenders.

{instructions}
## Allocations

The allocations and reallocations of one call.

![Allocations of a call](results/allocations.svg)

{allocations}
## Memory

The peak of allocated bytes in a call, above those before it. The bytes of the response are not
counted, because they exist before the call.

![Peak memory of a call](results/peak.svg)

{peak}
## Keys

The nanoseconds of one key.

{keys}
Instructions:

{key_instructions}
Allocations:

{key_allocations}
## Compile time

50 entities of eight attributes, with one index each. *Declared* is a library of nothing else. *Used*
also has a function for each entity that puts, gets, updates and queries. `serde` has the same structs
with serde alone; its functions use the SDK and serde_dynamo. `dynamo-model-items` adds the items enum
of all fifty, for which the compiler compares the key templates of every pair. No other library has
that check.

![Compiling 50 entities](results/compile.svg)

{compile}
![The compiler's time by pass](results/passes.svg)

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
