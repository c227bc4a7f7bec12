//! The model from which an entity is expanded: its keys, and the fields in them.

use crate::ast::{Entity, EntityIndex, Field, Spanned};
use crate::expand::{Client, Runtime, index_marker};
use crate::template::{Placeholder, Template};
use crate::ty::KeyType;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::ext::IdentExt;
use syn::{GenericParam, Generics};

/// The highest delimiter after which a part can be escaped and still sort; see `key/escape.rs` of
/// the runtime.
const HIGHEST_ORDERED: u8 = b'+';

/// An entity that is ready to expand.
pub(crate) struct Model<'a> {
    pub(crate) entity: &'a Entity<'a>,
    /// The path of the runtime crate in generated code.
    pub(crate) dm: Runtime,
    /// The path of the runtime crate in user code.
    pub(crate) runtime: Runtime,
    pub(crate) fields: Vec<KeyField<'a>>,
    /// The table's key first, then the indexes.
    pub(crate) keys: Vec<Key<'a>>,
    pub(crate) uniques: Vec<&'a Spanned>,
}

/// A field that is in some key.
pub(crate) struct KeyField<'a> {
    pub(crate) field: &'a Field<'a>,
    pub(crate) ty: KeyType<'a>,
    /// The type that stands for the field in generated code. Messages shorten a path only if its
    /// last segment is unique, so it contains the entity's name: `Order_user_id`.
    pub(crate) marker: Ident,
}

/// The key of the table or of one index.
pub(crate) struct Key<'a> {
    pub(crate) index: Option<&'a EntityIndex>,
    pub(crate) pk: Half<'a>,
    pub(crate) sk: Option<Half<'a>>,
}

/// A partition key or a sort key.
pub(crate) struct Half<'a> {
    pub(crate) template: &'a Template,
    /// The span of errors about it.
    pub(crate) span: Span,
    pub(crate) sort: bool,
}

impl<'a> Model<'a> {
    /// Returns `None` if a part of the declaration is missing, which has its own error.
    pub(crate) fn new(entity: &'a Entity<'a>, client: Client) -> Option<Self> {
        let mut keys = vec![Key {
            index: None,
            pk: Half::own(entity.template(entity.pk.as_ref()?)?, false),
            sk: match &entity.sk {
                Some(sk) => Some(Half::own(entity.template(sk)?, true)),
                None => None,
            },
        }];
        for index in &entity.indexes {
            let half = |source, sort| {
                entity.template(source).map(|spanned| Half {
                    template: &spanned.template,
                    span: match source {
                        crate::ast::KeySource::Template(own) => own.span(),
                        _ => index.span,
                    },
                    sort,
                })
            };
            keys.push(Key {
                index: Some(index),
                pk: half(&index.pk, false)?,
                sk: match &index.sk {
                    Some(sk) => Some(half(sk, true)?),
                    None => None,
                },
            });
        }
        let uniques = entity.uniques.iter();
        let uniques: Option<Vec<_>> = uniques.map(|unique| entity.template(unique)).collect();
        let uniques = uniques?;
        let fields = key_fields(entity, &keys, &uniques);
        let runtime = Runtime::new(entity.krate.as_ref(), client);
        Some(Self {
            entity,
            dm: runtime.alias(),
            runtime,
            fields,
            keys,
            uniques,
        })
    }

