//! Sample items, as they are stored: in DynamoDB's JSON.

use super::{AttributeType, EntityModel, Model, ModelError, TableModel};
use dynamo_model::key::ItemKeyAttribute;
use dynamo_model::key::{KeyRef, KeyValue};
use dynamo_model::schema::{AttributeRole, EntitySchema, KeyAttribute, TableSchema};
use dynamo_model::{Entity, Table};
use serde::Serialize;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// An item, as DynamoDB's JSON has it.
///
/// ```
/// use dynamo_model_tools::Model;
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
///     logins: u32,
/// }
///
/// let user = User { user_id: "u1".into(), logins: 3 };
/// let model = Model::new("app").entity::<User>().sample(&user)?;
/// let item = &model.tables[0].items[0];
/// assert_eq!(item.attributes["PK"]["S"], "USER#u1");
/// assert_eq!(item.attributes["logins"]["N"], "3");
/// assert_eq!((item.entity, item.bytes()), (Some("User"), 2 + 7 + 7 + 2 + 6 + 2));
/// # Ok::<(), dynamo_model_tools::ModelError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
#[non_exhaustive]
pub struct SampleItem {
    /// Its entity; `None` for a unique item.
    pub entity: Option<&'static str>,
    /// Each attribute, with its type. The values of `sensitive` attributes are removed.
    pub attributes: BTreeMap<String, Value>,
    #[serde(skip)]
    sizes: BTreeMap<String, usize>,
}

impl Model {
    /// Adds an item as a sample. It is written as serde writes it: a type that DynamoDB stores as a
    /// set or as bytes needs [`sample_item`](Self::sample_item).
    pub fn sample<E: Entity + Serialize>(self, item: &E) -> Result<Self, ModelError> {
        let entity = E::SCHEMA;
        let what = |what: &str| format!("a sample of `{}` {what}", entity.entity);
        let keys = item
            .key_attributes()
            .map_err(|error| ModelError::caused(what("has no key"), error))?;
        let value = serde_json::to_value(item)
            .map_err(|error| ModelError::caused(what("cannot be serialized"), error))?;
        let Value::Object(fields) = value else {
            return Err(ModelError::new(what(
                "is not a map; derive `Serialize` on the struct",
            )));
        };
        let mut attributes: BTreeMap<_, _> = fields
            .into_iter()
            .map(|(name, value)| (name, typed(value)))
            .collect();
        add_keys(&entity, keys, &mut attributes);
        let table = <E::Table as Table>::SCHEMA;
        if let (Some(name), Some(entity_type)) = (table.entity_type, entity.entity_type) {
            attributes.insert(name.to_owned(), json!({ "S": entity_type }));
        }
        self.sample_item(table.name, attributes)
    }

    /// Adds an item in DynamoDB's JSON, as a scan gives it.
    pub fn sample_item(
        mut self,
        table: &str,
        attributes: BTreeMap<String, Value>,
    ) -> Result<Self, ModelError> {
        let Some(table) = self.tables.iter_mut().find(|it| it.schema.name == table) else {
            let message =
                format!("no table `{table}`; add it with `Model::items` or `Model::entity`");
            return Err(ModelError::new(message));
        };
        table.add_item(attributes)?;
        Ok(self)
    }
}

impl TableModel {
    fn add_item(&mut self, mut attributes: BTreeMap<String, Value>) -> Result<(), ModelError> {
        let missing = |attribute: &KeyAttribute| {
            let (table, name) = (self.schema.name, attribute.name);
            ModelError::new(format!(
                "an item of `{table}` has no `{name}`, which is its key"
            ))
        };
        let pk = key_text(&attributes, self.schema.pk).ok_or_else(|| missing(&self.schema.pk))?;
        let sk = match self.schema.sk {
            Some(sk) => Some(key_text(&attributes, sk).ok_or_else(|| missing(&sk))?),
            None => None,
        };
        let by_key = || self.entity_of(pk.as_ref(), sk.as_ref().map(KeyValue::as_ref));
        let entity = self.entity_by_type(&attributes).or_else(by_key);
        let schema = entity.map(|entity| entity.schema);
        let entity = schema.map(|schema| schema.entity);
        self.learn(entity, &attributes);
        let sizes = attributes
            .iter()
            .map(|(name, value)| (name.clone(), name.len() + size(value)));
        let sizes = sizes.collect();
        if let Some(schema) = schema {
            hide(&self.schema, &schema, &mut attributes);
        }
        self.items.push(SampleItem {
            entity,
            attributes,
            sizes,
        });
        Ok(())
    }

