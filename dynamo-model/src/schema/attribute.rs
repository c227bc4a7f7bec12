//! An attribute of an entity, as data.

use super::form::Form as ValueForm;

/// A field that is stored as an attribute.
///
/// ```
/// use dynamo_model::schema::{AttributeRole, AttributeSchema};
///
/// let version = AttributeSchema::new("version", "v", AttributeRole::Version);
/// assert_eq!((version.field, version.name), ("version", "v"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct AttributeSchema {
    /// The Rust field.
    pub field: &'static str,
    /// The attribute's name, as serde writes it.
    pub name: &'static str,
    /// Its role.
    pub role: AttributeRole,
    /// `#[dynamo(sensitive)]`: its value never reaches a log or an error.
    pub sensitive: bool,
    /// Whether a read fails without it.
    pub required: bool,
    /// The field's type, as the declaration writes it.
    pub rust_type: &'static str,
    /// The doc comment on the field.
    pub doc: &'static str,
    /// `#[dynamo(null)]`: `None` is stored as NULL instead of being omitted.
    pub null: bool,
    /// `#[dynamo(immutable)]`: it is set at creation only.
    pub immutable: bool,
    /// Its value if it is absent.
    pub(crate) absent: Absent,
    /// Its stored form, where serde alone does not distinguish it.
    pub(crate) form: ValueForm,
}

impl AttributeSchema {
    /// Declares an attribute.
    #[must_use]
    pub const fn new(field: &'static str, name: &'static str, role: AttributeRole) -> Self {
        Self {
            field,
            name,
            role,
            sensitive: false,
            required: false,
            rust_type: "",
            doc: "",
            null: false,
            immutable: false,
            absent: Absent::Missing,
            form: ValueForm::Plain,
        }
    }

    /// Returns whether it is written in another form than serde's.
    #[cfg(feature = "client")]
    pub(crate) const fn is_formed(&self) -> bool {
        self.null || !self.form.is_plain()
    }
}

impl AttributeSchema {
    /// For generated code: sets all options at once, because each call takes compile time.
    #[doc(hidden)]
    #[must_use]
    pub const fn declared(
        field: &'static str,
        name: &'static str,
        role: AttributeRole,
        rust_type: &'static str,
        doc: &'static str,
        required: bool,
    ) -> Self {
        Self {
            required,
            rust_type,
            doc,
            ..Self::new(field, name, role)
        }
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_sensitive(mut self) -> Self {
        self.sensitive = true;
        self
    }

    /// For generated code. An absent set is an empty one, so that an item without it can be read.
    #[doc(hidden)]
    #[must_use]
    pub const fn formed(mut self, form: ValueForm) -> Self {
        self.form = form;
        if form.is_set() && self.required {
            self.absent = Absent::EmptySet;
            self.required = false;
        }
        self
    }

    /// For generated code: an alias of `Option` is optional too.
    #[doc(hidden)]
    #[must_use]
    pub const fn optional(mut self, optional: bool) -> Self {
        self.required = self.required && !optional;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_null(mut self) -> Self {
        self.null = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_immutable(mut self) -> Self {
        self.immutable = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn reading_null(mut self) -> Self {
        self.absent = Absent::Null;
        self
    }
}

/// The value of an attribute that an item lacks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// serde decides: `None`, a default, or an error.
    Missing,
    /// NULL: the function of an optional field reads that as `None`.
    Null,
    /// A set without elements.
    EmptySet,
}

/// The role of an attribute.
///
/// ```
/// use dynamo_model::schema::AttributeRole;
///
/// assert_eq!(AttributeRole::KeyOnly.as_str(), "key_only");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum AttributeRole {
    /// Data like any other.
    Data,
    /// `#[dynamo(key_only)]`: not stored as an attribute, read back from the keys.
    KeyOnly,
    /// `#[dynamo(version)]`: the number of an optimistic lock.
    Version,
    /// `#[dynamo(created_at)]`: when the item was created, from the clock.
    CreatedAt,
    /// `#[dynamo(updated_at)]`: when the item was last written, from the clock.
    UpdatedAt,
    /// `#[dynamo(ttl)]`: the second after which DynamoDB may delete the item.
    Ttl,
}

impl AttributeRole {
    /// Returns the role as the declaration writes it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            AttributeRole::Data => "data",
            AttributeRole::KeyOnly => "key_only",
            AttributeRole::Version => "version",
            AttributeRole::CreatedAt => "created_at",
            AttributeRole::UpdatedAt => "updated_at",
            AttributeRole::Ttl => "ttl",
        }
    }
}
