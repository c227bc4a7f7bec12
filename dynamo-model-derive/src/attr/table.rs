//! Reads `#[table(…)]`, `#[gsiN(…)]` and `#[lsiN(…)]` on a table.

use super::{IndexId, Opt, Said, Value, index_id, options, set, set_flag, vector};
use crate::ast::{Billing, Encryption, KeyAttribute, KeyType, Projection, Table, TableIndex};
use crate::ctxt::Ctxt;
use crate::suggest;
use syn::spanned::Spanned;
use syn::{Attribute, DeriveInput, LitStr};

const OPTIONS: &[&str] = &[
    "name",
    "pk",
    "sk",
    "entity_type",
    "items",
    "ttl",
    "encryption",
    "point_in_time_recovery",
    "billing",
    "stream",
    "replicas",
    "multi_region_strong",
    "deletion_protection",
    "table_class",
    "warm_throughput",
    "tags",
    "no_scan",
    "require",
    "crate",
];
/// The settings that `require(…)` can name.
const REQUIRED: &[&str] = &[
    "encryption",
    "point_in_time_recovery",
    "deletion_protection",
    "ttl",
    "stream",
];
const STREAMS: &[&str] = &["keys_only", "new_image", "old_image", "new_and_old_images"];

/// Reads a table's declaration.
pub(crate) fn read<'a>(cx: &Ctxt, input: &'a DeriveInput) -> Table<'a> {
    let mut table = Table::new(input);
    for attribute in &input.attrs {
        if attribute.path().is_ident("table") {
            for option in options(cx, attribute) {
                table.said.note(&option, OPTIONS);
                read_option(cx, &mut table, &option);
            }
        } else if let Some(id) = index_id(cx, attribute) {
            match id {
                IndexId::Vector(_) => table.vectors.extend(vector::of_table(cx, attribute, id)),
                _ => table.indexes.extend(read_index(cx, attribute, id)),
            }
        }
    }
    // DynamoDB replicates by a stream of both images.
    if !table.replicas.is_empty() && !table.said.has("stream") {
        table.stream = Some("new_and_old_images".to_owned());
    }
    if let syn::Data::Struct(data) = &input.data {
        data.fields
            .iter()
            .for_each(|field| misplaced(cx, &field.attrs));
    }
    table
}

/// Reports attributes of the table that are written on a field.
fn misplaced(cx: &Ctxt, attributes: &[Attribute]) {
    for attribute in attributes {
        let name = attribute
            .path()
            .get_ident()
            .map(ToString::to_string)
            .unwrap_or_default();
        if name == "table"
            || ["gsi", "lsi", "vector"]
                .iter()
                .any(|it| name.starts_with(it))
        {
            cx.error(
                attribute.path().span(),
                format!(
                    "`#[{name}]` belongs on the struct, not on a field; move it above the `struct`"
                ),
            );
        }
    }
}

fn read_option(cx: &Ctxt, table: &mut Table<'_>, option: &Opt) {
    match option.name().as_str() {
        "name" => set(cx, &mut table.name, option, option.string(cx)),
        "pk" => set(cx, &mut table.pk, option, key_attribute(cx, option)),
        "sk" => set(cx, &mut table.sk, option, key_attribute(cx, option)),
        "entity_type" => set(cx, &mut table.entity_type, option, option.string(cx)),
        "items" => set(cx, &mut table.items, option, option.type_path(cx)),
        "ttl" => set(cx, &mut table.ttl, option, option.string(cx)),
        "encryption" => set(cx, &mut table.encryption, option, encryption(cx, option)),
        "point_in_time_recovery" => {
            set_flag(cx, &mut table.point_in_time_recovery, option);
        }
        "deletion_protection" => set_flag(cx, &mut table.deletion_protection, option),
        "table_class" => set(
            cx,
            &mut table.is_infrequent,
            option,
            table_class(cx, option),
        ),
        "warm_throughput" => {
            set(
                cx,
                &mut table.warm_throughput,
                option,
                warm_throughput(cx, option),
            );
        }
        "tags" => table.tags = tags(cx, option),
        "billing" => set(cx, &mut table.billing, option, billing(cx, option)),
        "stream" => set(cx, &mut table.stream, option, stream(cx, option)),
        "replicas" => table.replicas = replicas(cx, option),
        "no_scan" => set_flag(cx, &mut table.no_scan, option),
        "multi_region_strong" => {
            let mut is_strong = false;
            set_flag(cx, &mut is_strong, option);
            table.strong = is_strong.then(|| option.span());
        }
        "require" => table.require = required(cx, option),
        "crate" => set(cx, &mut table.krate, option, option.path(cx)),
        _ => option.unknown(cx, "table", OPTIONS),
    }
}

