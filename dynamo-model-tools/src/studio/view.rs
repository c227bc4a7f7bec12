//! What the page sees: the declarations and items as JSON, without what is sensitive.

use super::Shared;
use crate::live::{Argument, Given, KeyPlace, Live, LiveError, LiveItem, LivePattern, Relation};
use dynamo_model::key::{KeyValue, kind::Name};
use dynamo_model::schema::{AttributeRole, AttributeSchema, EntitySchema, TableSchema, Template};
use serde_json::{Map, Value, json};

/// The declarations.
pub(super) fn schema(shared: &Shared) -> Value {
    let live = &shared.live;
    let tables = live.tables();
    json!({
        "name": live.name(),
        "title": live.purpose(),
        "write": shared.write,
        "showSensitive": shared.show_sensitive,
        "tables": tables.iter().map(|it| table(shared, it)).collect::<Vec<_>>(),
        "entities": live.entities.iter().map(|it| entity(it.schema(), it.table())).collect::<Vec<_>>(),
        "patterns": live.patterns().iter().map(pattern).collect::<Vec<_>>(),
    })
}

fn table(shared: &Shared, table: &TableSchema) -> Value {
    let indexes = table.indexes.iter().map(|index| {
        json!({
            "name": index.name,
            "pk": index.pk.name,
            "sk": index.sk.map(|it| it.name),
            "isLocal": index.id.to_string().starts_with("lsi"),
        })
    });
    json!({
        "name": table.name,
        "deployed": shared.db.table_name(table),
        "doc": table.doc,
        "pk": table.pk.name,
        "sk": table.sk.map(|it| it.name),
        "entityType": table.entity_type,
        "ttl": table.ttl,
        "noScan": table.no_scan,
        "indexes": indexes.collect::<Vec<_>>(),
    })
}

fn entity(entity: &EntitySchema, table: &TableSchema) -> Value {
    let keys = entity.indexes.iter().map(|index| {
        let declared = table.index(index.id);
        json!({
            "index": declared.map(|it| it.name),
            "pk": index.pk.text,
            "sk": index.sk.map(|it| it.text),
            "sparse": index.sparse,
            "when": index.when.map(|it| it.to_string()),
        })
    });
    let own = json!({ "index": null, "pk": entity.pk.text, "sk": entity.sk.map(|it| it.text) });
    let keys: Vec<_> = core::iter::once(own).chain(keys).collect();
    json!({
        "name": entity.entity,
        "table": table.name,
        "doc": entity.doc,
        "type": entity.entity_type,
        "keys": keys,
        "uniques": entity.uniques.iter().map(|it| it.constraint).collect::<Vec<_>>(),
        "attributes": entity.attributes.iter().map(|it| attribute(entity, it)).collect::<Vec<_>>(),
    })
}

fn attribute(entity: &EntitySchema, attribute: &AttributeSchema) -> Value {
    let role = match attribute.role {
        AttributeRole::KeyOnly => "keyOnly",
        AttributeRole::Version => "version",
        AttributeRole::CreatedAt => "createdAt",
        AttributeRole::UpdatedAt => "updatedAt",
        AttributeRole::Ttl => "ttl",
        _ => "data",
    };
    let parts = || templates(entity).flat_map(|template| template.parts);
    let mut own = parts().filter(|part| part.field == attribute.field);
    let in_key = [Some(entity.pk), entity.sk].into_iter().flatten();
    let in_key = in_key
        .flat_map(|it| it.parts)
        .any(|part| part.field == attribute.field);
    json!({
        "field": attribute.field,
        "name": attribute.name,
        "role": role,
        "type": attribute.rust_type,
        "doc": attribute.doc,
        "required": attribute.required,
        "sensitive": attribute.sensitive,
        "immutable": attribute.immutable,
        "inKey": in_key,
        "values": own.find_map(|part| part.values),
    })
}

fn templates(entity: &EntitySchema) -> impl Iterator<Item = &'static Template> + use<> {
    let indexes = entity
        .indexes
        .iter()
        .flat_map(|index| [Some(index.pk), index.sk]);
    [Some(entity.pk), entity.sk]
        .into_iter()
        .chain(indexes)
        .flatten()
}

