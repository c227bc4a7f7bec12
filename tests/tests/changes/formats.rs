//! The formats that one release stores and another one reads, besides users' items: pinned by
//! literal values. Cursors are pinned in `reads/cursor_format.rs`, templates and key texts by the
//! laws, and the lock in `outputs/lock.rs`.

use crate::support::{self, Fault, Item, Outcome, everything, from_json};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::migrate::Migration;
use dynamo_model::stream::{ShardPosition, StreamPosition};
use dynamo_model::{DynamoEntity, DynamoTable, Entity};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[test]
fn the_format_of_a_stream_position_is_pinned() -> Outcome {
    let mut position = StreamPosition::default();
    let shards = [
        ("shardId-1", ShardPosition::Start),
        ("shardId-2", ShardPosition::After("2100000000000".into())),
        ("shardId-3", ShardPosition::End),
    ];
    for (id, at) in shards {
        position.shards.insert(id.into(), at);
    }
    let text = r#"{"shards":{"shardId-1":"Start","shardId-2":{"After":"2100000000000"},"shardId-3":"End"}}"#;
    assert_eq!(serde_json::to_string(&position)?, text);
    assert_eq!(serde_json::from_str::<StreamPosition>(text)?, position);
    assert_eq!(
        serde_json::to_string(&StreamPosition::default())?,
        r#"{"shards":{}}"#
    );
    // A newer release may add fields to a position.
    let newer = r#"{"shards":{"shardId-3":"End"},"table":"App"}"#;
    assert_eq!(
        serde_json::from_str::<StreamPosition>(newer)?.shards.len(),
        1
    );
    Ok(())
}

#[derive(DynamoTable)]
#[table(
    name = "Formats",
    pk = "PK",
    sk = "SK",
    entity_type = "type",
    ttl = "expires"
)]
struct Formats;

#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = Formats, entity_type = "USER", former)]
#[pk("USER#<id>")]
#[sk("PROFILE")]
struct OldUser {
    id: String,
    name: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = Formats, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
#[unique("EMAIL#<email:lower>")]
struct User {
    id: String,
    #[serde(alias = "name")]
    email: String,
    #[dynamo(ttl)]
    #[serde(default)]
    expires: Option<u64>,
}

fn to_user(old: OldUser) -> User {
    User {
        id: old.id,
        email: old.name,
        expires: None,
    }
}

fn of_type(items: Vec<Item>, entity_type: &str) -> Vec<Item> {
    let own = AttributeValue::S(entity_type.into());
    let is_own = |item: &Item| item.get("type") == Some(&own);
    items.into_iter().filter(is_own).collect()
}

/// A run that ended between two pages: its checkpoint, attribute by attribute. The next run
/// continues from exactly this state.
#[tokio::test]
async fn the_format_of_a_checkpoint_is_pinned() -> Outcome {
    let db = support::db::<Formats>().await;
    let users = (0..6).map(|number| OldUser {
        id: format!("u{number}"),
        name: format!("U{number}@example.com"),
    });
    support::store(&db, &users.collect::<Vec<_>>()).await?;
    let migration = || {
        Migration::new("emails", to_user)
            .page_size(4)
            .concurrency(1)
    };
    // The second scan finds no connection.
    let (dying, _) = db.faulty(RetryConfig::disabled(), |_, request| {
        let goes_on = request.body["ExclusiveStartKey"].is_object();
        match request.operation == "Scan" && goes_on {
            true => Fault::NotSent,
            false => Fault::None,
        }
    });
    migration().run(&dying).await.unwrap_err();

    let mut checkpoint = of_type(everything::<Formats>(&db).await?, "#migration").remove(0);
    let run = checkpoint.remove("migration_run").unwrap();
    assert_eq!(run.as_s().unwrap().len(), 32, "{run:?}");
    let AttributeValue::M(mut segment) = checkpoint.remove("migration_segment_0").unwrap() else {
        panic!("no segment");
    };
    let after = segment.remove("after").unwrap();
    let keys: Vec<_> = after.as_m().unwrap().keys().collect();
    assert!(
        keys.len() == 2 && keys.contains(&&"PK".to_owned()),
        "{keys:?}"
    );
    assert_eq!(
        segment,
        from_json(json!({
            "read": segment_read(&segment), "migrated": segment_migrated(&segment), "already": 0, "gone": 0,
            "conflicts": 0, "done": false,
        }))
    );
    assert_eq!(
        checkpoint,
        from_json(json!({
            "PK": "#migration#emails", "SK": "#migration#emails", "type": "#migration", "migration_segments": 1,
        }))
    );

    // A run continues from the checkpoint of an older release, and deletes it at the end.
    let report = migration().run(&db).await?;
    assert!(report.resumed && report.is_complete(), "{report:?}");
    let items = everything::<Formats>(&db).await?;
    assert!(of_type(items, "#migration").is_empty());
    assert_eq!(User::scan().count(&db).await?, 6);
    Ok(())
}

/// The page of four holds four users, or three beside the checkpoint.
fn segment_read(segment: &Item) -> u64 {
    let read = segment["read"].as_n().unwrap().parse().unwrap();
    assert_eq!(read, 4);
    read
}

fn segment_migrated(segment: &Item) -> u64 {
    let migrated = segment["migrated"].as_n().unwrap().parse().unwrap();
    assert!((3..=4).contains(&migrated), "{migrated}");
    migrated
}

/// The unique item, with the key of its owner and its expiry.
#[tokio::test]
async fn the_format_of_a_unique_item_is_pinned() -> Outcome {
    let db = support::db::<Formats>().await;
    let user = User {
        id: "u1".into(),
        email: "Ann@Example.com".into(),
        expires: Some(1_999_999_999),
    };
    user.create().send(&db).await?;
    let items = of_type(everything::<Formats>(&db).await?, "#unique");
    let expected = from_json(json!({
        "PK": "EMAIL#ann@example.com", "SK": "EMAIL#ann@example.com", "type": "#unique",
        "unique_owner": ["USER#u1", "PROFILE"], "expires": 1_999_999_999,
    }));
    assert_eq!(items, [expected]);
    Ok(())
}
