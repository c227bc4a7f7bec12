//! Writing documents, by the operations of their entities.

use super::{Live, LiveError, LiveItem, Store};
use dynamo_model::Dynamo;
use dynamo_model::key::KeyValue;
use dynamo_model::schema::TableSchema;
use serde_json::{Map, Value};

impl Live {
    /// Stores a JSON document as an item of an entity; returns its key.
    ///
    /// # Errors
    ///
    /// If the document is not an item of the entity, if the key or a unique value is taken, if the
    /// stored version is another one, or if the call fails.
    pub async fn store(
        &self,
        db: &Dynamo,
        entity: &str,
        how: Store,
        document: Value,
    ) -> Result<(KeyValue, Option<KeyValue>), LiveError> {
        self.named(entity)?.store(db, how, document).await
    }

    /// Changes some fields of an item that was read. The write requires the version that was read,
    /// or of an entity without a version, the values that were read.
    ///
    /// # Errors
    ///
    /// If the item changed since it was read, if a change does not fit its field, if it changes the
    /// key, or if the call fails.
    pub async fn update(
        &self,
        db: &Dynamo,
        read: &LiveItem,
        changes: Map<String, Value>,
    ) -> Result<(), LiveError> {
        let entity = read.entity.as_ref().ok_or_else(undeclared)?;
        let names = entity.schema().attributes.iter().map(|it| it.name);
        let names: Vec<_> = names.collect();
        if let Some(unknown) = changes.keys().find(|name| !names.contains(&name.as_str())) {
            let message = format!(
                "`{}` has no field that is stored as `{unknown}`; it has {}",
                entity.schema().entity,
                super::pattern::listed(&names)
            );
            return Err(LiveError::usage(message));
        }
        entity.update(db, &read.attributes, changes).await
    }

    /// Deletes an item that was read, under the same condition as [`update`](Self::update), with
    /// the items of its unique values.
    ///
    /// # Errors
    ///
    /// If the item changed since it was read, or if the call fails.
    pub async fn delete(&self, db: &Dynamo, read: &LiveItem) -> Result<(), LiveError> {
        let entity = read.entity.as_ref().ok_or_else(undeclared)?;
        entity.delete(db, &read.attributes).await
    }

    /// Reads an item again, to write it. The write itself requires that it does not change in
    /// between.
    ///
    /// # Errors
    ///
    /// If the item is not the one that `fingerprint` was taken of, or does not exist, or if the
    /// call fails.
    pub async fn read_again(
        &self,
        db: &Dynamo,
        table: &'static TableSchema,
        key: (KeyValue, Option<KeyValue>),
        fingerprint: u64,
    ) -> Result<LiveItem, LiveError> {
        let item = self.item_at(db, table, key).await?;
        match item.fingerprint() == fingerprint {
            true => Ok(item),
            false => Err(LiveError::conflict(
                "the item changed since you opened it; reload it and make the change again",
            )),
        }
    }
}

fn undeclared() -> LiveError {
    LiveError::usage("no entity declares this item, so it cannot be written; declare it first")
}
