//! The inline filters of a vector index: attributes that a search compares with one value each.

use crate::expr::{AsOperand, Condition, Path};
use core::ops::BitAnd;

/// An attribute by which a search can be narrowed; made by the accessors of an entity's filters.
///
/// DynamoDB compares it with one value. `AND` is its only connective, so `&` joins filters here
/// too.
#[derive(Debug)]
pub struct InlineFilter<T: ?Sized> {
    attribute: &'static str,
    path: Path<T>,
}

impl<T: ?Sized> InlineFilter<T> {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub fn new(attribute: &'static str, path: Path<T>) -> Self {
        Self { attribute, path }
    }

    /// Finds only items whose attribute has this value.
    #[must_use]
    pub fn eq(&self, value: impl AsOperand<T>) -> SearchFilter {
        SearchFilter(vec![(self.attribute, self.path.eq(value))])
    }
}

/// The result of a filter closure of a search: one or more comparisons, all of which must hold.
#[derive(Debug, Clone)]
#[must_use = "a filter does nothing until it is given to a search"]
pub struct SearchFilter(pub(crate) Vec<(&'static str, Condition)>);

impl BitAnd for SearchFilter {
    type Output = Self;

    fn bitand(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }
}
