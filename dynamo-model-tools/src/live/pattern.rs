//! The access patterns of the declarations, by name.

use super::argument::{Argument, Owned, Parsed, expected};
use super::entity::LiveEntity;
use super::{Live, LiveError};
use core::fmt;
use core::ops::Bound;
use dynamo_model::by_name;
use dynamo_model::schema::{EntitySchema, Form, IndexId, PartSchema, TableSchema, Template};
use std::sync::Arc;

/// A read that a declaration allows: getting an item, or querying the table or an index.
///
/// Its name is that of the generated function: `Order::get`, `Order::query`, `Order::by_customer`.
///
/// ```
/// # use dynamo_model::{DynamoEntity, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK", sk = "SK")]
/// # struct App;
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<user_id>")]
/// # #[sk("ORDER#<number:06>")]
/// # struct Order { user_id: String, number: u32 }
/// use dynamo_model_tools::live::Live;
///
/// let live = Live::new("app").entity::<Order>();
/// let pattern = live.pattern("Order")?;
/// assert_eq!(pattern.name(), "Order::query");
/// assert_eq!(pattern.fields(), ["user_id", "number"]);
/// # Ok::<(), dynamo_model_tools::live::LiveError>(())
/// ```
#[derive(Clone)]
pub struct LivePattern {
    pub(crate) entity: Arc<dyn LiveEntity>,
    pub(crate) method: &'static str,
    pub(crate) index: Option<IndexId>,
    pub(crate) is_get: bool,
}

impl fmt::Debug for LivePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("LivePattern").field(&self.name()).finish()
    }
}

impl LivePattern {
    pub(crate) fn of(entity: &Arc<dyn LiveEntity>) -> Vec<Self> {
        let schema = entity.schema();
        let pattern = |method, index, is_get| Self {
            entity: Arc::clone(entity),
            method,
            index,
            is_get,
        };
        let mut patterns = vec![pattern("get", None, true)];
        // A partition of one item needs no query.
        if schema.sk.is_some_and(|sk| !sk.parts.is_empty()) {
            patterns.push(pattern("query", None, false));
        }
        let indexes = schema.indexes.iter();
        patterns.extend(indexes.map(|index| pattern(index.method, Some(index.id), false)));
        patterns
    }

    /// The name of the generated function.
    #[must_use]
    pub fn name(&self) -> String {
        format!("{}::{}", self.schema().entity, self.method)
    }

