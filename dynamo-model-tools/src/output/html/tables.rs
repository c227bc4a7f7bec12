//! A table: its settings, its indexes, its entities with their keys and attributes, its sample
//! items.

use super::text::{doc, escaped, id, inline, template};
use super::{colour, grid};
use crate::Model;
use crate::output::markdown;
use crate::{EntityModel, TableModel};
use dynamo_model::__tools;
use dynamo_model::schema::{AttributeRole, AttributeSchema, Constant, IndexId, KeyAttribute};

pub(super) fn section(model: &Model, table: &TableModel) -> String {
    let schema = &table.schema;
    let settings = markdown::settings(table).into_iter();
    let settings: String = settings
        .map(|it| format!("<li>{}</li>\n", inline(&it)))
        .collect();
    let entities: String = table
        .entities
        .iter()
        .map(|it| entity(model, table, it))
        .collect();
    format!(
        "<section id=\"{}\">\n<h2>{}</h2>\n{}<ul \
         class=\"settings\">\n{settings}</ul>\n{}{entities}{}</section>\n",
        id("table", schema.name),
        escaped(schema.name),
        doc(schema.doc),
        indexes(table),
        grid::of_table(model, table),
    )
}

fn indexes(table: &TableModel) -> String {
    if table.schema.indexes.is_empty() {
        return String::new();
    }
    let rows = table.schema.indexes.iter().map(|index| {
        let kind = if matches!(index.id, IndexId::Gsi(_)) {
            "global"
        } else {
            "local"
        };
        let name = |key: KeyAttribute| format!("<code>{}</code>", escaped(key.name));
        let pk: Vec<_> = index.partition_key().map(name).collect();
        let sk: Vec<_> = index.sort_key().map(name).collect();
        let sk = match sk.is_empty() {
            true => "–".to_owned(),
            false => sk.join(", "),
        };
        let (projection, names) = __tools::projection(index.projection);
        let names: String = names
            .iter()
            .map(|name| format!(" <code>{}</code>", escaped(name)))
            .collect();
        let entities = table
            .entities_in(index)
            .map(|(entity, _)| entity.schema.entity);
        let entities = entities.collect::<Vec<_>>().join(", ");
        format!(
            "<tr><th scope=\"row\">{}</th><td>{kind}</td><td>{}</td><td>{sk}</td>\
             <td>{projection}{names}</td><td>{}</td></tr>\n",
            escaped(index.name),
            pk.join(", "),
            escaped(&entities),
        )
    });
    format!(
        "<div class=\"scroll\">\n<table class=\"plain\">\n<thead><tr><th scope=\"col\">index</th>\
         <th scope=\"col\">kind</th><th scope=\"col\">partition key</th><th scope=\"col\">sort key</th>\
         <th scope=\"col\">projection</th><th scope=\"col\">entities</th></tr></thead>\n<tbody>\n{}</tbody>\n</table>\n</div>\n",
        rows.collect::<String>()
    )
}

fn entity(model: &Model, table: &TableModel, entity: &EntityModel) -> String {
    let (schema, name) = (&entity.schema, entity.schema.entity);
    let rows: String = schema
        .attributes
        .iter()
        .map(|it| attribute(entity, it))
        .chain(schema.constants.iter().map(constant))
        .collect();
    let unique = schema.uniques.iter().map(|it| {
        let table = it
            .table
            .map(|table| format!(" in <code>{}</code>", escaped(table.name)));
        format!(
            "<dt>unique</dt><dd><code>{}</code>{}</dd>\n",
            template(it.template),
            table.unwrap_or_default()
        )
    });
    format!(
        "<article id=\"{}\" class=\"c{}\">\n<h3>{}</h3>\n{}<dl class=\"keys\">\n{}{}</dl>\n\
         <details>\n<summary>{} attributes</summary>\n<div class=\"scroll\">\n<table class=\"plain\">\n\
         <thead><tr><th scope=\"col\">attribute</th><th scope=\"col\">type</th><th scope=\"col\">in Rust</th>\
         <th scope=\"col\">what it is</th></tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n</div>\n</details>\n</article>\n",
        id("entity", &format!("{}-{name}", table.schema.name)),
        colour(model, table.schema.name, name),
        escaped(name),
        doc(schema.doc),
        keys(table, entity),
        unique.collect::<String>(),
        schema.attributes.len() + schema.constants.len(),
    )
}

/// Returns each call, with its key.
fn keys(table: &TableModel, entity: &EntityModel) -> String {
    let schema = &entity.schema;
    let half = |name: &str, of: &dynamo_model::schema::Template| {
        format!(
            "<span class=\"half\"><i>{}</i> <code>{}</code></span>",
            escaped(name),
            template(of)
        )
    };
    let pair = |pk: (&str, &dynamo_model::schema::Template),
                sk: Option<(&str, &dynamo_model::schema::Template)>| {
        let sk = sk.map(|(name, of)| half(name, of)).unwrap_or_default();
        half(pk.0, pk.1) + &sk
    };
    let own_sk = table
        .schema
        .sk
        .zip(schema.sk)
        .map(|(attribute, sk)| (attribute.name, sk));
    let own = pair((table.schema.pk.name, schema.pk), own_sk);
    let mut out = format!("<dt>table</dt><dd>{own}</dd>\n");
    for index in schema.indexes {
        let Some(declared) = table.index_of(index) else {
            continue;
        };
        let keys = index.keys(&table.schema);
        let keys: String = keys.map(|(key, of)| half(key.name, of)).collect();
        let sparse = if index.sparse { " <em>sparse</em>" } else { "" };
        let when = index.when.map(|when| escaped(&when.to_string()));
        let when = when.map_or_else(String::new, |when| {
            format!(" <em>when</em> <code>{when}</code>")
        });
        out += &format!(
            "<dt>{}</dt><dd>{}<span class=\"call\"><code>{}</code>{sparse}{when}</span></dd>\n",
            escaped(declared.name),
            keys,
            escaped(index.method),
        );
    }
    out
}

fn constant(constant: &Constant) -> String {
    let (kind, value) = constant.value.typed();
    format!(
        "<tr><th scope=\"row\"><code>{}</code></th><td>{}</td><td></td>\
         <td><span class=\"mark\">constant</span> <code>{}</code></td></tr>\n",
        escaped(constant.name),
        kind,
        escaped(&value),
    )
}

fn attribute(entity: &EntityModel, attribute: &AttributeSchema) -> String {
    let kind = match (attribute.role, entity.attribute_type(attribute)) {
        (AttributeRole::KeyOnly, _) => "in the key",
        (_, Some(known)) => known.as_str(),
        (_, None) => "?",
    };
    let role = match attribute.role {
        AttributeRole::Version => "version",
        AttributeRole::CreatedAt => "created at",
        AttributeRole::UpdatedAt => "updated at",
        AttributeRole::Ttl => "TTL",
        _ => "",
    };
    let marks = [
        (role, !role.is_empty()),
        ("immutable", attribute.immutable),
        ("sensitive", attribute.sensitive),
    ];
    let marks = marks.iter().filter(|(_, has)| *has);
    let marks: String = marks
        .map(|(it, _)| format!("<span class=\"mark\">{it}</span> "))
        .collect();
    format!(
        "<tr><th \
         scope=\"row\"><code>{}</code></th><td>{kind}</td><td><code>{}</code></td><td>{marks}{}</td></tr>\n",
        escaped(attribute.name),
        escaped(attribute.rust_type),
        inline(attribute.doc),
    )
}
