//! A model as JSON: the names are those of the declarations.

use super::{AccessPattern, EntityModel, Model, TableModel};
use dynamo_model::__tools;
use dynamo_model::schema::{
    AttributeSchema, IndexSchema, KeyAttribute, Stream, TableClass, Template, Throughput,
};
use serde::{Serialize, Serializer};
use serde_json::{Value, json};

impl Serialize for Model {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let value = json!({
            "name": self.name,
            "title": self.title,
            "tables": self.tables.iter().map(table).collect::<Vec<_>>(),
            "declared_patterns": self.declared_patterns(),
            "patterns": self.patterns.iter().map(pattern).collect::<Vec<_>>(),
        });
        value.serialize(serializer)
    }
}

/// Returns the pattern with its first few requests.
fn pattern(pattern: &AccessPattern) -> Value {
    const SHOWN: usize = 4;
    let requests = &pattern.requests[..pattern.requests.len().min(SHOWN)];
    json!({
        "number": pattern.number,
        "name": pattern.name,
        "call": pattern.call,
        "items": pattern.items,
        "requests": requests,
        "request_count": pattern.requests.len(),
    })
}

fn table(table: &TableModel) -> Value {
    let schema = &table.schema;
    let mut json = json!({
        "table": schema.table,
        "name": schema.name,
        "doc": schema.doc,
        "pk": key_attribute(schema.pk),
        "sk": schema.sk.map(key_attribute),
        "entity_type": schema.entity_type,
        "ttl": schema.ttl,
        "encryption": match schema.encryption.kms() {
            None => json!("aws_owned"),
            Some(None) => json!("kms"),
            Some(Some(key)) => json!({ "kms": key }),
        },
        "point_in_time_recovery": schema.point_in_time_recovery,
        "billing": match schema.billing.provisioned() {
            None => json!("on_demand"),
            Some(Throughput { read, write }) => json!({ "read": read, "write": write }),
        },
        "stream": schema.stream.map(Stream::as_str),
        "deletion_protection": schema.deletion_protection,
        "indexes": schema.indexes.iter().map(index).collect::<Vec<_>>(),
        "entities": table.entities.iter().map(entity).collect::<Vec<_>>(),
        "items": table.items,
    });
    if let Some(Throughput { read, write }) = schema.on_demand_maximum {
        json["on_demand_maximum"] = json!({ "read": read, "write": write });
    }
    if let Some(Throughput { read, write }) = schema.warm_throughput {
        json["warm_throughput"] = json!({ "read": read, "write": write });
    }
    if schema.class != TableClass::Standard {
        json["table_class"] = schema.class.as_str().into();
    }
    if !schema.tags.is_empty() {
        json["tags"] = schema.tags.iter().map(|(k, v)| (*k, *v)).collect();
    }
    if !schema.replicas.is_empty() {
        json["replicas"] = schema.replicas.into();
    }
    if schema.multi_region_strong {
        json["multi_region_strong"] = true.into();
    }
    if schema.no_scan {
        json["no_scan"] = true.into();
    }
    if !schema.required.is_empty() {
        json["required"] = schema.required.into();
    }
    json
}

fn key_attribute(attribute: KeyAttribute) -> Value {
    json!({ "name": attribute.name, "type": attribute.key_type.as_str() })
}

fn index(index: &IndexSchema) -> Value {
    let (projection, attributes) = __tools::projection(index.projection);
    // A native key is a list of attributes, also of one.
    let (pk, sk) = match index.native {
        true => (
            index.partition_key().map(key_attribute).collect(),
            index.sort_key().map(key_attribute).collect(),
        ),
        false => (
            key_attribute(index.pk),
            index.sk.map_or(Value::Null, key_attribute),
        ),
    };
    json!({
        "id": index.id.to_string(),
        "name": index.name,
        "pk": pk,
        "sk": sk,
        "projection": projection,
        "include": attributes,
    })
}

fn entity(entity: &EntityModel) -> Value {
    let schema = &entity.schema;
    let indexes = schema.indexes.iter().map(|index| {
        json!({
            "id": index.id.to_string(),
            "method": index.method,
            "pk": template(index.pk),
            "sk": index.sk.map(template),
            "sparse": index.sparse,
            "when": index.when.map(|when| when.to_string()),
        })
    });
    let attributes = schema.attributes.iter().map(|it| attribute(entity, it));
    let uniques = schema.uniques.iter().map(|unique| unique.constraint);
    let mut json = json!({
        "entity": schema.entity,
        "entity_type": schema.entity_type,
        "doc": schema.doc,
        "pk": template(schema.pk),
        "sk": schema.sk.map(template),
        "indexes": indexes.collect::<Vec<_>>(),
        "attributes": attributes.collect::<Vec<_>>(),
        "uniques": uniques.collect::<Vec<_>>(),
    });
    let lists = [
        ("other_types", schema.other_types),
        ("shares_key_with", schema.shares_key_with),
    ];
    for (name, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
        json[name] = list.into();
    }
    let reserved = schema.uniques.iter();
    let reserved =
        reserved.filter_map(|it| Some((it.constraint.to_owned(), it.table?.name.into())));
    let reserved: serde_json::Map<String, Value> = reserved.collect();
    if !reserved.is_empty() {
        json["reserved_in"] = reserved.into();
    }
    if let Some(reason) = schema.scannable {
        json["scannable"] = reason.into();
    }
    let constants = schema.constants.iter().map(|constant| {
        let (letters, value) = constant.value.typed();
        json!({ "name": constant.name, "type": letters, "value": value })
    });
    if !schema.constants.is_empty() {
        json["constants"] = constants.collect::<Vec<_>>().into();
    }
    json
}

fn template(template: &Template) -> Value {
    let parts = template.parts.iter().map(|part| {
        json!({
            "field": part.field,
            "spec": part.spec.to_string(),
            "values": part.values,
            "sorts": part.sorts(),
        })
    });
    json!({ "text": template.text, "parts": parts.collect::<Vec<_>>() })
}

fn attribute(entity: &EntityModel, attribute: &AttributeSchema) -> Value {
    let mut json = json!({
        "field": attribute.field,
        "name": attribute.name,
        "doc": attribute.doc,
        "rust_type": attribute.rust_type,
        "type": entity.attribute_type(attribute).map(super::AttributeType::as_str),
        "role": attribute.role.as_str(),
        "required": attribute.required,
        "sensitive": attribute.sensitive,
    });
    if attribute.immutable {
        json["immutable"] = true.into();
    }
    json
}
