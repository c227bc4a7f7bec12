//! Writes the code of an entity, in one anonymous constant.

use super::model::{Half, Key, Model};
use super::{at, form, index_id, keys, option, read, sort_key, vector, write};
use crate::ast::{ConstantValue, Entity, Field, Stored, When};
use crate::template::Form;
use proc_macro2::{Delimiter, Group, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Lifetime, Path};

/// ```text
/// const _: () = {
///     struct User_user_id;                              // one for each field in a key
///     impl Field for User_user_id { type Part = UserId; … }
///     impl Entity for User { … }                         // the templates among it
///     impl IndexedBy<Primary> for User { … }             // and for each index
///     impl User { pub fn key(…) … }                      // what the user calls
///     impl User { pub fn get(…) … }                      // with the feature `client`; else stubs
///     const _: () = { rules.sort_key(); … };             // and the other cross-declaration rules
/// };
/// ```
pub(crate) fn expand(model: &Model<'_>) -> TokenStream {
    let (dm, self_ty) = (&model.dm, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let runtime = &model.runtime;
    let fields = expand_fields(model);
    let vectors = vector::expand_fields(model);
    let entity = expand_entity_impl(model);
    let keys = model.keys.iter().map(|key| keys::expand(model, key));
    let key_methods = model
        .keys
        .iter()
        .map(|key| keys::expand_methods(model, key));
    let sort_keys = sort_key::expand(model);
    let constructors = sort_key::expand_constructors(model);
    let client_methods = match dm.has_client() {
        true => expand_client_methods(model),
        false => read::expand_without_client(model),
    };
    let client = dm.with_client(|| expand_client(model));
    let checks = (!is_generic(model)).then(|| expand_checks(model));
    let mut types = stored(model).map(|field| field.ty);
    let probes =
        (!types.all(crate::ty::is_plain)).then(|| quote!(use #runtime::__private::Unprobed as _;));
    quote! {
        #[doc(hidden)]
        #[allow(
            dead_code, missing_docs, missing_debug_implementations, non_camel_case_types,
                private_bounds,
            private_interfaces, unnameable_types, unreachable_pub, clippy::all, clippy::pedantic
        )]
        const _: () = {
            use #runtime as __dm;
            #probes
            #fields
            #vectors
            #entity
            #(#keys)*
            #sort_keys
            #[automatically_derived]
            impl #impl_generics #self_ty #where_clause {
                #(#key_methods)*
                #constructors
                #client_methods
            }
            #client
            #checks
        };
    }
}

