//! The optimistic lock: every write checks the version it was read with, and counts it up.

use crate::support::{self, Db, Outcome, from_json, put, put_json, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(DynamoTable)]
#[table(name = "Docs", pk = "PK")]
struct Docs;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Docs)]
#[pk("DOC#<id>")]
struct Doc {
    id: String,
    text: String,
    #[dynamo(version)]
    #[serde(default, rename = "v")]
    version: u64,
}

fn doc(text: &str, version: u64) -> Doc {
    Doc {
        id: "d".into(),
        text: text.into(),
        version,
    }
}

async fn docs() -> Outcome<Db> {
    let db = support::db::<Docs>().await;
    assert_eq!(
        doc("a", 0).create().return_new().send(&db).await?,
        doc("a", 1)
    );
    Ok(db)
}

async fn stored(db: &Db) -> Outcome<Option<Doc>> {
    Ok(Doc::get("d").consistent().send(db).await?)
}

fn assert_conflict<T: std::fmt::Debug>(result: Result<T, dynamo_model::Error>, now: Option<Doc>) {
    let error = result.unwrap_err();
    let attribute = "v".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    assert!(error.is_conflict() && error.is_condition_failed());
    assert_eq!(error.item::<Doc>().unwrap(), now);
    let text = error.to_string();
    assert!(
        text.ends_with(
            " Doc DOC#d: the stored `v` differs from the expected value; read the item again and \
             retry"
        ),
        "{text}"
    );
}

#[tokio::test]
async fn each_write_raises_the_version() -> Outcome {
    let db = docs().await?;
    doc("b", 1).put().send(&db).await?;
    assert_eq!(stored(&db).await?, Some(doc("b", 2)));
    let new = doc("b", 2).update().set(|doc| doc.text(), "c").return_new();
    assert_eq!(new.send(&db).await?, doc("c", 3));
    let by_key = Doc::update("d").set(|doc| doc.text(), "d").return_new();
    assert_eq!(by_key.send(&db).await?, doc("d", 4));
    let upsert = Doc::upsert("d").set(|doc| doc.text(), "e").return_new();
    assert_eq!(upsert.send(&db).await?, doc("e", 5));
    Ok(())
}

#[tokio::test]
async fn a_put_of_a_new_item_stores_version_1() -> Outcome {
    let db = support::db::<Docs>().await;
    assert_eq!(doc("a", 0).put().return_new().send(&db).await?, doc("a", 1));
    let upsert = Doc::upsert("e").set(|doc| doc.text(), "x").return_new();
    assert_eq!(upsert.send(&db).await?.version, 1);
    Ok(())
}

#[tokio::test]
async fn a_stale_version_changes_nothing() -> Outcome {
    let db = docs().await?;
    doc("b", 1).put().send(&db).await?;
    let now = || Some(doc("b", 2));
    assert_conflict(doc("x", 1).put().send(&db).await, now());
    assert_conflict(doc("x", 3).put().send(&db).await, now());
    assert_conflict(doc("x", 0).put().send(&db).await, now());
    let update = doc("a", 1).update().set(|doc| doc.text(), "x");
    assert_conflict(update.send(&db).await, now());
    assert_conflict(doc("a", 1).delete().send(&db).await, now());
    assert_eq!(stored(&db).await?, now());
    Ok(())
}

