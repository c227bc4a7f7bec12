//! The results of a search.

use crate::schema::Distance;
use core::cmp::Ordering;

/// A found item and its score.
///
/// A lower score is closer for `cosine` and `euclidean`, a higher one for `dot_product`. So compare
/// results with [`is_closer_than`](Self::is_closer_than), which knows the index.
///
/// ```
/// use dynamo_model::vector::Scored;
///
/// fn closest<T>(found: Vec<Scored<T>>) -> Option<Scored<T>> {
///     found.into_iter().min_by(Scored::by_closeness)
/// }
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Scored<T> {
    /// The item.
    pub item: T,
    /// Its score, as DynamoDB returns it.
    pub score: f64,
    /// How the index compares vectors.
    pub distance: Distance,
}

impl<T> Scored<T> {
    pub(crate) fn new(item: T, score: f64, distance: Distance) -> Self {
        Self {
            item,
            score,
            distance,
        }
    }

    /// Whether it is closer to the searched vector than another result of the same index.
    #[must_use]
    pub fn is_closer_than<U>(&self, other: &Scored<U>) -> bool {
        self.distance.is_closer(self.score, other.score)
    }

    /// Orders results of one index: the closest is the least.
    #[must_use]
    pub fn by_closeness(&self, other: &Self) -> Ordering {
        self.distance.compare(self.score, other.score)
    }

    /// The same score with another item.
    pub fn map<U>(self, map: impl FnOnce(T) -> U) -> Scored<U> {
        Scored {
            item: map(self.item),
            score: self.score,
            distance: self.distance,
        }
    }
}
