//! The trees of the declarations. Each piece has the span of the user's text.

use crate::attr::{IndexId, Said, Text};
use crate::stored_as::StoredAs;
use crate::template::{Placeholder, Template};
use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::{DeriveInput, Generics, LitStr, Path, Type, Visibility};

/// A table.
pub(crate) struct Table<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Option<Path>,
    pub(crate) name: Option<LitStr>,
    pub(crate) pk: Option<KeyAttribute>,
    pub(crate) sk: Option<KeyAttribute>,
    pub(crate) entity_type: Option<LitStr>,
    /// The enum of the table's entities.
    pub(crate) items: Option<Path>,
    pub(crate) ttl: Option<LitStr>,
    pub(crate) encryption: Option<Encryption>,
    pub(crate) point_in_time_recovery: bool,
    pub(crate) deletion_protection: bool,
    pub(crate) billing: Option<Billing>,
    pub(crate) stream: Option<String>,
    /// The other regions that have the table.
    pub(crate) replicas: Vec<LitStr>,
    /// The span of `multi_region_strong`.
    pub(crate) strong: Option<proc_macro2::Span>,
    pub(crate) is_infrequent: Option<bool>,
    pub(crate) warm_throughput: Option<(u32, u32)>,
    pub(crate) tags: Vec<(syn::Ident, LitStr)>,
    /// Only entities that give a reason can be scanned.
    pub(crate) no_scan: bool,
    /// The settings that the declaration must have.
    pub(crate) require: Vec<Ident>,
    pub(crate) indexes: Vec<TableIndex>,
    pub(crate) vectors: Vec<TableVector>,
    /// Its doc comment.
    pub(crate) doc: String,
    pub(crate) said: Said,
}

impl<'a> Table<'a> {
    pub(crate) fn new(input: &'a DeriveInput) -> Self {
        Self {
            ident: &input.ident,
            generics: &input.generics,
            krate: None,
            name: None,
            pk: None,
            sk: None,
            entity_type: None,
            items: None,
            ttl: None,
            encryption: None,
            point_in_time_recovery: false,
            deletion_protection: false,
            billing: None,
            stream: None,
            replicas: Vec::new(),
            strong: None,
            is_infrequent: None,
            warm_throughput: None,
            tags: Vec::new(),
            no_scan: false,
            require: Vec::new(),
            indexes: Vec::new(),
            vectors: Vec::new(),
            doc: crate::attr::doc_comment(&input.attrs),
            said: Said::default(),
        }
    }
}

