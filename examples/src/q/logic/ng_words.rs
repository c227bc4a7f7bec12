//! Forbidden words: the document scans them for every post, and considers a cache. This is the
//! cache; the stream of the table keeps it current.

use super::Result;
use crate::q::{NgWord, Word};
use dynamo_model::Dynamo;
use dynamo_model::stream::{BatchFailures, Change, StreamEvent};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// The forbidden words, in memory: of one process, shared by its clones.
///
/// The first post scans the table; later ones send no request. [`apply`](Self::apply) receives the
/// changes from the table's stream. A change can be repeated, and one from before the scan can
/// arrive after it. Both are harmless, because the changes of one word keep their order, and the
/// last one decides whether the word is forbidden.
#[derive(Debug, Clone, Default)]
pub struct NgWordCache(Arc<RwLock<State>>);

#[derive(Debug, Default)]
struct State {
    is_scanned: bool,
    /// Whether a word is forbidden. Before the scan: the changes of the stream.
    words: BTreeMap<Word, bool>,
}

impl State {
    fn is_flagged(&self, text: &str) -> bool {
        let mut forbidden = self.words.iter().filter(|(_, is_there)| **is_there);
        forbidden.any(|(word, _)| text.contains(word.as_str()))
    }
}

impl NgWordCache {
    /// Returns whether a text has a forbidden word, in any case.
    pub async fn is_flagged(&self, db: &Dynamo, text: &str) -> Result<bool> {
        let text = text.to_lowercase();
        if !self.read().is_scanned {
            let stored = NgWord::scan().consistent().all(db).await?;
            let mut state = self.write();
            // Another task may have scanned meanwhile, and may have newer changes.
            if !state.is_scanned {
                state.is_scanned = true;
                for stored in stored {
                    // The stream has changes that are newer than the scan.
                    state.words.entry(stored.word).or_insert(true);
                }
            }
        }
        Ok(self.read().is_flagged(&text))
    }

    /// Takes a change from the stream.
    pub fn apply(&self, change: Change<NgWord>) {
        let (word, is_there) = match change {
            Change::Inserted(added) | Change::Modified { new: added, .. } => (added.word, true),
            Change::Removed(removed) | Change::Expired(removed) => (removed.word, false),
        };
        self.write().words.insert(word, is_there);
    }

    /// Handles a Lambda event of the stream of the forbidden words.
    pub async fn on_ng_words(&self, event: StreamEvent) -> BatchFailures {
        let apply = |change, _| async move {
            self.apply(change);
            Ok::<_, Infallible>(())
        };
        event.for_each(apply).await
    }

    fn read(&self) -> RwLockReadGuard<'_, State> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> RwLockWriteGuard<'_, State> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }
}

/// "投稿時にこのテーブルをスキャン": returns whether a text has a forbidden word, by a separate scan.
pub async fn is_flagged(db: &Dynamo, text: &str) -> Result<bool> {
    NgWordCache::default().is_flagged(db, text).await
}
