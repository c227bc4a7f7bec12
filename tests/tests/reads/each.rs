//! One bad item does not hide the others: every read of many items can return each as a result.

use crate::support::{self, Db, Outcome, put, store, stored};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::error::ItemError;
use dynamo_model::read::ItemResult;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Entity, Error, ErrorKind,
    Page, Value,
};
use futures_util::TryStreamExt;
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Desk", pk = "PK", sk = "SK", entity_type = "type", items = DeskItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
struct Desk;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Desk, entity_type = "TASK")]
#[pk("USER#<user>")]
#[sk("TASK#<no:04>")]
#[gsi1(pk = "STATE#<state>", sk = "<no:04>", as = by_state)]
#[gsi2(pk = "STATE#<state>", sk = "<no:04>", as = by_state_keys)]
struct Task {
    user: String,
    no: u32,
    state: String,
    title: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Desk, entity_type = "LOG")]
#[pk("LOG#<at:%Y-%m-%d>")]
#[sk("<at:s>")]
struct Log {
    at: Timestamp,
    title: String,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = Desk)]
enum DeskItem {
    Task(Task),
    Log(Log),
}

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Task, from(gsi1, table))]
struct Heading {
    no: u32,
    title: String,
}

fn task(no: u32) -> Task {
    Task {
        user: "u".into(),
        no,
        state: "open".into(),
        title: format!("task {no}"),
    }
}

/// Midnight of a day in June 2025, and some hours.
fn log(hours: i64) -> Log {
    let start: Timestamp = "2025-06-01T00:00:00Z".parse().unwrap();
    Log {
        at: start + jiff::SignedDuration::from_hours(hours),
        title: "x".into(),
    }
}

/// Stores an entity whose title is a number, which cannot be read.
async fn store_bad<E: Entity + Serialize>(db: &Db, entity: &E) -> Outcome {
    let mut item = stored(entity)?;
    item.insert("title".into(), AttributeValue::N("5".into()));
    put::<E::Table>(db, item).await
}

/// Tasks 1 to 5, of which the third is bad.
async fn filled() -> Outcome<Db> {
    let db = support::db::<Desk>().await;
    store(&db, &[1, 2, 4, 5].map(task)).await?;
    store_bad(&db, &task(3)).await?;
    Ok(db)
}

fn assert_bad(error: &ItemError, key: &str) {
    assert_eq!(error.key_text(), Some(key));
    assert_eq!(error.attribute(), Some("title"));
    let path = "title".into();
    assert_eq!(error.error().kind(), &ErrorKind::Decode { path });
    assert!(
        error.to_string().contains("title: expected S, found N"),
        "{error}"
    );
    let attributes = error.attributes().unwrap();
    assert_eq!(attributes["title"], Value::from(5));
}

/// Returns the numbers of the tasks, and 0 for the bad one.
fn numbers(tasks: &[ItemResult<Task>]) -> Vec<u32> {
    let number = |it: &ItemResult<Task>| match it {
        Ok(task) => task.no,
        Err(error) => {
            assert_bad(error, "USER#u/TASK#0003");
            assert_eq!(error.entity(), "Task");
            0
        }
    };
    tasks.iter().map(number).collect()
}

/// Finding: "One item of an undeclared entity or of a newer release fails the whole collection,
/// page or stream batch"
#[tokio::test]
async fn a_query_returns_each_item_as_a_result() -> Outcome {
    let db = filled().await?;
    assert!(Task::query("u").all(&db).await.unwrap_err().is_decode());
    let expected = [1, 2, 0, 4, 5];
    assert_eq!(numbers(&Task::query("u").each().all(&db).await?), expected);
    let one_by_one: Vec<_> = Task::query("u").each().stream(&db).try_collect().await?;
    assert_eq!(numbers(&one_by_one), expected);
    let by_state = Task::by_state("open").descending().each();
    assert_eq!(numbers(&by_state.all(&db).await?), [5, 4, 0, 2, 1]);
    Ok(())
}

