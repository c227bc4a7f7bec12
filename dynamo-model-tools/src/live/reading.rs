//! Reading access patterns, single items, partitions and whole tables.

use super::entity::ItemKey;
use super::{Argument, Live, LiveError, LiveItem, LivePattern};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};
use dynamo_model::by_name::Attributes;
use dynamo_model::key::KeyValue;
use dynamo_model::schema::{IndexSchema, Projection, TableSchema};
use dynamo_model::{Dynamo, Value};
use std::collections::HashMap;

/// How an access pattern is read.
///
/// ```
/// use dynamo_model_tools::live::ReadOptions;
///
/// let options = ReadOptions { descending: true, limit: Some(20), ..ReadOptions::default() };
/// assert_eq!(options.cursor, None);
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ReadOptions {
    /// In descending order of the sort key.
    pub descending: bool,
    /// At most this many items; without a limit, those of one request.
    pub limit: Option<usize>,
    /// The cursor of a page, `next` or `previous`.
    pub cursor: Option<String>,
}

/// Some of the items of a read.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct ItemPage {
    /// The items, in the order of the read.
    pub items: Vec<LiveItem>,
    /// The cursor of the next page, if there is one.
    pub next: Option<String>,
    /// The cursor of the previous page, if there is one.
    pub previous: Option<String>,
    /// How many items DynamoDB read.
    pub scanned: usize,
    /// The read capacity units, where the engine reports them.
    pub consumed_capacity: f64,
}

/// Items of any entity: of a partition, or of a table.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct RawPage {
    /// The items, also those that no entity declares.
    pub items: Vec<LiveItem>,
    /// The key to continue after; `None` at the end.
    pub last: Option<Attributes>,
    /// The read capacity units, where the engine reports them.
    pub consumed_capacity: f64,
}

/// A table, or one of its indexes.
type Source = (&'static TableSchema, Option<&'static IndexSchema>);

impl Live {
    /// Reads a page of an access pattern.
    ///
    /// # Errors
    ///
    /// If an argument is missing, unknown or of another form, before any request; or if the call
    /// fails.
    pub async fn read(
        &self,
        db: &Dynamo,
        pattern: &LivePattern,
        arguments: &[Argument],
        options: &ReadOptions,
    ) -> Result<ItemPage, LiveError> {
        let parsed = pattern.parse(arguments)?;
        if pattern.is_get {
            let key = pattern.entity.key(&pattern.values(parsed)?)?;
            return self.get_one(db, pattern.table(), key).await;
        }
        let query = with_options(pattern.query(&parsed)?, options);
        let page = query.page(db).await?;
        let index = pattern.index.and_then(|id| pattern.table().index(id));
        let items = page.items.into_iter();
        let items = items.map(|item| self.recognized(db, (pattern.table(), index), item));
        Ok(ItemPage {
            items: items.collect(),
            next: page.next,
            previous: page.previous,
            scanned: page.scanned,
            consumed_capacity: page.consumed_capacity,
        })
    }

    /// Shows the first request of an access pattern, without sending it. Sensitive values are
    /// hidden.
    ///
    /// # Errors
    ///
    /// If an argument is missing, unknown or of another form.
    pub fn explain(
        &self,
        db: &Dynamo,
        pattern: &LivePattern,
        arguments: &[Argument],
        options: &ReadOptions,
    ) -> Result<String, LiveError> {
        let parsed = pattern.parse(arguments)?;
        if !pattern.is_get {
            let query = with_options(pattern.query(&parsed)?, options);
            return Ok(query.explain(db)?.to_string());
        }
        let (pk, sk) = pattern.entity.key(&pattern.values(parsed)?)?;
        let table = pattern.table();
        let hidden = super::call::is_sensitive(pattern);
        let shown = |value: &KeyValue| match hidden {
            true => "***".to_owned(),
            false => format!("{:?}", value.to_string()),
        };
        let mut text = format!(
            "GetItem {}\n  key: {} = {}",
            db.table_name(table),
            table.pk.name,
            shown(&pk)
        );
        if let Some((attribute, value)) = table.sk.zip(sk) {
            text += &format!(" AND {} = {}", attribute.name, shown(&value));
        }
        Ok(text)
    }

    /// Gets an item of an entity by the fields of its key.
    ///
    /// # Errors
    ///
    /// If a field is missing or of another form, or if the call fails.
    pub async fn get(
        &self,
        db: &Dynamo,
        entity: &str,
        arguments: &[Argument],
    ) -> Result<Option<LiveItem>, LiveError> {
        let pattern = self.pattern(&format!("{entity}::get"))?;
        let options = ReadOptions::default();
        let page = self.read(db, &pattern, arguments, &options).await?;
        Ok(page.items.into_iter().next())
    }

    async fn get_one(
        &self,
        db: &Dynamo,
        table: &'static TableSchema,
        key: ItemKey,
    ) -> Result<ItemPage, LiveError> {
        let request = db.client().get_item().table_name(db.table_name(table));
        let request = request
            .set_key(Some(key_attributes(table, key)))
            .consistent_read(true)
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let reply = request.send().await;
        let reply = reply.map_err(|error| failed("get", table, db, error.into_service_error()))?;
        let capacity = reply.consumed_capacity().and_then(|it| it.capacity_units());
        let items: Vec<_> = reply.item.into_iter().collect();
        Ok(ItemPage {
            scanned: items.len(),
            items: self.all_recognized(db, (table, None), items)?,
            consumed_capacity: capacity.unwrap_or_default(),
            ..ItemPage::default()
        })
    }

