//! Five DynamoDB schemas, each declared from its design document: tables, entities, attributes and
//! indexes, with the documents' own key strings. A sixth, [`hosting`], was designed here.
//!
//! | module | what it stores |
//! | --- | --- |
//! | [`exam`] | a study app in one table |
//! | [`shop`] | time series: prices, stock, activity |
//! | [`booking`] | a studio's bookings in seven tables |
//! | [`shogi`] | game records in one table, with an inverted index and four local ones |
//! | [`q`] | a question a day in twelve tables with plain attribute keys |
//! | [`hosting`] | a code-hosting service in one table: the sixth, without a document |
//!
//! Each has `samples()`: one item an entity, with the document's values; `load()`: tables and data;
//! and `patterns()`: every access pattern of the document, which `cargo run` runs.

pub mod booking;
pub mod exam;
pub mod hosting;
mod loading;
pub mod outputs;
mod pattern;
pub mod q;
mod recorder;
pub mod requirements;
mod retry;
mod sample;
pub mod shogi;
pub mod shop;

use dynamo_model::Dynamo;
use dynamo_model::schema::TableSchema;
use dynamo_model_tools::live::Live;
use std::pin::Pin;

#[doc(hidden)]
pub use pattern::called;
pub use pattern::{Found, Pattern, Recorded, Running};
pub use recorder::Recorder;
pub use sample::{Failure, Result, Sample, SampleKey, SampleOf};

/// Truncates to seconds, the precision of a key.
fn whole_seconds(time: jiff::Timestamp) -> jiff::Timestamp {
    jiff::Timestamp::from_second(time.as_second()).unwrap_or(time)
}

/// The future of loading data.
pub type Loading<'a> = Pin<Box<dyn Future<Output = Result<(), Failure>> + Send + 'a>>;

/// Told how many items are loaded.
pub type Progress<'a> = &'a mut (dyn FnMut(usize) + Send);

/// One of them, for the tour and for tests that go over all of them.
#[derive(Debug, Clone, Copy)]
pub struct Schema {
    /// The module's name, and the argument of `tour --schema`.
    pub name: &'static str,
    /// The title of the schema.
    pub title: &'static str,
    /// One item an entity, with all its keys.
    pub samples: fn() -> Result<Vec<Sample>>,
    /// Creates the tables and loads the document's items and a realistic set around them.
    pub load: for<'a> fn(&'a Dynamo, Progress<'a>) -> Loading<'a>,
    /// The page of its document's requirements. Without a document, the access patterns are its
    /// own.
    pub requirements: Option<&'static str>,
    /// Every access pattern of the document, or of the module.
    pub patterns: fn() -> Vec<Pattern>,
    /// Its entities, for tools that know them by name.
    pub live: fn() -> Live,
}

impl Schema {
    /// Returns its tables, each once.
    pub fn tables(&self) -> Result<Vec<TableSchema>> {
        let mut tables: Vec<TableSchema> = Vec::new();
        for sample in (self.samples)()? {
            if !tables.iter().any(|table| table.name == sample.table.name) {
                tables.push(sample.table);
            }
        }
        Ok(tables)
    }
}

macro_rules! schemas {
    ($($name:ident: $title:literal, $requirements:expr, [$($entity:ident),*];)*) => {[$(
        Schema {
            name: stringify!($name),
            title: $title,
            requirements: $requirements,
            samples: $name::samples,
            load: {
                fn load<'a>(db: &'a Dynamo, progress: Progress<'a>) -> Loading<'a> {
                    // Two of them can fail in one way only.
                    Box::pin(async move { $name::load(db, progress).await.map_err(Failure::from) })
                }
                load
            },
            patterns: $name::patterns,
            live: || Live::new(stringify!($name)).title($title)$(.entity::<$name::$entity>())*,
        },
    )*]};
}

macro_rules! page {
    ($name:literal) => {
        Some(include_str!(concat!("../requirements/", $name, ".md")))
    };
}

/// All of them: the five in the order of the documents, then the one without a document.
pub const SCHEMAS: [Schema; 6] = schemas! {
    exam: "a study app in one table", page!("exam"), [
        User, Question, AnswerHistory, WeakAreaAnalytics
    ];
    shop: "time series of prices, stock and activity", page!("shop"), [
        Product, PriceHistory, InventoryLog, ActivityLog, ProductActivity, DailyActivity,
        ShardedActivity, AccessLog, SensorReading
    ];
    booking: "a studio's bookings in seven tables", page!("booking"), [
        User, Booking, CalendarSlot, CalendarDay, OptionService, Notification, UnreadCount,
        Terms, UserAgreement
    ];
    shogi: "game records in one table", page!("shogi"), [
        Kifu, UserSettings, SystemSettings, Tag, KifuTag, AllowedKifu, AllowedUser, Analysis
    ];
    q: "a question a day in twelve tables", page!("q"), [
        User, PushToken, DailyQuestion, Question, UserQuestionSubmission, Answer, Reaction, Follow,
        Block, Report, NgWord, AdminLog
    ];
    hosting: "a code-hosting service in one table", None, [
        User, Organization, Membership, Repository, Star, Issue, Comment, Reaction
    ];
};
