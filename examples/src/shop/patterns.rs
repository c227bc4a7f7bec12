//! Every access pattern of the document. It has no numbers; these are its sections in order: 2 the
//! design of time series, 3 the forms of a timestamp, 4 range queries, 5 price history, 6 stock
//! log, 7 hot partitions, 8 pagination.

use super::{
    AccessLog, ActivityLog, ChangeType, DailyActivity, Fraction, InventoryLog, PriceHistory,
    Product, ProductActivity, ProductId, SensorId, SensorReading, ShardedActivity, ShopError,
    StockChange, accesses_between, activity_by_parallel_scan, activity_of_all_shards, adjust_stock,
    latest_price, measurements_between, prices_between, prices_page, sample_data, update_price,
};
use crate::{Failure, Pattern, pattern};
use dynamo_model::transaction::TransactionWrite;
use dynamo_model::{Dynamo, Entity, Page, Transaction};
use jiff::Timestamp;

/// Returns all of them, in the document's order.
#[must_use]
pub fn patterns() -> Vec<Pattern> {
    [
        series(),
        epochs(),
        ranges(),
        changes(),
        hot_partitions(),
        pages(),
    ]
    .concat()
}

fn series() -> Vec<Pattern> {
    vec![
        pattern!(
            "2.1", "Price history of a product",
            |db| PriceHistory::query("p002").all(db).await?,
            |found| found.len() => found.len() == 62 && oldest_first(&found),
            "all 62, oldest first"
        ),
        pattern!(
            "2.2", "Stock log of a product",
            |db| InventoryLog::query("p002").all(db).await?,
            |found| found.len() => found.len() == 31
                && found.is_sorted_by(|a, b| a.created_at < b.created_at && a.new_stock == b.previous_stock),
            "all 31, each beginning with the stock that the one before it left"
        ),
        pattern!(
            "2.3", "Activity of a user",
            |db| ActivityLog::query("u002").descending().limit(5).all(db).await?,
            |found| found.len() => found.len() == 5
                && found.is_sorted_by(|a, b| a.created_at > b.created_at),
            "the last five, newest first"
        ),
    ]
}

fn epochs() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.1", "Unix epoch in seconds: a sensor's range, in a key of type N",
            |db| measurements_between(db, &s001(), at("2024-01-01T06:00:00Z")?, at("2024-01-01T12:00:00Z")?).await?,
            |found| found.len() => found.len() == 7 && found.is_sorted_by(|a, b| a.measured_at < b.measured_at),
            "seven hours' values, both ends included"
        ),
        pattern!(
            "3.1", "Unix epoch in seconds: one second",
            |db| SensorReading::get("s001", Timestamp::from_second(1_705_315_800)?).send(db).await?,
            |found| usize::from(found.is_some()) => found.is_some_and(|it| it.celsius == 4.5),
            "the value of that second"
        ),
        pattern!(
            "3.2", "Unix epoch in milliseconds: a range, in a key of type S",
            |db| accesses_between(db, &p001(), at("2024-01-01T12:00:10.010Z")?, at("2024-01-01T12:00:20.020Z")?)
                .await?,
            |found| found.len() => found.len() == 11 && found.is_sorted_by(|a, b| a.accessed_at < b.accessed_at),
            "eleven, both ends included"
        ),
        pattern!(
            "3.2", "Unix epoch in milliseconds: the newest",
            |db| AccessLog::query("p001").descending().first(db).await?,
            |found| usize::from(found.is_some()) =>
                found.is_some_and(|it| it.accessed_at.as_millisecond() == 1_705_315_800_123),
            "the document's own millisecond"
        ),
    ]
}

