//! One page of results.

use super::paging::Answer;
use core::fmt;

/// Some items, and where to go on.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Table};
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
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// # let db = Dynamo::embedded()?;
/// # App::create_table(&db).await?;
/// let page = Order::query("u1").limit(20).page(&db).await?;
/// assert!(page.items.is_empty() && page.cursor.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Page<T> {
    /// The items, in order.
    pub items: Vec<T>,
    /// Where the next page begins; `None` if nothing is left. Opaque, safe in a URL, and good only for
    /// the query it came from.
    ///
    /// To know whether something is left, one item more is read than is handed out. If a request ends with the last item
    /// of the page, another one reads the item after it; over several partitions, up to eight. Where items are left out
    /// (by a filter, by `unexpired`, of other entities) that item may be one of them: then there is a cursor, and the next
    /// page may be empty.
    pub cursor: Option<String>,
    /// How many items were read, those that a filter dropped and the one after the page included.
    pub scanned: usize,
    /// Capacity units consumed, over all requests; 0 where the engine does not say.
    pub consumed_capacity: f64,
}

/// Whether there is a cursor, and not which: there is a key in it, and in that may be a sensitive field.
impl<T: fmt::Debug> fmt::Debug for Page<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("items", &self.items)
            .field("cursor", &self.cursor.as_ref().map(|_| format_args!("…")))
            .field("scanned", &self.scanned)
            .field("consumed_capacity", &self.consumed_capacity)
            .finish()
    }
}

impl<T> Page<T> {
    pub(super) fn empty() -> Self {
        Self {
            items: Vec::new(),
            cursor: None,
            scanned: 0,
            consumed_capacity: 0.0,
        }
    }

    /// Counts what the next request brought besides items.
    pub(super) fn count(&mut self, answer: &Answer) {
        self.scanned += answer.scanned;
        self.consumed_capacity += answer.consumed_capacity;
    }
}
