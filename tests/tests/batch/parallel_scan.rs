//! Scans in segments.

use super::assert_send;
use super::canned::{Canned, refusal};
use super::model::*;
use super::support::{Outcome, db, store};
use futures_util::{StreamExt, TryStreamExt};
use serde_json::{Value, json};

/// Five pages of two users in each segment.
fn pages(request: &Value) -> (u16, Value) {
    let segment = request["Segment"].as_u64().unwrap();
    let start = request["ExclusiveStartKey"]["PK"]["S"].as_str();
    let page: u64 = start.map_or(0, |start| start[5..].parse::<u64>().unwrap() % 100 / 2 + 1);
    let user = |n: u64| {
        let id = (segment + 1) * 100 + page * 2 + n;
        json!({
            "PK": { "S": format!("USER#{id}") }, "SK": { "S": "PROFILE" }, "type": { "S": "USER" },
            "user_id": { "S": id.to_string() }, "age": { "N": id.to_string() },
        })
    };
    let items = [user(0), user(1)];
    let mut answer = json!({ "Items": items, "Count": 2, "ScannedCount": 2 });
    if page < 4 {
        answer["LastEvaluatedKey"] = json!({ "PK": items[1]["PK"], "SK": items[1]["SK"] });
    }
    (200, answer)
}

#[tokio::test]
async fn segments_return_every_item_once() -> Outcome {
    let db = db::<Typed>().await;
    let users: Vec<User> = (0..60).map(|n| user(n, n)).collect();
    store(&db, &users).await?;
    store(&db, &[order("1", 1)]).await?;
    for segments in [0, 1, 3, 16] {
        let scan = || User::scan().segments(segments).page_size(5);
        let mut ages: Vec<u32> = scan()
            .stream(&db)
            .map_ok(|user| user.age)
            .try_collect()
            .await?;
        ages.sort_unstable();
        assert_eq!(ages, (0..60).collect::<Vec<_>>());
        assert_eq!(scan().count(&db).await?, 60);
        let filtered = scan().filter(|user| user.age().lt(10)).consistent();
        assert_eq!(assert_send(filtered.all(&db)).await?.len(), 10);
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn segments_are_read_at_the_same_time() -> Outcome {
    let canned = Canned::new(|_, request| pages(request));
    let users = User::scan().segments(6).all(&canned.db()).await?;
    assert_eq!(users.len(), 60);
    assert_eq!(canned.most_under_way(), 6);
    assert_eq!(canned.requests().len(), 30);
    assert!(canned.requests().iter().all(|r| r["TotalSegments"] == 6));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn segments_read_nothing_ahead() -> Outcome {
    let canned = Canned::new(|_, request| pages(request));
    let db = canned.db();
    let mut users = Box::pin(User::scan().segments(4).stream(&db));
    users.next().await.transpose()?;
    for _ in 0..10 {
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
    }
    // At most one request a segment, though each has five pages.
    assert!(canned.requests().len() <= 4);
    drop(users);

    let some = User::scan().segments(4).limit(3).all(&db).await?;
    assert_eq!(some.len(), 3);
    let count = User::scan().segments(4).limit(3).count(&db).await?;
    assert_eq!(count, 3);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_error_of_one_segment_is_not_lost() {
    let canned = Canned::new(|_, request| match request["Segment"].as_u64() {
        Some(2) => refusal("ProvisionedThroughputExceededException", Value::Null),
        _ => pages(request),
    });
    let db = canned.db();
    let error = User::scan().segments(4).all(&db).await.unwrap_err();
    assert!(error.is_throttled());
    let error = User::scan().segments(4).count(&db).await.unwrap_err();
    assert!(error.is_throttled());
    let results: Vec<_> = User::scan().segments(4).stream(&db).collect().await;
    assert_eq!(results.iter().filter(|result| result.is_err()).count(), 1);
    assert_eq!(results.iter().filter(|result| result.is_ok()).count(), 30);
}

#[tokio::test]
async fn a_segmented_scan_refuses_a_cursor() -> Outcome {
    let canned = Canned::new(|_, request| pages(request));
    let db = canned.db();
    let error = User::scan().after("x").segments(2).all(&db).await;
    assert_eq!(
        error.unwrap_err().to_string(),
        "scan User: the cursor belongs to a scan without segments; start again from the first page"
    );
    assert!(canned.requests().is_empty());
    let request = User::scan().segments(8).explain(&db)?;
    assert_eq!(
        request.to_string(),
        "Scan Typed\n  filter: (type = \"USER\" OR attribute_not_exists(type))\n  in 8 segments"
    );
    Ok(())
}