#[tokio::test]
async fn a_write_of_a_deleted_item_is_not_found() -> Outcome {
    let db = support::db::<Docs>().await;
    let put = doc("x", 3).put().send(&db).await;
    assert_eq!(put.unwrap_err().kind(), &ErrorKind::NotFound);
    let update = doc("x", 3)
        .update()
        .set(|doc| doc.text(), "y")
        .send(&db)
        .await;
    assert_eq!(update.unwrap_err().kind(), &ErrorKind::NotFound);
    let delete = doc("x", 3).delete().send(&db).await;
    assert_eq!(delete.unwrap_err().kind(), &ErrorKind::NotFound);
    assert_eq!(stored(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn delete_checks_the_version_that_was_read() -> Outcome {
    let db = docs().await?;
    doc("a", 1).delete().send(&db).await?;
    assert_eq!(stored(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn expect_version_checks_an_update_by_key() -> Outcome {
    let db = docs().await?;
    let update = |version| {
        Doc::update("d")
            .set(|doc| doc.text(), "b")
            .expect_version(version)
            .send(&db)
    };
    assert_conflict(update(0).await, Some(doc("a", 1)));
    assert_conflict(update(2).await, Some(doc("a", 1)));
    update(1).await?;
    assert_conflict(update(1).await, Some(doc("b", 2)));
    Ok(())
}

#[tokio::test]
async fn any_version_skips_the_check_and_raises_the_version() -> Outcome {
    let db = docs().await?;
    doc("b", 1).put().send(&db).await?;
    let update = doc("a", 1).update().set(|doc| doc.text(), "c");
    let new = update.any_version().return_new().send(&db).await?;
    assert_eq!(new, doc("c", 3));
    doc("d", 7).put().any_version().send(&db).await?;
    assert_eq!(stored(&db).await?, Some(doc("d", 8)));
    doc("a", 1).delete().any_version().send(&db).await?;
    assert_eq!(stored(&db).await?, None);
    Ok(())
}

/// An item older than the version field has no version, or a null, or a zero.
#[tokio::test]
async fn a_missing_version_counts_as_0() -> Outcome {
    let db = support::db::<Docs>().await;
    let versions = [None, Some(AttributeValue::N("0".into()))];
    for version in versions {
        let store = async || {
            let mut item = from_json(json!({"PK": "DOC#d", "id": "d", "text": "old"}));
            item.extend(version.clone().map(|version| ("v".to_owned(), version)));
            put::<Docs>(&db, item).await
        };
        store().await?;
        let old = stored(&db).await?.unwrap();
        assert_eq!(old.version, 0);
        let new = old
            .update()
            .set(|doc| doc.text(), "new")
            .return_new()
            .send(&db)
            .await?;
        assert_eq!(new, doc("new", 1), "{version:?}");
        assert_conflict(old.put().send(&db).await, Some(new));
        store().await?;
        doc("new", 0).put().send(&db).await?;
        assert_eq!(stored(&db).await?, Some(doc("new", 1)), "{version:?}");
        store().await?;
        let update = Doc::update("d")
            .set(|doc| doc.text(), "new")
            .expect_version(0);
        update.send(&db).await?;
        store().await?;
        old.delete().send(&db).await?;
        assert_eq!(stored(&db).await?, None, "{version:?}");
    }
    Ok(())
}

#[tokio::test]
async fn create_over_an_item_without_a_version_fails() -> Outcome {
    let db = support::db::<Docs>().await;
    put_json::<Docs>(&db, json!({"PK": "DOC#d", "id": "d", "text": "old"})).await?;
    let error = doc("new", 0).create().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    Ok(())
}

#[tokio::test]
async fn a_failed_condition_is_not_a_version_conflict() -> Outcome {
    let db = docs().await?;
    let update = doc("a", 1).update().set(|doc| doc.text(), "b");
    let error = update
        .condition(|doc| doc.text().eq("z"))
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(error.item::<Doc>()?, Some(doc("a", 1)));
    let version = raw(&db, Doc::key("d")).await?.unwrap();
    assert_eq!(version["v"], AttributeValue::N("1".into()));
    Ok(())
}

#[tokio::test]
async fn of_many_writers_with_one_version_one_wins() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = docs().await?;
    let writers: Vec<_> = (0..20)
        .map(|i| {
            let db = db.clone();
            tokio::spawn(async move {
                let text = format!("w{i}");
                let result = doc("a", 1)
                    .update()
                    .set(|doc| doc.text(), text)
                    .send(&db)
                    .await;
                result.map_err(|error| error.is_conflict())
            })
        })
        .collect();
    let mut won = 0;
    for writer in writers {
        match writer.await? {
            Ok(()) => won += 1,
            Err(conflict) => assert!(conflict),
        }
    }
    assert_eq!((won, stored(&db).await?.unwrap().version), (1, 2));
    Ok(())
}

/// Read, change, write, and again after a conflict: no change is lost.
#[tokio::test]
async fn writers_that_retry_lose_no_change() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = docs().await?;
    let writers: Vec<_> = (0..10)
        .map(|i| {
            let db = db.clone();
            tokio::spawn(async move {
                loop {
                    let mut doc = Doc::get("d").consistent().send(&db).await.unwrap().unwrap();
                    doc.text += &format!("[{i}]");
                    match doc.put().send(&db).await {
                        Ok(()) => return,
                        Err(error) => assert!(error.is_conflict(), "{error}"),
                    }
                }
            })
        })
        .collect();
    for writer in writers {
        writer.await?;
    }
    let doc = stored(&db).await?.unwrap();
    assert_eq!(doc.version, 11);
    assert!((0..10).all(|i| doc.text.contains(&format!("[{i}]"))));
    Ok(())
}
