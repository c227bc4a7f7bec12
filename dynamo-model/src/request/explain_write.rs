//! Requests that write or get items, as an [`Explain`].

use super::explain::{self, Explain};
use super::write::{BatchedWrite, ItemWrite, KeyOf, SingleWrite};
use crate::schema::{EntitySchema, TableSchema};
use crate::value::Value;
use crate::wire::{Item, RawItem, Reason};
use std::collections::BTreeMap;

/// Which values of a write no text may show.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Hidden {
    /// Those of the sensitive attributes of an entity, and of keys with sensitive fields.
    Of(&'static TableSchema, &'static EntitySchema),
    /// All of them: the item of a unique value has the value and its owner's key.
    All,
    Nothing,
}

impl Hidden {
    fn key(self) -> bool {
        match self {
            Self::Of(_, entity) => entity.hides_key(None),
            Self::All => true,
            Self::Nothing => false,
        }
    }

    fn attribute(self, name: &str) -> bool {
        match self {
            Self::Of(table, entity) => entity.hides(table, name),
            Self::All => true,
            Self::Nothing => false,
        }
    }
}

impl ItemWrite<'_> {
    /// Fails if the item cannot be read, which does not happen with our own.
    pub(crate) fn explain(
        &self,
        operation: &'static str,
        hidden: Hidden,
    ) -> Result<Explain, Reason> {
        let with = self.with();
        let mut explain = Explain {
            operation,
            table: with.table.to_owned(),
            condition: with.condition.map(str::to_owned),
            names: with.aliases.names().into_iter().flatten().collect(),
            values: explain::values(with.aliases.values().into_iter().flatten()),
            hidden: match hidden {
                Hidden::All => with.aliases.of_values(),
                _ => with.aliases.hidden(),
            },
            ..Explain::default()
        };
        match self {
            Self::Put(put) => explain.set_item(put.item, hidden)?,
            Self::Update(update) => {
                explain.set_key(update.key, hidden.key());
                explain.update = update.update.map(str::to_owned);
            }
            Self::Delete(delete) | Self::Check(delete) => explain.set_key(delete.key, hidden.key()),
        }
        Ok(explain)
    }
}

impl SingleWrite<'_> {
    pub(crate) fn explain(&self, hidden: Hidden) -> Result<Explain, Reason> {
        Ok(Explain {
            returns: self.returns.as_str(),
            ..self.write.explain(self.write.name(), hidden)?
        })
    }
}

impl BatchedWrite<'_> {
    pub(crate) fn explain(&self, table: &str, hidden: Hidden) -> Result<Explain, Reason> {
        match self {
            Self::Put(item) => {
                let mut explain = Explain {
                    operation: "PutRequest",
                    table: table.to_owned(),
                    ..Explain::default()
                };
                explain.set_item(item, hidden)?;
                Ok(explain)
            }
            Self::Delete(key) => Ok(Explain::of_key("DeleteRequest", table, *key, hidden.key())),
        }
    }
}

impl Explain {
    /// An operation on the item with a key, and nothing else.
    pub(crate) fn of_key(
        operation: &'static str,
        table: &str,
        key: KeyOf<'_>,
        hides: bool,
    ) -> Self {
        let mut explain = Self {
            operation,
            table: table.to_owned(),
            ..Self::default()
        };
        explain.set_key(key, hides);
        explain
    }

    /// A batch or a transaction of operations, with their tables.
    pub(crate) fn together(operation: &'static str, operations: Vec<Self>) -> Self {
        let mut tables: Vec<&str> = Vec::new();
        for explain in &operations {
            if !tables.contains(&&*explain.table) {
                tables.push(&explain.table);
            }
        }
        Self {
            operation,
            table: tables.join(", "),
            operations,
            ..Self::default()
        }
    }

    fn set_item(&mut self, item: &RawItem, hidden: Hidden) -> Result<(), Reason> {
        let item = attributes(item.clone().into_map()?);
        let names = item.keys().filter(|name| hidden.attribute(name));
        self.hidden_attributes = names.cloned().collect();
        self.item = Some(item);
        Ok(())
    }

    fn set_key(&mut self, of: KeyOf<'_>, hides: bool) {
        self.hide_key = hides;
        self.key = Some(attributes(of.key.to_item(of.schema)));
    }
}

fn attributes(item: Item) -> BTreeMap<String, Value> {
    explain::values(item.into_iter())
}
