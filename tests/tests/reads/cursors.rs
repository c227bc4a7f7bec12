//! Cursors are valid only for their query.

use crate::support::{self, Db, Outcome, store};
use dynamo_model::{DynamoEntity, DynamoTable, Error};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Orders", pk = "PK", sk = "SK")]
#[gsi1(name = "ByState", pk = "GSI1PK", sk = "GSI1SK")]
struct Orders;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Orders)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:04>")]
#[gsi1(pk = "STATE#<state>", sk = "ORDER#<number:04>", as = by_state)]
struct Order {
    user_id: String,
    number: u32,
    state: String,
    total: u32,
}

async fn orders() -> Outcome<Db> {
    let db = support::db::<Orders>().await;
    let order = |user: &str, number| Order {
        user_id: user.into(),
        number,
        state: "paid".into(),
        total: number * 100,
    };
    let all = ["u1", "u2"].map(|user| (0..20).map(move |number| order(user, number)));
    store(&db, &all.into_iter().flatten().collect::<Vec<_>>()).await?;
    Ok(db)
}

/// Where the first five end.
async fn cursor(db: &Db) -> Outcome<String> {
    let page = Order::query("u1").limit(5).page(db).await?;
    Ok(page.next.unwrap())
}

fn numbers(orders: &[Order]) -> Vec<u32> {
    orders.iter().map(|order| order.number).collect()
}

fn assert_foreign(result: Result<impl Sized, Error>, query: &str) {
    let Err(error) = result else {
        panic!("{query} took the cursor of another query")
    };
    assert!(error.is_cursor(), "{query}: {error}");
    assert_eq!(
        error.to_string(),
        "query Order: the cursor belongs to another query; start again from the first page"
    );
}

#[tokio::test]
async fn a_cursor_continues_every_kind_of_read() -> Outcome {
    let db = orders().await?;
    let cursor = cursor(&db).await?;
    let rest: Vec<u32> = (5..20).collect();
    let query = || Order::query("u1").after(&cursor);
    assert_eq!(numbers(&query().all(&db).await?), rest);
    assert_eq!(query().first(&db).await?.unwrap().number, 5);
    assert_eq!(query().count(&db).await?, 15);
    // The number of requested items is not part of the query.
    let page = query().limit(3).page_size(2).page(&db).await?;
    assert_eq!(numbers(&page.items), [5, 6, 7]);
    assert_eq!(numbers(&query().consistent().all(&db).await?), rest);
    Ok(())
}

#[tokio::test]
async fn a_cursor_is_safe_in_a_url() -> Outcome {
    let db = orders().await?;
    let cursor = cursor(&db).await?;
    let safe = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    assert!(cursor.chars().all(safe), "{cursor}");
    assert!(!cursor.contains("USER"), "{cursor}");
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_another_query_is_refused() -> Outcome {
    let db = orders().await?;
    let cursor = &cursor(&db).await?;
    let other = Order::query("u2").after(cursor).page(&db).await;
    assert_foreign(other, "another partition");
    let other = Order::query("u1")
        .descending()
        .after(cursor)
        .page(&db)
        .await;
    assert_foreign(other, "another direction");
    let other = Order::query("u1")
        .number_in(3..)
        .after(cursor)
        .all(&db)
        .await;
    assert_foreign(other, "another range");
    let other = Order::query("u1")
        .filter(|order| order.total().gt(1))
        .after(cursor);
    assert_foreign(other.all(&db).await, "another filter");
    let other = Order::by_state("paid").after(cursor).first(&db).await;
    assert_foreign(other, "another index");
    let other = Order::query("u1")
        .after(cursor)
        .count(&db.clone().with_table_prefix("x-"))
        .await;
    assert_foreign(other, "another table");
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_an_index_continues_there() -> Outcome {
    let db = orders().await?;
    let page = Order::by_state("paid").limit(11).page(&db).await?;
    let cursor = page.next.unwrap();
    let rest = Order::by_state("paid").after(&cursor).all(&db).await?;
    assert_eq!(rest.len(), 40 - 11);
    assert!(rest.iter().all(|order| !page.items.contains(order)));
    assert_foreign(
        Order::by_state("open").after(&cursor).all(&db).await,
        "another partition",
    );
    assert_foreign(
        Order::query("u1").after(&cursor).all(&db).await,
        "the table",
    );
    Ok(())
}

#[tokio::test]
async fn a_tampered_cursor_is_refused() -> Outcome {
    let db = orders().await?;
    let cursor = cursor(&db).await?;
    let mut altered = vec![String::new(), "x".into(), "山".into(), format!("{cursor}A")];
    for at in [0, 1, 9, cursor.len() / 2, cursor.len() - 1] {
        let mut text = cursor.clone();
        let other = if &text[at..=at] == "A" { "B" } else { "A" };
        text.replace_range(at..=at, other);
        altered.push(text);
        altered.push(cursor[..at].to_owned());
    }
    for text in altered {
        let error = Order::query("u1").after(&text).page(&db).await.unwrap_err();
        assert!(error.is_cursor(), "{text}: {error}");
    }
    Ok(())
}

/// The item at which a page ended may be deleted before the next page.
#[tokio::test]
async fn a_cursor_works_after_its_item_was_deleted() -> Outcome {
    let db = orders().await?;
    let cursor = cursor(&db).await?;
    let mut request = db
        .client()
        .delete_item()
        .table_name(db.table_name(&<Orders as dynamo_model::Table>::SCHEMA));
    for (name, value) in [("PK", "USER#u1"), ("SK", "ORDER#0004")] {
        let value = aws_sdk_dynamodb::types::AttributeValue::S(value.into());
        request = request.key(name, value);
    }
    request.send().await?;
    let rest = Order::query("u1").after(cursor).all(&db).await?;
    assert_eq!(numbers(&rest), (5..20).collect::<Vec<_>>());
    Ok(())
}
