//! Reads `#[dynamo(…)]`, `#[pk]`, `#[sk]`, `#[gsiN(…)]` and `#[lsiN(…)]` on an entity and its
//! fields.

use super::constant;
use super::serde::Serde;
use super::{
    IndexId, Opt, Said, Text, Value, Written, index_id, options, parse_options, set, set_flag,
    shown, vector,
};
use crate::ast::{Entity, EntityIndex, Field, KeySource, Spanned, Stored, When};
use crate::ctxt::Ctxt;
use crate::stored_as::StoredAs;
use crate::template::Template;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::spanned::Spanned as _;
use syn::{Attribute, Data, DeriveInput, Fields, LitStr, Token};

const OPTIONS: &[&str] = &[
    "table",
    "entity_type",
    "constant",
    "shares_key_with",
    "check_type",
    "untyped",
    "former",
    "foreign",
    "hide_expired",
    "scannable",
    "null",
    "crate",
];
const FIELD_OPTIONS: &[&str] = &[
    "created_at",
    "immutable",
    "key_only",
    "nested",
    "null",
    "optional",
    "rest",
    "sensitive",
    "sorts_as",
    "ttl",
    "updated_at",
    "version",
];

/// DynamoDB's limits on the length of keys, in bytes.
const MAX_PARTITION_KEY: usize = 2_048;
const MAX_SORT_KEY: usize = 1_024;

/// Reads an entity's declaration.
pub(crate) fn read<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Entity<'a> {
    let mut entity = Entity::new(input);
    for attribute in &input.attrs {
        let path = attribute.path();
        if path.is_ident("dynamo") {
            for option in options(cx, attribute) {
                entity.said.note(&option, OPTIONS);
                match option.name().as_str() {
                    "table" => set(cx, &mut entity.table, &option, option.path(cx)),
                    "constant" => entity.constants.extend(constant::read(cx, &option)),
                    "entity_type" => read_types(cx, &mut entity, &option),
                    "shares_key_with" => read_shared(cx, &mut entity, &option),
                    "check_type" => {
                        option.flag(cx);
                        set(cx, &mut entity.check_type, &option, Some(option.span()));
                    }
                    "untyped" => {
                        option.flag(cx);
                        set(cx, &mut entity.untyped, &option, Some(option.span()));
                    }
                    "former" => set_flag(cx, &mut entity.former, &option),
                    "foreign" => set_flag(cx, &mut entity.foreign, &option),
                    "hide_expired" => {
                        option.flag(cx);
                        entity.hide_expired = Some(option.span());
                    }
                    "scannable" => {
                        set(cx, &mut entity.scannable, &option, reason(cx, &option));
                    }
                    "null" => set_flag(cx, &mut entity.null, &option),
                    "crate" => set(cx, &mut entity.krate, &option, option.path(cx)),
                    "unique" => cx.error(
                        option.span(),
                        "`unique` is an attribute of its own; write `#[unique(\"EMAIL#<email>\")]` \
                         beside `#[dynamo]`",
                    ),
                    name if FIELD_OPTIONS.contains(&name) => {
                        option.elsewhere(cx, "a field", &format!("#[dynamo({name})]"));
                    }
                    _ => option.unknown(cx, "dynamo", OPTIONS),
                }
            }
        } else if path.is_ident("pk") {
            read_key(cx, attribute, "pk", MAX_PARTITION_KEY, &mut entity.pk);
        } else if path.is_ident("sk") {
            read_key(cx, attribute, "sk", MAX_SORT_KEY, &mut entity.sk);
        } else if path.is_ident("unique") {
            // The unique item has the value as its whole key.
            let (attribute, table) = reserved_in(cx, attribute);
            let mut unique = None;
            read_key(cx, &attribute, "unique", MAX_SORT_KEY, &mut unique);
            if let Some(KeySource::Template(template)) = &mut unique {
                template.reserved_in = table;
            }
            entity.uniques.extend(unique);
        } else if let Some(id) = index_id(cx, attribute) {
            match id {
                IndexId::Vector(_) => entity.vectors.extend(vector::of_entity(cx, attribute, id)),
                _ => entity.indexes.extend(read_index(cx, attribute, id)),
            }
        }
    }
    entity.fields = read_fields(cx, input);
    for field in &mut entity.fields {
        if let (None, Some(function)) = (field.sorts_as, &field.function) {
            field.stored_as = StoredAs::of_function(function, entity.krate.as_ref());
        }
    }
    misplaced_keys(cx, &mut entity, input);
    entity
}

