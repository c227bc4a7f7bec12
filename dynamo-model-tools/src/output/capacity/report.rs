//! The report, as data and as Markdown.

use super::{Capacity, HotPartition, PatternCapacity, Prices};
use crate::Model;
use core::fmt;
use std::collections::BTreeMap;

/// The consumption and cost of the access patterns of a model; its `Display` is Markdown.
///
/// Shown in the example of [`Capacity`].
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct CapacityReport {
    /// Each access pattern.
    pub patterns: Vec<PatternCapacity>,
    /// Partitions that would exceed 3000 read or 1000 write units a second.
    pub hot: Vec<HotPartition>,
    /// Partitions that would exceed the limits without the shards of their templates: the load
    /// without shards, and the number of shards.
    pub cured: Vec<HotPartition>,
    /// Bytes of an item of each entity.
    pub sizes: BTreeMap<String, usize>,
    /// Bytes that are stored, indexes included, where it is declared how many items there are.
    pub storage: u64,
    #[serde(skip)]
    pub(super) prices: Prices,
}

impl Model {
    /// Returns the bytes of items and their copies in indexes, each with the hundred bytes that
    /// DynamoDB adds.
    pub(super) fn storage(&self, capacity: &Capacity, sizes: &BTreeMap<String, usize>) -> u64 {
        let stored = self.entities().map(|(_, entity)| {
            let name = entity.schema.entity;
            let items = capacity.stored.get(name).copied().unwrap_or(0);
            let bytes = sizes.get(name).copied().unwrap_or(0) as u64 + 100;
            items * bytes * (1 + entity.schema.indexes.len() as u64)
        });
        stored.sum()
    }
}

impl CapacityReport {
    /// Returns dollars a month for all calls with a rate, and for storage.
    #[must_use]
    pub fn month(&self) -> f64 {
        let requests: f64 = self
            .patterns
            .iter()
            .filter_map(|pattern| pattern.month)
            .sum();
        requests + self.storage_month()
    }

    fn storage_month(&self) -> f64 {
        self.storage as f64 / 1e9 * self.prices.storage_gb_month
    }
}

impl fmt::Display for CapacityReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "## Capacity\n")?;
        writeln!(
            f,
            "| # | pattern | read units | write units | a second | a month |"
        )?;
        writeln!(f, "| --- | --- | ---: | ---: | ---: | ---: |")?;
        for it in &self.patterns {
            let rate = it.per_second.map_or_else(|| "–".into(), shown);
            let month = it
                .month
                .map_or_else(|| "–".into(), |month| format!("${month:.2}"));
            let (read, write) = (shown(it.read_units), shown(it.write_units));
            let (number, name) = (&it.pattern, it.name.replace('|', "\\|"));
            writeln!(
                f,
                "| {number} | {name} | {read} | {write} | {rate} | {month} |"
            )?;
        }
        let (storage, gigabytes) = (self.storage_month(), self.storage as f64 / 1e9);
        writeln!(f, "\nStorage: {gigabytes:.2} GB, ${storage:.2} a month.")?;
        writeln!(f, "\nAll together: **${:.2} a month**.", self.month())?;
        let Prices {
            read_million,
            write_million,
            storage_gb_month,
        } = self.prices;
        writeln!(
            f,
            "\nAt ${read_million} a million read units, ${write_million} a million write units and \
             ${storage_gb_month} a gigabyte."
        )?;
        writeln!(f, "\n### Item sizes\n\n| entity | bytes |\n| --- | ---: |")?;
        for (entity, bytes) in &self.sizes {
            writeln!(f, "| {entity} | {bytes} |")?;
        }
        writeln!(f, "\n### Hot partitions\n")?;
        if self.hot.is_empty() {
            writeln!(
                f,
                "None: no partition exceeds 3000 read or 1000 write units a second."
            )?;
        }
        for hot in &self.hot {
            writeln!(f, "- {hot}")?;
        }
        if self.cured.is_empty() {
            return Ok(());
        }
        writeln!(f, "\n### Partitions that shards have cured\n")?;
        writeln!(
            f,
            "| partition | shards | without them | with them | patterns |\n| --- | ---: | --- | \
             --- | --- |"
        )?;
        for cured in &self.cured {
            cured.fmt_cured(f)?;
        }
        Ok(())
    }
}

impl HotPartition {
    /// Writes its units per second in a row of a table, without its shards and with them.
    fn fmt_cured(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let units = |shards: f64| {
            let (read, write) = (self.read_units / shards, self.write_units / shards);
            format!("{} read, {} write", shown(read), shown(write))
        };
        let index = self.index.iter().map(|index| format!(" {index}"));
        writeln!(
            f,
            "| `{}` in {}{} | {} | {} | {} | {} |",
            self.template,
            self.table,
            index.collect::<String>(),
            self.shards,
            units(1.0),
            units(f64::from(self.shards)),
            self.patterns.join(", "),
        )
    }
}

impl fmt::Display for HotPartition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            table,
            template,
            shards,
            ..
        } = self;
        let index = self
            .index
            .as_ref()
            .map(|index| format!(" {index}"))
            .unwrap_or_default();
        let (read, write) = (shown(self.read_units), shown(self.write_units));
        let patterns = self.patterns.join(", ");
        write!(
            f,
            "`{template}` in {table}{index}: {read} read and {write} write units a second in one partition, by \
             {patterns}; {shards} shards cure it, as in `{template}#<…:shard({shards})>`"
        )
    }
}

/// Formats with at most two fractional digits, without trailing zeros.
fn shown(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
