//! The events of streams. An image is read as the same item as in a response of DynamoDB, and a
//! batch ends at the first record that fails.

use crate::wire::{Rich, RichTable};
use core::future::ready;
use core::pin::pin;
use core::task::{Context, Poll, Waker};
use dynamo_model::__private::fuzz;
use dynamo_model::stream::{BatchFailures, Change, StreamEvent};
use dynamo_model::{DynamoItems, Error, ErrorKind};
use serde_json::{Value, json};

/// Pieces of events.
pub const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\u",
    "null",
    "-1",
    "1e999",
    "1428537600.5",
    "{\"Records\":[",
    "\"eventID\":\"1\"",
    "\"eventName\":\"INSERT\"",
    "\"eventName\":\"MODIFY\"",
    "\"eventName\":\"REMOVE\"",
    "INSERT",
    "MODIFY",
    "REMOVE",
    "\"dynamodb\":{",
    "\"Keys\":{\"PK\":{\"S\":\"R#1\"}}",
    "\"NewImage\":{",
    "\"OldImage\":{",
    "\"PK\":{\"S\":\"R#1\"}",
    "\"type\":{\"S\":\"RICH\"}",
    "\"type\":{\"S\":\"#unique\"}",
    "\"SequenceNumber\":\"7\"",
    "\"ApproximateCreationDateTime\":",
    "\"StreamViewType\":\"KEYS_ONLY\"",
    "\"eventSourceARN\":\"arn:aws:dynamodb:us-east-1:1:table/Rich/stream/x\"",
    ":table/",
    "\"userIdentity\":{\"type\":\"Service\",\"principalId\":\"dynamodb.amazonaws.com\"}",
    "{\"S\":\"\"}",
    "{\"N\":\"-0\"}",
    "{\"N\":\"1e126\"}",
    "{\"B\":\"AA==\"}",
    "{\"BOOL\":true}",
    "{\"NULL\":true}",
    "{\"NULL\":false}",
    "{\"M\":{}}",
    "{\"L\":[]}",
    "{\"SS\":[\"a\",\"a\"]}",
    "{\"NS\":[\"1\"]}",
    "{\"BS\":[\"AA==\"]}",
    "\"nested\":{\"M\":",
    "\"number\":",
    "\"set\":",
    "\"either\":",
    "\"tree\":{\"M\":{\"children\":{\"L\":[",
    "\u{0}",
    "山",
];

/// The items of the table.
#[derive(DynamoItems, Debug)]
#[items(table = RichTable)]
pub enum RichItem {
    /// The only entity.
    Rich(Rich),
}

/// An event as Lambda has it.
pub fn check(data: &[u8]) {
    let Ok(event) = serde_json::from_slice::<StreamEvent>(data) else {
        return;
    };
    for record in &event.records {
        let (one, all) = (Change::<Rich>::of(record), Change::<RichItem>::of(record));
        for error in [one.as_ref().err(), all.as_ref().err()]
            .into_iter()
            .flatten()
        {
            assert!(!error.to_string().is_empty());
        }
        // Only the enum reports an unknown item. If both read the change, it is the same.
        if let (Ok(one), Ok(all)) = (one, all) {
            let all = all.map(|change| change.map(|RichItem::Rich(item)| item));
            assert_eq!(format!("{one:?}"), format!("{all:?}"));
        }
    }
    images(data, &event);
    let fails_at = data.len() % 4;
    handle(event, fails_at);
}

/// Reads each new image again, as the item of a response.
fn images(data: &[u8], event: &StreamEvent) {
    let Ok(value) = serde_json::from_slice::<Value>(data) else {
        return;
    };
    for (nth, record) in event.records.iter().enumerate() {
        let image = &value["Records"][nth]["dynamodb"]["NewImage"];
        let read = record.new_image::<Rich, _>();
        if !image.is_object() || is_other(&read) {
            continue;
        }
        let body = json!({ "Item": image }).to_string();
        let answer = fuzz::answer::<Rich>(body.as_bytes());
        let direct = answer.and_then(|mut it| it.direct.pop());
        let shown = |item: Option<Rich>| item.map(|item| format!("{item:?}"));
        assert_eq!(
            shown(read.ok().flatten()),
            shown(direct.and_then(Result::ok)),
            "{image}"
        );
    }
}

/// Returns whether it is a deletion, an item of another entity, or a record of another table.
fn is_other(read: &Result<Option<Rich>, Error>) -> bool {
    match read {
        Ok(item) => item.is_none(),
        Err(error) => matches!(error.kind(), ErrorKind::OtherTable { .. }),
    }
}

/// Handles each record; the handler fails on the one at this position.
fn handle(event: StreamEvent, fails_at: usize) {
    let mut handed = Vec::new();
    let handling = event
        .each()
        .for_each(|_: Result<Change<Rich>, Error>, record| {
            let nth = handed.len();
            handed.push(record.sequence_number);
            ready(if nth == fails_at { Err("no") } else { Ok(()) })
        });
    let mut handling = pin!(handling);
    let mut context = Context::from_waker(Waker::noop());
    let Poll::Ready(BatchFailures {
        batch_item_failures,
        ..
    }) = handling.as_mut().poll(&mut context)
    else {
        unreachable!("what it waits for is ready");
    };
    let failed: Vec<_> = batch_item_failures
        .into_iter()
        .map(|it| it.item_identifier)
        .collect();
    let expected: Vec<_> = handed.get(fails_at).cloned().into_iter().collect();
    assert_eq!(failed, expected);
    assert!(handed.len() <= fails_at + 1);
}
