//! The rules of a table.

use super::vector;
use crate::ast::{Encryption, KeyType, Projection, Table};
use crate::attr::IndexId;
use crate::ctxt::Ctxt;
use std::collections::HashMap;
use syn::LitStr;

pub(crate) fn table(cx: &Ctxt, table: &Table<'_>) {
    table_is_complete(cx, table);
    indexes_are_distinct(cx, table);
    local_index_needs_sort_key(cx, table);
    key_attributes_are_distinct(cx, table);
    ttl_is_an_attribute_of_its_own(cx, table);
    names_are_valid(cx, table);
    included_names_are_distinct(cx, table);
    included_names_are_few(cx, table);
    required_settings_are_declared(cx, table);
    replicas_are_regions(cx, table);
    replicas_need_both_images(cx, table);
    replicas_have_their_own_keys(cx, table);
    strong_tables_are_in_three_regions(cx, table);
    strong_tables_have_neither_ttl_nor_local_indexes(cx, table);
    vector::table(cx, table);
}

/// DynamoDB keeps a table consistent between exactly three regions.
fn strong_tables_are_in_three_regions(cx: &Ctxt, table: &Table<'_>) {
    if let Some(span) = table.strong
        && table.replicas.len() != 2
    {
        cx.error(
            span,
            "a table with `multi_region_strong` is in exactly three regions; declare two others, \
             as `replicas(\"us-east-2\", \"us-west-2\")`"
                .to_owned(),
        );
    }
}

/// DynamoDB offers neither with multi-region strong consistency.
fn strong_tables_have_neither_ttl_nor_local_indexes(cx: &Ctxt, table: &Table<'_>) {
    if table.strong.is_none() {
        return;
    }
    if let Some(ttl) = &table.ttl {
        cx.error(
            ttl.span(),
            "DynamoDB has no TTL on a table with `multi_region_strong`; remove one of the two"
                .to_owned(),
        );
    }
    for index in &table.indexes {
        if let IndexId::Lsi(_) = index.id {
            cx.error(
                index.span,
                "DynamoDB has no local indexes on a table with `multi_region_strong`; make it a \
                 global index"
                    .to_owned(),
            );
        }
    }
}

/// DynamoDB has one replica in each region.
fn replicas_are_regions(cx: &Ctxt, table: &Table<'_>) {
    for (i, region) in table.replicas.iter().enumerate() {
        let name = region.value();
        if !is_region(&name) {
            cx.error(
                region.span(),
                format!("`{name}` is not the name of a region; write it as `eu-west-1`"),
            );
        } else if table.replicas[..i].iter().any(|it| it.value() == name) {
            cx.error(
                region.span(),
                format!("the replica in `{name}` is declared twice; keep one"),
            );
        }
    }
}

/// Returns whether a text is lower-case words and a number: `ap-northeast-1`, `us-gov-west-1`.
fn is_region(name: &str) -> bool {
    let Some((words, number)) = name.rsplit_once('-') else {
        return false;
    };
    let is_word = |word: &str| word.len() > 1 && word.bytes().all(|it| it.is_ascii_lowercase());
    let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
    is_number && words.contains('-') && words.split('-').all(is_word)
}

/// DynamoDB replicates through the table's stream, which must have both images.
fn replicas_need_both_images(cx: &Ctxt, table: &Table<'_>) {
    let both = "new_and_old_images";
    if let (Some(region), Some(stream)) = (table.replicas.first(), &table.stream)
        && stream != both
    {
        cx.error(
            region.span(),
            format!(
                "a table with replicas has a stream of `{both}`, and this one declares `{stream}`; \
                 write `stream = {both}`, or leave `stream` out"
            ),
        );
    }
}

/// A KMS key is in one region, unless it is a multi-Region key. An alias can name another key in
/// each region.
fn replicas_have_their_own_keys(cx: &Ctxt, table: &Table<'_>) {
    let Some(Encryption::Kms(Some(key))) = &table.encryption else {
        return;
    };
    let name = key.value();
    if !table.replicas.is_empty() && !name.starts_with("alias/") && !name.starts_with("mrk-") {
        cx.error(
            key.span(),
            format!(
                "the key `{name}` is in one region, and the table has replicas; name an alias that \
                 each region has, as `kms(\"alias/app\")`, or the id of a multi-Region key, \
                 `mrk-…`"
            ),
        );
    }
}