    /// Returns the entity by the entity type of an item: it alone distinguishes entities that share
    /// a key.
    fn entity_by_type(&self, attributes: &BTreeMap<String, Value>) -> Option<&EntityModel> {
        let found = attributes.get(self.schema.entity_type?)?["S"].as_str()?;
        let mut entities = self.entities.iter();
        entities.find(|entity| entity.schema.has_type(found))
    }

    /// Learns the types of attributes that the declaration does not determine.
    fn learn(&mut self, name: Option<&str>, attributes: &BTreeMap<String, Value>) {
        let mut entities = self.entities.iter_mut();
        let Some(entity) = entities.find(|entity| Some(entity.schema.entity) == name) else {
            return;
        };
        for attribute in entity.schema.attributes {
            let found = attributes
                .get(attribute.name)
                .and_then(AttributeType::of_value);
            let found = found.filter(|found| *found != AttributeType::Null);
            if let (None, Some(found)) = (entity.attribute_type(attribute), found) {
                entity.sampled.push((attribute.field, found));
            }
        }
    }
}

fn key_text(attributes: &BTreeMap<String, Value>, key: KeyAttribute) -> Option<KeyValue> {
    let value = attributes.get(key.name)?;
    let text = value[key.key_type.as_str()].as_str()?.to_owned();
    Some(match key.key_type {
        dynamo_model::schema::KeyType::S => KeyValue::S(text),
        dynamo_model::schema::KeyType::N => KeyValue::N(text),
        // Only the type of the key is used, not its bytes.
        dynamo_model::schema::KeyType::B => KeyValue::B(text.into_bytes()),
    })
}

impl SampleItem {
    /// Returns the text of a key attribute.
    #[must_use]
    pub fn key(&self, attribute: &str) -> Option<&str> {
        let value = self.attributes.get(attribute)?.as_object()?;
        value.values().next()?.as_str()
    }

    /// Returns its size as DynamoDB counts it.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes_of(|_| true)
    }

    /// Returns the size of these attributes of it.
    pub(crate) fn bytes_of(&self, wanted: impl Fn(&str) -> bool) -> usize {
        let sizes = self.sizes.iter().filter(|(name, _)| wanted(name));
        sizes.map(|(_, bytes)| bytes).sum()
    }
}

/// Removes sensitive values, and keys that contain them, so that no document shows them.
fn hide(table: &TableSchema, entity: &EntitySchema, attributes: &mut BTreeMap<String, Value>) {
    let is_sensitive = |field: &str| {
        entity
            .attributes
            .iter()
            .any(|it| it.sensitive && it.field == field)
    };
    for attribute in entity.attributes.iter().filter(|it| it.sensitive) {
        if let Some(value) = attributes.get_mut(attribute.name) {
            *value = json!({ "S": "(sensitive)" });
        }
    }
    let own = [Some((table.pk, entity.pk)), table.sk.zip(entity.sk)];
    let own = own.into_iter().flatten();
    // The attributes of a native key are fields, and hidden as such.
    let indexes = entity.indexes.iter().filter(|index| !index.is_native());
    for (attribute, template) in own.chain(indexes.flat_map(|index| index.keys(table))) {
        if template.parts.iter().any(|part| is_sensitive(part.field))
            && let Some(value) = attributes.get_mut(attribute.name)
        {
            *value = json!({ "S": template.text });
        }
    }
}

