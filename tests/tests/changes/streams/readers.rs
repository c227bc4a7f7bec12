//! The engines' own streams.

use super::model::{App, AppItem, Session, User, session, user};
use crate::support::{self, Db, Outcome};
use aws_sdk_dynamodbstreams::Client;
use dynamo_model::stream::{Change, ShardPosition, StreamPosition, StreamRecord};
use dynamo_model::{BatchWrite, Dynamo, DynamoTable, Entity, ErrorKind, Table};

pub(crate) fn streams(db: &Db) -> Client {
    match db.direct().embedded_streams() {
        Some(client) => client,
        None => Dynamo::endpoint_streams(std::env::var("DYNAMO_ENDPOINT").unwrap()),
    }
}

async fn changes(db: &Db) -> Outcome<Vec<Change<AppItem>>> {
    let records = db.read_stream::<App>(&streams(db)).read_available().await?;
    let changes = records.iter().filter_map(|it| Change::of(it).transpose());
    Ok(changes.collect::<Result<_, _>>()?)
}

#[tokio::test]
async fn every_write_is_a_change_in_order() -> Outcome {
    let db = support::db::<App>().await;
    let (ann, bob) = (user("u1", "a@x"), user("u1", "b@x"));
    ann.create().send(&db).await?;
    bob.put().send(&db).await?;
    session("u1", 1, 1_999_999_999).create().send(&db).await?;
    Session::delete("u1", 1).send(&db).await?;

    // The stream contains unique items, but they are not among the changes.
    let seen = changes(&db).await?;
    let inserted = Change::Inserted(AppItem::User(ann.clone()));
    let (old, new) = (AppItem::User(ann), AppItem::User(bob));
    let session = || AppItem::Session(session("u1", 1, 1_999_999_999));
    assert_eq!(
        seen,
        [
            inserted,
            Change::Modified { old, new },
            Change::Inserted(session()),
            Change::Removed(session()),
        ]
    );
    Ok(())
}

#[tokio::test]
async fn an_expired_item_is_distinguished_from_a_deleted_one() -> Outcome {
    let db = support::db::<App>().await;
    session("u1", 1, 1_000_000_000).create().send(&db).await?;
    if db.sweep_expired().await? == 0 {
        // Only the embedded engine can be configured for it.
        return Ok(());
    }
    let expired = Change::Expired(AppItem::Session(session("u1", 1, 1_000_000_000)));
    assert_eq!(changes(&db).await?.pop(), Some(expired));
    Ok(())
}

#[tokio::test]
async fn a_reader_continues_from_the_position_of_another() -> Outcome {
    let db = support::db::<App>().await;
    let client = streams(&db);
    let mut reader = db.read_stream::<App>(&client);
    assert!(reader.read_available().await?.is_empty());
    for number in 0..3 {
        session("u1", number, 1_999_999_999)
            .create()
            .send(&db)
            .await?;
    }
    let first = reader.read_available().await?;
    assert_eq!(first.len(), 3);
    assert!(reader.read_available().await?.is_empty());

    let kept = serde_json::to_string(&reader.position())?;
    for number in 3..5 {
        session("u1", number, 1_999_999_999)
            .create()
            .send(&db)
            .await?;
    }
    let position: StreamPosition = serde_json::from_str(&kept)?;
    let after = position.shards.values().next();
    let last = first.last().map(|record| record.sequence_number.clone());
    assert_eq!(after.cloned(), last.map(ShardPosition::After));
    let mut reader = db.read_stream::<App>(&client).resume(position);
    let rest = reader.read_available().await?;
    let new = |record: &StreamRecord| record.new_image::<Session, _>().unwrap().unwrap().number;
    assert_eq!(rest.iter().map(new).collect::<Vec<_>>(), [3, 4]);
    // The metadata of a record is kept here too.
    let ids: std::collections::HashSet<_> = rest.iter().map(|it| it.event_id.clone()).collect();
    assert_eq!(ids.len(), 2);
    assert!(
        rest.iter()
            .all(|it| it.created_at.is_some() && it.is_of_table::<App>(&db))
    );
    Ok(())
}

#[tokio::test]
async fn only_new_skips_older_records() -> Outcome {
    let db = support::db::<App>().await;
    session("u1", 1, 1_999_999_999).create().send(&db).await?;
    let mut reader = db.read_stream::<App>(&streams(&db)).only_new();
    assert!(reader.read_available().await?.is_empty());
    session("u1", 2, 1_999_999_999).create().send(&db).await?;
    assert_eq!(reader.read_available().await?.len(), 1);
    Ok(())
}

#[derive(DynamoTable, Debug)]
#[table(name = "quiet", pk = "PK")]
struct Quiet;

/// Declared with a stream, and deployed as `Quiet` without one.
#[derive(DynamoTable, Debug)]
#[table(name = "quiet", pk = "PK", stream = keys_only)]
struct Silenced;

#[derive(DynamoTable, Debug)]
#[table(name = "app", pk = "PK", sk = "SK", entity_type = "type", stream = keys_only)]
struct KeysOnly;

#[tokio::test]
async fn a_table_without_a_stream_is_an_error() -> Outcome {
    let db = support::db::<Quiet>().await;
    let mut reader = db.read_stream::<Silenced>(&streams(&db));
    let error = reader.read().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NoStream);
    let said = error.to_string();
    assert!(said.starts_with("read stream Silenced: table `"), "{said}");
    assert!(
        said.contains("declare `#[table(stream = new_and_old_images)]`"),
        "{said}"
    );
    Ok(())
}

#[tokio::test]
async fn a_keys_only_stream_returns_keys() -> Outcome {
    let db = support::db::<KeysOnly>().await;
    user("u1", "a@x").create().send(&db).await?;
    let records = db
        .read_stream::<KeysOnly>(&streams(&db))
        .read_available()
        .await?;
    let keys: Vec<_> = records
        .iter()
        .filter_map(StreamRecord::key_of::<User>)
        .collect();
    assert_eq!(keys.len(), 1);
    assert_eq!(keys[0].parse()?.id, "u1");
    for record in &records {
        let error = Change::<AppItem>::of(record).unwrap_err();
        let view = Some("KEYS_ONLY");
        assert_eq!(error.kind(), &ErrorKind::NoImage { image: "new", view });
    }
    Ok(())
}

#[tokio::test]
async fn a_stream_of_many_pages_is_read_completely() -> Outcome {
    let db = support::db::<App>().await;
    let sessions = (0..1200).map(|number| session("u1", number, 1_999_999_999));
    BatchWrite::new().load(sessions).send(&db).await?;
    let seen = changes(&db).await?;
    assert_eq!(seen.len(), 1200);
    assert!(App::exists(&db).await?);
    Ok(())
}
