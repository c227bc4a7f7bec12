//! Capacity: the consumption of each access pattern, its cost a month, and the partitions that get
//! too hot.

mod partitions;
mod report;
mod units;

use crate::{Model, ModelError};
use std::collections::BTreeMap;

pub use report::CapacityReport;

/// How often things are done, with how large items.
///
/// A rate is for an access pattern by its number, or for a call of a declaration: `User::get`,
/// `User::query`, `User::by_email`, `User::put`, `User::update`, `User::delete`.
///
/// ```
/// use dynamo_model_tools::{Capacity, Model, Prices, Rate};
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("LOG")]
/// #[sk("<id>")]
/// struct Log {
///     id: String,
/// }
///
/// let model = Model::new("app").entity::<Log>();
/// let capacity = Capacity::new().size("Log", 900).rate("Log::put", Rate::per_second(2_500.0));
/// let report = model.capacity(&capacity)?;
/// assert_eq!(report.patterns[0].write_units, 1.0);
/// assert_eq!((report.hot[0].template.as_str(), report.hot[0].shards), ("LOG", 3));
/// # Ok::<(), dynamo_model_tools::ModelError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Capacity {
    sizes: BTreeMap<String, usize>,
    rates: Vec<(String, Rate)>,
    stored: BTreeMap<String, u64>,
    prices: Prices,
}

/// How often an access pattern runs, on how many items, and how unevenly.
///
/// ```
/// use dynamo_model_tools::Rate;
///
/// let rate = Rate::per_second(200.0).items(20).hottest(0.05);
/// assert_eq!(rate.per_second, 200.0);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Rate {
    /// On average over the month.
    pub per_second: f64,
    /// The number of items that one run reads or writes, if the pattern does not declare it.
    pub items: Option<usize>,
    /// The part of all runs that goes to the busiest partition; for keys with few values it is
    /// known.
    pub hottest: Option<f64>,
    /// How many times the average is at the busiest hour.
    pub peak: f64,
}

impl Rate {
    /// Sets the runs per second.
    #[must_use]
    pub fn per_second(per_second: f64) -> Self {
        Self {
            per_second,
            items: None,
            hottest: None,
            peak: 1.0,
        }
    }

    /// Sets the runs per day.
    #[must_use]
    pub fn per_day(per_day: f64) -> Self {
        Self::per_second(per_day / 86_400.0)
    }

    /// Sets how many items one run reads or writes.
    #[must_use]
    pub fn items(mut self, items: usize) -> Self {
        self.items = Some(items);
        self
    }

    /// Sets the share of the runs that goes to the busiest partition.
    #[must_use]
    pub fn hottest(mut self, share: f64) -> Self {
        self.hottest = Some(share);
        self
    }

    /// Sets how many times the average runs in the busiest hour.
    #[must_use]
    pub fn peak(mut self, factor: f64) -> Self {
        self.peak = factor;
        self
    }
}

/// The prices, in dollars.
///
/// ```
/// use dynamo_model_tools::Prices;
///
/// let own = Prices { storage_gb_month: 0.10, ..Prices::default() };
/// assert_eq!(own.write_million, 0.625);
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices {
    /// For a million read request units.
    pub read_million: f64,
    /// For a million write request units.
    pub write_million: f64,
    /// For a gigabyte, a month.
    pub storage_gb_month: f64,
}

/// On demand in us-east-1, standard class, as AWS lists it since November 2024. Look yours up.
impl Default for Prices {
    fn default() -> Self {
        Self {
            read_million: 0.125,
            write_million: 0.625,
            storage_gb_month: 0.25,
        }
    }
}

impl Capacity {
    /// Starts with no rates; sizes come from the model's samples.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the size of an item of this entity in bytes, instead of the size of its samples.
    #[must_use]
    pub fn size(mut self, entity: impl Into<String>, bytes: usize) -> Self {
        self.sizes.insert(entity.into(), bytes);
        self
    }

    /// Sets how often an access pattern runs, or one of an entity's own calls.
    #[must_use]
    pub fn rate(mut self, pattern: impl Into<String>, rate: Rate) -> Self {
        self.rates.push((pattern.into(), rate));
        self
    }

    /// Sets how many items of this entity are stored.
    #[must_use]
    pub fn stored(mut self, entity: impl Into<String>, items: u64) -> Self {
        self.stored.insert(entity.into(), items);
        self
    }

    /// Sets other prices.
    #[must_use]
    pub fn prices(mut self, prices: Prices) -> Self {
        self.prices = prices;
        self
    }
}

/// The consumption of one access pattern.
///
/// Shown in the example of [`Capacity`].
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct PatternCapacity {
    /// Its number, or the call.
    pub pattern: String,
    /// Its purpose.
    pub name: String,
    /// Read units of one run.
    pub read_units: f64,
    /// Write units of one run, those of indexes included.
    pub write_units: f64,
    /// Runs a second, where a rate is declared.
    pub per_second: Option<f64>,
    /// Dollars a month, where a rate is declared.
    pub month: Option<f64>,
}

/// A partition whose load exceeds its limits.
///
/// Shown in the example of [`Capacity`].
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct HotPartition {
    /// The table.
    pub table: String,
    /// The index, where it is not the table itself.
    pub index: Option<String>,
    /// The template of its key.
    pub template: String,
    /// Read units a second, at the peak.
    pub read_units: f64,
    /// Write units a second, at the peak.
    pub write_units: f64,
    /// How many shards would keep each below the limit.
    pub shards: u32,
    /// The patterns that use it.
    pub patterns: Vec<String>,
}

impl Model {
    /// Returns the consumption of each access pattern, the cost of the declared rates a month, and
    /// the partitions that would exceed 3000 read or 1000 write units a second.
    pub fn capacity(&self, capacity: &Capacity) -> Result<CapacityReport, ModelError> {
        let mut patterns = Vec::new();
        let mut heat = partitions::Heat::default();
        for (number, name, runs) in self.runs(capacity)? {
            let rate = capacity
                .rates
                .iter()
                .find(|(it, _)| *it == number)
                .map(|(_, rate)| *rate);
            let sum = |of: fn(&units::Use) -> f64| runs.iter().map(of).sum::<f64>();
            let (read_units, write_units) = (sum(|it| it.read), sum(|it| it.write));
            if let Some(rate) = rate {
                runs.iter().for_each(|run| heat.add(&number, run, rate));
            }
            let month = rate.map(|rate| {
                capacity
                    .prices
                    .month(rate.per_second, read_units, write_units)
            });
            let per_second = rate.map(|rate| rate.per_second);
            patterns.push(PatternCapacity {
                pattern: number,
                name,
                read_units,
                write_units,
                per_second,
                month,
            });
        }
        let sizes = self.sizes(capacity);
        let storage = self.storage(capacity, &sizes);
        let (hot, cured) = heat.partitions();
        Ok(CapacityReport {
            patterns,
            hot,
            cured,
            sizes,
            storage,
            prices: capacity.prices,
        })
    }
}

impl Prices {
    /// Returns the price of a month of 730 hours.
    fn month(&self, per_second: f64, read: f64, write: f64) -> f64 {
        let runs = per_second * 730.0 * 3_600.0;
        runs * (read * self.read_million + write * self.write_million) / 1e6
    }
}
