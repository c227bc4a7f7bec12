//! The exact request, as data and as text, without sending it.

use crate::value::Value;
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;
use std::collections::BTreeMap;

/// A request that was not sent: the result of `explain(&db)`, which every operation has.
///
/// Its text hides sensitive values, and shortens a long run of U+10FFFF at the end of a range; its
/// fields contain both.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity};
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
///
/// let request = Order { user_id: "u1".into(), number: 7 }.create().explain(&db)?;
/// assert_eq!(
///     request.to_string(),
///     "PutItem App\n  \
///      item: {PK: \"USER#u1\", SK: \"ORDER#000007\", number: 7, user_id: \"u1\"}\n  \
///      condition: attribute_not_exists(PK)",
/// );
/// # Ok::<(), dynamo_model::Error>(())
/// ```
#[derive(Clone, PartialEq, Default)]
#[non_exhaustive]
pub struct Explain {
    /// The operation, as DynamoDB calls it.
    pub operation: &'static str,
    /// The deployed table; of a batch or transaction, the tables.
    pub table: String,
    /// The index, where it is not the table itself.
    pub index: Option<&'static str>,
    /// The item of a put.
    pub item: Option<BTreeMap<String, Value>>,
    /// The key of an item.
    pub key: Option<BTreeMap<String, Value>>,
    /// `UpdateExpression`, with aliases.
    pub update: Option<String>,
    /// `ConditionExpression`, with aliases.
    pub condition: Option<String>,
    /// `KeyConditionExpression`, with aliases.
    pub key_condition: Option<String>,
    /// `FilterExpression`, with aliases.
    pub filter: Option<String>,
    /// `ProjectionExpression`, with aliases.
    pub projection: Option<String>,
    /// The names of the aliases.
    pub names: BTreeMap<String, String>,
    /// The values of the aliases.
    pub values: BTreeMap<String, Value>,
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
    /// `ReturnValues`: what a write returns.
    pub returns: Option<&'static str>,
    /// The stored item is read first, because the request depends on its unique values: the writes
    /// that release its old values are not shown.
    pub reads_first: bool,
    /// How many requests a batch sends, where it is more than one.
    pub requests: Option<usize>,
    /// The operations of a batch or a transaction, and the read that follows a query of keys.
    pub operations: Vec<Explain>,
    /// The aliases whose values or names are sensitive, and therefore hidden.
    pub(crate) hidden: Vec<String>,
    /// Whether the key contains a sensitive field.
    pub(crate) hide_key: bool,
    /// The attributes of the item that are sensitive.
    pub(crate) hidden_attributes: Vec<String>,
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
                (_, Some(value)) => text += &shortened(value),
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
        self.show(f, 0)
    }
}

impl Explain {
    /// Writes the request, with the operations in it one step further to the right.
    fn show(&self, f: &mut fmt::Formatter<'_>, depth: usize) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.table)?;
        if let Some(index) = self.index {
            write!(f, " index {index}")?;
        }
        for line in self.lines() {
            write!(f, "\n{:1$}  {line}", "", 2 * depth)?;
        }
        for operation in &self.operations {
            write!(f, "\n{:1$}  ", "", 2 * depth)?;
            operation.show(f, depth + 1)?;
        }
        Ok(())
    }

    fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        let is_hidden = |name: &str| self.hidden_attributes.iter().any(|it| it == name);
        let item = self.item.as_ref().map(|item| shown_item(item, is_hidden));
        lines.extend(item.map(|item| format!("item: {item}")));
        let key = self
            .key
            .as_ref()
            .map(|key| shown_item(key, |_| self.hide_key));
        lines.extend(key.map(|key| format!("key: {key}")));
        let expressions = [
            ("update", &self.update),
            ("condition", &self.condition),
            ("key", &self.key_condition),
            ("filter", &self.filter),
            ("projection", &self.projection),
        ];
        for (label, expression) in expressions {
            if let Some(expression) = expression {
                let text = self.resolved(expression, label == "key" && self.hide_key);
                lines.push(format!("{label}: {text}"));
            }
        }
        let flags = [
            (self.descending, "newest first"),
            (self.consistent, "strongly consistent"),
            (self.nothing, "nothing to send: no item can match"),
            (
                self.reads_first,
                "after reading the stored item, for its unique values",
            ),
        ];
        let flags = flags.iter().filter(|(set, _)| *set);
        lines.extend(flags.map(|(_, flag)| (*flag).to_owned()));
        let size = self.page_size;
        lines.extend(size.map(|size| format!("at most {size} items a request")));
        if self.partitions > 1 {
            lines.push(format!("the first of {} partitions", self.partitions));
        }
        let segments = self.segments;
        lines.extend(segments.map(|segments| format!("in {segments} segments")));
        let requests = self.requests;
        lines.extend(requests.map(|requests| format!("in {requests} requests")));
        lines.extend(self.returns.map(|returns| format!("returns {returns}")));
        lines
    }
}

/// The greatest text with a prefix ends with up to 256 characters U+10FFFF: `"ORDER#\u{10ffff}…"`.
fn shortened(value: &Value) -> String {
    if let Value::S(text) = value {
        let start = text.trim_end_matches(char::MAX);
        if text.len() - start.len() > char::MAX.len_utf8() {
            let quoted = format!("{start:?}");
            let open = quoted.strip_suffix('"').unwrap_or(&quoted);
            return format!("{open}\\u{{10ffff}}…\"");
        }
    }
    value.to_string()
}

/// `{PK: "USER#u1", name: "Ann"}`
fn shown_item(item: &BTreeMap<String, Value>, is_hidden: impl Fn(&str) -> bool) -> String {
    let attributes = item.iter().map(|(name, value)| match is_hidden(name) {
        true => format!("{name}: ***"),
        false => format!("{name}: {value}"),
    });
    format!("{{{}}}", attributes.collect::<Vec<_>>().join(", "))
}

/// Values of the SDK as our own. A number that DynamoDB would refuse is shown as a text.
pub(crate) fn values(
    values: impl Iterator<Item = (String, AttributeValue)>,
) -> BTreeMap<String, Value> {
    let own = |value: AttributeValue| {
        let text = shown_value(&value);
        Value::try_from(value).unwrap_or(Value::S(text))
    };
    values.map(|(name, value)| (name, own(value))).collect()
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
