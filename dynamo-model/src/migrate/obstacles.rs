//! The obstacles of a run, found without writing: keys and unique values that another item has, and
//! transactions that are too large. A rewrite also checks here whether an item has its unique
//! items.

use super::replacement::Replacement;
use crate::db::Dynamo;
use crate::error::{Error, ErrorKind};
use crate::op::{
    Action, PreparedWrite, Presence, check_together, current, has_same_owner, is_owned_by,
    owner_text,
};
use crate::schema::EntitySchema;
use crate::wire::{Item, ItemKey, items_eq};
use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// The items that a dry run would have written, by table and key, with the key of the item that
/// each comes from.
#[derive(Debug, Default)]
pub(super) struct Obstacles(Mutex<HashMap<(Cow<'static, str>, ItemKey), ItemKey>>);

impl Obstacles {
    /// Returns why a replacement would be refused, if it would be.
    pub(super) async fn find(
        &self,
        db: &Dynamo,
        replacement: &Replacement,
    ) -> Result<Option<Error>, Error> {
        if replacement.writes.len() > 1
            && let Err(error) = check_together(&replacement.context, &replacement.writes)
        {
            return Ok(Some(error));
        }
        for write in replacement.coming() {
            let taken = match stored(db, write).await? {
                Some(found) if replacement.may_replace(write, &found) => None,
                Some(found) => Some(owner_text(write.schema, &found)),
                None => None,
            };
            let taken = taken.or_else(|| self.claim(replacement, write).map(Some));
            if let Some(by) = taken {
                return Ok(Some(replacement.refused(write, by)));
            }
        }
        Ok(None)
    }

    /// Records that an item would be written. Returns the key of another item that would write it
    /// too.
    fn claim(&self, replacement: &Replacement, write: &PreparedWrite) -> Option<String> {
        let target = (write.context.table.clone(), write.key.clone());
        let mut claimed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let own = &replacement.key;
        let first = claimed.entry(target).or_insert_with(|| own.clone());
        (first != own).then(|| first.to_string())
    }
}

async fn stored(db: &Dynamo, write: &PreparedWrite) -> Result<Option<Item>, Error> {
    let found = current(db, &write.context, write.key.to_item(write.schema)).await?;
    Ok(found.filter(|found| !found.is_empty()))
}

fn put_item(write: &PreparedWrite) -> Option<Item> {
    match &write.action {
        Action::Put(item) => item.clone().into_map().ok(),
        _ => None,
    }
}

impl Replacement {
    /// Returns whether every unique item is stored as it would be written.
    pub(super) async fn has_uniques(&self, db: &Dynamo) -> Result<bool, Error> {
        for write in self.coming() {
            let found = stored(db, write).await?;
            let is_same = put_item(write)
                .zip(found)
                .map(|(own, found)| items_eq(&own, &found));
            if is_same != Some(true) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Returns the items that do not exist yet.
    fn coming(&self) -> impl Iterator<Item = &PreparedWrite> {
        let writes = self.writes.iter();
        let puts = writes.filter(|write| matches!(write.action, Action::Put(_)));
        puts.filter(|write| write.guard.presence != Presence::Present)
    }

    /// Returns whether the stored item is a unique item of the old item or the new one.
    fn may_replace(&self, write: &PreparedWrite, found: &Item) -> bool {
        let own = || put_item(write).is_some_and(|own| has_same_owner(&own, found));
        write.guard.unique.is_some() && (is_owned_by(self.schema, found, &self.key) || own())
    }

    /// Returns the error that a run would end with, and the key of the conflicting item.
    fn refused(&self, write: &PreparedWrite, by: Option<String>) -> Error {
        let kind = write.guard.kind(None);
        let by = by.filter(|_| !self.hides_keys(write));
        let reason = match (&kind, by) {
            (ErrorKind::NotUnique { .. }, Some(by)) => {
                format!(
                    "`{}` is the value of {by}; change one of the two items",
                    write.key.pk()
                )
            }
            (_, Some(by)) => format!("{by} would get this key, too; change one of the two items"),
            (_, None) => "another item has it; change one of the two items".to_owned(),
        };
        Error::new(write.context.clone(), kind, Some(reason.into()))
    }

    /// Returns whether one of the keys can contain a sensitive field.
    fn hides_keys(&self, write: &PreparedWrite) -> bool {
        let hides = |entity: &&'static EntitySchema| {
            let mut fields = entity.key_fields();
            fields.any(|field| entity.is_sensitive(|it| it.field == field))
        };
        let mut entities = self.entities.iter().chain(write.schema.items);
        entities.any(hides)
    }
}
