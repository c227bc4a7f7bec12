//! Access patterns: those that every declaration makes, and those that an application lists.

use super::{EntityModel, Model, Request, TableModel};
use dynamo_model::schema::{EntityIndex, KeyAttribute, TableSchema, Template};
use serde::Serialize;

/// An access pattern of the application's list: its number and name, the typed call, and its
/// requests.
///
/// ```
/// use dynamo_model_tools::{AccessPattern, Model, Request};
/// use serde_json::json;
///
/// let get = json!({ "TableName": "App", "Key": { "PK": { "S": "USER#u1" } } });
/// let pattern = AccessPattern::new("1.1", "A user by id")
///     .call("User::get(\"u1\")")
///     .request(Request::new("GetItem", get));
/// let model = Model::new("app").pattern(pattern);
/// assert_eq!(model.patterns[0].requests[0].to_string(), "GetItem App: PK = \"USER#u1\"");
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct AccessPattern {
    /// Its number, as `3.2`.
    pub number: String,
    /// Its purpose.
    pub name: String,
    /// The typed call.
    pub call: String,
    /// The requests.
    pub requests: Vec<Request>,
    /// The number of items that are returned or written, if known.
    pub items: Option<usize>,
}

impl AccessPattern {
    /// Creates a pattern with only a number and a name.
    pub fn new(number: impl Into<String>, name: impl Into<String>) -> Self {
        Self {
            number: number.into(),
            name: name.into(),
            call: String::new(),
            requests: Vec::new(),
            items: None,
        }
    }

    /// Sets the typed call, as text.
    #[must_use]
    pub fn call(mut self, call: impl Into<String>) -> Self {
        self.call = call.into();
        self
    }

    /// Adds a request of the call.
    #[must_use]
    pub fn request(mut self, request: Request) -> Self {
        self.requests.push(request);
        self
    }

    /// Sets the number of items that are returned or written.
    #[must_use]
    pub fn items(mut self, items: usize) -> Self {
        self.items = Some(items);
        self
    }
}

/// A read that a declaration allows: getting an item, or one of the queries.
///
/// ```
/// use dynamo_model_tools::Model;
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// let declared = Model::new("app").entity::<Order>().declared_patterns();
/// assert_eq!(declared[1].call, "Order::query(user_id)");
/// assert_eq!(declared[1].condition, "PK = USER#<user_id> AND begins_with(SK, ORDER#)");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct DeclaredPattern {
    /// The entity.
    pub entity: &'static str,
    /// The generated function, with the fields it takes.
    pub call: String,
    /// `GetItem` or `Query`.
    pub operation: &'static str,
    /// The declared name of the table.
    pub table: &'static str,
    /// The index, where it is not the table itself.
    pub index: Option<&'static str>,
    /// The key, with its placeholders.
    pub condition: String,
    /// Whether items can be missing from the index, for want of an optional field.
    pub sparse: bool,
    /// The condition of the index, if it has one: `state = State::Open`.
    pub when: Option<String>,
}

impl Model {
    /// Returns the get of each entity, and its queries in the table and in each of its indexes.
    #[must_use]
    pub fn declared_patterns(&self) -> Vec<DeclaredPattern> {
        let entities = self.entities();
        entities
            .flat_map(|(table, entity)| table.declared_patterns(entity))
            .collect()
    }
}

impl TableModel {
    pub(crate) fn declared_patterns(&self, entity: &EntityModel) -> Vec<DeclaredPattern> {
        let (schema, table) = (&entity.schema, &self.schema);
        let pattern = |call: String, operation, index, condition| DeclaredPattern {
            entity: schema.entity,
            call: format!("{}::{call}", schema.entity),
            operation,
            table: table.name,
            index,
            condition,
            sparse: false,
            when: None,
        };
        let whole = [Some((table.pk, schema.pk)), table.sk.zip(schema.sk)];
        let get = call("get", &[Some(schema.pk), schema.sk]);
        let mut patterns = vec![pattern(get, "GetItem", None, equal(&whole))];
        // One item a partition needs no query.
        if let Some((attribute, sk)) = table
            .sk
            .zip(schema.sk)
            .filter(|(_, sk)| !sk.parts.is_empty())
        {
            let condition = query((table.pk, schema.pk), Some((attribute, sk)));
            patterns.push(pattern(
                call("query", &[Some(schema.pk)]),
                "Query",
                None,
                condition,
            ));
        }
        for index in schema.indexes {
            let Some(declared) = table.index(index.id) else {
                continue;
            };
            let condition = match index.is_native() {
                true => partition(index, table),
                false => query((declared.pk, index.pk), declared.sk.zip(index.sk)),
            };
            let call = call(index.method, &[Some(index.pk)]);
            patterns.push(DeclaredPattern {
                sparse: index.sparse,
                when: index.when.map(|when| when.to_string()),
                ..pattern(call, "Query", Some(declared.name), condition)
            });
        }
        patterns
    }
}

type Half = (KeyAttribute, &'static Template);

/// Returns `get(user_id, number)`.
fn call(method: &str, templates: &[Option<&'static Template>]) -> String {
    let mut fields: Vec<&str> = Vec::new();
    for part in templates
        .iter()
        .flatten()
        .flat_map(|template| template.parts)
    {
        if !fields.contains(&part.field) {
            fields.push(part.field);
        }
    }
    format!("{method}({})", fields.join(", "))
}

fn equal(halves: &[Option<Half>]) -> String {
    let halves = halves.iter().flatten();
    let halves = halves.map(|(attribute, template)| format!("{} = {template}", attribute.name));
    halves.collect::<Vec<_>>().join(" AND ")
}

/// Returns the attributes of a native partition key.
fn partition(index: &EntityIndex, table: &TableSchema) -> String {
    let keys: Vec<_> = index.keys(table).map(Some).collect();
    equal(&keys[..index.pk.parts.len()])
}

/// Returns the partition key, and the common beginning of the sort keys of the entity.
fn query(pk: Half, sk: Option<Half>) -> String {
    let partition = equal(&[Some(pk)]);
    match sk {
        Some((attribute, sk)) if sk.parts.is_empty() => {
            format!("{partition} AND {} = {sk}", attribute.name)
        }
        Some((attribute, sk)) if !sk.head.is_empty() => {
            format!(
                "{partition} AND begins_with({}, {})",
                attribute.name, sk.head
            )
        }
        _ => partition,
    }
}
