//! Some of the sort keys of an entity, as a value: for `within`, `at_least` and `at_most`.

use super::prefix::KeyPrefix;
use super::range::SortCondition;
#[cfg(feature = "client")]
use super::sort_key::Unsorted;
use crate::error::KeyError;
use crate::index::Primary;
use core::fmt;
use core::marker::PhantomData;

/// A range of sort keys of entity `E`, in the table or in the index `I`: the argument of
/// [`within`](crate::read::Query::within).
///
/// Made by `sort_key()` and a range of one of its parts.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::key::SortKeyRange;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// let newer: SortKeyRange<Order> = Order::sort_key().number_in(100..).build()?;
/// assert_ne!(newer, Order::sort_key().number_in(200..).build()?);
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub struct SortKeyRange<E, I = Primary> {
    condition: SortCondition,
    of: PhantomData<fn() -> (E, I)>,
}

impl<E, I> SortKeyRange<E, I> {
    pub(super) fn new(condition: SortCondition) -> Self {
        Self {
            condition,
            of: PhantomData,
        }
    }
}

// A derived impl would require the same of `E` and `I`, which are only markers.
impl<E, I> Clone for SortKeyRange<E, I> {
    fn clone(&self) -> Self {
        Self::new(self.condition.clone())
    }
}

impl<E, I> PartialEq for SortKeyRange<E, I> {
    fn eq(&self, other: &Self) -> bool {
        self.condition == other.condition
    }
}

impl<E, I> Eq for SortKeyRange<E, I> {}

/// Hides the ends, which may be sensitive; `explain` shows the others.
impl<E, I> fmt::Debug for SortKeyRange<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SortKeyRange").finish_non_exhaustive()
    }
}

/// Sort keys of entity `E` in the index `I`: a [`KeyPrefix`], a [`SortKeyRange`], or the result of
/// building one. An invalid one fails the read before any request.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::index::Primary;
/// use dynamo_model::key::SortKeys;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// fn takes(keys: impl SortKeys<Order, Primary>) {
///     let _ = keys;
/// }
/// takes(Order::sort_key().number(7).build());
/// takes(Order::sort_key().number_in(..7).build());
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a part of the sort keys of `{I}`",
    label = "not sort keys of `{I}`",
    note = "pass what `sort_key()` builds for the table, and `…_sort_key()` for an index, as in `Order::sort_key().number_in(1..).build()`"
)]
pub trait SortKeys<E, I> {
    #[doc(hidden)]
    fn into_keys(self) -> Result<KnownKeys, KeyError>;
}

/// The condition on the sort key.
#[doc(hidden)]
#[derive(Debug)]
pub struct KnownKeys {
    pub(crate) condition: SortCondition,
    /// The next part, if keys that meet the condition are not in the order of its values.
    #[cfg(feature = "client")]
    pub(crate) unsorted: Option<Unsorted>,
}

impl<E, I> SortKeys<E, I> for KeyPrefix<E, I> {
    fn into_keys(self) -> Result<KnownKeys, KeyError> {
        Ok(KnownKeys {
            #[cfg(feature = "client")]
            unsorted: self.unsorted(),
            condition: self.into_condition(),
        })
    }
}

impl<E, I> SortKeys<E, I> for SortKeyRange<E, I> {
    fn into_keys(self) -> Result<KnownKeys, KeyError> {
        Ok(KnownKeys {
            condition: self.condition,
            #[cfg(feature = "client")]
            unsorted: None,
        })
    }
}

#[diagnostic::do_not_recommend]
impl<E, I, K: SortKeys<E, I>> SortKeys<E, I> for Result<K, KeyError> {
    fn into_keys(self) -> Result<KnownKeys, KeyError> {
        self?.into_keys()
    }
}