/// Reads `"PK"`, `S("PK")`, `N("seq")` or `B("digest")`.
pub(super) fn key_attribute(cx: &Ctxt, option: &Opt) -> Option<KeyAttribute> {
    let name = option.name();
    if let Value::Str(text) = &option.value
        && !text.value().is_empty()
    {
        return Some(KeyAttribute {
            name: text.clone(),
            key_type: KeyType::S,
        });
    }
    let typed = option.word();
    let typed = typed.and_then(|(word, arguments)| typed_attribute(&word, arguments));
    if typed.is_none() {
        cx.error(
            option.value_span(),
            format!(
                "`{name}` takes an attribute name; write `{name} = \"PK\"`, or `{name} = \
                 N(\"seq\")` for a number and `{name} = B(\"digest\")` for bytes"
            ),
        );
    }
    typed
}

/// `N("seq")`
pub(super) fn typed_attribute(word: &str, arguments: &[Opt]) -> Option<KeyAttribute> {
    let key_type = match word {
        "S" => KeyType::S,
        "N" => KeyType::N,
        "B" => KeyType::B,
        _ => return None,
    };
    match arguments {
        [
            Opt {
                value: Value::Str(text),
                ..
            },
        ] => Some(KeyAttribute {
            name: text.clone(),
            key_type,
        }),
        _ => None,
    }
}

fn encryption(cx: &Ctxt, option: &Opt) -> Option<Encryption> {
    let word = option.word();
    match word
        .as_ref()
        .map(|(word, arguments)| (word.as_str(), *arguments))
    {
        Some(("aws_owned", [])) => Some(Encryption::AwsOwned),
        Some(("kms", [])) => Some(Encryption::Kms(None)),
        Some((
            "kms",
            [
                Opt {
                    value: Value::Str(key),
                    ..
                },
            ],
        )) => Some(Encryption::Kms(Some(key.clone()))),
        _ => {
            option.invalid(
                cx,
                "encryption",
                &["aws_owned", "kms"],
                "`aws_owned`, `kms`, `kms(\"alias/my-key\")`",
            );
            None
        }
    }
}

fn billing(cx: &Ctxt, option: &Opt) -> Option<Billing> {
    let word = option.word();
    let billing = match word
        .as_ref()
        .map(|(word, arguments)| (word.as_str(), *arguments))
    {
        Some(("on_demand", [])) => Some(Billing::OnDemand),
        Some(("on_demand", arguments)) => units(arguments, ["max_read", "max_write"])
            .map(|(read, write)| Billing::OnDemandUpTo { read, write }),
        Some(("provisioned", arguments)) => units(arguments, ["read", "write"])
            .map(|(read, write)| Billing::Provisioned { read, write }),
        _ => None,
    };
    if billing.is_none() {
        option.invalid(
            cx,
            "billing mode",
            &["on_demand", "provisioned"],
            "`on_demand`, `on_demand(max_read = 1000, max_write = 500)`, `provisioned(read = 5, \
             write = 5)`",
        );
    }
    billing
}

