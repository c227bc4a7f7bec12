//! Streams of several shards, which no local engine has: answered by hand.

use super::model::{App, Session};
use crate::canned::{self, Canned};
use crate::support::Outcome;
use dynamo_model::ErrorKind;
use dynamo_model::stream::{ShardPosition, StreamReader, StreamRecord};
use serde_json::{Value, json};
use std::sync::{Arc, Mutex};

/// The contents of the stream: the listed shards, with parent, records and whether each is closed.
pub(super) struct Shard {
    pub(super) id: String,
    pub(super) parent: Option<String>,
    pub(super) numbers: Vec<u32>,
    pub(super) closed: bool,
}

pub(super) fn shard(
    id: &str,
    parent: Option<&str>,
    numbers: impl IntoIterator<Item = u32>,
    closed: bool,
) -> Shard {
    Shard {
        id: id.into(),
        parent: parent.map(str::to_owned),
        numbers: numbers.into_iter().collect(),
        closed,
    }
}

#[derive(Clone)]
pub(super) struct Stream {
    pub(super) shards: Arc<Mutex<Vec<Shard>>>,
    pub(super) canned: Canned,
}

/// An iterator is `shard:place`; one record a request.
fn records(shards: &[Shard], iterator: &str) -> (u16, Value) {
    let (id, place) = iterator.split_once(':').unwrap();
    if place == "expired" {
        return canned::refusal("ExpiredIteratorException", json!({}));
    }
    let place: usize = place.parse().unwrap();
    let shard = shards.iter().find(|shard| shard.id == id).unwrap();
    let record = shard.numbers.get(place).map(|number| {
        let (pk, sk) = (
            json!({ "S": "USER#u1" }),
            json!({ "S": format!("SESSION#{number:04}") }),
        );
        json!({
            "eventID": number.to_string(),
            "eventName": "INSERT",
            "dynamodb": {
                "Keys": { "PK": pk, "SK": sk },
                "SequenceNumber": format!("{place:021}"),
            },
        })
    });
    let next = (place + usize::from(record.is_some())).min(shard.numbers.len());
    let ended = shard.closed && record.is_none();
    let mut answer = json!({ "Records": record.into_iter().collect::<Vec<_>>() });
    if !ended {
        answer["NextShardIterator"] = json!(format!("{id}:{next}"));
    }
    (200, answer)
}

impl Stream {
    fn of(shards: Vec<Shard>) -> Self {
        let shards = Arc::new(Mutex::new(shards));
        let own = shards.clone();
        let canned = Canned::new(move |_, request| answer(&own.lock().unwrap(), request));
        Self { shards, canned }
    }

    pub(super) fn reader(&self) -> StreamReader {
        let config = aws_sdk_dynamodbstreams::Config::builder()
            .behavior_version(aws_sdk_dynamodbstreams::config::BehaviorVersion::latest())
            .region(aws_sdk_dynamodbstreams::config::Region::new("local"))
            .credentials_provider(aws_sdk_dynamodbstreams::config::Credentials::new(
                "local", "local", None, None, "local",
            ))
            .endpoint_url("http://canned.invalid")
            .retry_config(aws_sdk_dynamodbstreams::config::retry::RetryConfig::disabled())
            .http_client(self.canned.clone());
        let client = aws_sdk_dynamodbstreams::Client::from_conf(config.build());
        self.canned.db().read_stream::<App>(&client)
    }
}