    pub(crate) fn key_field(&self, name: &str) -> Option<&KeyField<'a>> {
        self.fields.iter().find(|field| field.field.name == name)
    }

    /// Returns the fields of a key, each once, in the order of its placeholders.
    pub(crate) fn fields_of<'s>(&'s self, key: &'s Key<'a>) -> Vec<&'s KeyField<'a>> {
        let mut fields: Vec<&KeyField<'a>> = Vec::new();
        for part in key.halves().flat_map(|half| &half.template.parts) {
            if let Some(field) = self.key_field(&part.field)
                && !fields
                    .iter()
                    .any(|known| known.field.name == field.field.name)
            {
                fields.push(field);
            }
        }
        fields
    }

    /// Returns the fields of the partition key of a key.
    pub(crate) fn partition_fields_of<'s>(&'s self, key: &'s Key<'a>) -> Vec<&'s KeyField<'a>> {
        let in_pk = |name: &str| key.pk.template.parts.iter().any(|part| part.field == name);
        let mut fields = self.fields_of(key);
        fields.retain(|field| in_pk(&field.field.name));
        fields
    }

    /// Returns whether a part of the key has an optional field and must not be empty.
    pub(crate) fn is_sparse(&self, key: &Key<'a>) -> bool {
        let mut parts = key.halves().flat_map(|half| &half.template.parts);
        parts.any(|part| {
            let field = self.key_field(&part.field);
            !part.spec.or_empty && field.is_some_and(|field| field.ty.optional)
        })
    }

    /// Returns the delimiter that the last part must not contain, because the value would name a
    /// longer partition. Only a partition key has one: an index on the table's sort key has the
    /// text of that key.
    pub(crate) fn closing_delimiter(&self, half: &Half<'_>) -> Option<u8> {
        let primary = &self.keys[0];
        let same = |own: &Half<'_>| std::ptr::eq(own.template, half.template);
        let is_partition_key =
            same(&primary.pk) || !half.sort && !primary.sk.as_ref().is_some_and(same);
        is_partition_key.then(|| closing_delimiter(half.template))?
    }

    /// Returns whether a field is in the table's own key.
    pub(crate) fn is_in_primary_key(&self, field: &str) -> bool {
        self.keys[0].has(field)
    }

    /// Returns whether a field is in the key of an index, or in a unique constraint.
    pub(crate) fn is_in_other_key(&self, field: &KeyField<'_>) -> bool {
        let name = &field.field.name;
        let mut uniques = self.uniques.iter().flat_map(|it| &it.template.parts);
        self.keys[1..].iter().any(|key| key.has(name)) || uniques.any(|part| part.field == *name)
    }

    /// Returns the entity's own type parameters, as arguments.
    pub(crate) fn generic_arguments(&self) -> Vec<TokenStream> {
        generic_arguments(self.entity.generics)
    }

    /// Returns the entity as a type, with its generics.
    pub(crate) fn self_ty(&self) -> TokenStream {
        let ident = self.entity.ident;
        let (_, ty_generics, _) = self.entity.generics.split_for_impl();
        quote!(#ident #ty_generics)
    }
}

pub(crate) fn generic_arguments(generics: &Generics) -> Vec<TokenStream> {
    let argument = |param: &GenericParam| match param {
        GenericParam::Lifetime(param) => param.lifetime.to_token_stream(),
        GenericParam::Type(param) => param.ident.to_token_stream(),
        GenericParam::Const(param) => param.ident.to_token_stream(),
    };
    generics.params.iter().map(argument).collect()
}

/// Returns the delimiter before the last part of a partition key.
pub(crate) fn closing_delimiter(template: &Template) -> Option<u8> {
    let (last, before) = template.parts.split_last()?;
    let literal = before.last().map_or(&template.head, |part| &part.after);
    let delimiter = literal
        .bytes()
        .last()
        .filter(|&byte| byte <= HIGHEST_ORDERED)?;
    last.after.is_empty().then_some(delimiter)
}

fn key_fields<'a>(
    entity: &'a Entity<'a>,
    keys: &[Key<'a>],
    uniques: &[&'a Spanned],
) -> Vec<KeyField<'a>> {
    let used = |field: &Field<'_>| {
        let uniques = uniques.iter().flat_map(|unique| &unique.template.parts);
        keys.iter()
            .flat_map(Key::halves)
            .flat_map(|half| &half.template.parts)
            .chain(uniques)
            .any(|part| part.field == field.name)
            || keys.iter().any(|key| key.is_conditional_on(&field.name))
    };
    entity
        .fields
        .iter()
        .filter(|field| used(field))
        .map(|field| KeyField {
            field,
            ty: KeyType::of(field.ty),
            marker: format_ident!("{}_{}", entity.ident, field.name),
        })
        .collect()
}