/// Writes `get`, `query`, `update` and the other methods that need the client.
fn expand_client_methods(model: &Model<'_>) -> TokenStream {
    let (read, write) = (read::expand_methods(model), write::expand_methods(model));
    let search = vector::expand_methods(model);
    quote!(#read #search #write)
}

/// Writes what these methods need: the traits of reads and writes, and the attributes that filters
/// and updates can name.
fn expand_client(model: &Model<'_>) -> TokenStream {
    let queries = sort_key::expand_query_methods(model);
    let (reads, writes) = (read::expand(model), write::expand(model));
    let filters = vector::expand_filters(&model.dm, model.entity);
    quote!(#queries #reads #filters #writes)
}

fn expand_fields(model: &Model<'_>) -> TokenStream {
    // The marker is as visible as the entity, because the types of its queries name it in any
    // crate. The field's type is a parameter, because a public marker must not stand for a private
    // type.
    let (dm, vis, self_ty) = (&model.dm, model.entity.vis, model.self_ty());
    let (impl_generics, _, where_clause) = model.entity.generics.split_for_impl();
    let fields = model.fields.iter().map(|field| {
        let (marker, part) = (&field.marker, field.ty.part);
        let mut generics = model.entity.generics.clone();
        generics
            .params
            .push(syn::parse_quote!(__Part: ?::core::marker::Sized));
        let (declared, arguments) = (&generics.params, model.generic_arguments());
        // Messages show the field instead of the marker: the compiler looks at both ends of the
        // span.
        let span = field.field.ident.span();
        let (head, close) = (at(span, quote!(#vis struct #marker <)), at(span, quote!(>)));
        let mut body = Group::new(
            Delimiter::Brace,
            quote! {
                of: ::core::marker::PhantomData<fn() -> #self_ty>,
                part: ::core::marker::PhantomData<__Part>,
            },
        );
        body.set_span(span);
        quote! {
            #head #declared = #part #close #where_clause #body
            impl #impl_generics #dm::__private::Field for #marker<#(#arguments,)* #part>
            #where_clause {
                type Part = #part;
            }
        }
    });
    quote!(#(#fields)*)
}

fn expand_entity_impl(model: &Model<'_>) -> TokenStream {
    let (dm, entity) = (&model.dm, model.entity);
    let (ident, table) = (entity.ident, &entity.table);
    let name = ident.unraw().to_string();
    let (impl_generics, ty_generics, where_clause) = entity.generics.split_for_impl();
    let entity_type = option(entity.entity_type.as_ref());
    let pair = |key: &Key<'_>| {
        let template = |half: &Half<'_>| keys::expand_template(model, half);
        let (pk, sk) = (template(&key.pk), option(key.sk.as_ref().map(template)));
        quote!((#pk, #sk))
    };
    let primary = pair(&model.keys[0]);
    let indexes = model.keys.iter().filter_map(|key| {
        let (id, method) = (index_id(dm, key.index?.id), key.name()?);
        let (pair, sparse) = (pair(key), model.is_sparse(key));
        let when = key
            .index?
            .when
            .as_ref()
            .and_then(|when| expand_condition(model, when));
        Some(quote!(#dm::schema::EntityIndex::new(#id, #method, #pair, #sparse) #when))
    });
    let attributes = stored(model).map(|field| {
        let (field_name, attribute) = (&field.name, &field.attribute);
        let role = role(field);
        let sensitive = field.sensitive.map(|_| quote!(.into_sensitive()));
        let (rust_type, doc, required) = (rust_type(field), &field.doc, is_required(field));
        let stored = stored_options(model, field);
        quote! {
            #dm::schema::AttributeSchema::declared(
                #field_name, #attribute, #dm::schema::AttributeRole::#role, #rust_type, #doc,
                    #required,
            ) #sensitive #stored
        }
    });
    let uniques = model.uniques.iter().map(|unique| {
        let template = keys::expand_unique(model, &unique.template);
        let reserved = unique.reserved_in.as_ref();
        let reserved = reserved.map(|table| at(table.span(), quote!(.reserved_in::<#table>())));
        quote!(#dm::schema::UniqueSchema::new(#template) #reserved)
    });
    let uniques = (!model.uniques.is_empty()).then(|| quote!(.with_uniques(&[#(#uniques),*])));
    let vectors = vector::expand_schema(model);
    let former = entity.former.then(|| quote!(.into_former()));
    let untyped = entity.untyped.map(|_| quote!(.allowing_untyped()));
    let types = expand_types(entity);
    let scannable = entity.scannable.as_ref();
    let scannable = scannable.map(|reason| quote!(.scannable(#reason)));
    let hiding = entity.hide_expired.map(|_| quote!(.hiding_expired()));
    let mut fields = entity.fields.iter();
    let flattened = fields.any(|field| field.stored == Stored::Flattened);
    let flattened = flattened.then(|| quote!(.with_flattened()));
    let undeclared = expand_undeclared(model);
    let only_entity = expand_only_entity(model);
    let doc = &entity.doc;
    let doc = (!doc.is_empty()).then(|| quote!(.with_doc(#doc)));
    let nulls = entity.null.then(|| quote!(.with_nulls()));
    let generic_checks = is_generic(model).then(|| {
        let checks = expand_checks(model);
        quote!(const { #checks };)
    });
    let values = model.fields.iter().map(|field| {
        let (name, ident, marker) = (&field.field.name, field.field.ident, &field.marker);
        let value = quote!(#dm::__private::value::<#marker #ty_generics>);
        if field.ty.optional {
            // A closure, so that a reference to a reference becomes a reference to the value.
            quote!(#name => self.#ident.as_ref().map(|__value| #value(__value)),)
        } else {
            quote!(#name => ::core::option::Option::Some(#value(&self.#ident)),)
        }
    });
    quote! {
        #only_entity

        #[automatically_derived]
        impl #impl_generics #dm::__private::ItemEntity for #ident #ty_generics #where_clause {}

        #[automatically_derived]
        impl #impl_generics #dm::Entity for #ident #ty_generics #where_clause {
            type Table = #table;

            const SCHEMA: #dm::schema::EntitySchema = #dm::schema::EntitySchema::new(
                #name, #entity_type, #primary, &[#(#indexes),*], &[#(#attributes),*],
            ).declared_in(::core::concat!(::core::module_path!(), ":", ::core::line!()))
                #former #hiding #scannable #untyped #types #flattened #undeclared #uniques #vectors #nulls
                #doc;

            #[inline]
            fn __part(
                &self,
                __field: &::core::primitive::str,
            ) -> ::core::option::Option<#dm::key::PartValue<'_>> {
                #generic_checks
                match __field {
                    #(#values)*
                    _ => ::core::option::Option::None,
                }
            }
        }
    }
}

/// Writes `.with_aliases(&[("email", &["mail"])])`, `.with_constants(&[Constant::new("v", …)])` and
/// `.with_rest("other")`, each only if the entity declares it.
fn expand_undeclared(model: &Model<'_>) -> TokenStream {
    let (dm, entity) = (&model.dm, model.entity);
    let renamed = stored(model).filter(|field| !field.aliases.is_empty());
    let aliases: Vec<_> = renamed
        .map(|field| {
            let (attribute, names) = (&field.attribute, &field.aliases);
            quote!((#attribute, &[#(#names),*]))
        })
        .collect();
    let aliases = (!aliases.is_empty()).then(|| quote!(.with_aliases(&[#(#aliases),*])));
    let constants = entity.constants.iter().map(|constant| {
        let name = &constant.name;
        let value = match &constant.value {
            ConstantValue::Text(text) => quote!(Text(#text)),
            ConstantValue::Number(digits) => quote!(Number(#digits)),
            ConstantValue::Bool(value) => quote!(Bool(#value)),
        };
        quote!(#dm::schema::Constant::new(#name, #dm::schema::ConstantValue::#value))
    });
    let constants =
        (!entity.constants.is_empty()).then(|| quote!(.with_constants(&[#(#constants),*])));
    let mut fields = entity.fields.iter();
    let rest = fields.find(|field| field.stored == Stored::Rest);
    let rest = rest.map(|field| {
        let name = &field.attribute;
        quote!(.with_rest(#name))
    });
    quote!(#aliases #constants #rest)
}

/// Writes `.with_other_types(&["Account"]).sharing_key_with(&["Organization"])`.
fn expand_types(entity: &Entity<'_>) -> TokenStream {
    let others = &entity.other_types;
    let others = (!others.is_empty()).then(|| quote!(.with_other_types(&[#(#others),*])));
    let names: Vec<_> = shared_names(entity).collect();
    let shared = (!names.is_empty()).then(|| quote!(.sharing_key_with(&[#(#names),*])));
    let check = entity.check_type.map(|_| quote!(.checking_type()));
    quote!(#others #shared #check)
}

fn shared_names(entity: &Entity<'_>) -> impl Iterator<Item = String> {
    let paths = entity.shares_key_with.iter();
    let names = paths.filter_map(|path| path.segments.last());
    names.map(|segment| segment.ident.unraw().to_string())
}

/// Writes the condition of a conditional index:
/// `.only_when("state", "State::Open", |part| <_ as ConditionValue<State>>::is(…, part))`
fn expand_condition(model: &Model<'_>, when: &When) -> Option<TokenStream> {
    let dm = &model.dm;
    let (name, text, value) = (when.field(), when.text(), &when.value);
    let part = model.key_field(&name)?.ty.part;
    let holds = if when.is_none() {
        quote!(::core::option::Option::is_none(&__part))
    } else {
        let is = quote!(<_ as #dm::__private::ConditionValue<#part>>::is);
        let is = at(when.field.span(), is);
        quote!(#is(&#value, __part))
    };
    Some(quote!(.only_when(#name, #text, |__part| #holds)))
}

/// ```text
/// struct __Entity;
/// impl EntityOf for __Entity { type Table = App; }
/// impl<'a, X> SeveralEntitiesNeedAnItemsEnum<'a, X> for App
/// where __Entity: Occupies<'a, Slot = X> {}
/// ```
///
/// In a table without an items enum, every entity occupies the same slot, so a second one does not
/// compile. The compiler shows the names of the trait and of its parameter. This is a bound and not
/// a projection, because a type that is not a table already has an error.
fn expand_only_entity(model: &Model<'_>) -> TokenStream {
    let (dm, entity, vis) = (&model.dm, model.entity, model.entity.vis);
    let Some(table) = entity
        .table
        .as_ref()
        .filter(|_| !entity.former && !entity.foreign)
    else {
        return TokenStream::new();
    };
    let conflict = quote! {
        impl<'__a, ATableOfAnotherCrateNeedsTheOptionForeign>
            #dm::membership::SeveralEntitiesNeedAnItemsEnum<'__a,
                ATableOfAnotherCrateNeedsTheOptionForeign>
            for #table
        where
            __Entity: #dm::membership::Occupies<'__a, Slot =
                ATableOfAnotherCrateNeedsTheOptionForeign>,
        {}
    };
    let conflict = at(table.span(), conflict);
    quote! {
        #vis struct __Entity;
        impl #dm::membership::EntityOf for __Entity {
            type Table = #table;
        }
        #conflict
    }
}

/// Writes how an attribute is stored, for its schema.
fn stored_options(model: &Model<'_>, field: &Field<'_>) -> TokenStream {
    let dm = &model.dm;
    let is_option = crate::ty::is_option(field.ty);
    let optional = form::optional(dm, field.ty).filter(|_| !is_option);
    let optional = optional.map(|optional| quote!(.optional(#optional)));
    let form = form::form(dm, field.ty, field.function.is_some());
    let form = form.map(|form| quote!(.formed(#form)));
    let null = field.null.map(|_| quote!(.into_null()));
    let reads_null = is_option && field.reads_with && !field.has_default;
    let reads_null = reads_null.then(|| quote!(.reading_null()));
    let immutable = field.immutable.map(|_| quote!(.into_immutable()));
    quote!(#optional #form #null #immutable #reads_null)
}

fn stored<'m>(model: &'m Model<'_>) -> impl Iterator<Item = &'m Field<'m>> {
    model
        .entity
        .fields
        .iter()
        .filter(|field| field.stored == Stored::Attribute)
}

/// Returns the field's type as written. A field with a serde function has another stored type, so
/// the text says so.
fn rust_type(field: &Field<'_>) -> String {
    let ty = crate::ty::text(field.ty);
    match &field.function {
        Some(function) => {
            let function = function.to_token_stream().to_string().replace(' ', "");
            format!("{ty} with {function}")
        }
        None => ty,
    }
}

fn role(field: &Field<'_>) -> TokenStream {
    if field.key_only.is_some() {
        quote!(KeyOnly)
    } else if field.version.is_some() {
        quote!(Version)
    } else if field.ttl.is_some() {
        quote!(Ttl)
    } else if field.created_at.is_some() {
        quote!(CreatedAt)
    } else if field.updated_at.is_some() {
        quote!(UpdatedAt)
    } else {
        quote!(Data)
    }
}

/// Returns whether an item without the attribute cannot be read.
pub(super) fn is_required(field: &Field<'_>) -> bool {
    field.key_only.is_none() && !field.has_default && !crate::ty::KeyType::of(field.ty).optional
}

/// Returns whether the entity has a type parameter. The checks then wait until the types are known.
fn is_generic(model: &Model<'_>) -> bool {
    model.entity.generics.type_params().next().is_some()
        || model.entity.generics.const_params().next().is_some()
}

/// Writes the rules that need the table, each at the text that it checks. There is one constant for
/// each key and one for the fields, so mistakes in several of them are reported at once. A constant
/// for each rule would take more compile time than the methods.
fn expand_checks(model: &Model<'_>) -> TokenStream {
    let dm = &model.dm;
    let keys = model.keys.iter().enumerate();
    let groups = keys.map(|(at, key)| key_rules(model, at, key));
    let vectors = vector::rules(model).into_iter();
    let vectors = vectors.map(|(span, name, arguments)| vec![Rule::new(span, name, arguments)]);
    let groups = groups.chain([field_rules(model)]).chain(vectors);
    let types = expand_type_checks(model);
    if is_generic(model) {
        let rules = quote!(#dm::__private::check::Rules::of::<Self>());
        let checks = groups.flatten().map(|rule| rule.call(&rules));
        return quote!(#(#checks)* #types);
    }
    // The rules name the table through the entity: a type that is not a table has its one error
    // there. They are a constant and not a variable, because macro hygiene could hide the
    // variable's name.
    let (entity, rules) = (static_self(model), quote!(__RULES));
    let checks = groups.map(|group| {
        let calls = group.iter().map(|rule| rule.call(&rules));
        quote!(const _: () = { #(#calls)* };)
    });
    let types = (!types.is_empty()).then(|| quote!(const _: () = { #types };));
    quote! {
        const __RULES: &#dm::__private::check::Rules =
            &#dm::__private::check::Rules::of::<#entity>();
        #(#checks)*
        #types
    }
}

/// A rule, and the span of the text that it checks.
struct Rule {
    span: Span,
    name: &'static str,
    arguments: TokenStream,
    /// A type that the text names. If it does not exist, the compiler says so and the rule is
    /// skipped.
    names: Option<Path>,
}

impl Rule {
    fn new(span: Span, name: &'static str, arguments: TokenStream) -> Self {
        Self {
            span,
            name,
            arguments,
            names: None,
        }
    }

    fn naming(mut self, path: &Path) -> Self {
        self.names = Some(path.clone());
        self
    }

    fn call(&self, rules: &TokenStream) -> TokenStream {
        let name = proc_macro2::Ident::new(self.name, Span::call_site());
        let arguments = &self.arguments;
        let named = self.names.as_ref();
        let named = named.map(|path| quote!(let _ = ::core::marker::PhantomData::<#path>;));
        let call = at(self.span, quote!(#rules.#name(#arguments);));
        quote!(#named #call)
    }
}

/// Returns the rules of one key, by its number. The first key also has the rules of the table and
/// of the entity type.
fn key_rules(model: &Model<'_>, at: usize, key: &Key<'_>) -> Vec<Rule> {
    let mut rules = Vec::new();
    match key.index {
        Some(index) => rules.push(Rule::new(index.span, "index_key", quote!(#at))),
        None => {
            let ident = model.entity.ident.span();
            let sk = key.sk.as_ref().map_or(ident, |sk| sk.span);
            let entity_type = model.entity.entity_type.as_ref();
            let entity_type = entity_type.map_or(ident, syn::LitStr::span);
            rules.push(Rule::new(sk, "sort_key", TokenStream::new()));
            let table = model
                .entity
                .table
                .as_ref()
                .map_or(ident, syn::spanned::Spanned::span);
            rules.push(Rule::new(table, "member", TokenStream::new()));
            rules.push(Rule::new(entity_type, "entity_type", TokenStream::new()));
            for (i, path) in model.entity.shares_key_with.iter().enumerate() {
                rules.push(Rule::new(path.span(), "shared_key", quote!(#i)).naming(path));
            }
        }
    }
    for half in key.halves() {
        // This half is the table's own key, which is checked there, once.
        if half_is_inherited(model, key, half) {
            continue;
        }
        let sort = half.sort;
        rules.push(Rule::new(half.span, "key_type", quote!(#at, #sort)));
        if let Some((field, rule)) = function_rule(model, half) {
            rules.push(Rule::new(field.ident.span(), rule, quote!(#at, #sort)));
        }
    }
    rules
}

/// Returns the field that is the whole of this key, and the rule about its serde function. A key
/// that is a time as a number needs such a function; no other key may have one.
fn function_rule<'m>(
    model: &'m Model<'_>,
    half: &Half<'_>,
) -> Option<(&'m Field<'m>, &'static str)> {
    if !half.template.is_bare() {
        return None;
    }
    let part = &half.template.parts[0];
    let field = model.key_field(&part.field)?.field;
    match (&part.spec.form, &field.function) {
        (_, Some(_)) => Some((field, "plain_key")),
        (Form::Epoch(_), None) => Some((field, "epoch_key")),
        (_, None) => None,
    }
}

/// Returns the rules of unique values and fields.
fn field_rules(model: &Model<'_>) -> Vec<Rule> {
    let uniques = model.uniques.iter().enumerate();
    let mut rules: Vec<Rule> = uniques
        .flat_map(|(i, unique)| {
            let table = unique.reserved_in.as_ref();
            let table = table.map(|path| Rule::new(path.span(), "unique_table", quote!(#i)));
            let own = Rule::new(unique.span(), "unique", quote!(#i));
            table.into_iter().chain([own])
        })
        .collect();
    for (i, field) in stored(model).enumerate() {
        rules.push(Rule::new(field.ident.span(), "attribute", quote!(#i)));
        if let Some(span) = field.ttl {
            rules.push(Rule::new(span, "ttl", quote!(#i)));
        }
    }
    for (i, constant) in model.entity.constants.iter().enumerate() {
        rules.push(Rule::new(constant.name.span(), "constant", quote!(#i)));
    }
    rules
}

/// Writes the checks that a version is a number, and that a TTL is a time in seconds.
fn expand_type_checks(model: &Model<'_>) -> TokenStream {
    let dm = &model.dm;
    let types = model.entity.fields.iter().filter_map(|field| {
        let ty = field.ty;
        let assertion = match (field.version, field.ttl) {
            (Some(_), _) => quote_spanned!(ty.span()=> assert_version),
            (_, Some(_)) if field.function.is_some() => {
                quote_spanned!(ty.span()=> assert_ttl_time)
            }
            (_, Some(_)) => quote_spanned!(ty.span()=> assert_ttl),
            _ if field.rest.is_some() => quote_spanned!(ty.span()=> assert_rest),
            _ => return None,
        };
        Some(quote!(#dm::__private::#assertion::<#ty>();))
    });
    types.collect()
}

fn half_is_inherited(model: &Model<'_>, key: &Key<'_>, half: &Half<'_>) -> bool {
    key.index.is_some()
        && model.keys[0]
            .halves()
            .any(|own| std::ptr::eq(own.template, half.template))
}

/// Returns the entity with `'static` for its lifetimes, because a constant needs that.
fn static_self(model: &Model<'_>) -> TokenStream {
    let (ident, generics) = (model.entity.ident, static_generics(model));
    quote!(#ident #generics)
}

fn static_generics(model: &Model<'_>) -> TokenStream {
    let lifetimes: Vec<_> = model
        .entity
        .generics
        .params
        .iter()
        .filter(|param| matches!(param, GenericParam::Lifetime(_)))
        .map(|_| Lifetime::new("'static", Span::call_site()).to_token_stream())
        .collect();
    if lifetimes.is_empty() {
        TokenStream::new()
    } else {
        quote!(<#(#lifetimes),*>)
    }
}
