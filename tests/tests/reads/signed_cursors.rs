//! With a key, only cursors that were given out with it are accepted.

use crate::support::{self, Db, Outcome, store};
use dynamo_model::read::CursorKeys;
use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Error, ErrorKind};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Orders", pk = "PK", sk = "SK")]
struct Orders;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Orders)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:04>")]
struct Order {
    user_id: String,
    number: u32,
}

#[derive(DynamoItems, Debug)]
#[items(table = Orders)]
enum OrdersItem {
    Order(Order),
}

async fn fill(db: &Db) -> Outcome {
    let order = |number| Order {
        user_id: "u1".into(),
        number,
    };
    store(db, &(0..10).map(order).collect::<Vec<_>>()).await
}

async fn orders() -> Outcome<Db> {
    let db = support::db::<Orders>().await;
    fill(&db).await?;
    Ok(db)
}

fn with(db: &Dynamo, keys: impl Into<CursorKeys>) -> Dynamo {
    db.clone().with_signed_cursors(keys)
}

/// Where the first four end.
async fn cursor(db: &Dynamo) -> Outcome<String> {
    let page = Order::query("u1").limit(4).page(db).await?;
    Ok(page.next.unwrap())
}

async fn rest(db: &Dynamo, cursor: &str) -> Result<usize, Error> {
    let rest = Order::query("u1").after(cursor).all(db).await?;
    Ok(rest.len())
}

async fn refusal(db: &Dynamo, cursor: &str) -> &'static str {
    match rest(db, cursor).await.unwrap_err().kind() {
        ErrorKind::Cursor { reason } => reason,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_signed_cursor_continues_the_read() -> Outcome {
    let orders = orders().await?; // its tables go with it
    let db = with(&orders, "key");
    let first = cursor(&db).await?;
    assert_eq!(rest(&db, &first).await?, 6);
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    assert!(first.chars().all(safe), "{first}");
    // It is still valid only for its query.
    let other = Order::query("u2").after(&first).all(&db).await;
    assert_eq!(
        other.unwrap_err().to_string(),
        "query Order: the cursor belongs to another query; start again from the first page"
    );
    Ok(())
}

#[tokio::test]
async fn an_altered_character_is_refused() -> Outcome {
    let orders = orders().await?; // its tables go with it
    let db = with(&orders, "key");
    let first = cursor(&db).await?;
    for at in 0..first.len() {
        for other in ["A", "z", "_", "", "山"] {
            let mut altered = first.clone();
            altered.replace_range(at..=at, other);
            if altered != first {
                let error = rest(&db, &altered).await.unwrap_err();
                assert!(error.is_cursor(), "{altered}: {error}");
            }
        }
        assert!(rest(&db, &first[..at]).await.unwrap_err().is_cursor());
    }
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_another_key_or_without_one_is_refused() -> Outcome {
    let plain = &*orders().await?;
    let (ours, theirs) = (with(plain, "ours"), with(plain, "theirs"));
    let signed = cursor(&ours).await?;
    assert_eq!(
        refusal(&theirs, &signed).await,
        "was altered, or signed with another key"
    );
    assert_eq!(
        refusal(plain, &signed).await,
        "is signed, and no key was given to check it"
    );
    let unsigned = cursor(plain).await?;
    assert_eq!(refusal(&ours, &unsigned).await, "is not signed");
    Ok(())
}

#[tokio::test]
async fn a_key_can_be_rotated_in_steps() -> Outcome {
    let db = &*orders().await?;
    let steps = [
        CursorKeys::new("old"),
        CursorKeys::new("old").accepting("new"),
        CursorKeys::new("new").accepting("old"),
        CursorKeys::new("new"),
    ];
    let steps = steps.map(|keys| with(db, keys));
    for (step, next) in steps.iter().zip(&steps[1..]) {
        // Both run at the same time while the change is rolled out.
        assert_eq!(rest(next, &cursor(step).await?).await?, 6);
        assert_eq!(rest(step, &cursor(next).await?).await?, 6);
    }
    let old = cursor(&steps[0]).await?;
    assert!(rest(&steps[3], &old).await.unwrap_err().is_cursor());
    Ok(())
}

#[tokio::test]
async fn a_signed_cursor_survives_a_restart() -> Outcome {
    let mut db = support::durable::<Orders>().await;
    fill(&db).await?;
    let signed = cursor(&with(&db, "key")).await?;
    db.restart();
    assert_eq!(rest(&with(&db, "key"), &signed).await?, 6);
    Ok(())
}

#[tokio::test]
async fn scans_and_collections_sign_cursors() -> Outcome {
    let plain = &*orders().await?;
    let db = with(plain, "key");
    let scan = Order::scan().limit(4).page(&db).await?.next.unwrap();
    assert_eq!(Order::scan().after(&scan).all(&db).await?.len(), 6);
    let refused = Order::scan().after(&scan).all(plain).await;
    assert!(refused.unwrap_err().is_cursor());

    let collection = || OrdersItem::collection(Order::partition_key("u1"));
    let page = collection().limit(4).page(&db).await?;
    let after = page.next.unwrap();
    let items = collection().after(&after).all(&db).await?;
    let OrdersItem::Order(first) = &items[0];
    assert_eq!((items.len(), first.number), (6, 4));
    let refused = collection().after(&after).all(plain).await;
    assert!(refused.unwrap_err().is_cursor());
    Ok(())
}

#[tokio::test]
async fn an_empty_signing_key_fails_the_first_page() -> Outcome {
    let db = with(&*orders().await?, "");
    let error = Order::query("u1").page(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "query Order: the cursor cannot be signed, as the key is empty; start again from the first \
         page"
    );
    Ok(())
}

#[test]
fn keys_are_not_shown() {
    let db = with(&support::bare(), CursorKeys::new("s3cret").accepting("0ld"));
    let shown = format!("{db:?} {:?}", CursorKeys::new("s3cret").accepting("0ld"));
    assert!(
        !shown.contains("s3cret") && !shown.contains("0ld"),
        "{shown}"
    );
}
