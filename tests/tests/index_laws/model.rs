//! The expected state: maps of entities, and their earlier versions.

use super::entities::*;
use super::operations::{Expected, Operation};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

#[derive(Debug, Default)]
pub struct Model {
    pub tasks: Kept<(String, u32), Task>,
    pub notes: Kept<String, Note>,
    pub accounts: Kept<String, Account>,
}

/// Entities by their key, with all that they have been.
#[derive(Debug)]
pub struct Kept<K, E> {
    pub now: BTreeMap<K, E>,
    history: BTreeMap<K, Vec<E>>,
}

impl<K, E> Default for Kept<K, E> {
    fn default() -> Self {
        Self {
            now: BTreeMap::new(),
            history: BTreeMap::new(),
        }
    }
}

impl<K: Ord + Clone, E: Clone> Kept<K, E> {
    pub fn store(&mut self, key: &K, entity: E) {
        let history = self.history.entry(key.clone()).or_default();
        history.push(entity.clone());
        self.now.insert(key.clone(), entity);
    }

    /// As it was read some writes ago: 0 is the last that it was.
    pub fn read(&self, key: &K, ago: usize) -> Option<&E> {
        let history = self.history.get(key)?;
        history.iter().rev().nth(ago).or_else(|| history.first())
    }

    pub fn now(&self, key: &K) -> Option<&E> {
        self.now.get(key)
    }
}

impl Model {
    /// Returns the expected result of these operations, done together.
    pub fn expected(&self, operations: &[Operation]) -> Expected {
        let items: BTreeSet<_> = operations.iter().map(Operation::item).collect();
        if items.len() < operations.len() {
            return Expected::Refused;
        }
        let each: Vec<_> = operations.iter().map(|it| it.expected(self)).collect();
        if each.contains(&Expected::Refused) {
            return Expected::Refused;
        }
        // Two of them may want the same value.
        let accounts = operations.iter().filter(|it| it.is_on_account()).count();
        if each.contains(&Expected::Either) || accounts > 1 {
            return Expected::Either;
        }
        Expected::Done
    }

    /// Returns whether its unique values are free.
    pub fn is_free_for(&self, account: &Account) -> bool {
        let own = values(account);
        let mut others = self.accounts.now.values().filter(|it| it.id != account.id);
        !others.any(|other| values(other).iter().any(|value| own.contains(value)))
    }
}

/// Returns the unique values of an account, as keys.
pub fn values(account: &Account) -> Vec<String> {
    let email = Email::key(&account.email).unwrap().pk().to_string();
    let handle = account.handle.as_ref();
    let handle = handle.map(|it| Handle::key(&account.team, it).unwrap().pk().to_string());
    [Some(email), handle].into_iter().flatten().collect()
}
