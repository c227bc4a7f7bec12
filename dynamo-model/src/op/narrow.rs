//! Ranges of sort keys as values, for queries of a nameable type and for collections.

use super::query::Query;
use super::selection::Contains;
use crate::entity::IndexedBy;
use crate::index::IndexMarker;
use crate::key::SortKeys;
use crate::key::range::SortCondition;

/// The condition of sort keys, or one half of it.
type Half = fn(SortCondition) -> SortCondition;

impl<S, I: IndexMarker> Query<S, I> {
    /// Reads only items with these sort keys: a prefix or a range that `sort_key()` builds for an
    /// entity. Given several times, items must meet all of them.
    ///
    /// Fails before the request if no item of the entity can be in the partition.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Table};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("PROFILE")]
    /// # struct User {
    /// #     user_id: String,
    /// # }
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("ORDER#<number:06>")]
    /// # struct Order {
    /// #     user_id: String,
    /// #     number: u32,
    /// # }
    /// # #[derive(DynamoItems)]
    /// # #[items(table = App)]
    /// # enum AppItem {
    /// #     User(User),
    /// #     Order(Order),
    /// # }
    /// let db = Dynamo::embedded()?;
    /// let newer = Order::sort_key().number_in(10..).build();
    /// let query = AppItem::collection(User::partition_key("u1")).within(newer);
    /// assert_eq!(
    ///     query.explain(&db)?.to_string(),
    ///     "Query App\n  key: PK = \"USER#u1\" AND SK BETWEEN \"ORDER#000010\" AND \"ORDER$\"",
    /// );
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    pub fn within<E>(self, keys: impl SortKeys<E, I>) -> Self
    where
        E: IndexedBy<I>,
        S: Contains<E>,
    {
        self.narrow::<E>(keys, |condition| condition)
    }

    /// Reads only items from these sort keys on. With [`at_most`](Self::at_most), the ends may be of
    /// different entities.
    ///
    /// ```
    /// # use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Table};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
    /// # struct App;
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("INVOICE#<number:06>")]
    /// # struct Invoice {
    /// #     user_id: String,
    /// #     number: u32,
    /// # }
    /// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # #[sk("ORDER#<number:06>")]
    /// # struct Order {
    /// #     user_id: String,
    /// #     number: u32,
    /// # }
    /// # #[derive(DynamoItems)]
    /// # #[items(table = App)]
    /// # enum AppItem {
    /// #     Invoice(Invoice),
    /// #     Order(Order),
    /// # }
    /// // The last invoices and the first orders, which sort behind them.
    /// let db = Dynamo::embedded()?;
    /// let query = AppItem::collection(Order::partition_key("u1"))
    ///     .at_least(Invoice::sort_key().number(90).build())
    ///     .at_most(Order::sort_key().number(10).build());
    /// assert_eq!(
    ///     query.explain(&db)?.to_string(),
    ///     "Query App\n  \
    ///      key: PK = \"USER#u1\" AND SK BETWEEN \"INVOICE#000090\" AND \"ORDER#000010\"",
    /// );
    /// # Ok::<(), dynamo_model::Error>(())
    /// ```
    pub fn at_least<E>(self, keys: impl SortKeys<E, I>) -> Self
    where
        E: IndexedBy<I>,
        S: Contains<E>,
    {
        self.narrow::<E>(keys, SortCondition::upwards)
    }

    /// Reads only items up to these sort keys, all that begin with a prefix included; see
    /// [`at_least`](Self::at_least).
    pub fn at_most<E>(self, keys: impl SortKeys<E, I>) -> Self
    where
        E: IndexedBy<I>,
        S: Contains<E>,
    {
        self.narrow::<E>(keys, SortCondition::downwards)
    }

    fn narrow<E: IndexedBy<I>>(self, keys: impl SortKeys<E, I>, half: Half) -> Self {
        let keys = keys.into_keys();
        let pk = const { crate::key::declared::templates::<E, I>().0 };
        Self::of(self.state.and_then(|state| {
            if state.sort != SortCondition::Nothing {
                pk.fits(state.pk.as_ref().as_ref())?;
            }
            let keys = keys?;
            state.narrow(half(keys.condition), keys.unsorted)
        }))
    }
}
