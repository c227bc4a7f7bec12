//! Rules that look at more than one declaration, checked at compile time.
//!
//! A derive sees one item only, so an entity is compared with its table here, in constants:
//! generated code calls each check in a `const _: () = …enforce();` with the span of the user's
//! text. Each rule is one function, with the reason why DynamoDB, or we, impose it. A file has the
//! rules of one theme.
//!
//! Nearly all declarations are correct, and every entity is checked. Const evaluation is slow, so
//! function calls (also `len` and `is_empty`) are avoided: lists are walked by patterns, and
//! attributes that the table cannot have are recognised by a bit. Messages are built in separate
//! functions.

mod attribute;
mod distinct;
mod entity_type;
mod index_key;
mod key_spec;
mod key_type;
mod lookup;
mod membership;
mod projection;
mod shared_key;
mod unique;
mod vector;

use super::form::Form as ValueForm;
use super::table::TableSchema;
use super::{EntitySchema, look};
use crate::key::part::kind::Name;
use attribute::{constant, taken, ttl};
use entity_type::entity_type;
use index_key::index_key;
use key_type::{epoch_key, key_type, plain_key};
use membership::{member, sort_key};
use shared_key::shared_key;
use unique::{unique, unique_table};
use vector::{
    vector_attribute, vector_dimensions, vector_filter, vector_hash, vector_index, vector_shared,
};

pub use attribute::stored_form;
pub use distinct::distinct;
#[cfg(feature = "client")]
pub(crate) use index_key::index;
pub use membership::same_table;
#[cfg(feature = "client")]
pub(crate) use projection::{carries, projection};
#[cfg(feature = "client")]
pub(crate) use vector::index_carries;

/// An entity and its table, for generated code: each rule stops the compilation where it is called.
#[derive(Debug)]
pub struct Rules {
    table: TableSchema,
    entity: EntitySchema,
    /// How the attributes look that the table has for itself.
    own: u128,
}

macro_rules! rules {
    ($($rule:ident($($name:ident: $ty:ty),*);)*) => {
        impl Rules {
            /// The checks of this entity and its table.
            #[must_use]
            pub const fn of<E: crate::Entity>() -> Self {
                let (table, entity) = (crate::__private::table::<E>(), E::SCHEMA);
                Self { own: own(&table), table, entity }
            }

            $(
                /// The rule of this name.
                #[track_caller]
                pub const fn $rule(&self, $($name: $ty),*) {
                    $rule(&self.table, &self.entity $(, $name)*).enforce();
                }
            )*
        }
    };
}

rules! {
    sort_key();
    member();
    entity_type();
    shared_key(at: usize);
    key_type(key: usize, sort: bool);
    plain_key(key: usize, sort: bool);
    epoch_key(key: usize, sort: bool);
    index_key(key: usize);
    taken(at: usize);
    ttl(at: usize);
    unique(at: usize);
    unique_table(at: usize);
    constant(at: usize);
    vector_index(at: usize);
    vector_attribute(at: usize);
    vector_dimensions(at: usize, dimensions: usize);
    vector_hash(at: usize, kind: Option<Name>);
    vector_filter(at: usize, which: usize, kind: Option<Name>);
    vector_shared(at: usize);
}

impl Rules {
    /// The rule that no field is stored under a reserved name of the table.
    #[track_caller]
    pub const fn attribute(&self, at: usize) {
        if self.own & look(self.entity.attributes[at].name) != 0 {
            self.taken(at);
        }
        let attribute = &self.entity.attributes[at];
        if matches!(attribute.form, ValueForm::Decimal | ValueForm::DecimalSet) {
            stored_form(attribute.field, attribute.form);
        }
    }
}

/// How the attributes look that a table has for itself.
const fn own(table: &TableSchema) -> u128 {
    let mut own = look(table.pk.name);
    if let Some(sk) = &table.sk {
        own |= look(sk.name);
    }
    if let Some(name) = table.entity_type {
        own |= look(name);
    }
    if let Some(name) = table.ttl {
        own |= look(name);
    }
    let mut indexes = table.indexes;
    while let [index, rest @ ..] = indexes {
        own |= look(index.pk.name);
        if let Some(sk) = &index.sk {
            own |= look(sk.name);
        }
        indexes = rest;
    }
    own
}