/// Reads `scannable = "nightly export"`.
fn reason(cx: &Ctxt, option: &Opt) -> Option<LitStr> {
    match &option.value {
        Value::Str(text) if !text.value().trim().is_empty() => Some(text.clone()),
        _ => {
            let message = "`scannable` takes the reason why the entity is scanned; write \
                           `scannable = \"nightly export\"`";
            cx.error(option.value_span(), message);
            None
        }
    }
}

/// Splits `#[unique("EMAIL#<email>", in = Reservations)]` into the attribute without its options,
/// and the table.
fn reserved_in(cx: &Ctxt, attribute: &Attribute) -> (Attribute, Option<syn::Path>) {
    let (mut attribute, mut table) = (attribute.clone(), None);
    let syn::Meta::List(list) = &mut attribute.meta else {
        return (attribute, None);
    };
    let is_comma = |token: &TokenTree| matches!(token, TokenTree::Punct(it) if it.as_char() == ',');
    let mut tokens = list.tokens.clone().into_iter();
    let template: TokenStream = tokens
        .by_ref()
        .take_while(|token| !is_comma(token))
        .collect();
    let options = (|input: ParseStream<'_>| Ok(parse_options(cx, input))).parse2(tokens.collect());
    for option in cx.ok(options).into_iter().flatten() {
        match option.name().as_str() {
            "in" => set(cx, &mut table, &option, option.path(cx)),
            _ => option.unknown(cx, "unique", &["in"]),
        }
    }
    list.tokens = template;
    (attribute, table)
}

/// Reads `entity_type = "USER"`, or `entity_type = ["USER", "Account"]`: writes use the first type,
/// and reads accept all.
fn read_types(cx: &Ctxt, entity: &mut Entity<'_>, option: &Opt) {
    let Value::Other(tokens) = &option.value else {
        return set(cx, &mut entity.entity_type, option, option.string(cx));
    };
    let texts = list_of_texts.parse2(tokens.clone()).ok();
    let texts = texts.filter(|texts| texts.iter().all(|text| !text.value().is_empty()));
    let mut texts = texts.unwrap_or_default().into_iter();
    let Some(first) = texts.next() else {
        let message = "`entity_type` takes a text, or a list of texts whose first is written; \
                       write `entity_type = [\"USER\", \"Account\"]`";
        cx.error_on(tokens, message);
        return;
    };
    let mut known = vec![first.value()];
    for text in texts {
        if known.contains(&text.value()) {
            let message = format!("`{}` is in `entity_type` twice; keep one", text.value());
            cx.error(text.span(), message);
        } else {
            known.push(text.value());
            entity.other_types.push(text);
        }
    }
    set(cx, &mut entity.entity_type, option, Some(first));
}

/// Parses `["USER", "Account"]`.
fn list_of_texts(input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    let content;
    syn::bracketed!(content in input);
    let texts = Punctuated::<LitStr, Token![,]>::parse_terminated(&content)?;
    Ok(texts.into_iter().collect())
}

/// Reads `shares_key_with(Organization)`.
fn read_shared(cx: &Ctxt, entity: &mut Entity<'_>, option: &Opt) {
    let names = match &option.value {
        Value::Call(_, names) => names.as_slice(),
        _ => &[],
    };
    let paths = names.iter().map(Opt::as_path);
    match paths.collect::<Option<Vec<_>>>() {
        Some(paths) if !paths.is_empty() => entity.shares_key_with.extend(paths),
        _ => cx.error(
            option.span(),
            "`shares_key_with` takes the entities that have the same keys; write \
             `shares_key_with(Organization)`",
        ),
    }
}

/// Reads `#[pk("USER#<user_id>")]`.
fn read_key(
    cx: &Ctxt,
    attribute: &Attribute,
    name: &str,
    max: usize,
    slot: &mut Option<KeySource>,
) {
    let span = attribute.path().span();
    if slot.is_some() {
        cx.error(
            span,
            format!("`#[{name}]` is given twice, and an item has one such key; keep one"),
        );
        return;
    }
    let written = match &attribute.meta {
        syn::Meta::List(list) => Written::read(cx, list.tokens.clone()),
        _ => Written::Other,
    };
    *slot = Some(match written {
        Written::Text(text) => template(cx, text, max),
        Written::Reported => KeySource::Broken(Vec::new()),
        Written::Other => {
            let meant = meant_template(attribute);
            let constant = match &meant {
                Some(Meant::Name(name)) if is_constant(name) => about_constant(name),
                _ => String::new(),
            };
            let example = match (meant, name) {
                (Some(Meant::Name(field)), "unique") => unique_example(&field),
                (None, "unique") => unique_example("email"),
                (Some(Meant::Name(text) | Meant::Text(text)), _) => text,
                (None, _) => "USER#<user_id>".into(),
            };
            cx.error_on(
                &attribute.meta,
                format!(
                    "`#[{name}]` takes a template in quotes; write \
                     `#[{name}(\"{example}\")]`{constant}"
                ),
            );
            KeySource::Broken(Vec::new())
        }
    });
}

/// Returns whether a name is written as the name of a constant.
fn is_constant(name: &str) -> bool {
    name.contains("::") || name.chars().any(char::is_uppercase) && name == name.to_uppercase()
}

/// Returns the message for a constant in place of a template.
fn about_constant(name: &str) -> String {
    format!(", or the text of the constant `{name}`, whose value a derive cannot see")
}

/// The template that the user meant: text without quotes, or without brackets.
enum Meant {
    Name(String),
    Text(String),
}

/// Returns the constraint that the user most likely means. It has a literal, because it must not
/// equal another key.
fn unique_example(field: &str) -> String {
    format!("{}#<{field}>", field.to_uppercase())
}

/// Returns the text of `#[sk(PROFILE)]` and `#[sk = "PROFILE"]`.
fn meant_template(attribute: &Attribute) -> Option<Meant> {
    match &attribute.meta {
        syn::Meta::List(_) => {
            if let Ok(name) = attribute.parse_args::<syn::Ident>() {
                return Some(Meant::Name(name.unraw().to_string()));
            }
            let path = attribute.parse_args::<syn::Path>().ok()?;
            Some(Meant::Name(shown(&path)))
        }
        syn::Meta::NameValue(pair) => match &pair.value {
            syn::Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Str(text),
                ..
            }) => Some(Meant::Text(text.value())),
            _ => None,
        },
        syn::Meta::Path(_) => None,
    }
}