/// An organisation's policy decides which settings must be declared, because a default is easily
/// forgotten.
fn required_settings_are_declared(cx: &Ctxt, table: &Table<'_>) {
    for name in &table.require {
        let (is_declared, write) = match name.to_string().as_str() {
            "encryption" => (
                matches!(table.encryption, Some(Encryption::Kms(_))),
                "encryption = kms",
            ),
            "point_in_time_recovery" => (table.point_in_time_recovery, "point_in_time_recovery"),
            "deletion_protection" => (table.deletion_protection, "deletion_protection"),
            "ttl" => (table.ttl.is_some(), "ttl = \"expires\""),
            _ => (table.stream.is_some(), "stream = new_and_old_images"),
        };
        // A malformed option was reported already.
        let is_of_aws = name == "encryption" && table.encryption.is_some();
        if !is_declared && (is_of_aws || !table.said.has(&name.to_string())) {
            let ident = table.ident;
            let what = match is_of_aws {
                true => "is encrypted with a key of AWS, not with KMS",
                false => "does not declare it",
            };
            cx.error(
                name.span(),
                format!("table `{ident}` requires `{name}` and {what}; write `{write}`"),
            );
        }
    }
}

/// DynamoDB requires a name and a partition key.
fn table_is_complete(cx: &Ctxt, table: &Table<'_>) {
    let (what, write) = match (table.said.has("name"), table.said.has("pk")) {
        (true, true) => return,
        (false, true) => ("no name", "name = \"…\""),
        (true, false) => ("no partition key", "pk = \"PK\""),
        (false, false) => ("no name and no partition key", "name = \"…\", pk = \"PK\""),
    };
    cx.error(
        table.ident.span(),
        format!(
            "table `{}` has {what}; write `#[table({write})]`",
            table.ident
        ),
    );
}

/// DynamoDB takes names of 3 to 255 letters, digits, `_`, `-` and `.`.
fn names_are_valid(cx: &Ctxt, table: &Table<'_>) {
    let valid = |name: &str| {
        (3..=255).contains(&name.len())
            && name
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte))
    };
    let own = table.name.iter().map(|name| ("table", name));
    let vectors = table.vectors.iter().map(|vector| &vector.name);
    let indexes = table.indexes.iter().map(|index| &index.name);
    let indexes = indexes.chain(vectors).map(|name| ("index", name));
    for (what, name) in own.chain(indexes).filter(|(_, name)| !valid(&name.value())) {
        cx.error(
            name.span(),
            format!(
                "`{}` is not a name for {} {what}; use 3 to 255 letters, digits, `_`, `-` and `.`",
                name.value(),
                if what == "index" { "an" } else { "a" }
            ),
        );
    }
}

fn included<'t>(table: &'t Table<'_>) -> impl Iterator<Item = (IndexId, &'t [LitStr])> {
    let indexes = table.indexes.iter().map(|it| (it.id, &it.projection));
    let vectors = table.vectors.iter().map(|it| (it.id, &it.projection));
    let all = indexes.chain(vectors);
    all.filter_map(|(id, projection)| match projection {
        Projection::Include(names) => Some((id, names.as_slice())),
        _ => None,
    })
}

/// DynamoDB refuses a repeated name.
fn included_names_are_distinct(cx: &Ctxt, table: &Table<'_>) {
    for (id, names) in included(table) {
        for (i, name) in names.iter().enumerate() {
            let value = name.value();
            if names[..i].iter().any(|other| other.value() == value) {
                cx.error(
                    name.span(),
                    format!("`{id}` includes `{value}` twice; keep one"),
                );
            }
        }
    }
}

