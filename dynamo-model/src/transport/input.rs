//! The SDK's typed inputs, made from the JSON of a request. So there is one encoder, and the SDK
//! gets the same request.

use crate::wire::{BodyReader, Item, Reason};
use aws_sdk_dynamodb::error::BuildError;
use aws_sdk_dynamodb::operation::{
    batch_get_item::builders::BatchGetItemFluentBuilder,
    batch_write_item::builders::BatchWriteItemFluentBuilder,
    delete_item::builders::DeleteItemFluentBuilder, get_item::builders::GetItemFluentBuilder,
    put_item::builders::PutItemFluentBuilder, query::builders::QueryFluentBuilder,
    scan::builders::ScanFluentBuilder, search_vectors::builders::SearchVectorsFluentBuilder,
    transact_get_items::builders::TransactGetItemsFluentBuilder,
    transact_write_items::builders::TransactWriteItemsFluentBuilder,
    update_item::builders::UpdateItemFluentBuilder,
};
use aws_sdk_dynamodb::types::{
    AttributeValue, ConditionCheck, Delete, DeleteRequest, Get, KeysAndAttributes, Put, PutRequest,
    ReturnConsumedCapacity, ReturnValue, ReturnValuesOnConditionCheckFailure, Select,
    TransactGetItem, TransactWriteItem, Update, WriteRequest,
};
use core::fmt;
use std::collections::HashMap;

/// Why a request could not be converted to a typed input: it has an unknown field.
#[derive(Debug)]
pub(super) struct NotTyped(String);

impl fmt::Display for NotTyped {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "the request cannot be made into an input of the SDK: {}",
            self.0
        )
    }
}

impl std::error::Error for NotTyped {}

impl From<Reason> for NotTyped {
    #[cold]
    fn from(reason: Reason) -> Self {
        Self(reason.to_string())
    }
}

impl From<BuildError> for NotTyped {
    #[cold]
    fn from(error: BuildError) -> Self {
        Self(error.to_string())
    }
}

type Typed<T> = Result<T, NotTyped>;

/// The parameters of all operations; each operation has some of them.
#[derive(Debug, Default)]
struct Parameters {
    table_name: Option<String>,
    index_name: Option<String>,
    item: Option<Item>,
    key: Option<Item>,
    keys: Vec<Item>,
    update: Option<String>,
    condition: Option<String>,
    key_condition: Option<String>,
    filter: Option<String>,
    projection: Option<String>,
    names: Option<HashMap<String, String>>,
    values: Option<Item>,
    consistent: Option<bool>,
    forward: Option<bool>,
    limit: Option<i32>,
    segment: Option<i32>,
    total_segments: Option<i32>,
    select: Option<Select>,
    start_key: Option<Item>,
    vector: Option<Vec<AttributeValue>>,
    top_k: Option<i32>,
    token: Option<String>,
    return_values: Option<ReturnValue>,
    return_on_failure: Option<ReturnValuesOnConditionCheckFailure>,
    return_capacity: Option<ReturnConsumedCapacity>,
    /// `TransactItems`: the kind of each operation, and its parameters.
    operations: Vec<(String, Parameters)>,
    /// `RequestItems` of a batch read: the keys of each table.
    reads: Vec<(String, Parameters)>,
    /// `RequestItems` of a batch write: the writes of each table, and the kind of each.
    writes: Vec<(String, Vec<(String, Parameters)>)>,
}

impl Parameters {
    fn of(body: &[u8]) -> Typed<Self> {
        let body = core::str::from_utf8(body);
        let body = body.map_err(|error| NotTyped(error.to_string()))?;
        Ok(Self::read(&mut BodyReader::new(body))?)
    }

    fn read(reader: &mut BodyReader<'_>) -> Result<Self, Reason> {
        let mut this = Self::default();
        reader.object(|reader, name| this.field(reader, &name))?;
        Ok(this)
    }