#[derive(Clone)]
pub(crate) struct KeyAttribute {
    pub(crate) name: LitStr,
    pub(crate) key_type: KeyType,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyType {
    S,
    N,
    B,
}

pub(crate) struct TableIndex {
    pub(crate) id: IndexId,
    pub(crate) span: Span,
    pub(crate) name: LitStr,
    /// `None` on a local index, which has the partition key of the table.
    pub(crate) pk: Option<KeyAttribute>,
    pub(crate) sk: Option<KeyAttribute>,
    pub(crate) projection: Projection,
}

/// A vector index of a table.
pub(crate) struct TableVector {
    pub(crate) id: IndexId,
    pub(crate) span: Span,
    pub(crate) name: LitStr,
    pub(crate) attribute: LitStr,
    pub(crate) dimensions: (usize, Span),
    /// `Cosine`, `Euclidean` or `DotProduct`.
    pub(crate) distance: &'static str,
    pub(crate) hash: Option<KeyAttribute>,
    pub(crate) filters: Vec<KeyAttribute>,
    pub(crate) projection: Projection,
}

impl TableVector {
    /// The attributes that a search can name.
    pub(crate) fn search_attributes(&self) -> impl Iterator<Item = &KeyAttribute> {
        self.hash.iter().chain(&self.filters)
    }
}

/// What an entity has in a vector index, by the names of its fields.
pub(crate) struct EntityVector {
    pub(crate) id: IndexId,
    pub(crate) span: Span,
    /// `as = similar_to`
    pub(crate) method: Ident,
    pub(crate) field: Ident,
    pub(crate) hash: Option<Ident>,
    pub(crate) filters: Vec<Ident>,
}

pub(crate) enum Projection {
    All,
    KeysOnly,
    Include(Vec<LitStr>),
}

pub(crate) enum Encryption {
    AwsOwned,
    Kms(Option<LitStr>),
}

pub(crate) enum Billing {
    OnDemand,
    OnDemandUpTo { read: u32, write: u32 },
    Provisioned { read: u32, write: u32 },
}

/// An entity.
pub(crate) struct Entity<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) vis: &'a Visibility,
    pub(crate) generics: &'a Generics,
    pub(crate) krate: Option<Path>,
    pub(crate) table: Option<Path>,
    /// The value that is written.
    pub(crate) entity_type: Option<LitStr>,
    /// Other values that are read.
    pub(crate) other_types: Vec<LitStr>,
    /// Entities whose items can have the same keys.
    pub(crate) shares_key_with: Vec<Path>,
    /// Whether every write checks the entity type.
    pub(crate) check_type: Option<Span>,
    /// An old shape of another entity, which only migrations read.
    pub(crate) former: bool,
    /// The span of `untyped`.
    pub(crate) untyped: Option<Span>,
    /// `#[dynamo(hide_expired)]`: every read leaves out expired items.
    pub(crate) hide_expired: Option<Span>,
    /// `scannable = "…"`: the reason for scans in a table with `no_scan`.
    pub(crate) scannable: Option<LitStr>,
    /// The table is declared in another crate.
    pub(crate) foreign: bool,
    pub(crate) pk: Option<KeySource>,
    pub(crate) sk: Option<KeySource>,
    pub(crate) indexes: Vec<EntityIndex>,
    pub(crate) vectors: Vec<EntityVector>,
    /// `#[unique("…")]`
    pub(crate) uniques: Vec<KeySource>,
    pub(crate) fields: Vec<Field<'a>>,
    /// `#[dynamo(constant("__edb_v__" = "1"))]`
    pub(crate) constants: Vec<Constant>,
    /// `#[dynamo(null)]`: every `None` in it is stored as NULL.
    pub(crate) null: bool,
    /// Its doc comment.
    pub(crate) doc: String,
    /// Whether it is a struct of the right kind. Another kind was reported already.
    pub(crate) has_named_fields: bool,
    pub(crate) said: Said,
}

impl<'a> Entity<'a> {
    pub(crate) fn new(input: &'a DeriveInput) -> Self {
        Self {
            ident: &input.ident,
            vis: &input.vis,
            generics: &input.generics,
            krate: None,
            table: None,
            entity_type: None,
            other_types: Vec::new(),
            shares_key_with: Vec::new(),
            check_type: None,
            former: false,
            untyped: None,
            hide_expired: None,
            scannable: None,
            foreign: false,
            pk: None,
            sk: None,
            indexes: Vec::new(),
            vectors: Vec::new(),
            uniques: Vec::new(),
            fields: Vec::new(),
            constants: Vec::new(),
            null: false,
            doc: crate::attr::doc_comment(&input.attrs),
            has_named_fields: matches!(
                &input.data,
                syn::Data::Struct(data) if matches!(data.fields, syn::Fields::Named(_))
            ),
            said: Said::default(),
        }
    }

    /// Whether every write checks the entity type of the stored item.
    pub(crate) fn checks_type(&self) -> bool {
        self.check_type.is_some() || !self.shares_key_with.is_empty()
    }

    pub(crate) fn field(&self, name: &str) -> Option<&Field<'a>> {
        self.fields.iter().find(|field| field.name == name)
    }

    /// The template behind a key source.
    pub(crate) fn template<'s>(&'s self, source: &'s KeySource) -> Option<&'s Spanned> {
        match source {
            KeySource::Template(template) => Some(template),
            KeySource::TablePk => self.pk.as_ref().and_then(KeySource::own),
            KeySource::TableSk(_) => self.sk.as_ref().and_then(KeySource::own),
            KeySource::Broken(_) => None,
        }
    }
}

/// The source of a key's template.
pub(crate) enum KeySource {
    Template(Spanned),
    /// `= pk`: the table's partition key.
    TablePk,
    /// `= sk`: the table's sort key.
    TableSk(Span),
    /// A template with an error, which was reported already: the names in its angle brackets.
    Broken(Vec<String>),
}

