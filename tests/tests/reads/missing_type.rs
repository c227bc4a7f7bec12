//! Items without their entity type: an error of every read, unless the entity is declared
//! `untyped`.

use crate::support::{self, Db, Outcome, put, put_json, raw, store, stored};
use dynamo_model::stream::{Change, StreamRecord};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Entity, Error, ErrorKind,
};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(DynamoTable)]
#[table(name = "Legacy", pk = "PK", sk = "SK", entity_type = "type", items = LegacyItem)]
#[table(stream = new_and_old_images)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
struct Legacy;

/// Its items may lack the type.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Legacy, entity_type = "TASK", untyped)]
#[pk("USER#<user>")]
#[sk("TASK#<no:04>")]
#[gsi1(pk = "TEAM#<team>", sk = "<no:04>", as = by_team)]
#[gsi2(pk = "TEAM#<team>", sk = "<no:04>", as = by_team_keys)]
struct Task {
    user: String,
    no: u32,
    team: String,
}

/// The same, and its items must have the type. It shares partitions and index partitions with
/// tasks.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Legacy, entity_type = "NOTE")]
#[pk("USER#<user>")]
#[sk("NOTE#<no:04>")]
#[gsi1(pk = "TEAM#<team>", sk = "<no:04>", as = by_team)]
#[gsi2(pk = "TEAM#<team>", sk = "<no:04>", as = by_team_keys)]
struct Note {
    user: String,
    no: u32,
    team: String,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = Legacy)]
enum LegacyItem {
    Task(Task),
    Note(Note),
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Task, from(gsi1, table))]
struct TaskNumber {
    no: u32,
    team: String,
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Note, from(gsi1, table))]
struct NoteNumber {
    no: u32,
    team: String,
}

fn task(no: u32) -> Task {
    Task {
        user: "u".into(),
        no,
        team: "t".into(),
    }
}

fn note(no: u32) -> Note {
    Note {
        user: "u".into(),
        no,
        team: "t".into(),
    }
}

async fn store_untyped<E: Entity + Serialize>(db: &Db, entity: &E) -> Outcome {
    let mut item = stored(entity)?;
    assert!(item.remove("type").is_some());
    put::<E::Table>(db, item).await
}

fn assert_missing<T: std::fmt::Debug>(read: Result<T, Error>) {
    let error = read.unwrap_err();
    let expected = "NOTE";
    assert_eq!(
        error.kind(),
        &ErrorKind::OtherEntity {
            found: None,
            expected
        }
    );
    assert_eq!(error.key_text(), Some("USER#u/NOTE#0002"));
    let said = error.to_string();
    assert!(
        said.contains("store its entity type, or declare `#[dynamo(untyped)]`"),
        "{said}"
    );
}

/// Returns an insertion, as a stream has it.
fn inserted(sk: &str, kind: Option<&str>) -> StreamRecord {
    let mut image = json!({
        "PK": { "S": "USER#u" }, "SK": { "S": sk }, "user": { "S": "u" }, "no": { "N": "2" },
        "team": { "S": "t" },
    });
    if let Some(kind) = kind {
        image["type"] = json!({ "S": kind });
    }
    let keys = json!({ "PK": { "S": "USER#u" }, "SK": { "S": sk } });
    let body = json!({ "Keys": keys, "NewImage": image, "SequenceNumber": "1" });
    serde_json::from_value(json!({ "eventName": "INSERT", "dynamodb": body })).unwrap()
}

/// Finding: "If the type attribute is missing, `get` fails, `scan` skips silently and `update`
/// succeeds."
#[tokio::test]
async fn an_item_without_its_type_fails_every_read() -> Outcome {
    let db = support::db::<Legacy>().await;
    store(&db, &[note(1), note(3)]).await?;
    store_untyped(&db, &note(2)).await?;
    assert_missing(Note::get("u", 2).send(&db).await);
    assert_missing(Note::query("u").all(&db).await);
    assert_missing(Note::query("u").page(&db).await);
    assert_missing(Note::query("u").stream(&db).try_collect::<Vec<_>>().await);
    assert_missing(Note::by_team("t").all(&db).await);
    assert_missing(Note::by_team("t").project::<NoteNumber>().all(&db).await);
    assert_missing(Note::by_team_keys("t").hydrate(&db).await);
    assert_missing(Note::scan().all(&db).await);
    assert_missing(Note::scan().segments(2).all(&db).await);
    assert_missing(BatchGet::new([Note::key("u", 2)]).send(&db).await);
    assert_missing(TransactGet::new((Note::key("u", 2),)).send(&db).await);
    let error = Change::<Note>::of(&inserted("NOTE#0002", None)).unwrap_err();
    assert!(error.is_other_entity());
    assert_eq!(Change::<Note>::of(&inserted("TASK#0002", None))?, None);
    assert_eq!(
        Change::<Note>::of(&inserted("NOTE#0002", Some("OTHER")))?,
        None
    );
    let items = LegacyItem::collection(Note::partition_key("u"));
    assert!(items.all(&db).await.unwrap_err().is_other_entity());

    // With `each`, it is the error of only that item.
    let notes = Note::query("u").each().all(&db).await?;
    assert_eq!(notes[0].as_ref().unwrap(), &note(1));
    assert_eq!(
        notes[1].as_ref().unwrap_err().key_text(),
        Some("USER#u/NOTE#0002")
    );
    assert_eq!(notes[2].as_ref().unwrap(), &note(3));
    Ok(())
}