    fn field(&mut self, reader: &mut BodyReader<'_>, name: &str) -> Result<(), Reason> {
        match name {
            "TableName" => self.table_name = Some(reader.text()?),
            "IndexName" => self.index_name = Some(reader.text()?),
            "Item" => self.item = Some(reader.item()?),
            "Key" => self.key = Some(reader.item()?),
            "Keys" => self.keys = reader.array(BodyReader::item)?,
            "UpdateExpression" => self.update = Some(reader.text()?),
            "ConditionExpression" => self.condition = Some(reader.text()?),
            "KeyConditionExpression" => self.key_condition = Some(reader.text()?),
            "FilterExpression" | "SearchConditionExpression" => self.filter = Some(reader.text()?),
            "ProjectionExpression" => self.projection = Some(reader.text()?),
            "ExpressionAttributeNames" => self.names = Some(names(reader)?),
            "ExpressionAttributeValues" => self.values = Some(reader.item()?),
            "ConsistentRead" => self.consistent = Some(reader.boolean()?),
            "ScanIndexForward" => self.forward = Some(reader.boolean()?),
            "Limit" => self.limit = Some(reader.number()?),
            "Segment" => self.segment = Some(reader.number()?),
            "TotalSegments" => self.total_segments = Some(reader.number()?),
            "Select" => self.select = Some(reader.text()?.as_str().into()),
            "ExclusiveStartKey" => self.start_key = Some(reader.item()?),
            "SearchVector" => self.vector = Some(reader.array(BodyReader::value)?),
            "TopK" => self.top_k = Some(reader.number()?),
            "ClientRequestToken" => self.token = Some(reader.text()?),
            "ReturnValues" => self.return_values = Some(reader.text()?.as_str().into()),
            "ReturnValuesOnConditionCheckFailure" => {
                self.return_on_failure = Some(reader.text()?.as_str().into());
            }
            "ReturnConsumedCapacity" => self.return_capacity = Some(reader.text()?.as_str().into()),
            "TransactItems" => self.operations = reader.array(operation)?,
            "RequestItems" => reader.object(|reader, table| {
                match reader.is_array()? {
                    true => self.writes.push((table, reader.array(operation)?)),
                    false => self.reads.push((table, Self::read(reader)?)),
                }
                Ok(())
            })?,
            other => return Err(Reason::other(format!("unknown field `{other}`"))),
        }
        Ok(())
    }
}

fn names(reader: &mut BodyReader<'_>) -> Result<HashMap<String, String>, Reason> {
    let mut names = HashMap::new();
    reader.object(|reader, alias| {
        names.insert(alias, reader.text()?);
        Ok(())
    })?;
    Ok(names)
}

/// `{"Put":{…}}`: one operation of a transaction or batch.
fn operation(reader: &mut BodyReader<'_>) -> Result<(String, Parameters), Reason> {
    let mut operation = (String::new(), Parameters::default());
    reader.object(|reader, kind| {
        operation = (kind, Parameters::read(reader)?);
        Ok(())
    })?;
    Ok(operation)
}

/// The parameters that several builders have under the same names, without a common trait.
macro_rules! set {
    ($builder:expr, $parameters:expr; $($setter:ident $field:ident)*) => {{
        let (builder, parameters) = ($builder, $parameters);
        builder $(.$setter(parameters.$field))*
    }};
}

pub(super) fn get_item(builder: GetItemFluentBuilder, body: &[u8]) -> Typed<GetItemFluentBuilder> {
    Ok(set!(builder, Parameters::of(body)?;
        set_table_name table_name
        set_key key
        set_consistent_read consistent
        set_return_consumed_capacity return_capacity
    ))
}

pub(super) fn put_item(builder: PutItemFluentBuilder, body: &[u8]) -> Typed<PutItemFluentBuilder> {
    Ok(set!(builder, Parameters::of(body)?;
        set_table_name table_name
        set_item item
        set_condition_expression condition
        set_expression_attribute_names names
        set_expression_attribute_values values
        set_return_values return_values
        set_return_values_on_condition_check_failure return_on_failure
        set_return_consumed_capacity return_capacity
    ))
}

pub(super) fn update_item(
    builder: UpdateItemFluentBuilder,
    body: &[u8],
) -> Typed<UpdateItemFluentBuilder> {
    Ok(set!(builder, Parameters::of(body)?;
        set_table_name table_name
        set_key key
        set_update_expression update
        set_condition_expression condition
        set_expression_attribute_names names
        set_expression_attribute_values values
        set_return_values return_values
        set_return_values_on_condition_check_failure return_on_failure
        set_return_consumed_capacity return_capacity
    ))
}

pub(super) fn delete_item(
    builder: DeleteItemFluentBuilder,
    body: &[u8],
) -> Typed<DeleteItemFluentBuilder> {
    Ok(set!(builder, Parameters::of(body)?;
        set_table_name table_name
        set_key key
        set_condition_expression condition
        set_expression_attribute_names names
        set_expression_attribute_values values
        set_return_values return_values
        set_return_values_on_condition_check_failure return_on_failure
        set_return_consumed_capacity return_capacity
    ))
}

pub(super) fn query(builder: QueryFluentBuilder, body: &[u8]) -> Typed<QueryFluentBuilder> {
    Ok(set!(builder, Parameters::of(body)?;
        set_table_name table_name
        set_index_name index_name
        set_key_condition_expression key_condition
        set_filter_expression filter
        set_projection_expression projection
        set_expression_attribute_names names
        set_expression_attribute_values values
        set_consistent_read consistent
        set_scan_index_forward forward
        set_limit limit
        set_select select
        set_exclusive_start_key start_key
        set_return_consumed_capacity return_capacity
    ))
}

pub(super) fn scan(builder: ScanFluentBuilder, body: &[u8]) -> Typed<ScanFluentBuilder> {
    Ok(set!(builder, Parameters::of(body)?;
        set_table_name table_name
        set_index_name index_name
        set_filter_expression filter
        set_projection_expression projection
        set_expression_attribute_names names
        set_expression_attribute_values values
        set_consistent_read consistent
        set_limit limit
        set_select select
        set_segment segment
        set_total_segments total_segments
        set_exclusive_start_key start_key
        set_return_consumed_capacity return_capacity
    ))
}

