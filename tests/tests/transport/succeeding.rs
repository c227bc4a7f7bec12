//! Successful calls: the same items and results in both ways.

use super::model::{THING, Thing, Things};
use super::recorder::{Recorder, both, config, response};
use aws_smithy_runtime_api::client::result::ConnectorError;
use aws_smithy_types::body::SdkBody;
use bytes::Bytes;
use dynamo_model::{BatchGet, Dynamo, Entity, Table};
use http_body::Frame;
use std::collections::VecDeque;
use std::pin::Pin;
use std::task::{Context, Poll};

const ITEM: &str = r#"{"Item":{"PK":{"S":"THING#1"},"id":{"N":"1"},"value":{"N":"7"}}}"#;

/// A body that comes in pieces.
struct Pieces(VecDeque<Bytes>);

impl http_body::Body for Pieces {
    type Data = Bytes;
    type Error = std::io::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, std::io::Error>>> {
        Poll::Ready(self.0.pop_front().map(|piece| Ok(Frame::data(piece))))
    }
}

#[tokio::test]
async fn body_in_pieces_is_put_together() {
    for size in [1, 7, 30, 1000] {
        let recorder = Recorder::new(move |_| {
            let pieces = ITEM.as_bytes().chunks(size).map(Bytes::from_static);
            let mut whole = response(200, "");
            *whole.body_mut() = SdkBody::from_body_1_x(Pieces(pieces.collect()));
            let length = ITEM.len().to_string();
            whole.headers_mut().insert("content-length", length);
            Some(Ok::<_, ConnectorError>(whole))
        });
        for db in both(config().http_client(recorder)).await {
            assert_eq!(
                Thing::get(1).send(&db).await.unwrap(),
                Some(THING),
                "{size}"
            );
        }
    }
}

#[tokio::test]
async fn response_with_its_checksum_is_accepted() {
    let recorder = Recorder::new(|_| {
        let mut whole = response(200, "{}");
        whole.headers_mut().insert("x-amz-crc32", "2745614147");
        Some(Ok(whole))
    });
    for db in both(config().http_client(recorder.clone())).await {
        let before = recorder.sent().len();
        assert_eq!(Thing::get(1).send(&db).await.unwrap(), None);
        assert_eq!(recorder.sent().len(), before + 1);
    }
}

#[tokio::test]
async fn both_ways_see_the_same_stored_items() {
    let lean = Dynamo::embedded().unwrap();
    Things::create_table(&lean).await.unwrap();
    let sdk = lean.clone().with_sdk_transport();
    for id in 0..20 {
        let thing = Thing { id, value: id };
        let db = if id % 2 == 0 { &lean } else { &sdk };
        thing.create().send(db).await.unwrap();
    }
    let keys = || (0..20).map(Thing::key);
    let [a, b] = [&lean, &sdk].map(|db| async move {
        let scanned = Thing::scan().all(db).await.unwrap();
        let gotten = BatchGet::new(keys()).send(db).await.unwrap();
        (scanned, gotten)
    });
    assert_eq!(a.await, b.await);
    let error = THING.create().send(&lean).await.unwrap_err();
    let same = THING.create().send(&sdk).await.unwrap_err();
    assert_eq!(format!("{error:?}"), format!("{same:?}"));
    assert_eq!(
        error.item::<Thing>().unwrap(),
        Some(Thing { id: 1, value: 1 })
    );
}