impl KeySource {
    fn own(&self) -> Option<&Spanned> {
        match self {
            KeySource::Template(template) => Some(template),
            _ => None,
        }
    }
}

/// A template with the span of the user's text.
#[derive(Clone)]
pub(crate) struct Spanned {
    pub(crate) template: Template,
    pub(crate) text: Text,
    /// The reservations table of a unique constraint; `None` for the entity's own table.
    pub(crate) reserved_in: Option<Path>,
}

impl Spanned {
    /// The whole template.
    pub(crate) fn span(&self) -> Span {
        self.text.span()
    }

    /// Returns the span of the literal in which a placeholder begins.
    pub(crate) fn span_of(&self, part: &Placeholder) -> Span {
        self.text.span_at(part.at)
    }
}

pub(crate) struct EntityIndex {
    pub(crate) id: IndexId,
    pub(crate) span: Span,
    /// `as = by_question`
    pub(crate) method: Option<Ident>,
    pub(crate) pk: KeySource,
    pub(crate) sk: Option<KeySource>,
    /// `when(state = State::Open)`
    pub(crate) when: Option<When>,
}

/// The condition under which an item is in an index.
pub(crate) struct When {
    pub(crate) field: Ident,
    pub(crate) value: TokenStream,
}

impl When {
    /// The field without `r#`.
    pub(crate) fn field(&self) -> String {
        self.field.unraw().to_string()
    }

    /// The value as the user wrote it, for documents.
    pub(crate) fn text(&self) -> String {
        let text = self.value.to_string();
        text.replace(" :: ", "::").replace("- ", "-")
    }

    pub(crate) fn is_none(&self) -> bool {
        self.value.to_string() == "None"
    }
}

/// An attribute that every item of the entity has, with the same value.
pub(crate) struct Constant {
    pub(crate) name: LitStr,
    pub(crate) value: ConstantValue,
}

pub(crate) enum ConstantValue {
    Text(String),
    /// A number, as its digits.
    Number(String),
    Bool(bool),
}

pub(crate) struct Field<'a> {
    pub(crate) ident: &'a Ident,
    /// Without `r#`.
    pub(crate) name: String,
    pub(crate) attribute: String,
    pub(crate) ty: &'a Type,
    pub(crate) stored: Stored,
    pub(crate) key_only: Option<Span>,
    /// Whether a filter can name its own fields.
    pub(crate) nested: Option<Span>,
    /// Its value never reaches a log.
    pub(crate) sensitive: Option<Span>,
    pub(crate) version: Option<Span>,
    pub(crate) ttl: Option<Span>,
    pub(crate) created_at: Option<Span>,
    pub(crate) updated_at: Option<Span>,
    /// `None` is stored as NULL.
    pub(crate) null: Option<Span>,
    /// Set at creation only.
    pub(crate) immutable: Option<Span>,
    /// Captures the attributes that no field declares.
    pub(crate) rest: Option<Span>,
    /// Other names that serde reads it under.
    pub(crate) aliases: Vec<String>,
    /// The function that serde writes it with.
    pub(crate) function: Option<Path>,
    /// `sorts_as = number`: the stored form that the user declares.
    pub(crate) sorts_as: Option<Span>,
    /// The form that the function stores.
    pub(crate) stored_as: StoredAs,
    /// Whether an item without it can be read, because serde has a default.
    pub(crate) has_default: bool,
    /// Whether serde reads it with a function, which fails if it is absent.
    pub(crate) reads_with: bool,
    /// Its doc comment.
    pub(crate) doc: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stored {
    Attribute,
    Skipped,
    Flattened,
    /// Its entries are attributes of the item.
    Rest,
}

/// The enum of a table's entities.
pub(crate) struct Items<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) vis: &'a Visibility,
    pub(crate) generics: &'a Generics,
    pub(crate) table: Option<Path>,
    pub(crate) krate: Option<Path>,
    /// One for each entity.
    pub(crate) variants: Vec<Variant<'a>>,
    /// The variant for items of no entity.
    pub(crate) unknown: Option<Variant<'a>>,
}

pub(crate) struct Variant<'a> {
    pub(crate) ident: &'a Ident,
    pub(crate) ty: &'a Type,
}