pub(super) fn search_vectors(
    builder: SearchVectorsFluentBuilder,
    body: &[u8],
) -> Typed<SearchVectorsFluentBuilder> {
    Ok(set!(builder, Parameters::of(body)?;
        set_table_name table_name
        set_index_name index_name
        set_search_vector vector
        set_top_k top_k
        set_search_condition_expression filter
        set_projection_expression projection
        set_expression_attribute_names names
        set_expression_attribute_values values
        set_return_consumed_capacity return_capacity
    ))
}

pub(super) fn batch_get_item(
    builder: BatchGetItemFluentBuilder,
    body: &[u8],
) -> Typed<BatchGetItemFluentBuilder> {
    let mut parameters = Parameters::of(body)?;
    let tables = core::mem::take(&mut parameters.reads).into_iter();
    let tables = tables.map(|(table, read)| {
        let keys = KeysAndAttributes::builder().set_keys(Some(read.keys));
        Ok((table, keys.set_consistent_read(read.consistent).build()?))
    });
    let tables = tables.collect::<Typed<_>>()?;
    let builder = builder.set_request_items(Some(tables));
    Ok(set!(builder, parameters; set_return_consumed_capacity return_capacity))
}

pub(super) fn batch_write_item(
    builder: BatchWriteItemFluentBuilder,
    body: &[u8],
) -> Typed<BatchWriteItemFluentBuilder> {
    let mut parameters = Parameters::of(body)?;
    let tables = core::mem::take(&mut parameters.writes).into_iter();
    let tables = tables.map(|(table, writes)| {
        let writes = writes.into_iter().map(batch_write);
        Ok((table, writes.collect::<Typed<_>>()?))
    });
    let tables = tables.collect::<Typed<_>>()?;
    let builder = builder.set_request_items(Some(tables));
    Ok(set!(builder, parameters; set_return_consumed_capacity return_capacity))
}

fn batch_write((kind, parameters): (String, Parameters)) -> Typed<WriteRequest> {
    let request = WriteRequest::builder();
    Ok(match &*kind {
        "PutRequest" => {
            let put = PutRequest::builder().set_item(parameters.item);
            request.put_request(put.build()?).build()
        }
        "DeleteRequest" => {
            let delete = DeleteRequest::builder().set_key(parameters.key);
            request.delete_request(delete.build()?).build()
        }
        other => return Err(NotTyped(format!("unknown operation `{other}`"))),
    })
}

pub(super) fn transact_get_items(
    builder: TransactGetItemsFluentBuilder,
    body: &[u8],
) -> Typed<TransactGetItemsFluentBuilder> {
    let mut parameters = Parameters::of(body)?;
    let gets = core::mem::take(&mut parameters.operations).into_iter();
    let gets = gets.map(|(_, get)| {
        let get = set!(Get::builder(), get; set_table_name table_name set_key key);
        Ok(TransactGetItem::builder().get(get.build()?).build())
    });
    let builder = builder.set_transact_items(Some(gets.collect::<Typed<_>>()?));
    Ok(set!(builder, parameters; set_return_consumed_capacity return_capacity))
}

pub(super) fn transact_write_items(
    builder: TransactWriteItemsFluentBuilder,
    body: &[u8],
) -> Typed<TransactWriteItemsFluentBuilder> {
    let mut parameters = Parameters::of(body)?;
    let writes = core::mem::take(&mut parameters.operations).into_iter();
    let writes = writes.map(transact_write).collect::<Typed<_>>()?;
    let builder = builder.set_transact_items(Some(writes));
    Ok(set!(builder, parameters;
        set_client_request_token token
        set_return_consumed_capacity return_capacity
    ))
}

/// The table and the condition of one operation of a transaction.
macro_rules! conditional {
    ($builder:expr, $parameters:expr; $($setter:ident $field:ident)*) => {
        set!($builder, $parameters;
            $($setter $field)*
            set_table_name table_name
            set_condition_expression condition
            set_expression_attribute_names names
            set_expression_attribute_values values
            set_return_values_on_condition_check_failure return_on_failure
        )
    };
}

fn transact_write((kind, write): (String, Parameters)) -> Typed<TransactWriteItem> {
    let operation = TransactWriteItem::builder();
    let operation = match &*kind {
        "Put" => operation.put(conditional!(Put::builder(), write; set_item item).build()?),
        "Update" => {
            let update = Update::builder();
            let update = conditional!(update, write; set_key key set_update_expression update);
            operation.update(update.build()?)
        }
        "Delete" => operation.delete(conditional!(Delete::builder(), write; set_key key).build()?),
        "ConditionCheck" => {
            let check = conditional!(ConditionCheck::builder(), write; set_key key);
            operation.condition_check(check.build()?)
        }
        other => return Err(NotTyped(format!("unknown operation `{other}`"))),
    };
    Ok(operation.build())
}