fn pattern(pattern: &LivePattern) -> Value {
    let (pk, sk) = pattern.templates();
    let fields = pattern.fields().into_iter().map(|field| {
        let mut parts = pattern.parts();
        let part = parts.find(|(part, _)| part.field == field);
        let in_sort_key = sk.and_then(|sk| sk.parts.iter().find(|part| part.field == field));
        let bucket = part.is_some_and(|(part, is_pk)| is_pk && !part.is_lossless());
        let kind = part.map_or(Name::Text, |(part, _)| part.kind);
        json!({
            "name": field,
            "kind": format!("{kind:?}").to_lowercase(),
            "values": part.and_then(|(part, _)| part.values),
            "required": pattern.requires(field),
            "expects": pattern.expects(field),
            "ranged": !pattern.is_get() && (bucket || in_sort_key.is_some_and(|it| it.sorts())),
            "begins": !pattern.is_get() && in_sort_key.is_some() && matches!(kind, Name::Text),
        })
    });
    let mut indexes = pattern.schema().indexes.iter();
    let index = indexes.find(|index| index.method == pattern.method && pattern.index.is_some());
    json!({
        "name": pattern.name(),
        "entity": pattern.schema().entity,
        "table": pattern.table().name,
        "index": pattern.index(),
        "isGet": pattern.is_get(),
        "pk": pk.text,
        "sk": sk.map(|it| it.text),
        "sparse": index.is_some_and(|it| it.sparse),
        "when": index.and_then(|it| it.when).map(|it| it.to_string()),
        "sorts": !pattern.is_get() && sk.is_some_and(|sk| sk.parts.first().is_some_and(|it| it.sorts())),
        "fields": fields.collect::<Vec<_>>(),
    })
}

/// Whether a table has a field that must not be shown.
fn has_sensitive(live: &Live, table: &TableSchema) -> bool {
    let own = live
        .entities
        .iter()
        .filter(|it| it.table().name == table.name);
    own.flat_map(|it| it.schema().attributes)
        .any(|it| it.sensitive)
}

impl Shared {
    /// Whether a table has a field that this studio hides.
    pub(super) fn hides(&self, table: &TableSchema) -> bool {
        !self.show_sensitive && has_sensitive(&self.live, table)
    }

    /// A key or cursor, or its name where it may contain a hidden field.
    pub(super) fn handle(&self, table: &TableSchema, text: String) -> String {
        match self.hides(table) {
            true => self.vault.hide(text),
            false => text,
        }
    }

    /// The text behind a handle.
    pub(super) fn reveal(&self, handle: &str) -> Result<String, LiveError> {
        let text = self.vault.reveal(handle);
        text.ok_or_else(|| LiveError::usage("the page is out of date; reload it"))
    }

    /// An item as a row.
    pub(super) fn row(&self, item: &LiveItem) -> Value {
        let attributes = item.attributes().iter().map(|(name, value)| {
            let value = match self.is_hidden(item, name) {
                true => json!({ "hidden": true }),
                false => serde_json::to_value(value).unwrap_or_default(),
            };
            (name.clone(), value)
        });
        json!({
            "id": self.id(item),
            "entity": item.entity(),
            "attributes": attributes.collect::<Map<_, _>>(),
            "bytes": item.bytes(),
            "isPart": item.is_part(),
            "problem": item.problem(),
        })
    }

    /// An item with all that is known of it.
    pub(super) fn item(&self, item: &LiveItem) -> Value {
        let mut view = self.row(item);
        let keys = item.keys();
        let hides = self.hides(item.table());
        view["table"] = item.table().name.into();
        view["fingerprint"] = format!("{:016x}", item.fingerprint()).into();
        view["keys"] = keys.iter().map(|place| self.place(item, place)).collect();
        let relations = item.relations(&self.live).into_iter();
        // An argument of a hidden field would show it.
        let relations = relations.filter(|it| !hides || !self.names_hidden(item, it));
        view["relations"] = relations.map(|it| relation(&it)).collect();
        let document = item.document(&self.db).map(|fields| {
            let fields = fields
                .into_iter()
                .filter(|(name, _)| !self.is_hidden(item, name));
            let text = |value: &Value| serde_json::to_string_pretty(value).unwrap_or_default();
            fields
                .map(|(name, value)| (name, text(&value).into()))
                .collect::<Map<_, _>>()
        });
        view["document"] = document.map_or(Value::Null, Value::Object);
        view
    }

    /// The partition of an item in its table.
    pub(super) fn partition_of(&self, item: &LiveItem) -> Value {
        let keys = item.keys();
        keys.first()
            .map(|place| self.place(item, place))
            .unwrap_or_default()
    }

    /// The name of an item in further requests.
    fn id(&self, item: &LiveItem) -> Value {
        let key = item.key();
        key.map(|key| self.id_of(item.table(), &key).into())
            .unwrap_or_default()
    }