fn template(cx: &Ctxt, text: Text, max: usize) -> KeySource {
    match Template::parse(text.value(), max) {
        Ok(template) => KeySource::Template(Spanned {
            template,
            text,
            reserved_in: None,
        }),
        Err(mistakes) => {
            for mistake in mistakes {
                cx.error(text.span_at(mistake.at), mistake.message);
            }
            KeySource::Broken(names_in_brackets(text.value()))
        }
    }
}

/// Returns the names in a template that does not parse.
fn names_in_brackets(text: &str) -> Vec<String> {
    let pieces = text.split('<').skip(1);
    pieces
        .map(|piece| {
            piece
                .split([':', '>'])
                .next()
                .unwrap_or_default()
                .to_owned()
        })
        .collect()
}

/// Reads `pk = "…"`, or `pk = sk`, the table's own key.
fn key_source(cx: &Ctxt, option: &Opt, max: usize) -> Option<KeySource> {
    let name = option.name();
    match &option.value {
        Value::Str(text) if matches!(text.value().as_str(), "pk" | "sk") => {
            let own = text.value();
            cx.error(
                text.span(),
                format!(
                    "`\"{own}\"` is literal text, the same for every item; for the table's own key \
                     write `{name} = {own}`, without quotes"
                ),
            );
            Some(KeySource::Broken(Vec::new()))
        }
        Value::Str(text) => Some(template(cx, Text::of(text), max)),
        Value::Path(path) if path.is_ident("pk") => Some(KeySource::TablePk),
        Value::Path(path) if path.is_ident("sk") => Some(KeySource::TableSk(option.value_span())),
        Value::Path(path) if is_constant(&shown(path)) => {
            let path = shown(path);
            cx.error_on(
                option.value_tokens(),
                format!("a derive cannot see the value of `{path}`; write its text in quotes"),
            );
            Some(KeySource::Broken(Vec::new()))
        }
        value => {
            if let Value::Other(tokens) = value {
                match Written::read(cx, tokens.clone()) {
                    Written::Text(text) => return Some(template(cx, text, max)),
                    Written::Reported => return Some(KeySource::Broken(Vec::new())),
                    Written::Other => {}
                }
            }
            let example = match value {
                Value::Path(path) => path.to_token_stream().to_string(),
                _ => "user_id".into(),
            };
            cx.error(
                option.value_span(),
                format!(
                    "`{name}` takes a template in quotes; write `{name} = \"<{example}>\"`, or \
                     `{name} = pk` or `{name} = sk` for the table's own key"
                ),
            );
            None
        }
    }
}

