//! One page of results.

use super::paging::Answer;
use core::fmt;
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// Some items, and cursors to the pages around them.
///
/// It serializes as `items`, `next` and `previous`: the response of a REST handler. The handler
/// passes either cursor to `after`.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Error, Page, Table};
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
/// # for number in 1..=3 {
/// #     Order { user_id: "u1".into(), number }.create().send(&db).await?;
/// # }
/// async fn list(db: &Dynamo, cursor: Option<String>) -> Result<Page<u32>, Error> {
///     let page = Order::query("u1").limit(2).after(cursor).page(db).await?;
///     Ok(page.map(|order| order.number))
/// }
///
/// // Three orders.
/// let first = list(&db, None).await?;
/// assert_eq!((&first.items[..], &first.previous), (&[1, 2][..], &None));
/// let second = list(&db, first.next).await?;
/// assert_eq!((&second.items[..], &second.next), (&[3][..], &None));
/// let back = list(&db, second.previous).await?;
/// assert_eq!((&back.items[..], &back.previous), (&[1, 2][..], &None));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Page<T> {
    /// The items, in order.
    pub items: Vec<T>,
    /// Leads to the next page; `None` exactly if no item is left. Opaque, safe in a URL, and good
    /// only for the query it came from.
    ///
    /// To know whether an item is left, the request reads one more than `limit`. If DynamoDB ends a
    /// response with the last item of the page, another request reads the item after it. Where
    /// items are skipped (by a filter, by `unexpired`, of other entities, in empty buckets),
    /// requests follow until one finds an item: they read 1, 2, 4 … items, with a filter 16, 32, 64
    /// …. `max_requests` and `max_items_read` end that; then there is a cursor, and the next page
    /// may be empty.
    pub next: Option<String>,
    /// Leads to the page before: the `limit` items before this page, in the same order. `None` if
    /// no item is there; and on the pages of a scan, which DynamoDB cannot read backwards.
    ///
    /// It costs no request. A page that was reached by `next` had items before it, and its cursor
    /// says so; a page that was reached by `previous` reads one item more itself, and `next` leads
    /// to the page it came from. So the cursor determines one side: if those items are deleted in
    /// the meantime, that page is empty.
    pub previous: Option<String>,
    /// How many items were read, those that a filter dropped and the one after the page included.
    pub scanned: usize,
    /// Capacity units consumed by all requests; 0 if the engine does not report them.
    pub consumed_capacity: f64,
}

/// Shows whether there is a cursor, not the cursor: its key may contain a sensitive field.
impl<T: fmt::Debug> fmt::Debug for Page<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Page")
            .field("items", &self.items)
            .field("next", &hidden(self.next.as_ref()))
            .field("previous", &hidden(self.previous.as_ref()))
            .field("scanned", &self.scanned)
            .field("consumed_capacity", &self.consumed_capacity)
            .finish()
    }
}

fn hidden(cursor: Option<&String>) -> Option<fmt::Arguments<'static>> {
    cursor.map(|_| format_args!("…"))
}

/// As `items`, `next` and `previous`: the cost is not for clients.
impl<T: Serialize> Serialize for Page<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut page = serializer.serialize_struct("Page", 3)?;
        page.serialize_field("items", &self.items)?;
        page.serialize_field("next", &self.next)?;
        page.serialize_field("previous", &self.previous)?;
        page.end()
    }
}

/// A cursor where a read continues: a text, or an `Option<String>` that may be `None`.
///
/// Of options only `Option<String>` and a reference to it, so that the compiler infers the type of
/// a bare `None`; write `.after(&cursor)` to keep the cursor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a cursor",
    label = "expected a text or an `Option<String>`",
    note = "pass `page.next`, `page.previous`, or the `Option<String>` of a request"
)]
pub trait IntoCursor {
    /// The text, if there is one.
    fn into_cursor(self) -> Option<String>;
}

impl IntoCursor for Option<String> {
    fn into_cursor(self) -> Option<String> {
        self
    }
}

impl IntoCursor for &Option<String> {
    fn into_cursor(self) -> Option<String> {
        self.clone()
    }
}

impl IntoCursor for String {
    fn into_cursor(self) -> Option<String> {
        Some(self)
    }
}

impl IntoCursor for &String {
    fn into_cursor(self) -> Option<String> {
        Some(self.clone())
    }
}

impl IntoCursor for &str {
    fn into_cursor(self) -> Option<String> {
        Some(self.to_owned())
    }
}

impl<T> Page<T> {
    /// Changes each item; the cursors stay.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> Page<U> {
        let items = self.items.into_iter().map(change).collect();
        Page {
            items,
            next: self.next,
            previous: self.previous,
            scanned: self.scanned,
            consumed_capacity: self.consumed_capacity,
        }
    }

    /// Changes each item, unless one of them fails; the cursors stay.
    pub fn try_map<U, E>(self, change: impl FnMut(T) -> Result<U, E>) -> Result<Page<U>, E> {
        let items = self.items.into_iter().map(change).collect::<Result<_, E>>();
        Ok(Page {
            items: items?,
            next: self.next,
            previous: self.previous,
            scanned: self.scanned,
            consumed_capacity: self.consumed_capacity,
        })
    }

    pub(super) fn empty() -> Self {
        Self {
            items: Vec::new(),
            next: None,
            previous: None,
            scanned: 0,
            consumed_capacity: 0.0,
        }
    }

    /// Counts the cost of the next request.
    pub(super) fn count(&mut self, answer: &Answer) {
        self.scanned += answer.scanned;
        self.consumed_capacity += answer.consumed_capacity;
    }
}