    /// The declaration of the entity.
    #[must_use]
    pub fn schema(&self) -> &'static EntitySchema {
        self.entity.schema()
    }

    /// The declaration of the table.
    #[must_use]
    pub fn table(&self) -> &'static TableSchema {
        self.entity.table()
    }

    /// Whether it reads one item by its whole key.
    #[must_use]
    pub fn is_get(&self) -> bool {
        self.is_get
    }

    /// The index, by DynamoDB's name, where it is not the table itself.
    #[must_use]
    pub fn index(&self) -> Option<&'static str> {
        let index = self.table().index(self.index?);
        index.map(|index| index.name)
    }

    /// The templates of its partition key and of its sort key.
    #[must_use]
    pub fn templates(&self) -> (&'static Template, Option<&'static Template>) {
        let schema = self.schema();
        let mut indexes = schema.indexes.iter();
        match self.index.and_then(|id| indexes.find(|it| it.id == id)) {
            Some(index) => (index.pk, index.sk),
            None => (schema.pk, schema.sk),
        }
    }

    /// The fields that it takes, in the order of the key, each once.
    #[must_use]
    pub fn fields(&self) -> Vec<&'static str> {
        let mut fields = Vec::new();
        for (part, _) in self.parts() {
            if !fields.contains(&part.field) {
                fields.push(part.field);
            }
        }
        fields
    }

    /// The form of the values of a field, in words; `None` if it does not take the field.
    #[must_use]
    pub fn expects(&self, field: &str) -> Option<String> {
        let (part, _) = self.parts().find(|(part, _)| part.field == field)?;
        Some(expected(part))
    }

    /// The parts of both halves of its key, and whether a part is of the partition key.
    pub(crate) fn parts(&self) -> impl Iterator<Item = (&'static PartSchema, bool)> + use<> {
        let (pk, sk) = self.templates();
        let sk = sk.map_or(&[][..], |sk| sk.parts).iter();
        pk.parts
            .iter()
            .map(|it| (it, true))
            .chain(sk.map(|it| (it, false)))
    }

    /// Whether the field must be given: it is in the partition key, and is not a shard of it.
    #[must_use]
    pub fn requires(&self, field: &str) -> bool {
        let mut own = self.parts().filter(|(part, _)| part.field == field);
        let is_shard = |part: &PartSchema| matches!(part.spec.form, Form::Shard(_));
        own.any(|(part, in_partition)| self.is_get || in_partition && !is_shard(part))
    }

    /// Parses arguments, each once.
    pub(crate) fn parse(
        &self,
        arguments: &[Argument],
    ) -> Result<Vec<(&'static str, Parsed)>, LiveError> {
        let mut parsed: Vec<(&'static str, Parsed)> = Vec::new();
        for argument in arguments {
            let part = self.part(&argument.field)?;
            if parsed.iter().any(|(field, _)| *field == part.field) {
                let message = format!("`{}`: `{}` is given twice", self.name(), part.field);
                return Err(LiveError::usage(message));
            }
            let value = Parsed::of(part, &argument.given).map_err(|reason| {
                LiveError::usage(format!("`{}`: `{}`: {reason}", self.name(), part.field))
            })?;
            parsed.push((part.field, value));
        }
        let given = |field: &str| parsed.iter().any(|(known, _)| *known == field);
        let fields = self.fields().into_iter();
        let missing: Vec<_> = fields
            .filter(|it| self.requires(it) && !given(it))
            .collect();
        if missing.is_empty() {
            return Ok(parsed);
        }
        let message = format!(
            "`{}` needs {}; give {}",
            self.name(),
            listed(&missing),
            missing
                .iter()
                .map(|it| format!("{it}=…"))
                .collect::<Vec<_>>()
                .join(" ")
        );
        Err(LiveError::usage(message))
    }

    fn part(&self, field: &str) -> Result<&'static PartSchema, LiveError> {
        let mut parts = self.parts();
        let part = parts
            .find(|(part, _)| part.field == field)
            .map(|(part, _)| part);
        part.ok_or_else(|| {
            let message = match self.fields().as_slice() {
                [] => format!("`{}` takes no arguments", self.name()),
                fields => format!(
                    "`{}` has no field `{field}` in its key; it takes {}",
                    self.name(),
                    listed(fields)
                ),
            };
            LiveError::usage(message)
        })
    }

    /// The query for parsed arguments.
    pub(crate) fn query(
        &self,
        arguments: &[(&'static str, Parsed)],
    ) -> Result<by_name::Query, LiveError> {
        let mut query = self.entity.query(self.index);
        let mut last = None;
        for (field, value) in arguments {
            let field = *field;
            if let (Some(last), false) = (last, matches!(value, Parsed::Is(_))) {
                let message = format!(
                    "`{}`: `{last}` and `{field}` are both ranges; a query takes one, and whole \
                     values for the fields before it",
                    self.name()
                );
                return Err(LiveError::usage(message));
            }
            query = match value {
                Parsed::Is(value) => query.value(field, value.value()),
                Parsed::Begins(text) => query.beginning(field, text),
                Parsed::Range(from, to) => query.range(field, bound(from), bound(to)),
            };
            if !matches!(value, Parsed::Is(_)) {
                last = Some(field);
            }
        }
        Ok(query)
    }

    /// The whole values of parsed arguments, for a key.
    pub(crate) fn values(
        &self,
        arguments: Vec<(&'static str, Parsed)>,
    ) -> Result<Vec<(&'static str, Owned)>, LiveError> {
        let values = arguments.into_iter().map(|(field, value)| match value {
            Parsed::Is(value) => Ok((field, value)),
            _ => {
                let message = format!(
                    "`{}`: `{field}` needs a whole value, because the key names one item",
                    self.name()
                );
                Err(LiveError::usage(message))
            }
        });
        values.collect()
    }
}

fn bound(bound: &Bound<Owned>) -> Bound<dynamo_model::key::PartValue<'_>> {
    bound.as_ref().map(Owned::value)
}

/// `` `a`, `b` and `c` ``
pub(crate) fn listed(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    match quoted.as_slice() {
        [] => "nothing".into(),
        [only] => only.clone(),
        [all @ .., last] => format!("{} and {last}", all.join(", ")),
    }
}

impl Live {
    /// Every access pattern of every entity.
    #[must_use]
    pub fn patterns(&self) -> Vec<LivePattern> {
        self.entities.iter().flat_map(LivePattern::of).collect()
    }

    /// Finds an access pattern by its name: `Order::by_customer` or `Order.by_customer`. The name
    /// of an entity alone is its query, or where it has none, its get.
    ///
    /// # Errors
    ///
    /// If no pattern has this name; the error lists the patterns of the entity, or the entities.
    pub fn pattern(&self, name: &str) -> Result<LivePattern, LiveError> {
        let (entity, method) = match name.split_once("::").or_else(|| name.split_once('.')) {
            Some((entity, method)) => (entity, Some(method)),
            None => (name, None),
        };
        let mut entities = self.entities.iter();
        let Some(known) = entities.find(|it| it.schema().entity == entity) else {
            let names: Vec<_> = self.entities.iter().map(|it| it.schema().entity).collect();
            let there = match names.as_slice() {
                [] => "the schema has none".into(),
                names => format!("the entities are {}", listed(names)),
            };
            return Err(LiveError::usage(format!(
                "no access pattern `{name}`; {there}"
            )));
        };
        let mut patterns = LivePattern::of(known);
        let at = match method {
            Some(method) => patterns.iter().position(|it| it.method == method),
            None => Some(
                patterns
                    .iter()
                    .position(|it| it.method == "query")
                    .unwrap_or(0),
            ),
        };
        match at {
            Some(at) => Ok(patterns.swap_remove(at)),
            None => {
                let names: Vec<_> = patterns.iter().map(LivePattern::name).collect();
                let names: Vec<_> = names.iter().map(String::as_str).collect();
                let message = format!("no access pattern `{name}`; there are {}", listed(&names));
                Err(LiveError::usage(message))
            }
        }
    }
}