fn ranges() -> Vec<Pattern> {
    vec![
        pattern!(
            "4.1", "Range query: one month",
            |db| PriceHistory::query("p001")
                .created_at_in(at("2024-01-01T00:00:00Z")?..=at("2024-01-31T23:59:59Z")?)
                .all(db)
                .await?,
            |found| found.len() => found.len() == 63 && oldest_first(&found),
            "January's 63, oldest first"
        ),
        pattern!(
            "4.2", "`=`: one instant",
            |db| PriceHistory::get("p001", changed()?, Fraction::of(changed()?)).send(db).await?,
            |found| usize::from(found.is_some()) => found.is_some_and(|it| it.price == 1200),
            "the price of that instant"
        ),
        pattern!(
            "4.2", "`begins_with`: one day",
            |db| PriceHistory::query("p001").created_at_prefix("2024-01-15").all(db).await?,
            |found| found.len() => found.len() == 3 && oldest_first(&found),
            "the three of the day"
        ),
        pattern!(
            "4.2", "`BETWEEN`: a period",
            |db| InventoryLog::query("p001")
                .created_at_in(at("2024-01-10T12:00:00Z")?..=at("2024-01-12T12:00:00Z")?)
                .all(db)
                .await?,
            |found| found.len() => found.len() == 3,
            "three days' entries, both ends included"
        ),
        pattern!(
            "4.2", "`<`: before an instant",
            |db| PriceHistory::query("p001").created_at_in(..at("2024-01-02T06:00:00Z")?).all(db).await?,
            |found| found.len() => found.len() == 2,
            "two, the instant itself left out"
        ),
        pattern!(
            "4.2", "`<=`: up to an instant",
            |db| PriceHistory::query("p001").created_at_in(..=at("2024-01-02T06:00:00Z")?).all(db).await?,
            |found| found.len() => found.len() == 3,
            "three, the instant itself included"
        ),
        pattern!(
            "4.2", "`>=`: from an instant on",
            |db| PriceHistory::query("p001").created_at_in(at("2024-01-31T06:00:00Z")?..).all(db).await?,
            |found| found.len() => found.len() == 2,
            "two, the instant itself included"
        ),
        pattern!(
            "4.2", "`>`: after an instant",
            |db| PriceHistory::query("p001").created_at_in(after(at("2024-01-31T06:00:00Z")?)).all(db).await?,
            |found| found.len() => found.len() == 1,
            "one, the instant itself left out"
        ),
    ]
}

fn changes() -> Vec<Pattern> {
    vec![
        pattern!(
            "5.1", "Price update with history",
            |db| update_price(db, &p001(), 980, "admin", at("2024-02-01T00:00:00Z")?).await?,
            |entry| 2 => product(db).await?.price == 980
                && latest_price(db, &p001()).await?.as_ref() == Some(&entry),
            "the product's price, and the newest entry in its history",
            then undo(db, entry.delete()).await?
        ),
        pattern!(
            "5.2", "Price history by date range",
            |db| prices_between(db, &p001(), at("2024-01-15T00:00:00Z")?, at("2024-01-16T06:00:00Z")?).await?,
            |found| found.len() => found.len() == 4 && oldest_first(&found),
            "four, oldest first, the end included"
        ),
        pattern!(
            "5.2", "The latest price",
            |db| PriceHistory::query("p001").descending().first(db).await?,
            |found| usize::from(found.is_some()) =>
                found.map(|it| it.created_at) == Some(at("2024-01-31T18:00:00Z")?),
            "the newest one"
        ),
        pattern!(
            "6.1", "Stock adjustment with log",
            |db| adjust_stock(db, order(-30)?).await?,
            |entry| 2 => (entry.previous_stock, entry.new_stock) == (100, 70) && product(db).await?.stock == 70,
            "the product's stock, and an entry in its log",
            then undo(db, entry.delete()).await?
        ),
        pattern!(
            "6.1", "Stock adjustment: insufficient stock",
            |db| adjust_stock(db, order(-101)?).await,
            |refused| 0 => matches!(refused, Err(ShopError::InsufficientStock { stock: 100, quantity: -101 }))
                && product(db).await?.stock == 100,
            "a refusal, and the stock as it was"
        ),
    ]
}

fn hot_partitions() -> Vec<Pattern> {
    vec![
        pattern!(
            "7.0", "Before: all activity of a product in one partition",
            |db| ProductActivity::query("p001").all(db).await?,
            |found| found.len() => found.len() == 51,
            "all of it"
        ),
        pattern!(
            "7.1", "By day bucket: one day",
            |db| DailyActivity::query("p001", at("2024-01-15T00:00:00Z")?).all(db).await?,
            |found| found.len() => found.len() == 9
                && found.is_sorted_by(|a, b| a.created_at < b.created_at),
            "the nine of the day, oldest first"
        ),
        pattern!(
            "7.2", "By write shard: one shard",
            |db| ShardedActivity::query("p001", "u001").all(db).await?,
            |found| found.len() => found.iter().any(|it| it.user_id.0 == "u001")
                && found.is_sorted_by(|a, b| a.created_at < b.created_at),
            "the user's among those of the shard, oldest first"
        ),
        pattern!(
            "7.1", "By day bucket: a range over days, newest first",
            |db| DailyActivity::across("p001", at("2024-01-13T12:00:00Z")?..at("2024-01-16T00:00:00Z")?)
                .descending()
                .all(db)
                .await?,
            |found| found.len() => found.is_sorted_by(|a, b| a.created_at >= b.created_at)
                && found.len() > 9
                && found.iter().all(|it| it.created_at >= JANUARY_13_NOON),
            "what happened from noon of the 13th to the end of the 15th, newest first"
        ),
        pattern!(
            "7.1", "By day bucket: pages over a range of days",
            |db| DailyActivity::across("p001", at("2024-01-01T00:00:00Z")?..at("2024-02-01T00:00:00Z")?)
                .limit(100)
                .page(db)
                .await?,
            |page| page.items.len() => page.items.len() == 100 && the_rest(db, page).await? == 149,
            "100, and the month's other 149 behind one cursor"
        ),
        pattern!(
            "7.2", "By write shard: all shards, in the order of time",
            |db| ShardedActivity::across("p001").all(db).await?,
            |found| found.len() => found.len() == 201
                && found.is_sorted_by(|a, b| a.created_at <= b.created_at),
            "all 201, oldest first"
        ),
        pattern!(
            "7.2", "By write shard: all suffixes by a parallel scan, as documented",
            |db| activity_by_parallel_scan(db, &p001()).await?,
            |found| found.len() => activity_of_all_shards(db, &p001()).await? == found,
            "what `across` finds, in the same order"
        ),
        pattern!(
            "7.2", "By write shard: the newest of all shards",
            |db| ShardedActivity::across("p001").descending().limit(10).all(db).await?,
            |found| found.len() => found.len() == 10
                && found.is_sorted_by(|a, b| a.created_at >= b.created_at),
            "the last ten, newest first"
        ),
    ]
}

