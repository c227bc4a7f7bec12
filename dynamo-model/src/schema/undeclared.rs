//! Attributes that no field declares: those of a `#[serde(flatten)]` map and of a `#[dynamo(rest)]`
//! field.
//!
//! Keys, the entity type, the TTL and declared attributes are never among them: writes refuse such
//! a name, and reads do not hand them out.

use super::{Constant, EntitySchema, TableSchema};
use core::fmt;

/// Which names undeclared attributes of an entity cannot have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Undeclared {
    table: &'static TableSchema,
    pub(crate) entity: &'static EntitySchema,
}

/// The use of an attribute name by the library.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reserved {
    TableKey,
    IndexKey(&'static str),
    EntityType,
    Ttl,
    Constant,
    Declared(&'static str),
}

impl fmt::Display for Reserved {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TableKey => f.write_str("is a key of the table"),
            Self::IndexKey(index) => write!(f, "is a key of the index `{index}`"),
            Self::EntityType => f.write_str("is the entity type"),
            Self::Ttl => f.write_str("is the TTL attribute of the table"),
            Self::Constant => f.write_str("is a constant of the entity"),
            Self::Declared(field) => write!(f, "is the attribute of the field `{field}`"),
        }
    }
}

impl Undeclared {
    /// Returns `None` for an entity without undeclared attributes and constants: its reads and
    /// writes check no names.
    pub(crate) const fn of(
        table: &'static TableSchema,
        entity: &'static EntitySchema,
    ) -> Option<Self> {
        match entity.has_flattened || entity.rest.is_some() || !entity.constants.is_empty() {
            true => Some(Self { table, entity }),
            false => None,
        }
    }

    /// Returns whether serde assigns an attribute to a declared field.
    pub(crate) fn is_declared(&self, name: &str) -> bool {
        let mut aliases = self.entity.aliases.iter();
        self.entity.declares(name) || aliases.any(|(_, names)| names.contains(&name))
    }

    /// Returns the constant of this name.
    pub(crate) fn constant(&self, name: &str) -> Option<&'static Constant> {
        self.entity.constants.iter().find(|it| it.name == name)
    }

    /// Returns whether the library uses the attribute, unless a field declares it.
    pub(crate) fn is_reserved(&self, name: &str) -> bool {
        self.reserved(name).is_some()
    }

    fn reserved(&self, name: &str) -> Option<Reserved> {
        let table = self.table;
        if table.is_key(name) {
            return Some(Reserved::TableKey);
        }
        if table.entity_type == Some(name) {
            return Some(Reserved::EntityType);
        }
        if table.ttl == Some(name) {
            return Some(Reserved::Ttl);
        }
        if self.constant(name).is_some() {
            return Some(Reserved::Constant);
        }
        let mut indexes = table.indexes.iter().filter(|index| !index.native);
        let has = |sk: Option<super::KeyAttribute>| sk.is_some_and(|sk| sk.name == name);
        let index = indexes.find(|index| index.pk.name == name || has(index.sk))?;
        Some(Reserved::IndexKey(index.name))
    }

    /// Returns why an entry cannot be written under this name. An entry that may be a declared
    /// field is refused only if it is not one: serde names the fields of the entity and those of a
    /// flattened struct alike.
    pub(crate) fn refusal(&self, name: &str, may_be_field: bool) -> Option<String> {
        let mut attributes = self.entity.attributes.iter();
        let declared = attributes.find(|it| it.name == name);
        if may_be_field && declared.is_some() {
            return None;
        }
        let declared = declared.map(|it| Reserved::Declared(it.field));
        let reserved = declared.or_else(|| self.reserved(name))?;
        Some(match self.entity.rest {
            Some(rest) => {
                format!("it {reserved}, so `{rest}` cannot contain it; remove the entry")
            }
            None => format!(
                "it {reserved}, so a flattened map or struct cannot contain it; rename the entry"
            ),
        })
    }
}
