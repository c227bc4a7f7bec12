//! Five DynamoDB schemas, each declared from its design document: tables, entities, attributes and
//! indexes, with the documents' own key strings.
//!
//! | module | what it stores |
//! | --- | --- |
//! | [`exam`] | a study app in one table |
//! | [`shop`] | time series: prices, stock, activity |
//! | [`booking`] | a studio's bookings in seven tables |
//! | [`shogi`] | game records in one table, with an inverted index and four local ones |
//! | [`q`] | a question a day in twelve tables with plain attribute keys |
//!
//! Each has `samples()`: one item an entity, with the document's values. `cargo run` prints their keys.

pub mod booking;
pub mod exam;
mod loading;
mod pattern;
pub mod q;
mod retry;
mod sample;
pub mod shogi;
pub mod shop;

pub use pattern::{Found, Pattern, Running};
pub use sample::{Failure, Result, Sample, SampleKey, SampleOf};

/// What a key with seconds can hold: a clock is finer.
fn whole_seconds(time: jiff::Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_second(time.as_second()).unwrap_or(time)
}

/// One of the five, for the tour and for tests that go over all of them.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// The module's name, and what `tour --schema` takes.
    pub name: &'static str,
    /// What it stores.
    pub title: &'static str,
    /// One item an entity, with all its keys.
    pub samples: fn() -> Result<Vec<Sample>>,
}

/// All five, in the order of the documents.
pub const SCHEMAS: [Schema; 5] = [
    Schema {
        name: "exam",
        title: "a study app in one table",
        samples: exam::samples,
    },
    Schema {
        name: "shop",
        title: "time series of prices, stock and activity",
        samples: shop::samples,
    },
    Schema {
        name: "booking",
        title: "a studio's bookings in seven tables",
        samples: booking::samples,
    },
    Schema {
        name: "shogi",
        title: "game records in one table",
        samples: shogi::samples,
    },
    Schema {
        name: "q",
        title: "a question a day in twelve tables",
        samples: q::samples,
    },
];
