//! The exact request, as data and as text, without sending it.

use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;
use std::collections::BTreeMap;

/// A request that was not sent; see [`Query::explain`](crate::read::Query::explain).
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
/// }
///
/// let db = Dynamo::embedded()?;
/// let request = Order::query("u1").number_in(10..).descending().explain(&db)?;
/// assert_eq!(
///     request.to_string(),
///     "Query App\n  \
///      key: PK = \"USER#u1\" AND SK BETWEEN \"ORDER#000010\" AND \"ORDER$\"\n  \
///      newest first",
/// );
/// # Ok::<(), dynamo_model::Error>(())
/// ```
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub struct Explain {
    /// The operation, as DynamoDB calls it.
    pub operation: &'static str,
    /// The deployed table.
    pub table: String,
    /// The index, where it is not the table itself.
    pub index: Option<&'static str>,
    /// `KeyConditionExpression`, with aliases.
    pub key_condition: Option<String>,
    /// `FilterExpression`, with aliases.
    pub filter: Option<String>,
    /// `ProjectionExpression`, with aliases.
    pub projection: Option<String>,
    /// The names of the aliases.
    pub names: BTreeMap<String, String>,
    /// The values of the aliases.
    pub values: BTreeMap<String, AttributeValue>,
    /// Newest, or largest, first.
    pub descending: bool,
    /// Strongly consistent.
    pub consistent: bool,
    /// How many partitions are read; this is the request of the first.
    pub partitions: usize,
    /// How many items the first request reads at most.
    pub page_size: Option<i32>,
    /// In how many parts the table is scanned, where it is more than one.
    pub segments: Option<u32>,
    /// No request would be sent, because no item can match.
    pub nothing: bool,
    /// The aliases whose values or names are sensitive, and therefore hidden.
    pub(crate) hidden: Vec<String>,
    /// Whether the key contains a sensitive field.
    pub(crate) hide_key: bool,
}

impl Explain {
    /// Returns an expression with its aliases resolved, in one pass: a name or value may look like
    /// an alias. Sensitive ones are hidden.
    fn resolved(&self, expression: &str, hide: bool) -> String {
        let mut text = String::new();
        let mut rest = expression;
        while let Some(at) = rest.find(['#', ':']) {
            let (before, from) = rest.split_at(at);
            let is_end = |c: char| !c.is_ascii_alphanumeric();
            let end = from[1..].find(is_end).map_or(from.len(), |end| end + 1);
            let (alias, after) = from.split_at(end);
            text += before;
            let is_hidden = self.hidden.iter().any(|it| it == alias);
            match (self.names.get(alias), self.values.get(alias)) {
                (Some(_), _) if is_hidden => text += "***",
                (Some(name), _) => text += name,
                (_, Some(_)) if hide || is_hidden => text += "***",
                (_, Some(value)) => text += &shown_value(value),
                _ => text += alias,
            }
            rest = after;
        }
        text + rest
    }
}

/// As displayed, because the values may be sensitive.
impl fmt::Debug for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Explain({self})")
    }
}

impl fmt::Display for Explain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.table)?;
        if let Some(index) = self.index {
            write!(f, " index {index}")?;
        }
        let expressions = [
            ("key", &self.key_condition),
            ("filter", &self.filter),
            ("projection", &self.projection),
        ];
        for (label, expression) in expressions {
            if let Some(expression) = expression {
                write!(
                    f,
                    "\n  {label}: {}",
                    self.resolved(expression, label == "key" && self.hide_key)
                )?;
            }
        }
        let flags = [
            (self.descending, "newest first"),
            (self.consistent, "strongly consistent"),
            (self.nothing, "nothing to send: no item can match"),
        ];
        for (_, flag) in flags.iter().filter(|(set, _)| *set) {
            write!(f, "\n  {flag}")?;
        }
        if let Some(size) = self.page_size {
            write!(f, "\n  at most {size} items a request")?;
        }
        if self.partitions > 1 {
            write!(f, "\n  the first of {} partitions", self.partitions)?;
        }
        match self.segments {
            Some(segments) => write!(f, "\n  in {segments} segments"),
            None => Ok(()),
        }
    }
}

/// A value, as a person would write it.
pub(crate) fn shown_value(value: &AttributeValue) -> String {
    match value {
        AttributeValue::S(text) => format!("{text:?}"),
        AttributeValue::N(number) => number.clone(),
        AttributeValue::Bool(value) => value.to_string(),
        AttributeValue::Null(_) => "null".into(),
        other => format!("{other:?}"),
    }
}
