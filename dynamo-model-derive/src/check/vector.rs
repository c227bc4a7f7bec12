//! The rules of vector indexes that one declaration can break.

use super::entity::{index_methods, is_method_of_entity};
use crate::ast::{Billing, Entity, Field, Stored, Table, TableVector};
use crate::ctxt::Ctxt;
use crate::suggest;
use proc_macro2::Ident;
use std::collections::BTreeSet;
use syn::ext::IdentExt;

pub(super) fn table(cx: &Ctxt, table: &Table<'_>) {
    for (i, vector) in table.vectors.iter().enumerate() {
        vector_tables_are_on_demand(cx, table, vector);
        search_attributes_are_distinct(cx, vector);
        vectors_are_attributes_of_their_own(cx, table, vector);
        vectors_of_an_attribute_are_alike(cx, vector, &table.vectors[..i]);
        search_attributes_have_one_type(cx, table, vector);
    }
}

/// DynamoDB has vector indexes on tables that are billed by request alone.
fn vector_tables_are_on_demand(cx: &Ctxt, table: &Table<'_>, vector: &TableVector) {
    if let Some(Billing::Provisioned { .. }) = table.billing {
        let message = format!(
            "DynamoDB has vector indexes on tables on demand alone, and this one is provisioned; write `billing = on_demand`, or remove `{}`",
            vector.id
        );
        cx.error(vector.span, message);
    }
}

/// DynamoDB refuses an attribute that stands in a search schema twice.
fn search_attributes_are_distinct(cx: &Ctxt, vector: &TableVector) {
    let mut known = BTreeSet::new();
    for attribute in vector.search_attributes() {
        let name = attribute.name.value();
        if !known.insert(name.clone()) {
            let message = format!(
                "`{}` has `{name}` twice among its hash and filters; keep one",
                vector.id
            );
            cx.error(attribute.name.span(), message);
        }
    }
}

/// A vector is a list of numbers, which is neither a key nor a time nor a type.
fn vectors_are_attributes_of_their_own(cx: &Ctxt, table: &Table<'_>, vector: &TableVector) {
    let name = vector.attribute.value();
    let own = [&table.pk, &table.sk];
    let keys = table.indexes.iter().flat_map(|it| [&it.pk, &it.sk]);
    let is = |text: &Option<syn::LitStr>| text.as_ref().is_some_and(|it| it.value() == name);
    let mut keys = own.into_iter().chain(keys).flatten();
    let taken = if keys.any(|key| key.name.value() == name) {
        "a key"
    } else if table
        .vectors
        .iter()
        .flat_map(TableVector::search_attributes)
        .any(|it| it.name.value() == name)
    {
        "a hash or filter"
    } else if is(&table.ttl) {
        "the TTL"
    } else if is(&table.entity_type) {
        "the entity type"
    } else {
        return;
    };
    let message = format!(
        "`{name}` is {taken}, and a vector is a list of numbers; give it an attribute of its own"
    );
    cx.error(vector.attribute.span(), message);
}

/// The indexes of one attribute have the same vectors in them.
fn vectors_of_an_attribute_are_alike(cx: &Ctxt, vector: &TableVector, before: &[TableVector]) {
    let (dimensions, span) = vector.dimensions;
    let other = before.iter().find(|other| {
        other.attribute.value() == vector.attribute.value() && other.dimensions.0 != dimensions
    });
    if let Some(other) = other {
        let message = format!(
            "`{}` has {dimensions} dimensions and `{}` has {}, and both are on `{}`; declare both alike, or store the vectors under different names",
            vector.id,
            other.id,
            other.dimensions.0,
            vector.attribute.value()
        );
        cx.error(span, message);
    }
}

/// An attribute has one type in all keys and indexes.
fn search_attributes_have_one_type(cx: &Ctxt, table: &Table<'_>, vector: &TableVector) {
    let own = [&table.pk, &table.sk];
    let keys = table.indexes.iter().flat_map(|it| [&it.pk, &it.sk]);
    let keys = own.into_iter().chain(keys).flatten();
    let before = table.vectors.iter().take_while(|it| it.id != vector.id);
    let others: Vec<_> = keys
        .chain(before.flat_map(TableVector::search_attributes))
        .collect();
    for attribute in vector.search_attributes() {
        let name = attribute.name.value();
        let other = others.iter().find(|it| it.name.value() == name);
        if let Some(other) = other
            && other.key_type != attribute.key_type
        {
            let (here, there) = (attribute.key_type, other.key_type);
            let message = format!(
                "`{name}` is of type {here:?} here and {there:?} in another key, and an attribute has one type; declare both alike"
            );
            cx.error(attribute.name.span(), message);
        }
    }
}

pub(super) fn entity(cx: &Ctxt, entity: &Entity<'_>) {
    vectors_are_distinct(cx, entity);
    for vector in &entity.vectors {
        let mut known = BTreeSet::new();
        let hash = vector.hash.iter();
        for name in std::iter::once(&vector.field)
            .chain(hash)
            .chain(&vector.filters)
        {
            names_an_attribute(cx, entity, name);
            if !known.insert(name.unraw().to_string()) {
                let message = format!("`{}` names `{name}` twice; keep one", vector.id);
                cx.error(name.span(), message);
            }
        }
    }
}

/// An item has one vector in an index, and each search has a name of its own.
fn vectors_are_distinct(cx: &Ctxt, entity: &Entity<'_>) {
    let name_of = |index: &crate::ast::EntityIndex| match &index.method {
        Some(method) => method.unraw().to_string(),
        None => index.id.to_string(),
    };
    for (i, vector) in entity.vectors.iter().enumerate() {
        let (id, method) = (vector.id, vector.method.unraw().to_string());
        let before = &entity.vectors[..i];
        if before.iter().any(|other| other.id == id) {
            let message =
                format!("`{id}` is given twice, and an item has one vector in it; keep one");
            cx.error(vector.span, message);
            continue;
        }
        if is_method_of_entity(&method) {
            let message = format!(
                "`{method}` is the name of a method that every entity has; name the search after what it finds, as in `as = similar_to`"
            );
            cx.error(vector.method.span(), message);
        }
        let of_search = before.iter().find(|it| it.method.unraw() == method);
        let mut indexes = entity.indexes.iter();
        let of_index = indexes.find(|it| index_methods(&name_of(it)).contains(&method));
        let taken = of_search.map(|it| it.id).or(of_index.map(|it| it.id));
        if let Some(other) = taken {
            let message = format!(
                "`{method}` is the name of `{other}` already; give each index its own, as in `as = similar_title`"
            );
            cx.error(vector.method.span(), message);
        }
    }
}

/// DynamoDB reads the vector, the hash and the filters from attributes at the top of an item.
fn names_an_attribute(cx: &Ctxt, entity: &Entity<'_>, name: &Ident) {
    let text = name.unraw().to_string();
    let is_stored = |it: &Field<'_>| it.stored == Stored::Attribute && it.key_only.is_none();
    match entity.field(&text) {
        Some(field) if is_stored(field) => {}
        Some(_) => {
            let message = format!(
                "`{text}` is not stored as an attribute, and DynamoDB searches attributes; name a field that is"
            );
            cx.error(name.span(), message);
        }
        // Without named fields everything is unknown, and that was reported.
        None if !entity.has_named_fields => {}
        None => {
            let fields: Vec<_> = entity.fields.iter().map(|it| it.name.as_str()).collect();
            let (ident, hint) = (entity.ident, suggest::hint(&text, &fields));
            cx.error(
                name.span(),
                format!("`{ident}` has no field `{text}`; {hint}"),
            );
        }
    }
}
