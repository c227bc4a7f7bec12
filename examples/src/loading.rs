//! Loading sample data, with one count over all entities.

use dynamo_model::write::Storable;
use dynamo_model::{BatchWrite, Dynamo, Error};
use jiff::Timestamp;

/// Loads items, one entity after the other.
pub(crate) struct Loading<'a> {
    db: Dynamo,
    progress: &'a mut (dyn FnMut(usize) + Send),
    loaded: usize,
}

impl<'a> Loading<'a> {
    /// `progress` is called with the number of items that are loaded so far. Times that the library
    /// sets are `at`: the data is the same every time.
    pub(crate) fn new(
        db: &Dynamo,
        at: Timestamp,
        progress: &'a mut (dyn FnMut(usize) + Send),
    ) -> Self {
        Self {
            db: db.clone().with_clock(move || at.into()),
            progress,
            loaded: 0,
        }
    }

    /// Stores one item, whose key must be free.
    pub(crate) async fn create<E: Storable>(&mut self, entity: &E) -> Result<(), Error> {
        entity.create().send(&self.db).await?;
        self.loaded += 1;
        (self.progress)(self.loaded);
        Ok(())
    }

    /// Sends a batch and counts its items.
    pub(crate) async fn write<'b>(
        &'b mut self,
        fill: impl FnOnce(BatchWrite<'b>) -> BatchWrite<'b>,
    ) -> Result<(), Error> {
        let before = self.loaded;
        let (loaded, progress) = (&mut self.loaded, &mut self.progress);
        let counted = BatchWrite::new().on_progress(move |batch| {
            *loaded = before + batch.written;
            progress(*loaded);
        });
        fill(counted).send(&self.db).await
    }
}
