//! Counts accesses by partition key, in bounded memory, and lists the hottest keys.
//!
//! Every access is counted in a count-min sketch: a few counters that many keys share, so a count
//! can be too high but never too low. A key whose count exceeds the lowest of the list enters the
//! list, and only then is its text made.

use crate::db::Dynamo;
use crate::key::KeyValue;
use crate::schema::{EntitySchema, IndexSchema, TableSchema};
use core::fmt;
use std::borrow::Cow;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The rows of the sketch: a count is too high only if it is too high in each.
const ROWS: usize = 4;
/// The text of a key that belongs to no entity: of a unique constraint, or of a migration.
const INTERNAL: &str = "unique or internal item";
/// The counters of a row; a power of two.
const COLUMNS: usize = 2048;

/// Counts accesses by partition key and lists the keys with most of them; set with
/// [`Dynamo::with_hot_keys`]. Clones count together.
///
/// It takes 64 KB and the texts of the listed keys, for any number of keys.
///
/// ```
/// use dynamo_model::throttling::HotKeys;
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Table};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: u32,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// let keys = HotKeys::new(10);
/// let db = Dynamo::embedded()?.with_hot_keys(&keys);
/// App::create_table(&db).await?;
/// for user_id in [1, 2, 1, 1] {
///     User::get(user_id).send(&db).await?;
/// }
/// let hottest = &keys.hottest()[0];
/// assert_eq!((&*hottest.key, hottest.reads, hottest.writes), ("USER#1", 3, 0));
/// assert_eq!(hottest.to_string(), "table `App`, `USER#1`: 3 reads, 0 writes");
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct HotKeys(Arc<Shared>);

struct Shared {
    hasher: RandomState,
    counts: Mutex<Counts>,
}

struct Counts {
    sketch: Vec<[u32; 2]>,
    /// The list, in no order.
    top: Vec<(u64, HotKey)>,
    /// The number of keys that the list has room for.
    room: usize,
    accesses: u64,
}

/// A partition key and the number of its accesses: see [`HotKeys::hottest`].
///
/// ```
/// use dynamo_model::throttling::HotKey;
///
/// fn is_mostly_read(key: &HotKey) -> bool {
///     key.reads > 10 * key.writes
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct HotKey {
    /// The deployed name of the table.
    pub table: String,
    /// The index that was queried; `None` for the table's own key.
    pub index: Option<&'static str>,
    /// The partition key. If a sensitive field stands in it, its template with a mark, by which one
    /// key can be told from another.
    pub key: String,
    /// How many requests read from it: a page, a get, a key of a batch. Can be too high, and is
    /// never too low.
    pub reads: u32,
    /// How many writes went to it. Can be too high, and is never too low.
    pub writes: u32,
}

impl HotKey {
    fn total(&self) -> u64 {
        u64::from(self.reads) + u64::from(self.writes)
    }
}

impl fmt::Display for HotKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "table `{}`, ", self.table)?;
        if let Some(index) = self.index {
            write!(f, "index `{index}`, ")?;
        }
        let Self {
            key, reads, writes, ..
        } = self;
        write!(f, "`{key}`: {reads} reads, {writes} writes")
    }
}

/// The kind of an access.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Access {
    Read = 0,
    Write = 1,
}

/// A partition, for one access.
pub(crate) struct Accessed<'a> {
    pub(crate) table: &'a TableSchema,
    pub(crate) index: Option<&'static IndexSchema>,
    /// The entities of the keys, which all have the same partition key. Empty for an item of the
    /// library.
    pub(crate) entities: &'a [&'static EntitySchema],
    pub(crate) pk: &'a KeyValue,
}

impl Accessed<'_> {
    /// Returns the key, or its template if it contains a sensitive field.
    fn text(&self, hash: u64) -> String {
        let template = |entity: &&'static EntitySchema| match self.index {
            None => Some(entity.pk),
            Some(index) => {
                let mut indexes = entity.indexes.iter();
                indexes.find(|it| it.id == index.id).map(|it| it.pk)
            }
        };
        if self.entities.is_empty() {
            // The key of a unique constraint may contain a sensitive field.
            return format!("{INTERNAL} [{:08x}]", hash >> 32);
        }
        let hidden = self.entities.iter().find_map(|entity| {
            let template = template(entity)?;
            let is_hidden = |field| entity.is_sensitive(|it| it.field == field);
            let mut fields = template.parts.iter().map(|part| part.field);
            fields.any(is_hidden).then_some(template)
        });
        match hidden {
            Some(template) => format!("{template} [{:08x}]", hash >> 32),
            None => self.pk.to_string(),
        }
    }
}

impl HotKeys {
    /// Makes a list of up to this many keys, and at least one.
    #[must_use]
    pub fn new(keys: usize) -> Self {
        let counts = Counts {
            sketch: vec![[0; 2]; ROWS * COLUMNS],
            top: Vec::new(),
            room: keys.max(1),
            accesses: 0,
        };
        Self(Arc::new(Shared {
            hasher: RandomState::new(),
            counts: Mutex::new(counts),
        }))
    }

    /// Returns the keys with the most accesses since the beginning or the last
    /// [`reset`](Self::reset), the hottest first.
    #[must_use]
    pub fn hottest(&self) -> Vec<HotKey> {
        let mut keys: Vec<_> = {
            let counts = self.counts();
            counts.top.iter().map(|(_, key)| key.clone()).collect()
        };
        keys.sort_by(|a, b| (b.total(), &a.key).cmp(&(a.total(), &b.key)));
        keys
    }

