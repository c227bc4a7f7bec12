//! The budget of a read, and its use.

use crate::error::ErrorKind;

/// The bounds of a read.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Budget {
    pub(crate) requests: Option<u32>,
    /// Items read, filtered ones included.
    pub(crate) items: Option<usize>,
}

/// The used part of a budget.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Spent {
    requests: u32,
    items: usize,
}

impl Spent {
    pub(super) fn add(&mut self, requests: usize, items: usize) {
        let requests = u32::try_from(requests).unwrap_or(u32::MAX);
        self.requests = self.requests.saturating_add(requests);
        self.items = self.items.saturating_add(items);
    }

    /// Returns how many items each of the next `requests` may read; `None` without a bound. Fails
    /// if the budget does not allow so many requests, or not one item for each of them. `round` is
    /// the largest number of concurrent requests: with a budget below it a read could never make
    /// progress.
    pub(super) fn allow(
        self,
        budget: Budget,
        requests: usize,
        round: usize,
    ) -> Result<Option<usize>, ErrorKind> {
        let is_below = |count: usize, of_requests: u32, of_items: usize| {
            let allowed = |bound: Option<usize>, used| bound.map(|it| it.saturating_sub(used));
            let requests = allowed(budget.requests.map(|it| it as usize), of_requests as usize);
            let items = allowed(budget.items, of_items);
            requests.is_some_and(|it| it < count) || items.is_some_and(|it| it < count)
        };
        if is_below(round, 0, 0) {
            return Err(ErrorKind::SmallBudget { needed: round });
        }
        if is_below(requests, self.requests, self.items) {
            return Err(ErrorKind::BudgetSpent {
                requests: self.requests,
                items_read: self.items,
            });
        }
        let left = budget.items.map(|it| it.saturating_sub(self.items));
        Ok(left.map(|items| items / requests.max(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn budget(requests: Option<u32>, items: Option<usize>) -> Budget {
        Budget { requests, items }
    }

    fn spent(requests: u32, items: usize) -> Spent {
        Spent { requests, items }
    }

    #[test]
    fn without_bounds_everything_is_allowed() {
        assert_eq!(spent(1000, 1000).allow(budget(None, None), 8, 8), Ok(None));
    }

    #[test]
    fn the_items_that_are_left_are_shared_by_the_next_requests() {
        let budget = budget(None, Some(100));
        assert_eq!(spent(0, 0).allow(budget, 1, 1), Ok(Some(100)));
        assert_eq!(spent(3, 40).allow(budget, 7, 8), Ok(Some(8)));
        assert_eq!(spent(3, 99).allow(budget, 1, 8), Ok(Some(1)));
        let over = ErrorKind::BudgetSpent {
            requests: 3,
            items_read: 99,
        };
        assert_eq!(spent(3, 99).allow(budget, 2, 8), Err(over));
    }

    #[test]
    fn requests_that_do_not_fit_are_not_sent() {
        let budget = budget(Some(10), None);
        assert_eq!(spent(8, 500).allow(budget, 2, 8), Ok(None));
        let over = ErrorKind::BudgetSpent {
            requests: 9,
            items_read: 500,
        };
        assert_eq!(spent(9, 500).allow(budget, 2, 8), Err(over));
    }

    #[test]
    fn a_budget_below_one_round_is_refused() {
        let needed = Err(ErrorKind::SmallBudget { needed: 8 });
        assert_eq!(spent(0, 0).allow(budget(Some(7), None), 8, 8), needed);
        assert_eq!(spent(0, 0).allow(budget(None, Some(7)), 1, 8), needed);
        let needed = Err(ErrorKind::SmallBudget { needed: 1 });
        assert_eq!(spent(0, 0).allow(budget(Some(0), None), 1, 1), needed);
    }
}