    /// Gets an item of any entity by its key in the table.
    ///
    /// # Errors
    ///
    /// If the item does not exist, or if the call fails.
    pub async fn item_at(
        &self,
        db: &Dynamo,
        table: &'static TableSchema,
        key: (KeyValue, Option<KeyValue>),
    ) -> Result<LiveItem, LiveError> {
        let page = self.get_one(db, table, key).await?;
        let item = page.items.into_iter().next();
        item.ok_or_else(|| {
            LiveError::not_found("the item does not exist; it may have been deleted")
        })
    }

    /// Reads a partition of a table or index, with the items of all entities, in the order of the
    /// sort key: at most `limit` items, after the `last` key of another page.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn partition(
        &self,
        db: &Dynamo,
        (table, index): (&'static TableSchema, Option<&'static IndexSchema>),
        pk: KeyValue,
        (limit, start): (i32, Option<Attributes>),
    ) -> Result<RawPage, LiveError> {
        let name = index.map_or(table.pk.name, |index| index.pk.name);
        let request = db.client().query().table_name(db.table_name(table));
        let request = request
            .set_index_name(index.map(|index| index.name.to_owned()))
            .key_condition_expression("#pk = :pk")
            .expression_attribute_names("#pk", name)
            .expression_attribute_values(":pk", attribute(pk))
            .limit(limit)
            .set_exclusive_start_key(start.map(sdk))
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let reply = request.send().await;
        let reply =
            reply.map_err(|error| failed("query", table, db, error.into_service_error()))?;
        let capacity = reply.consumed_capacity.and_then(|it| it.capacity_units);
        Ok(RawPage {
            items: self.all_recognized(db, (table, index), reply.items.unwrap_or_default())?,
            last: reply.last_evaluated_key.map(values).transpose()?,
            consumed_capacity: capacity.unwrap_or_default(),
        })
    }

    /// Reads a part of a table or index, in no order: at most `limit` items, after the `last` key
    /// of another page.
    ///
    /// # Errors
    ///
    /// If the call fails.
    pub async fn scan(
        &self,
        db: &Dynamo,
        (table, index): (&'static TableSchema, Option<&'static IndexSchema>),
        (limit, start): (Option<i32>, Option<Attributes>),
    ) -> Result<RawPage, LiveError> {
        let request = db.client().scan().table_name(db.table_name(table));
        let request = request
            .set_index_name(index.map(|index| index.name.to_owned()))
            .set_limit(limit)
            .set_exclusive_start_key(start.map(sdk))
            .return_consumed_capacity(ReturnConsumedCapacity::Total);
        let reply = request.send().await;
        let reply = reply.map_err(|error| failed("scan", table, db, error.into_service_error()))?;
        let capacity = reply.consumed_capacity.and_then(|it| it.capacity_units);
        Ok(RawPage {
            items: self.all_recognized(db, (table, index), reply.items.unwrap_or_default())?,
            last: reply.last_evaluated_key.map(values).transpose()?,
            consumed_capacity: capacity.unwrap_or_default(),
        })
    }

    fn all_recognized(
        &self,
        db: &Dynamo,
        source: Source,
        items: Vec<HashMap<String, AttributeValue>>,
    ) -> Result<Vec<LiveItem>, LiveError> {
        let items = items.into_iter();
        let items = items.map(|item| Ok(self.recognized(db, source, values(item)?)));
        items.collect()
    }

    fn recognized(&self, db: &Dynamo, (table, index): Source, item: Attributes) -> LiveItem {
        let is_whole = index.is_none_or(|index| matches!(index.projection, Projection::All));
        match is_whole {
            true => self.recognize(db, table, item),
            false => self.recognize_part(table, item),
        }
    }
}

fn with_options(
    query: dynamo_model::by_name::Query,
    options: &ReadOptions,
) -> dynamo_model::by_name::Query {
    let query = query.after(&options.cursor);
    let query = match options.limit {
        Some(limit) => query.limit(limit),
        None => query,
    };
    match options.descending {
        true => query.descending(),
        false => query,
    }
}

fn key_attributes(table: &TableSchema, (pk, sk): ItemKey) -> HashMap<String, AttributeValue> {
    let pk = (table.pk.name.to_owned(), attribute(pk));
    let sk = table.sk.zip(sk);
    let sk = sk.map(|(name, value)| (name.name.to_owned(), attribute(value)));
    [Some(pk), sk].into_iter().flatten().collect()
}

fn attribute(value: KeyValue) -> AttributeValue {
    match value {
        KeyValue::S(text) => AttributeValue::S(text),
        KeyValue::N(number) => AttributeValue::N(number),
        KeyValue::B(bytes) => AttributeValue::B(Blob::new(bytes)),
    }
}

fn sdk(attributes: Attributes) -> HashMap<String, AttributeValue> {
    let attributes = attributes.into_iter();
    attributes
        .map(|(name, value)| (name, value.into()))
        .collect()
}

fn values(item: HashMap<String, AttributeValue>) -> Result<Attributes, LiveError> {
    let attributes = item.into_iter().map(|(name, value)| {
        let value = Value::try_from(value);
        let value = value.map_err(|error| {
            LiveError::call(format!("the attribute `{name}` cannot be read"), error)
        });
        Ok((name, value?))
    });
    attributes.collect()
}

fn failed(
    operation: &str,
    table: &TableSchema,
    db: &Dynamo,
    error: impl core::error::Error + Send + Sync + 'static,
) -> LiveError {
    let table = db.table_name(table);
    LiveError::call(
        format!("the {operation} of the table `{table}` failed"),
        error,
    )
}