/// Reports `#[gsi1("EMAIL#<email>", "USER")]` as one error, because it is one mistake.
fn refuse_unnamed(cx: &Ctxt, label: &str, valid: &[&str], unnamed: &[Opt]) {
    let texts = unnamed.iter().map(|option| match &option.value {
        Value::Str(text) => text.to_token_stream().to_string(),
        _ => String::new(),
    });
    let pairs = valid.iter().zip(texts);
    let pairs: Vec<_> = pairs
        .map(|(name, text)| format!("{name} = {text}"))
        .collect();
    if let Some(first) = unnamed.first() {
        let message = format!(
            "a template in `#[{label}]` needs its name; write `{}`",
            pairs.join(", ")
        );
        cx.error(first.span(), message);
    }
}

fn read_index(cx: &Ctxt, attribute: &Attribute, id: IndexId) -> Option<EntityIndex> {
    let (mut pk, mut sk, mut method, mut when) = (None, None, None, None);
    let mut said = Said::default();
    let label = id.to_string();
    let valid: &[&str] = match id {
        IndexId::Gsi(_) => &["pk", "sk", "as", "when"],
        _ => &["sk", "as", "when"],
    };
    let (unnamed, named): (Vec<_>, Vec<_>) = options(cx, attribute)
        .into_iter()
        .partition(Opt::is_unnamed_text);
    refuse_unnamed(cx, &label, valid, &unnamed);
    for option in named {
        said.note(&option, valid);
        match (option.name().as_str(), id) {
            ("pk", IndexId::Lsi(_)) => cx.error(
                option.span(),
                format!(
                    "`{label}` is a local index, which has the table's partition key; remove `pk`, \
                     or use a global index"
                ),
            ),
            ("pk", _) => set(
                cx,
                &mut pk,
                &option,
                key_source(cx, &option, MAX_PARTITION_KEY),
            ),
            ("sk", _) => set(cx, &mut sk, &option, key_source(cx, &option, MAX_SORT_KEY)),
            ("as", _) => set(cx, &mut method, &option, option.ident(cx)),
            ("when", _) => set(cx, &mut when, &option, read_condition(cx, &option)),
            ("name", _) => {
                option.elsewhere(cx, "the table", &format!("#[{label}(name = \"…\", …)]"));
            }
            ("projection", _) => {
                option.elsewhere(cx, "the table", &format!("#[{label}(…, projection = all)]"));
            }
            _ => option.unknown(cx, &label, valid),
        }
    }
    let span = attribute.path().get_ident()?.span();
    let pk = match id {
        IndexId::Lsi(_) | IndexId::Vector(_) => KeySource::TablePk,
        IndexId::Gsi(_) => pk.unwrap_or_else(|| {
            if !said.has("pk") && unnamed.is_empty() {
                cx.error(
                    span,
                    format!(
                        "`{label}` has no partition key; write `pk = \"…\"`, or `pk = sk` for an \
                         index on the table's sort key"
                    ),
                );
            }
            KeySource::Broken(Vec::new())
        }),
    };
    Some(EntityIndex {
        id,
        span,
        method,
        pk,
        sk,
        when,
    })
}

/// Reads `when(state = State::Open)`.
fn read_condition(cx: &Ctxt, option: &Opt) -> Option<When> {
    let example = "write `when(state = State::Open)`";
    let one = match &option.value {
        Value::Call(name, arguments) if name == "when" => match &arguments[..] {
            [one] => Some(one),
            _ => None,
        },
        _ => None,
    };
    let Some((one, value)) = one.and_then(|one| Some((one, one.value_tokens()?))) else {
        let message = format!("`when` takes one field and the value that it must have; {example}");
        cx.error(option.span(), message);
        return None;
    };
    Some(When {
        field: one.name.clone(),
        value,
    })
}

fn read_fields<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Vec<Field<'a>> {
    let Data::Struct(syn::DataStruct {
        fields: Fields::Named(fields),
        ..
    }) = &input.data
    else {
        let ident = &input.ident;
        let message = match &input.data {
            Data::Enum(_) => format!(
                "`{ident}` is an enum, and an entity is a struct with named fields; for the enum \
                 of a table's entities, derive `DynamoItems`"
            ),
            _ => format!(
                "`{ident}` has no named fields, and the attributes of an item have names; write \
                 `struct {ident} {{ user_id: String }}`"
            ),
        };
        cx.error(ident.span(), message);
        return Vec::new();
    };
    let container = Serde::of(&input.attrs);
    fields
        .named
        .iter()
        .filter_map(|field| read_field(cx, field, &container))
        .collect()
}

