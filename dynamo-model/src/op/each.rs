//! Reads of many items in which each item is a separate result.

use super::item_stream::ItemStream;
use super::page::Page;
use super::reading::Reading;
use super::run::AnyRun;
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ItemError};
use crate::wire::{RawItem, StoredItem};
use core::fmt;

/// An item, or why this one item could not be read.
pub type ItemResult<T> = Result<T, ItemError>;

/// A read of many items that returns each as a [`Result`], so that an unreadable one does not hide
/// the others; made by the `each` of any such read.
///
/// An unreadable item counts towards `limit` like any other, pages and cursors continue after it,
/// and it keeps its place in the order. A failure of the request is still the error of the read.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
/// # use aws_sdk_dynamodb::types::AttributeValue;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
///     total: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// # Order { user_id: "u1".into(), number: 1, total: 5 }.create().send(&db).await?;
/// # db.client().put_item().table_name("App")
/// #     .item("PK", AttributeValue::S("USER#u1".into()))
/// #     .item("SK", AttributeValue::S("ORDER#000002".into()))
/// #     .item("user_id", AttributeValue::S("u1".into()))
/// #     .item("number", AttributeValue::N("2".into()))
/// #     .send().await?;
/// // Two orders; the second has no total.
/// for order in Order::query("u1").each().all(&db).await? {
///     match order {
///         Ok(order) => println!("{}: {}", order.number, order.total),
///         Err(error) => {
///             assert_eq!(error.key_text(), Some("USER#u1/ORDER#000002"));
///             assert_eq!(error.attribute(), Some("total"));
///         }
///     }
/// }
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone)]
#[must_use = "nothing is read until `page`, `all`, `stream` or `send`"]
pub struct Each<R>(pub(crate) R);

/// A read of many items, with pages: a query, a scan, a collection or a projection.
#[doc(hidden)]
pub trait ReadsMany {
    /// The type of the items.
    type Item;

    fn start(self, db: &Dynamo) -> Started;

    /// Returns `None` for an item that the read skips.
    fn decode(item: StoredItem<'_>) -> Result<Option<Self::Item>, Error>;
}

/// A read that was begun.
#[doc(hidden)]
pub struct Started(pub(super) Result<AnyRun, Error>);

impl fmt::Debug for Started {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Started").finish_non_exhaustive()
    }
}

impl<R: ReadsMany> Each<R> {
    /// Reads the next items: `limit` items, or one request.
    pub fn page(self, db: &Dynamo) -> Reading<ItemResult<R::Item>, Page<ItemResult<R::Item>>> {
        Reading::page(self.0.start(db).0, each::<R>)
    }

    /// All items, or the first `limit` of them.
    pub fn all(self, db: &Dynamo) -> Reading<ItemResult<R::Item>, Vec<ItemResult<R::Item>>> {
        Reading::all(self.0.start(db).0, each::<R>)
    }

    /// Returns the items one by one, reading pages on demand. An error of the stream itself ends
    /// it.
    pub fn stream(self, db: &Dynamo) -> ItemStream<ItemResult<R::Item>> {
        ItemStream::new(self.0.start(db).0, each::<R>)
    }
}

/// Decodes an item as `R` does, and keeps unreadable ones.
pub(super) fn each<R: ReadsMany>(
    context: &ErrorContext,
    item: RawItem,
) -> Result<Option<ItemResult<R::Item>>, Error> {
    Ok(keep(item, |item| R::decode(StoredItem { context, item })))
}

/// Returns an item or its error; `None` for a skipped one.
pub(super) fn keep<T>(
    item: RawItem,
    read: impl FnOnce(RawItem) -> Result<Option<T>, Error>,
) -> Option<ItemResult<T>> {
    let kept = item.clone();
    match read(item) {
        Ok(read) => read.map(Ok),
        Err(error) => Some(Err(ItemError::new(error, kept))),
    }
}
