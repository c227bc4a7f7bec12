//! The decision about one item, where the types are known.

use super::checkpoint::is_checkpoint;
use super::migration::{Migratable, Migration};
use super::replacement::{Replaced, encode};
use super::report::Outcome;
use super::run::{Prepared, Step};
use super::shape::{self, Done, Read, Shape, shape, table_of, would_be_lost};
use crate::db::Dynamo;
use crate::error::{Error, ErrorContext, ErrorKind};
use crate::index::Primary;
use crate::op::is_of_value;
use crate::wire::{self, Item, Owned};

/// The migration, where types are known.
pub(super) struct Typed<'r, 'm, Old, New> {
    pub(super) migration: &'r Migration<'m, Old, New>,
    pub(super) context: ErrorContext,
    pub(super) same_table: bool,
}

impl<Old: Migratable, New: Migratable> Step for Typed<'_, '_, Old, New> {
    fn prepare(&self, db: &Dynamo, item: &Item) -> Result<Prepared, Error> {
        if self.is_librarys(item) {
            return Ok(Prepared::Leave(Outcome::Other));
        }
        let schemas = [&Old::SCHEMA, &New::SCHEMA];
        let context = ErrorContext {
            key: Some(wire::shown_key(table_of::<Old>(), &schemas, item).into()),
            ..self.context.clone()
        };
        if !is_own_without_type::<Old>(&context, item)? {
            return Ok(Prepared::Leave(Outcome::Other));
        }
        let old = match self.shape(&context, item)? {
            Shape::Old(old) => old,
            Shape::New => return Ok(Prepared::Leave(Outcome::Already)),
            Shape::Other => return Ok(Prepared::Leave(Outcome::Other)),
        };
        self.replace(db, &context, item, old)
    }
}

/// Returns false for an item that lacks its entity type and has another entity's key. Fails for one
/// that has the key of `Old`, unless `Old` is declared `untyped`. True for all others.
fn is_own_without_type<Old: Migratable>(
    context: &ErrorContext,
    item: &Item,
) -> Result<bool, Error> {
    let owned = Owned::of::<Old, Primary>();
    match owned.type_attribute() {
        Some(name) if !item.contains_key(name) => owned.is_own(context, item),
        _ => Ok(true),
    }
}

impl<Old: Migratable, New: Migratable> Typed<'_, '_, Old, New> {
    /// Returns whether the item is a record of the library. The table may have two declarations: an
    /// old one and a new one.
    fn is_librarys(&self, item: &Item) -> bool {
        let tables = [table_of::<Old>(), table_of::<New>()];
        let tables = tables.iter().take(1 + usize::from(self.same_table));
        let mut tables = tables.copied();
        tables.any(|table| is_of_value(table, item) || is_checkpoint(table, item))
    }

    fn replace(
        &self,
        db: &Dynamo,
        context: &ErrorContext,
        item: &Item,
        mut old: Read<Old>,
    ) -> Result<Prepared, Error> {
        let rewrite = self.migration.rewrite;
        if rewrite.is_some() {
            // The item is written under the names of the fields.
            let is_alias = |name: &String| {
                let mut aliases = Old::SCHEMA.aliases.iter();
                aliases.any(|(_, old_names)| old_names.contains(&name.as_str()))
            };
            old.unknown.retain(|name| !is_alias(name));
        }
        if !old.unknown.is_empty() && !self.migration.settings.drop_unknown {
            return Err(would_be_lost::<Old>(context, &old.unknown));
        }
        let replaced = match rewrite {
            Some(_) => Replaced::rewritten::<Old>(context, item),
            None => Replaced::new(context, item, &old.entity),
        };
        let mut others = Vec::new();
        for also in &self.migration.also {
            also(db, &old.entity, &mut others)?;
        }
        let new = (self.migration.step)(old.entity).map_err(|source| {
            let reason = "the step refused it".into();
            Error::new(
                context.clone(),
                ErrorKind::Migration { reason },
                Some(source),
            )
        })?;
        let new = encode(db, &new)?;
        match rewrite {
            Some(rewrite) => rewrite.prepare(replaced, new, others),
            None => {
                self.check_recognised(context, new.item())?;
                replaced.by(new, others).map(Prepared::Replace)
            }
        }
    }

    fn shape(&self, context: &ErrorContext, item: &Item) -> Result<Shape<Old>, Error> {
        let done = Done {
            old: self.migration.done_if.as_deref().map(|done| done as _),
            new: self.migration.done_if_new.as_deref().map(|done| done as _),
        };
        match self.migration.rewrite {
            Some(_) => shape::own(context, item, done),
            None => shape::<Old, New>(context, item, self.same_table, done),
        }
    }

    /// Checks that the next run recognises the new item; otherwise it would migrate it again.
    fn check_recognised(&self, context: &ErrorContext, new: &Item) -> Result<(), Error> {
        let types = (Old::SCHEMA.entity_type, New::SCHEMA.entity_type);
        let typed = table_of::<Old>().entity_type.is_some();
        let read = types.1.is_some_and(|new| Old::SCHEMA.has_type(new));
        if !self.same_table || (typed && !read) {
            return Ok(());
        }
        match self.shape(context, new)? {
            Shape::New | Shape::Other => Ok(()),
            Shape::Old(_) => Err(shape::error(
                context,
                format!(
                    "its replacement would match the old shape, and would be migrated again; \
                     define with `done_if` what a migrated `{}` is, or give it an attribute that \
                     `{}` does not have",
                    New::SCHEMA.entity,
                    Old::SCHEMA.entity
                ),
            )),
        }
    }
}