/// Tasks 1 and 3, task 2 without its type, and notes around them, one of them without its type.
async fn filled() -> Outcome<Db> {
    let db = support::db::<Legacy>().await;
    store(&db, &[task(1), task(3)]).await?;
    store_untyped(&db, &task(2)).await?;
    store(&db, &[note(1)]).await?;
    store_untyped(&db, &note(2)).await?;
    Ok(db)
}

#[tokio::test]
async fn an_untyped_entity_is_read_without_its_type() -> Outcome {
    let db = filled().await?;
    let three = [1, 2, 3].map(task);
    assert_eq!(Task::get("u", 2).send(&db).await?, Some(task(2)));
    assert_eq!(Task::query("u").all(&db).await?, three);
    assert_eq!(
        Task::query("u").stream(&db).try_collect::<Vec<_>>().await?,
        three
    );
    assert_eq!(Task::by_team("t").all(&db).await?, three);
    assert_eq!(Task::by_team_keys("t").hydrate(&db).await?, three);
    let numbers = Task::by_team("t").project::<TaskNumber>().all(&db).await?;
    assert_eq!(
        numbers.iter().map(|it| it.no).collect::<Vec<_>>(),
        [1, 2, 3]
    );
    assert_eq!(numbers[0].team, "t");
    assert_eq!(Task::scan().all(&db).await?, three);
    assert_eq!(Task::scan().segments(2).all(&db).await?.len(), 3);
    assert_eq!(
        BatchGet::new([Task::key("u", 2)]).send(&db).await?,
        [Some(task(2))]
    );
    assert_eq!(
        TransactGet::new((Task::key("u", 2),)).send(&db).await?.0,
        Some(task(2))
    );
    let change = Change::<Task>::of(&inserted("TASK#0002", None))?;
    assert_eq!(change, Some(Change::Inserted(task(2))));
    let change = Change::<LegacyItem>::of(&inserted("TASK#0002", None))?;
    assert_eq!(change, Some(Change::Inserted(LegacyItem::Task(task(2)))));
    let page = Task::query("u").limit(2).page(&db).await?;
    assert_eq!(page.items, three[..2]);
    assert_eq!(
        Task::query("u").after(page.next.unwrap()).all(&db).await?,
        three[2..]
    );
    Ok(())
}

#[tokio::test]
async fn an_untyped_entity_is_counted_without_its_type() -> Outcome {
    let db = filled().await?;
    assert_eq!(Task::query("u").count(&db).await?, 3);
    assert_eq!(Task::by_team("t").count(&db).await?, 3);
    assert_eq!(Task::by_team_keys("t").count(&db).await?, 3);
    assert_eq!(Task::scan().count(&db).await?, 3);
    assert_eq!(Task::scan().segments(2).count(&db).await?, 3);
    Ok(())
}

#[tokio::test]
async fn a_collection_recognises_an_untyped_entity_by_its_key() -> Outcome {
    let db = filled().await?;
    let items = LegacyItem::collection(Task::partition_key("u"));
    let items = items.each().all(&db).await?;
    assert_eq!(items.len(), 5);
    assert_eq!(items[0].as_ref().unwrap(), &LegacyItem::Note(note(1)));
    assert!(items[1].as_ref().unwrap_err().error().is_other_entity());
    assert_eq!(items[3].as_ref().unwrap(), &LegacyItem::Task(task(2)));
    Ok(())
}

#[tokio::test]
async fn an_untyped_entity_is_not_read_from_an_item_of_another_type() -> Outcome {
    let db = support::db::<Legacy>().await;
    let item = json!({ "PK": "USER#u", "SK": "TASK#0007", "type": "OTHER", "user": "u", "no": 7, "team": "t" });
    put_json::<Legacy>(&db, item).await?;
    let error = Task::get("u", 7).send(&db).await.unwrap_err();
    let found = Some("OTHER".into());
    assert_eq!(
        error.kind(),
        &ErrorKind::OtherEntity {
            found,
            expected: "TASK"
        }
    );
    Ok(())
}

#[tokio::test]
async fn the_next_whole_write_of_an_untyped_item_stores_its_type() -> Outcome {
    let db = filled().await?;
    let read = Task::get("u", 2).send(&db).await?.unwrap();
    read.put().send(&db).await?;
    let item = raw(&db, Task::key("u", 2)).await?.unwrap();
    assert_eq!(item["type"].as_s().unwrap(), "TASK");
    Ok(())
}