pub(super) fn answer(shards: &[Shard], request: &Value) -> (u16, Value) {
    if request.get("TableName").is_some() {
        return (
            200,
            json!({ "Table": { "LatestStreamArn": "arn:aws:dynamodb:x:1:table/app/stream/1" } }),
        );
    }
    if let Some(iterator) = request["ShardIterator"].as_str() {
        return records(shards, iterator);
    }
    if let Some(id) = request["ShardId"].as_str() {
        let shard = shards.iter().find(|shard| shard.id == id).unwrap();
        let place = match request["ShardIteratorType"].as_str().unwrap() {
            "TRIM_HORIZON" => 0,
            "LATEST" => shard.numbers.len(),
            "AFTER_SEQUENCE_NUMBER" => {
                let after = request["SequenceNumber"].as_str().unwrap();
                after.parse::<usize>().unwrap() + 1
            }
            other => panic!("{other}"),
        };
        return (200, json!({ "ShardIterator": format!("{id}:{place}") }));
    }
    // Two shards a page.
    let start = match request["ExclusiveStartShardId"].as_str() {
        Some(after) => 1 + shards.iter().position(|shard| shard.id == after).unwrap(),
        None => 0,
    };
    let page = &shards[start..(start + 2).min(shards.len())];
    let listed = page.iter().map(|shard| {
        let mut listed = json!({ "ShardId": shard.id });
        if let Some(parent) = &shard.parent {
            listed["ParentShardId"] = json!(parent);
        }
        listed
    });
    let mut stream = json!({ "StreamArn": "a", "Shards": listed.collect::<Vec<_>>() });
    if start + 2 < shards.len() {
        stream["LastEvaluatedShardId"] = json!(page[1].id);
    }
    (200, json!({ "StreamDescription": stream }))
}

pub(super) fn numbers(records: &[StreamRecord]) -> Vec<u32> {
    let key = |record: &StreamRecord| record.key_of::<Session>().unwrap().parse().unwrap().number;
    records.iter().map(key).collect()
}

#[tokio::test]
async fn children_are_read_after_their_parents() -> Outcome {
    // Listed in an unhelpful order.
    let stream = Stream::of(vec![
        shard("grandchild", Some("child"), 20..23, false),
        shard("child", Some("root"), 10..15, true),
        shard("root", Some("long gone"), 0..4, true),
        shard("other", None, 100..102, false),
    ]);
    let mut reader = stream.reader();
    let all = numbers(&reader.read_available().await?);
    let mut line: Vec<_> = all.iter().copied().filter(|it| *it < 100).collect();
    assert_eq!(line, [0, 1, 2, 3, 10, 11, 12, 13, 14, 20, 21, 22]);
    line.extend([100, 101]);
    assert_eq!(all.len(), line.len());
    let position = reader.position();
    assert_eq!(position.shards["root"], ShardPosition::End);
    assert_eq!(position.shards["child"], ShardPosition::End);
    assert!(matches!(
        position.shards["grandchild"],
        ShardPosition::After(_)
    ));
    Ok(())
}

#[tokio::test]
async fn new_shards_are_found_and_closed_ones_are_forgotten() -> Outcome {
    let stream = Stream::of(vec![shard("root", None, 0..2, false)]);
    let mut reader = stream.reader().only_new();
    assert!(reader.read_available().await?.is_empty());
    {
        let mut shards = stream.shards.lock().unwrap();
        shards[0].numbers.push(2);
        shards[0].closed = true;
        shards.push(shard("child", Some("root"), [10, 11], false));
    }
    // All records of a later shard are new.
    assert_eq!(numbers(&reader.read_available().await?), [2, 10, 11]);
    stream.shards.lock().unwrap().remove(0);
    assert!(reader.read_available().await?.is_empty());
    assert_eq!(reader.position().shards.len(), 1);
    Ok(())
}

#[tokio::test]
async fn an_expired_iterator_is_replaced() -> Outcome {
    let stream = Stream::of(vec![shard("root", None, 0..2, false)]);
    let mut reader = stream.reader();
    assert_eq!(numbers(&reader.read_available().await?), [0, 1]);
    stream.shards.lock().unwrap()[0].numbers.push(2);
    let expired = Arc::new(Mutex::new(true));
    let own = stream.shards.clone();
    // The next request for records is refused, once.
    let once = expired.clone();
    let canned = Canned::new(move |_, request| {
        if request["ShardIterator"].is_string() && std::mem::take(&mut *once.lock().unwrap()) {
            return records(&own.lock().unwrap(), "root:expired");
        }
        answer(&own.lock().unwrap(), request)
    });
    let again = Stream {
        shards: stream.shards.clone(),
        canned,
    };
    let mut resumed = again.reader().resume(reader.position());
    // The very first iterator cannot have expired, so that is an error.
    let error = resumed.read().await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Service { code } if code == "ExpiredIteratorException")
    );
    assert_eq!(numbers(&resumed.read_available().await?), [2]);
    *expired.lock().unwrap() = true;
    stream.shards.lock().unwrap()[0].numbers.push(3);
    assert_eq!(numbers(&resumed.read_available().await?), [3]);
    Ok(())
}