#[tokio::test]
async fn pages_limits_and_cursors_continue_after_an_unreadable_item() -> Outcome {
    let db = filled().await?;
    for limit in 1..=5 {
        let mut read = Vec::new();
        let mut cursor: Option<String> = None;
        loop {
            let query = Task::query("u").limit(limit);
            let query = match cursor.take() {
                Some(cursor) => query.after(cursor),
                None => query,
            };
            let page: Page<ItemResult<Task>> = query.each().page(&db).await?;
            assert!(page.items.len() <= limit);
            read.extend(numbers(&page.items));
            match page.next {
                Some(next) => cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(read, [1, 2, 0, 4, 5], "limit {limit}");
    }
    // The cursor of one is good for the other.
    let page = Task::query("u").limit(3).each().page(&db).await?;
    let rest = Task::query("u").after(page.next.unwrap()).all(&db).await?;
    assert_eq!(rest, [task(4), task(5)]);
    Ok(())
}

#[tokio::test]
async fn a_query_over_buckets_returns_each_item_as_a_result() -> Outcome {
    let db = support::db::<Desk>().await;
    store(&db, &[log(1), log(30)]).await?;
    store_bad(&db, &log(26)).await?;
    let logs = Log::across(log(0).at..log(48).at);
    assert!(logs.all(&db).await.is_err());
    let logs = Log::across(log(0).at..log(48).at).each().all(&db).await?;
    assert_eq!(logs[0].as_ref().unwrap(), &log(1));
    let error = logs[1].as_ref().unwrap_err();
    assert_bad(error, "LOG#2025-06-02/2025-06-02T02:00:00Z");
    assert_eq!(logs[2].as_ref().unwrap(), &log(30));
    Ok(())
}

#[tokio::test]
async fn a_scan_returns_each_item_as_a_result() -> Outcome {
    let db = filled().await?;
    assert!(Task::scan().all(&db).await.is_err());
    let expected = [1, 2, 0, 4, 5];
    assert_eq!(numbers(&Task::scan().each().all(&db).await?), expected);
    let page = Task::scan().limit(3).each().page(&db).await?;
    assert_eq!(numbers(&page.items), [1, 2, 0]);
    let rest = Task::scan().after(page.next.unwrap()).each();
    assert_eq!(numbers(&rest.all(&db).await?), [4, 5]);
    let segments = Task::scan().segments(3).each().all(&db).await?;
    let mut segments = numbers(&segments);
    segments.sort_unstable();
    assert_eq!(segments, [0, 1, 2, 4, 5]);
    Ok(())
}

#[tokio::test]
async fn a_collection_returns_each_item_as_a_result() -> Outcome {
    let db = filled().await?;
    assert!(
        DeskItem::collection(Task::partition_key("u"))
            .all(&db)
            .await
            .is_err()
    );
    let items = DeskItem::collection(Task::partition_key("u"))
        .each()
        .all(&db)
        .await?;
    assert_eq!(items.len(), 5);
    assert_eq!(items[1].as_ref().unwrap(), &DeskItem::Task(task(2)));
    let error = items[2].as_ref().unwrap_err();
    assert_bad(error, "USER#u/TASK#0003");
    Ok(())
}

#[tokio::test]
async fn a_projection_returns_each_item_as_a_result() -> Outcome {
    let db = filled().await?;
    assert!(
        Task::by_state("open")
            .project::<Heading>()
            .all(&db)
            .await
            .is_err()
    );
    let headings = Task::by_state("open")
        .project::<Heading>()
        .each()
        .all(&db)
        .await?;
    assert_eq!(headings.iter().filter_map(|it| it.as_ref().ok()).count(), 4);
    assert_bad(headings[2].as_ref().unwrap_err(), "USER#u/TASK#0003");
    Ok(())
}

#[tokio::test]
async fn hydrate_returns_each_item_as_a_result() -> Outcome {
    let db = filled().await?;
    assert!(Task::by_state_keys("open").hydrate(&db).await.is_err());
    let tasks = Task::by_state_keys("open").each().hydrate(&db).await?;
    assert_eq!(numbers(&tasks), [1, 2, 0, 4, 5]);
    Ok(())
}

#[tokio::test]
async fn a_batch_get_returns_each_item_as_a_result() -> Outcome {
    let db = filled().await?;
    let keys = || [3, 9, 1, 3].map(|no| Task::key("u", no));
    assert!(BatchGet::new(keys()).send(&db).await.is_err());
    let tasks = BatchGet::new(keys()).each().send(&db).await?;
    assert_bad(
        tasks[0].as_ref().unwrap().as_ref().unwrap_err(),
        "USER#u/TASK#0003",
    );
    assert!(tasks[1].is_none());
    assert_eq!(tasks[2].as_ref().unwrap().as_ref().unwrap(), &task(1));
    assert!(tasks[3].as_ref().unwrap().is_err());
    Ok(())
}

#[tokio::test]
async fn a_transactional_get_returns_each_item_as_a_result() -> Outcome {
    let db = filled().await?;
    let keys = || (Task::key("u", 3), Task::key("u", 1), Task::key("u", 9));
    assert!(TransactGet::new(keys()).send(&db).await.is_err());
    let (bad, good, none) = TransactGet::new(keys()).each().send(&db).await?;
    assert_bad(&bad.unwrap().unwrap_err(), "USER#u/TASK#0003");
    assert_eq!(good.unwrap().unwrap(), task(1));
    assert!(none.is_none());

    let keys = || [1, 3, 1].map(|no| Task::key("u", no));
    assert!(TransactGet::all(keys()).send(&db).await.is_err());
    let tasks = TransactGet::all(keys()).each().send(&db).await?;
    let tasks: Vec<_> = tasks.into_iter().map(Option::unwrap).collect();
    assert_eq!(numbers(&tasks), [1, 0, 1]);
    Ok(())
}

#[tokio::test]
async fn a_failed_request_is_the_error_of_the_read() -> Outcome {
    let db = support::bare();
    let error = Task::query("u").each().all(&db).await.unwrap_err();
    assert!(error.is_missing_table());
    let error = Task::query("").each().all(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Key(_)));
    Ok(())
}

#[tokio::test]
async fn an_unreadable_item_fails_a_read_without_each() -> Outcome {
    let db = filled().await?;
    let tasks = Task::query("u").each().all(&db).await?;
    let strict: Result<Vec<Task>, Error> = tasks.into_iter().map(|task| Ok(task?)).collect();
    let strict = strict.unwrap_err();
    let error = Task::query("u").all(&db).await.unwrap_err();
    assert_eq!(strict.to_string(), error.to_string());
    Ok(())
}