    /// Returns the number of counted accesses, of all keys.
    #[must_use]
    pub fn accesses(&self) -> u64 {
        self.counts().accesses
    }

    /// Forgets all counts: for a report each minute, for example.
    pub fn reset(&self) {
        let mut counts = self.counts();
        counts.sketch.fill([0; 2]);
        counts.top.clear();
        counts.accesses = 0;
    }

    fn counts(&self) -> MutexGuard<'_, Counts> {
        let counts = self.0.counts.lock();
        counts.unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, db: &Dynamo, access: Access, accessed: &Accessed<'_>) {
        let table = db.deployed_name(accessed.table);
        let index = accessed.index.map(|index| index.name);
        let hash = self.0.hasher.hash_one((&table, index, accessed.pk));
        self.counts().count(hash, access, || {
            let key = accessed.text(hash);
            (table, index, key)
        });
    }
}

impl Counts {
    fn count(
        &mut self,
        hash: u64,
        access: Access,
        name: impl FnOnce() -> (Cow<'static, str>, Option<&'static str>, String),
    ) {
        self.accesses += 1;
        let [reads, writes] = self.sketched(hash, access);
        if let Some((_, key)) = self.top.iter_mut().find(|(of, _)| *of == hash) {
            (key.reads, key.writes) = (reads, writes);
            return;
        }
        if self.top.len() == self.room {
            let lowest = self.top.iter().enumerate();
            let lowest = lowest.min_by_key(|(_, (_, key))| key.total());
            match lowest.map(|(at, (_, key))| (at, key.total())) {
                Some((at, total)) if u64::from(reads) + u64::from(writes) > total => {
                    self.top.swap_remove(at);
                }
                _ => return,
            }
        }
        let (table, index, key) = name();
        let table = table.into_owned();
        self.top.push((
            hash,
            HotKey {
                table,
                index,
                key,
                reads,
                writes,
            },
        ));
    }

    /// Counts the access in each row. Returns the lowest counts of all rows.
    fn sketched(&mut self, hash: u64, access: Access) -> [u32; 2] {
        let mut lowest = [u32::MAX; 2];
        for row in 0..ROWS {
            // Each row uses other bits, mixed so that keys with one counter in a row have different
            // ones in the next.
            let mixed = hash
                .rotate_left(row as u32 * 16)
                .wrapping_mul(0x9e37_79b9_7f4a_7c15);
            let column = (mixed >> 32) as usize % COLUMNS;
            let Some(counter) = self.sketch.get_mut(row * COLUMNS + column) else {
                continue;
            };
            let own = &mut counter[access as usize];
            *own = own.saturating_add(1);
            for (lowest, count) in lowest.iter_mut().zip(*counter) {
                *lowest = (*lowest).min(count);
            }
        }
        lowest
    }
}

impl fmt::Debug for HotKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.hottest()).finish()
    }
}

impl Dynamo {
    /// Counts accesses by partition key: see [`HotKeys`](crate::throttling::HotKeys). Each key of a
    /// read or write counts once, however often its request is sent; scans have no key. A write
    /// counts for the key of the table, and not for the keys of its indexes.
    #[must_use]
    pub fn with_hot_keys(mut self, keys: &HotKeys) -> Self {
        self.set_hot_keys(keys.clone());
        self
    }

    /// Counts an access, if the handle has a list of hot keys.
    #[inline]
    pub(crate) fn accessed<'a>(&self, access: Access, accessed: impl FnOnce() -> Accessed<'a>) {
        if let Some(keys) = self.hot_keys() {
            keys.count(self, access, &accessed());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counted(room: usize, accesses: impl IntoIterator<Item = (u64, Access)>) -> HotKeys {
        let keys = HotKeys::new(room);
        for (n, access) in accesses {
            let hash = keys.0.hasher.hash_one(n);
            keys.counts()
                .count(hash, access, || ("T".into(), None, n.to_string()));
        }
        keys
    }

    #[test]
    fn the_hottest_of_many_keys_are_listed_with_counts_that_are_not_too_low() {
        let cold = (0..50_000).map(|n| (n + 100, Access::Read));
        let hot = (0..9_000).map(|n| {
            (
                n % 3,
                if n % 2 == 0 {
                    Access::Read
                } else {
                    Access::Write
                },
            )
        });
        let keys = counted(3, cold.zip(hot.cycle()).flat_map(|(cold, hot)| [cold, hot]));
        let hottest = keys.hottest();
        let mut names: Vec<_> = hottest.iter().map(|it| it.key.as_str()).collect();
        names.sort_unstable();
        assert_eq!(names, ["0", "1", "2"]);
        assert_eq!(keys.accesses(), 100_000);
        for key in hottest {
            assert!(key.reads >= 8_333 && key.writes >= 8_333, "{key}");
            assert!(key.total() < 17_500, "{key}: far too high");
        }
    }

    #[test]
    fn the_list_stays_within_its_room_and_reset_empties_it() {
        let keys = counted(2, (0..100).map(|n| (n, Access::Write)));
        assert_eq!(keys.hottest().len(), 2);
        keys.reset();
        assert_eq!((keys.hottest().len(), keys.accesses()), (0, 0));
    }
}