fn read_field<'a>(cx: &Ctxt, field: &'a syn::Field, container: &Serde) -> Option<Field<'a>> {
    let ident = field.ident.as_ref()?;
    let serde = Serde::of(&field.attrs);
    let name = ident.unraw().to_string();
    let mut this = Field {
        ident,
        attribute: serde.field_name(&name, container),
        name,
        ty: &field.ty,
        stored: if serde.skip {
            Stored::Skipped
        } else if serde.flatten {
            Stored::Flattened
        } else {
            Stored::Attribute
        },
        key_only: None,
        nested: None,
        sensitive: None,
        version: None,
        ttl: None,
        created_at: None,
        updated_at: None,
        null: None,
        immutable: None,
        rest: None,
        aliases: serde.aliases.clone(),
        reads_with: serde.reads_with,
        has_default: serde.default || container.default,
        sorts_as: None,
        stored_as: StoredAs::Unknown,
        function: serde.function,
        doc: super::doc_comment(&field.attrs),
    };
    for attribute in field
        .attrs
        .iter()
        .filter(|attribute| attribute.path().is_ident("dynamo"))
    {
        for option in options(cx, attribute) {
            let slot = match option.name().as_str() {
                "key_only" => &mut this.key_only,
                "nested" => &mut this.nested,
                "null" => &mut this.null,
                "immutable" => &mut this.immutable,
                "rest" => &mut this.rest,
                "sensitive" => &mut this.sensitive,
                "version" => &mut this.version,
                "ttl" => &mut this.ttl,
                "created_at" => &mut this.created_at,
                "updated_at" => &mut this.updated_at,
                // The type was replaced already.
                "optional" => {
                    option.flag(cx);
                    continue;
                }
                "sorts_as" => {
                    this.sorts_as = Some(option.span());
                    this.stored_as = option.stored_as(cx);
                    continue;
                }
                "unique" => {
                    let example = format!("#[unique(\"{}\")]", unique_example(&this.name));
                    option.elsewhere(cx, "the struct", &example);
                    continue;
                }
                "constant" => {
                    option.elsewhere(
                        cx,
                        "the struct",
                        "#[dynamo(constant(\"__edb_v__\" = \"1\"))]",
                    );
                    continue;
                }
                "table" | "entity_type" | "shares_key_with" | "check_type" | "untyped"
                | "former" | "foreign" | "hide_expired" | "scannable" => {
                    let example = format!("#[dynamo({} = …)]", option.name());
                    option.elsewhere(cx, "the struct", &example);
                    continue;
                }
                _ => {
                    option.unknown(cx, "dynamo", FIELD_OPTIONS);
                    continue;
                }
            };
            option.flag(cx);
            *slot = Some(option.span());
        }
    }
    if this.rest.is_some() && this.stored == Stored::Attribute {
        this.stored = Stored::Rest;
    }
    Some(this)
}

/// Reports keys that are written on a field, and counts them as declared.
fn misplaced_keys(cx: &Ctxt, entity: &mut Entity<'_>, input: &DeriveInput) {
    let Data::Struct(data) = &input.data else {
        return;
    };
    for field in &data.fields {
        let Some(ident) = &field.ident else { continue };
        for attribute in &field.attrs {
            let name = attribute
                .path()
                .get_ident()
                .map(ToString::to_string)
                .unwrap_or_default();
            let field = ident.unraw().to_string();
            let (slot, option) = match name.as_str() {
                "pk" => (Some(&mut entity.pk), ""),
                "sk" => (Some(&mut entity.sk), ""),
                "unique" => {
                    let text = attribute.parse_args::<LitStr>();
                    let text = text.map_or_else(|_| unique_example(&field), |text| text.value());
                    cx.error(
                        attribute.path().span(),
                        format!(
                            "`#[unique]` belongs on the struct, not on a field; write \
                             `#[unique(\"{text}\")]` above the `struct`"
                        ),
                    );
                    continue;
                }
                name if name.starts_with("gsi") => (None, "pk = "),
                name if name.starts_with("lsi") => (None, "sk = "),
                _ => continue,
            };
            cx.error(
                attribute.path().span(),
                format!(
                    "`#[{name}]` belongs on the struct, not on a field; write \
                     `#[{name}({option}\"<{field}>\")]` above the `struct`"
                ),
            );
            if let Some(slot) = slot {
                slot.get_or_insert(KeySource::Broken(vec![field]));
            }
        }
    }
}