/// Adds the keys, which overwrite serde's attributes of the same name, and removes fields that only
/// keys hold.
fn add_keys(
    entity: &EntitySchema,
    keys: Vec<ItemKeyAttribute>,
    attributes: &mut BTreeMap<String, Value>,
) {
    for attribute in entity.attributes {
        if attribute.role == AttributeRole::KeyOnly {
            attributes.remove(attribute.name);
        }
    }
    for ItemKeyAttribute { name, value } in keys {
        match value {
            Some(value) => attributes.insert(name.to_owned(), key_value(&value)),
            None => attributes.remove(name),
        };
    }
}

fn key_value(value: &KeyValue) -> Value {
    match value.as_ref() {
        KeyRef::S(text) => json!({ "S": text }),
        KeyRef::N(number) => json!({ "N": number }),
        KeyRef::B(bytes) => json!({ "B": base64(bytes) }),
    }
}

/// Returns plain JSON with DynamoDB's types.
fn typed(value: Value) -> Value {
    match value {
        Value::Null => json!({ "NULL": true }),
        Value::Bool(value) => json!({ "BOOL": value }),
        Value::Number(number) => json!({ "N": number.to_string() }),
        Value::String(text) => json!({ "S": text }),
        Value::Array(values) => {
            json!({ "L": values.into_iter().map(typed).collect::<Vec<_>>() })
        }
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| (name, typed(value)));
            json!({ "M": fields.collect::<serde_json::Map<_, _>>() })
        }
    }
}

/// Returns the size of a value as DynamoDB documents it: text and bytes by their length, a number
/// by its digits, lists and maps three bytes more and one for each element.
fn size(value: &Value) -> usize {
    let Some((letters, inner)) = value.as_object().and_then(|it| it.iter().next()) else {
        return 0;
    };
    let text = |value: &Value| value.as_str().map_or(0, str::len);
    let number = |value: &Value| {
        let digits = value.as_str().unwrap_or_default();
        let significant = digits.chars().filter(char::is_ascii_digit).count();
        significant.div_ceil(2) + 1 + usize::from(digits.starts_with('-'))
    };
    let each = |of: &dyn Fn(&Value) -> usize| inner.as_array().into_iter().flatten().map(of).sum();
    match letters.as_str() {
        "S" => text(inner),
        "N" => number(inner),
        "B" => text(inner) / 4 * 3,
        "L" => 3 + each(&|value| 1 + size(value)),
        "M" => {
            let fields = inner.as_object().into_iter().flatten();
            3 + fields
                .map(|(name, value)| 1 + name.len() + size(value))
                .sum::<usize>()
        }
        "SS" => each(&text),
        "NS" => each(&number),
        "BS" => each(&|value| text(value) / 4 * 3),
        _ => 1,
    }
}

/// Encodes by RFC 4648, with padding.
fn base64(bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let group = [0, 1, 2].map(|i| u32::from(chunk.get(i).copied().unwrap_or(0)));
        let group = group[0] << 16 | group[1] << 8 | group[2];
        for i in 0..4 {
            let sextet = (group >> (18 - 6 * i) & 63) as usize;
            let padding = i > chunk.len();
            out.push(if padding {
                '='
            } else {
                char::from(ALPHABET[sextet])
            });
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::{base64, size, typed};
    use serde_json::json;

    #[test]
    fn bytes_are_padded() {
        let texts = ["", "f", "fo", "foo", "foob"].map(|text| base64(text.as_bytes()));
        assert_eq!(texts, ["", "Zg==", "Zm8=", "Zm9v", "Zm9vYg=="]);
    }

    #[test]
    fn sizes_are_those_of_the_documentation() {
        let value = typed(json!({ "name": "山田", "age": 30, "tags": ["a", "bc"], "left": null }));
        assert_eq!(
            size(&value),
            3 + (1 + 4 + 6) + (1 + 3 + 2) + (1 + 4 + 3 + 2 + 3) + (1 + 4 + 1)
        );
        assert_eq!(size(&json!({ "NS": ["1", "-22"] })), 2 + 3);
    }
}