const JANUARY_13_NOON: Timestamp = Timestamp::constant(1_705_147_200, 0);

async fn the_rest(db: &Dynamo, page: Page<DailyActivity>) -> Result<usize, Failure> {
    let Some(cursor) = page.next else {
        return Ok(0);
    };
    let month = at("2024-01-01T00:00:00Z")?..at("2024-02-01T00:00:00Z")?;
    let rest = DailyActivity::across("p001", month).after(cursor);
    Ok(rest.all(db).await?.len())
}

fn pages() -> Vec<Pattern> {
    vec![
        pattern!(
            "8.1", "Pagination",
            |db| PriceHistory::query("p001").descending().limit(20).page(db).await?,
            |page| page.items.len() => page.items.len() == 20 && rest(db, page).await? == 43,
            "20, newest first, and the other 43 behind the cursor"
        ),
        pattern!(
            "8.1", "Pagination: activity in a time",
            |db| ActivityLog::query("u001")
                .created_at_in(at("2024-01-10T00:00:00Z")?..)
                .limit(10)
                .page(db)
                .await?,
            |page| page.items.len() => page.items.len() == 10 && page.next.is_some(),
            "ten, and a cursor"
        ),
    ]
}

fn s001() -> SensorId {
    SensorId("s001".into())
}

fn p001() -> ProductId {
    ProductId("p001".into())
}

fn at(text: &str) -> Result<Timestamp, Failure> {
    Ok(text.parse()?)
}

/// When the document's price changed.
fn changed() -> Result<Timestamp, Failure> {
    at("2024-01-15T10:30:00.123456789Z")
}

/// Later than this.
fn after(at: Timestamp) -> (std::ops::Bound<Timestamp>, std::ops::Bound<Timestamp>) {
    (std::ops::Bound::Excluded(at), std::ops::Bound::Unbounded)
}

fn order(quantity: i32) -> Result<StockChange, Failure> {
    Ok(StockChange {
        product_id: p001(),
        change_type: ChangeType::Out,
        quantity,
        reason: "注文".into(),
        order_id: Some("o002".into()),
        at: at("2024-02-01T00:00:00Z")?,
    })
}

fn oldest_first(prices: &[PriceHistory]) -> bool {
    prices.is_sorted_by(|a, b| a.created_at < b.created_at)
}

fn descending(prices: &[PriceHistory]) -> bool {
    prices.is_sorted_by(|a, b| a.created_at > b.created_at)
}

async fn product(db: &Dynamo) -> Result<Product, Failure> {
    let product = Product::get(p001()).consistent().send(db).await?;
    Ok(product.ok_or("no product p001")?)
}

/// Returns how many prices there are on the pages after this one, each older than the one before
/// it.
async fn rest(db: &Dynamo, page: Page<PriceHistory>) -> Result<usize, Failure> {
    let (mut prices, mut cursor) = (page.items, page.next);
    let first = prices.len();
    while let Some(after) = cursor {
        let page = prices_page(db, &p001(), 20, Some(after)).await?;
        prices.extend(page.items);
        cursor = page.next;
    }
    Ok(if descending(&prices) {
        prices.len() - first
    } else {
        0
    })
}

/// Restores the loaded product, and deletes the entry.
async fn undo(db: &Dynamo, entry: impl TransactionWrite) -> Result<(), Failure> {
    let product = sample_data::product(1);
    Ok(Transaction::new()
        .add(product.put())
        .add(entry)
        .send(db)
        .await?)
}