impl<'a> Key<'a> {
    pub(crate) fn halves(&self) -> impl Iterator<Item = &Half<'a>> {
        std::iter::once(&self.pk).chain(&self.sk)
    }

    /// Returns whether the key depends on a field: as a part, or as its condition.
    pub(crate) fn has(&self, field: &str) -> bool {
        let mut parts = self.halves().flat_map(|half| &half.template.parts);
        parts.any(|part| part.field == field) || self.is_conditional_on(field)
    }

    /// Returns whether the key can be built without a value of the field, as an empty part.
    pub(crate) fn may_be_empty(&self, field: &KeyField<'_>) -> bool {
        let mut parts = self.halves().flat_map(|half| &half.template.parts);
        parts.any(|part| part.field == field.field.name && part.spec.or_empty)
    }

    fn is_conditional_on(&self, field: &str) -> bool {
        let when = self.index.and_then(|index| index.when.as_ref());
        when.is_some_and(|when| when.field() == field)
    }

    /// `Primary`, `Gsi1` …
    pub(crate) fn marker(&self, dm: &Runtime) -> TokenStream {
        let name = match self.index.map(|index| index.id) {
            None => format_ident!("Primary"),
            Some(id) => index_marker(id),
        };
        quote!(#dm::index::#name)
    }

    /// Returns the name of the index for its methods, or `None` for the table's own key.
    pub(crate) fn name(&self) -> Option<String> {
        self.index.map(|index| match &index.method {
            Some(method) => method.unraw().to_string(),
            None => index.id.to_string(),
        })
    }

    /// `key`, or `by_question_key`.
    pub(crate) fn method(&self, suffix: &str) -> Ident {
        let span = self
            .index
            .and_then(|index| index.method.as_ref())
            .map_or(Span::call_site(), Ident::span);
        match self.name() {
            Some(name) => Ident::new(&format!("{name}_{suffix}"), span),
            None => Ident::new(suffix, span),
        }
    }

    /// Returns `PK = USER#<user_id>` and `SK = PROFILE`, for documentation.
    pub(crate) fn condition(&self) -> String {
        let pk = format!("partition key `{}`", self.pk.template.text);
        match &self.sk {
            Some(sk) => format!("{pk}, sort key `{}`", sk.template.text),
            None => pk,
        }
    }

    /// Returns a name for generated constants and types.
    pub(crate) fn label(&self) -> String {
        match self.index.map(|index| index.id) {
            None => "Primary".into(),
            Some(id) => index_marker(id).to_string(),
        }
    }

    /// Returns the table or index that has the key, for documentation.
    pub(crate) fn place(&self) -> String {
        match self.index {
            None => "the table".into(),
            Some(index) => format!("the index `{}`", index.id),
        }
    }
}

impl<'a> Half<'a> {
    fn own(spanned: &'a Spanned, sort: bool) -> Self {
        Self {
            template: &spanned.template,
            span: spanned.span(),
            sort,
        }
    }

    pub(crate) fn role(&self, dm: &Runtime) -> TokenStream {
        if self.sort {
            quote!(#dm::schema::Role::SortKey)
        } else {
            quote!(#dm::schema::Role::PartitionKey)
        }
    }

    pub(crate) fn parts(&self) -> impl Iterator<Item = (usize, &'a Placeholder)> + use<'a> {
        self.template.parts.iter().enumerate()
    }
}

impl KeyField<'_> {
    /// Returns the name of the argument, as the user wrote the field.
    pub(crate) fn argument(&self) -> &Ident {
        self.field.ident
    }

    /// Returns `user_id: impl AsKeyPart<UserId>`, or `user_id: impl AsOptionalKeyPart<UserId>` if
    /// the part may be empty.
    pub(crate) fn parameter(&self, dm: &Runtime, may_be_empty: bool) -> TokenStream {
        let (ident, part) = (self.argument(), self.ty.part);
        if may_be_empty {
            let ty = self.optional_argument();
            return quote!(#ident: impl #dm::key::AsOptionalKeyPart<#ty>);
        }
        quote!(#ident: impl #dm::key::AsKeyPart<#part>)
    }

    /// Returns the type that `Some(…)` of an optional field contains: `str` for text, so that
    /// `Some("x")` compiles.
    pub(crate) fn optional_argument(&self) -> TokenStream {
        let parsed = self.parsed();
        let is_text = self.ty.borrowed || crate::ty::is_string(self.ty.part);
        match is_text {
            true if self.ty.borrowed => self.ty.part.to_token_stream(),
            true => quote!(::core::primitive::str),
            false => parsed,
        }
    }

    /// Returns the argument as a value of the codec.
    pub(crate) fn argument_value(&self, model: &Model<'_>, may_be_empty: bool) -> TokenStream {
        let (dm, ident, marker) = (&model.dm, self.argument(), &self.marker);
        if may_be_empty {
            let ty = self.optional_argument();
            return quote!(#dm::__private::optional_argument::<#ty, _>(&#ident));
        }
        let (_, ty_generics, _) = model.entity.generics.split_for_impl();
        quote!(#dm::__private::argument::<#marker #ty_generics, _>(&#ident))
    }

    /// Returns the type that parsing gives.
    pub(crate) fn parsed(&self) -> TokenStream {
        let part = self.ty.part;
        if self.ty.borrowed {
            quote!(<#part as ::std::borrow::ToOwned>::Owned)
        } else {
            part.to_token_stream()
        }
    }
}