/// Returns two numbers above 0 with these names.
fn units(arguments: &[Opt], names: [&str; 2]) -> Option<(u32, u32)> {
    let one = |name: &str| {
        let argument = arguments.iter().find(|it| it.name() == name)?;
        match &argument.value {
            Value::Int(number) => number.base10_parse::<u32>().ok().filter(|&units| units > 0),
            _ => None,
        }
    };
    let both = one(names[0]).zip(one(names[1]));
    both.filter(|_| arguments.len() == 2)
}

/// Reads `standard` or `infrequent_access`.
fn table_class(cx: &Ctxt, option: &Opt) -> Option<bool> {
    let word = option.word();
    match word
        .as_ref()
        .map(|(word, arguments)| (word.as_str(), *arguments))
    {
        Some(("standard", [])) => return Some(false),
        Some(("infrequent_access", [])) => return Some(true),
        _ => {}
    }
    let classes = &["standard", "infrequent_access"];
    option.invalid(cx, "table class", classes, &suggest::list(classes));
    None
}

/// Reads `warm_throughput(read = 12_000, write = 4_000)`.
fn warm_throughput(cx: &Ctxt, option: &Opt) -> Option<(u32, u32)> {
    let throughput = match &option.value {
        Value::Call(_, arguments) => units(arguments, ["read", "write"]),
        _ => None,
    };
    if throughput.is_none() {
        let message = "`warm_throughput` takes units a second; write `warm_throughput(read = \
                       12_000, write = 4_000)`";
        cx.error(option.span(), message.to_owned());
    }
    throughput
}

/// Reads `tags(team = "exam", stage = "production")`.
fn tags(cx: &Ctxt, option: &Opt) -> Vec<(syn::Ident, LitStr)> {
    let arguments = match &option.value {
        Value::Call(_, arguments) => arguments.as_slice(),
        _ => &[],
    };
    let tags = arguments.iter().filter_map(|tag| match &tag.value {
        Value::Str(value) => Some((tag.name.clone(), value.clone())),
        _ => None,
    });
    let tags: Vec<_> = tags.collect();
    if tags.is_empty() || tags.len() != arguments.len() {
        let message =
            "`tags` takes names and texts; write `tags(team = \"exam\", stage = \"production\")`";
        cx.error(option.span(), message.to_owned());
        return Vec::new();
    }
    for (at, (name, _)) in tags.iter().enumerate() {
        if tags[..at].iter().any(|(other, _)| other == name) {
            cx.error(
                name.span(),
                format!("the tag `{name}` is set twice; keep one"),
            );
        }
    }
    tags
}

/// Reads `require(encryption, point_in_time_recovery)`.
fn required(cx: &Ctxt, option: &Opt) -> Vec<syn::Ident> {
    let names = match &option.value {
        Value::Call(_, names) if !names.is_empty() => names.as_slice(),
        _ => {
            let message = format!(
                "`require` takes the settings that the table must have; write `require(encryption, \
                 point_in_time_recovery)`; valid: {}",
                suggest::list(REQUIRED)
            );
            cx.error(option.span(), message);
            return Vec::new();
        }
    };
    let known = |name: &&Opt| {
        let known = matches!(name.value, Value::Flag) && REQUIRED.contains(&name.name().as_str());
        if !known {
            name.unknown(cx, "table(require)", REQUIRED);
        }
        known
    };
    names
        .iter()
        .filter(known)
        .map(|it| it.name.clone())
        .collect()
}

fn stream(cx: &Ctxt, option: &Opt) -> Option<String> {
    let word = option.word().map(|(word, _)| word).unwrap_or_default();
    if STREAMS.contains(&word.as_str()) {
        return Some(word);
    }
    option.invalid(cx, "stream view", STREAMS, &suggest::list(STREAMS));
    None
}

