//! Writes code from checked trees. Nothing here can fail, because the checks came before.

pub(crate) mod encoding;
pub(crate) mod entity;
pub(crate) mod fields;
pub(crate) mod form;
pub(crate) mod items;
pub(crate) mod keys;
pub(crate) mod model;
pub(crate) mod nested;
pub(crate) mod part;
pub(crate) mod parts;
pub(crate) mod projection;
pub(crate) mod read;
pub(crate) mod series;
pub(crate) mod sort_key;
pub(crate) mod sort_key_bounds;
pub(crate) mod table;
pub(crate) mod vector;
pub(crate) mod write;

use crate::ast::{KeyAttribute, KeyType, Projection};
use crate::attr::IndexId;
use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::Path;
use syn::ext::IdentExt;

/// Whether the runtime crate has the feature `client`, which decides what generated code can call.
///
/// This is not a feature of the derive crate, because Cargo compiles a derive once for a build
/// script and for the program, while the runtime has its own features in each. The runtime exports
/// the derive that fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Client {
    Enabled,
    Disabled,
}

/// The path of the runtime crate in generated code.
#[derive(Clone)]
pub(crate) struct Runtime {
    name: RuntimeName,
    client: Client,
}

#[derive(Clone)]
enum RuntimeName {
    /// `__dm`, a single token. An entity has hundreds of paths, and each insertion of a list of
    /// tokens into another takes four calls of the compiler.
    Alias(Ident),
    /// `::dynamo_model`, or the path in `crate = …`.
    Path(TokenStream),
}

impl Runtime {
    pub(crate) fn new(krate: Option<&Path>, client: Client) -> Self {
        Self {
            name: RuntimeName::Path(runtime_path(krate)),
            client,
        }
    }

    /// Returns the same crate under the alias that the code of an entity imports.
    pub(crate) fn alias(&self) -> Self {
        Self {
            name: RuntimeName::Alias(format_ident!("__dm")),
            client: self.client,
        }
    }

    pub(crate) fn has_client(&self) -> bool {
        self.client == Client::Enabled
    }

    /// Returns the code that `expand` writes, or `None` without the feature `client`.
    pub(crate) fn with_client<T>(&self, expand: impl FnOnce() -> T) -> Option<T> {
        self.has_client().then(expand)
    }
}

impl ToTokens for Runtime {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        match &self.name {
            RuntimeName::Alias(name) => name.to_tokens(tokens),
            RuntimeName::Path(path) => path.to_tokens(tokens),
        }
    }
}

/// Returns `::dynamo_model`, or the path in `crate = …`.
pub(crate) fn runtime_path(krate: Option<&Path>) -> TokenStream {
    krate.map_or_else(|| quote!(::dynamo_model), |path| path.to_token_stream())
}

/// Returns the same code with one span. The compiler underlines an expression from its first token
/// to its last, and a single other span would move the underline to the derive.
pub(crate) fn at(span: Span, tokens: TokenStream) -> TokenStream {
    tokens
        .into_iter()
        .map(|mut token| {
            if let TokenTree::Group(group) = &token {
                token = Group::new(group.delimiter(), at(span, group.stream())).into();
            }
            token.set_span(span);
            token
        })
        .collect()
}

/// `IndexId::Gsi(1)`
pub(crate) fn index_id(dm: &Runtime, id: IndexId) -> TokenStream {
    match id {
        IndexId::Gsi(number) => quote!(#dm::schema::IndexId::Gsi(#number)),
        IndexId::Lsi(number) => quote!(#dm::schema::IndexId::Lsi(#number)),
        IndexId::Vector(number) => quote!(#dm::schema::IndexId::Vector(#number)),
    }
}

/// `Gsi1`
pub(crate) fn index_marker(id: IndexId) -> Ident {
    match id {
        IndexId::Gsi(number) => format_ident!("Gsi{number}"),
        IndexId::Lsi(number) => format_ident!("Lsi{number}"),
        IndexId::Vector(number) => format_ident!("Vector{number}"),
    }
}

/// Returns the names of all indexes that a table can have.
pub(crate) fn index_markers() -> impl Iterator<Item = Ident> {
    let global = (1..=20).map(IndexId::Gsi);
    let local = (1..=5).map(IndexId::Lsi);
    let vector = (1..=5).map(IndexId::Vector);
    global.chain(local).chain(vector).map(index_marker)
}

/// Returns the name of the type with the attributes that a condition can name. Messages shorten a
/// path only if its last segment is unique, so it contains the name of the user's type.
pub(crate) fn fields_name(ident: &Ident) -> Ident {
    format_ident!("FieldsOf_{}", ident.unraw())
}

/// Returns the name of the type with the attributes that an update can name.
pub(crate) fn changes_name(ident: &Ident) -> Ident {
    format_ident!("ChangesOf_{}", ident.unraw())
}

/// Returns the name of the type with the fields of a key; `key` names the table or the index.
pub(crate) fn parts_name(ident: &Ident, key: &str) -> Ident {
    format_ident!("{key}PartsOf_{}", ident.unraw())
}

/// Writes `Some(x)` or `None`.
pub(crate) fn option(value: Option<impl ToTokens>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// `KeyAttribute::new("PK", KeyType::S)`
pub(crate) fn key_attribute(dm: &Runtime, attribute: &KeyAttribute) -> TokenStream {
    let name = &attribute.name;
    let key_type = match attribute.key_type {
        KeyType::S => quote!(S),
        KeyType::N => quote!(N),
        KeyType::B => quote!(B),
    };
    quote!(#dm::schema::KeyAttribute::new(#name, #dm::schema::KeyType::#key_type))
}

/// `Projection::Include(&["title"])`
pub(crate) fn projection(dm: &Runtime, projection: &Projection) -> TokenStream {
    let projection = match projection {
        Projection::All => quote!(All),
        Projection::KeysOnly => quote!(KeysOnly),
        Projection::Include(names) => quote!(Include(&[#(#names),*])),
    };
    quote!(#dm::schema::Projection::#projection)
}
