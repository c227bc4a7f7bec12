//! The functions with which generated code describes an entity. Each option of the declaration has
//! one, so a simple entity needs one call.

use super::entity::OldNames;
use super::{
    Absent, AttributeRole, AttributeSchema, Constant, EntityIndex, EntitySchema, EntityVector,
    UniqueSchema,
};
use crate::key::template::{Role, Template};

impl EntitySchema {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        entity: &'static str,
        entity_type: Option<&'static str>,
        (pk, sk): (&'static Template, Option<&'static Template>),
        indexes: &'static [EntityIndex],
        attributes: &'static [AttributeSchema],
    ) -> Self {
        Self {
            entity,
            entity_type,
            other_types: &[],
            shares_key_with: &[],
            checks_type: false,
            pk,
            sk,
            indexes,
            vectors: &[],
            attributes,
            uniques: &[],
            doc: "",
            declared_in: "",
            former: false,
            untyped: false,
            hides_expired: false,
            scannable: None,
            has_sensitive: any_sensitive(attributes),
            has_key_only: any_key_only(attributes),
            has_flattened: false,
            aliases: &[],
            constants: &[],
            rest: None,
            nulls: false,
            has_forms: any_formed(attributes),
            has_absent: any_absent(attributes),
        }
    }

    /// For generated code: `entity_type = ["USER", "Account"]`, all but the first.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_other_types(mut self, types: &'static [&'static str]) -> Self {
        self.other_types = types;
        self
    }

    /// For generated code: `shares_key_with(Organization)`.
    #[doc(hidden)]
    #[must_use]
    pub const fn sharing_key_with(mut self, entities: &'static [&'static str]) -> Self {
        self.shares_key_with = entities;
        self.checks_type = true;
        self
    }

    /// For generated code: `#[dynamo(check_type)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn checking_type(mut self) -> Self {
        self.checks_type = true;
        self
    }

    /// For generated code: `#[dynamo(null)]` on the entity.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_nulls(mut self) -> Self {
        self.nulls = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn declared_in(mut self, place: &'static str) -> Self {
        self.declared_in = place;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_flattened(mut self) -> Self {
        self.has_flattened = true;
        self
    }

    /// For generated code: `#[dynamo(untyped)]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn allowing_untyped(mut self) -> Self {
        self.untyped = true;
        self
    }

    /// For generated code: other names that fields are read under.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_aliases(mut self, aliases: &'static [OldNames]) -> Self {
        self.aliases = aliases;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_constants(mut self, constants: &'static [Constant]) -> Self {
        self.constants = constants;
        self
    }

    /// For generated code: the name of the `#[dynamo(rest)]` field.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_rest(mut self, field: &'static str) -> Self {
        self.rest = Some(field);
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn hiding_expired(mut self) -> Self {
        self.hides_expired = true;
        self
    }

    /// For generated code: `#[dynamo(scannable = "…")]`.
    #[doc(hidden)]
    #[must_use]
    pub const fn scannable(mut self, reason: &'static str) -> Self {
        self.scannable = Some(reason);
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn into_former(mut self) -> Self {
        self.former = true;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_doc(mut self, doc: &'static str) -> Self {
        self.doc = doc;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_vectors(mut self, vectors: &'static [EntityVector]) -> Self {
        self.vectors = vectors;
        self
    }

    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn with_uniques(mut self, uniques: &'static [UniqueSchema]) -> Self {
        self.uniques = uniques;
        self
    }

    /// Returns the schema of a declaration with errors.
    #[doc(hidden)]
    #[must_use]
    pub const fn incomplete(entity: &'static str) -> Self {
        const NONE: &Template = &Template::new("", Role::PartitionKey, "", "", &[]);
        Self::new(entity, None, (NONE, None), &[], &[])
    }
}

const fn any_sensitive(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => first.sensitive || any_sensitive(rest),
        [] => false,
    }
}

const fn any_key_only(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => matches!(first.role, AttributeRole::KeyOnly) || any_key_only(rest),
        [] => false,
    }
}

const fn any_formed(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => first.null || !first.form.is_plain() || any_formed(rest),
        [] => false,
    }
}

const fn any_absent(attributes: &[AttributeSchema]) -> bool {
    match attributes {
        [first, rest @ ..] => !matches!(first.absent, Absent::Missing) || any_absent(rest),
        [] => false,
    }
}