/// Reads `replicas("eu-west-1", "us-west-2")`.
fn replicas(cx: &Ctxt, option: &Opt) -> Vec<LitStr> {
    let arguments = match &option.value {
        Value::Call(_, arguments) => arguments.as_slice(),
        _ => &[],
    };
    let regions = arguments
        .iter()
        .filter_map(|argument| match &argument.value {
            Value::Str(region) => Some(region.clone()),
            _ => None,
        });
    let regions: Vec<_> = regions.collect();
    if regions.is_empty() || regions.len() != arguments.len() {
        let message = "`replicas` takes the other regions that have the table; write \
                       `replicas(\"eu-west-1\", \"us-west-2\")`";
        cx.error(option.span(), message.to_owned());
        return Vec::new();
    }
    regions
}

fn read_index(cx: &Ctxt, attribute: &Attribute, id: IndexId) -> Option<TableIndex> {
    let (mut name, mut pk, mut sk, mut projection) = (None, None, None, None);
    let mut said = Said::default();
    let (label, valid): (_, &[&str]) = match id {
        IndexId::Gsi(_) => (id.to_string(), &["name", "pk", "sk", "projection"]),
        _ => (id.to_string(), &["name", "sk", "projection"]),
    };
    for option in options(cx, attribute) {
        said.note(&option, valid);
        match (option.name().as_str(), id) {
            ("name", _) => set(cx, &mut name, &option, option.string(cx)),
            ("pk", IndexId::Lsi(_)) => cx.error(
                option.span(),
                format!(
                    "a local secondary index has the table's partition key; remove `pk`, or make \
                     `{label}` a global one"
                ),
            ),
            ("pk", _) => set(cx, &mut pk, &option, key_attribute(cx, &option)),
            ("sk", _) => set(cx, &mut sk, &option, key_attribute(cx, &option)),
            ("projection", _) => set(cx, &mut projection, &option, read_projection(cx, &option)),
            ("as", _) => {
                option.elsewhere(cx, "the entity", &format!("#[{label}(…, as = by_email)]"))
            }
            _ => option.unknown(cx, &label, valid),
        }
    }
    let span = attribute.path().get_ident()?.span();
    let key = match id {
        IndexId::Gsi(_) => ("partition key", "pk"),
        _ => ("sort key", "sk"),
    };
    let missing: Vec<_> = [("name", "name"), key]
        .into_iter()
        .filter(|(_, option)| !said.has(option))
        .collect();
    if !missing.is_empty() {
        let what: Vec<_> = missing
            .iter()
            .map(|(what, _)| format!("no {what}"))
            .collect();
        let write: Vec<_> = missing
            .iter()
            .map(|(_, option)| format!("{option} = \"…\""))
            .collect();
        cx.error(
            span,
            format!(
                "`{label}` has {}; write `{}`",
                what.join(" and "),
                write.join(", ")
            ),
        );
    }
    let name: LitStr = name?;
    Some(TableIndex {
        id,
        span,
        name,
        pk,
        sk,
        projection: projection.unwrap_or(Projection::All),
    })
}

pub(super) fn read_projection(cx: &Ctxt, option: &Opt) -> Option<Projection> {
    let word = option.word();
    match word
        .as_ref()
        .map(|(word, arguments)| (word.as_str(), *arguments))
    {
        Some(("all", [])) => return Some(Projection::All),
        Some(("keys_only", [])) => return Some(Projection::KeysOnly),
        Some(("include", arguments)) if !arguments.is_empty() => {
            let names: Vec<LitStr> = arguments
                .iter()
                .filter_map(|argument| match &argument.value {
                    Value::Str(text) => Some(text.clone()),
                    _ => None,
                })
                .collect();
            if names.len() == arguments.len() {
                return Some(Projection::Include(names));
            }
        }
        _ => {}
    }
    option.invalid(
        cx,
        "projection",
        &["all", "keys_only", "include"],
        "`all`, `keys_only`, `include(\"attribute\", …)`",
    );
    None
}
