//! Replies of the SDK's typed outputs.

use crate::wire::{Item, RawItem, Reply};
use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItemOutput;
use aws_sdk_dynamodb::operation::batch_write_item::BatchWriteItemOutput;
use aws_sdk_dynamodb::operation::search_vectors::SearchVectorsOutput;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItemsOutput;
use aws_sdk_dynamodb::types::{ConsumedCapacity, WriteRequest};

pub(super) fn one(item: Option<Item>, consumed: Option<ConsumedCapacity>) -> Reply {
    Reply {
        item: item.map(RawItem::Map),
        consumed_capacity: sum(consumed.as_slice()),
        ..Reply::default()
    }
}

pub(super) fn page(
    items: Option<Vec<Item>>,
    (count, scanned): (i32, i32),
    last_key: Option<Item>,
    consumed: Option<ConsumedCapacity>,
) -> Reply {
    Reply {
        items: stored(items.into_iter().flatten().map(Some)),
        count: usize::try_from(count).unwrap_or_default(),
        scanned: usize::try_from(scanned).unwrap_or_default(),
        last_key,
        consumed_capacity: sum(consumed.as_slice()),
        ..Reply::default()
    }
}

pub(super) fn batch_get(output: BatchGetItemOutput) -> Reply {
    let consumed_capacity = sum(output.consumed_capacity());
    let items = output.responses.into_iter().flatten();
    let unread = output.unprocessed_keys.into_iter().flatten();
    Reply {
        items: stored(items.flat_map(|(_, items)| items).map(Some)),
        unread: unread.flat_map(|(_, keys)| keys.keys).collect(),
        consumed_capacity,
        ..Reply::default()
    }
}

pub(super) fn transact_get(output: TransactGetItemsOutput) -> Reply {
    let consumed_capacity = sum(output.consumed_capacity());
    let answers = output.responses.into_iter().flatten();
    Reply {
        items: stored(answers.map(|answer| answer.item)),
        consumed_capacity,
        ..Reply::default()
    }
}

pub(super) fn search(output: SearchVectorsOutput) -> Reply {
    let results = output.search_results.into_iter().flatten();
    let (items, scores) = results
        .map(|result| (result.item.map(RawItem::Map), result.score))
        .unzip();
    Reply {
        items,
        scores,
        ..Reply::default()
    }
}

pub(super) fn batch_write(output: BatchWriteItemOutput) -> Reply {
    let consumed_capacity = sum(output.consumed_capacity());
    let left = output.unprocessed_items.into_iter().flatten();
    let left = left.flat_map(|(table, requests)| {
        let items = requests.into_iter().map(of_request);
        items.map(move |item| (table.clone(), item))
    });
    Reply {
        unwritten: left.collect(),
        consumed_capacity,
        ..Reply::default()
    }
}

/// The item or key of a write.
fn of_request(request: WriteRequest) -> Item {
    let put = request.put_request.map(|put| put.item);
    let item = put.or_else(|| request.delete_request.map(|delete| delete.key));
    item.unwrap_or_default()
}

fn stored(items: impl Iterator<Item = Option<Item>>) -> Vec<Option<RawItem>> {
    items.map(|item| item.map(RawItem::Map)).collect()
}

/// Returns the capacity that a request consumed in all tables; 0 if the engine does not report it.
pub(super) fn sum(consumed: &[ConsumedCapacity]) -> f64 {
    let units = consumed.iter().filter_map(|it| it.capacity_units);
    units.sum()
}