    /// Whether an attribute holds a hidden field: itself, or in a key. Of an item without an entity
    /// only the type is shown.
    fn is_hidden(&self, item: &LiveItem, attribute: &str) -> bool {
        let table = item.table();
        if !self.hides(table) {
            return false;
        }
        let Some(entity) = item.entity.as_ref().map(|it| it.schema()) else {
            return table.entity_type != Some(attribute);
        };
        let is_own = |it: &AttributeSchema| it.sensitive && it.name == attribute;
        let own = entity.attributes.iter().any(is_own);
        // An undeclared attribute may be an old name of a hidden one.
        let is_declared = entity.attributes.iter().any(|it| it.name == attribute);
        let key = key_templates(table, entity, attribute);
        let mut parts = key.iter().flat_map(|template| template.parts);
        let in_key = parts.any(|part| is_sensitive(entity, part.field));
        own || in_key || !is_declared && key.is_empty() && table.entity_type != Some(attribute)
    }

    fn place(&self, item: &LiveItem, place: &KeyPlace) -> Value {
        let hides = self.hides(item.table());
        let schema = item.entity.as_ref().map(|it| it.schema());
        let is_hidden =
            |field: &str| hides && schema.is_none_or(|schema| is_sensitive(schema, field));
        let (pk, sk) = place.templates.unzip();
        let holds = |template: Option<&Template>| {
            hides && template.is_none_or(|it| it.parts.iter().any(|part| is_hidden(part.field)))
        };
        let text = |value: &KeyValue, hidden: bool| match hidden {
            true => "•••".to_owned(),
            false => value.to_string(),
        };
        let fields = place.fields.as_ref().map(|fields| {
            let fields = fields.iter().map(|(field, text)| match is_hidden(field) {
                true => json!([field, "•••"]),
                false => json!([field, text]),
            });
            fields.collect::<Vec<_>>()
        });
        let partition = place.pk.as_ref().map(|pk| {
            let name = json!([item.table().name, place.index, key_json(pk)]);
            self.handle(item.table(), name.to_string())
        });
        json!({
            "index": place.index,
            "pk": place.pk.as_ref().map(|it| text(it, holds(pk))),
            "sk": place.sk.as_ref().map(|it| text(it, holds(sk.flatten()))),
            "pkTemplate": pk.map(|it| it.text),
            "skTemplate": sk.flatten().map(|it| it.text),
            "fields": fields.as_ref().ok(),
            "problem": fields.err().filter(|_| !hides),
            "partition": partition,
        })
    }

    fn names_hidden(&self, item: &LiveItem, relation: &Relation) -> bool {
        let own = item.entity.as_ref().map(|it| it.schema());
        relation.arguments.iter().any(|argument| {
            is_sensitive(relation.pattern.schema(), &argument.field)
                || own.is_some_and(|schema| is_sensitive(schema, &argument.field))
        })
    }
}

fn is_sensitive(entity: &EntitySchema, field: &str) -> bool {
    entity
        .attributes
        .iter()
        .any(|it| it.sensitive && it.field == field)
}

/// The templates of the values of a key attribute.
fn key_templates(
    table: &TableSchema,
    entity: &EntitySchema,
    attribute: &str,
) -> Vec<&'static Template> {
    let own = [(Some(table.pk), Some(entity.pk)), (table.sk, entity.sk)];
    let indexes = entity.indexes.iter().flat_map(|index| {
        let declared = table.index(index.id);
        let pk = declared.map(|it| it.pk);
        [
            (pk, Some(index.pk)),
            (declared.and_then(|it| it.sk), index.sk),
        ]
    });
    let halves = own.into_iter().chain(indexes);
    let halves = halves.filter(|(key, _)| key.is_some_and(|key| key.name == attribute));
    halves.filter_map(|(_, template)| template).collect()
}

fn relation(relation: &Relation) -> Value {
    let arguments = relation
        .arguments
        .iter()
        .map(|Argument { field, given }| match given {
            Given::Is(text) => json!([field, text]),
            _ => json!([field, ""]),
        });
    json!({ "pattern": relation.pattern.name(), "arguments": arguments.collect::<Vec<_>>() })
}

pub(super) fn key_json(value: &KeyValue) -> Value {
    match value {
        KeyValue::S(text) => json!({ "S": text }),
        KeyValue::N(number) => json!({ "N": number }),
        KeyValue::B(_) => json!({ "B": value.to_string() }),
    }
}

/// The inverse of [`key_json`].
pub(super) fn key_of_json(value: &Value) -> Option<KeyValue> {
    let (kind, text) = value.as_object()?.iter().next()?;
    let text = text.as_str()?;
    match kind.as_str() {
        "S" => Some(KeyValue::S(text.to_owned())),
        "N" => Some(KeyValue::N(text.to_owned())),
        "B" if text.is_ascii() => {
            let pairs = (0..text.len()).step_by(2);
            let bytes = pairs.map(|at| u8::from_str_radix(text.get(at..at + 2)?, 16).ok());
            bytes.collect::<Option<Vec<_>>>().map(KeyValue::B)
        }
        _ => None,
    }
}