/// DynamoDB limits the names of `INCLUDE`, in one index and in all of them together.
fn included_names_are_few(cx: &Ctxt, table: &Table<'_>) {
    const MAX_IN_INDEX: usize = 20;
    const MAX_IN_ALL: usize = 100;
    for (id, names) in included(table) {
        if let Some(name) = names.get(MAX_IN_INDEX) {
            let count = names.len();
            cx.error(
                name.span(),
                format!(
                    "`{id}` includes {count} attributes, and DynamoDB takes {MAX_IN_INDEX} an \
                     index; include fewer, or declare `projection = all`"
                ),
            );
        }
    }
    let all: Vec<_> = included(table).flat_map(|(_, names)| names).collect();
    if let Some(name) = all.get(MAX_IN_ALL) {
        let count = all.len();
        cx.error(
            name.span(),
            format!(
                "the indexes include {count} attributes together, and DynamoDB takes {MAX_IN_ALL} \
                 a table; include fewer, or declare `projection = all` on some"
            ),
        );
    }
}

/// Index names are unique within a table, and each number is declared once.
fn indexes_are_distinct(cx: &Ctxt, table: &Table<'_>) {
    let indexes = table.indexes.iter().map(|it| (it.id, it.span, &it.name));
    let vectors = table.vectors.iter().map(|it| (it.id, it.span, &it.name));
    let all: Vec<_> = indexes.chain(vectors).collect();
    for (i, (id, span, name)) in all.iter().enumerate() {
        for (other, _, taken) in &all[..i] {
            if other == id {
                let message = format!("`{id}` is declared twice; take the next number");
                cx.error(*span, message);
            } else if taken.value() == name.value() {
                let name_text = taken.value();
                let message = format!(
                    "`{name_text}` is the name of `{other}` already; give each index its own"
                );
                cx.error(name.span(), message);
            }
        }
    }
}

/// A local index sorts a partition by another key, so the table needs a sort key.
fn local_index_needs_sort_key(cx: &Ctxt, table: &Table<'_>) {
    if table.said.has("sk") {
        return;
    }
    for index in table
        .indexes
        .iter()
        .filter(|index| matches!(index.id, IndexId::Lsi(_)))
    {
        cx.error(
            index.span,
            format!(
                "`{}` is a local index, and the table has no sort key; declare `sk = \"SK\"` on \
                 the table, or use a global index",
                index.id
            ),
        );
    }
}

/// An attribute cannot be both halves of a key, or also hold the entity type. It has one type in
/// all keys.
fn key_attributes_are_distinct(cx: &Ctxt, table: &Table<'_>) {
    let keys = || {
        let own = [(&table.pk, &table.sk)];
        own.into_iter()
            .chain(table.indexes.iter().map(|index| (&index.pk, &index.sk)))
    };
    let mut types = HashMap::new();
    for (pk, sk) in keys() {
        if let (Some(pk), Some(sk)) = (pk, sk)
            && pk.name.value() == sk.name.value()
        {
            cx.error(
                sk.name.span(),
                format!(
                    "`{}` is the partition key already; name another attribute for the sort key",
                    sk.name.value()
                ),
            );
        }
        for key in [pk, sk].into_iter().flatten() {
            let name = key.name.value();
            let known = *types.entry(name.clone()).or_insert(key.key_type);
            if known != key.key_type {
                cx.error(
                    key.name.span(),
                    format!(
                        "`{name}` is of type {:?} here and {known:?} in another key, and an \
                         attribute has one type; declare both alike",
                        key.key_type
                    ),
                );
            }
            if table
                .entity_type
                .as_ref()
                .is_some_and(|other| other.value() == name)
            {
                cx.error(
                    key.name.span(),
                    format!("`{name}` holds the entity type; give the key an attribute of its own"),
                );
            }
        }
    }
}

/// DynamoDB reads the time of expiry from a number, so a text key or the entity type does not work.
fn ttl_is_an_attribute_of_its_own(cx: &Ctxt, table: &Table<'_>) {
    let Some(ttl) = &table.ttl else { return };
    let name = ttl.value();
    let indexes = table
        .indexes
        .iter()
        .flat_map(|index| [&index.pk, &index.sk]);
    let mut keys = [&table.pk, &table.sk].into_iter().chain(indexes).flatten();
    let taken = if keys.any(|key| key.name.value() == name && key.key_type != KeyType::N) {
        "a key that is not a number"
    } else if table
        .entity_type
        .as_ref()
        .is_some_and(|other| other.value() == name)
    {
        "the entity type"
    } else {
        return;
    };
    cx.error(
        ttl.span(),
        format!("`{name}` holds {taken}, and a TTL is a number; give it an attribute of its own"),
    );
}
