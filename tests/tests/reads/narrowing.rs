//! Queries that ordinary code narrows: a condition that is known only when the program runs.

use crate::support::{self, Outcome, store};
use dynamo_model::read::Query;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, ErrorKind, index::Gsi1};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Narrowed", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = N("GSI1SK"))]
struct Narrowed;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Narrowed)]
#[pk("USER#<user>")]
#[sk("ORDER#<year:04>#<number:06>")]
#[gsi1(pk = "STATUS#<status>", sk = "<number>", as = by_status)]
struct Order {
    user: String,
    year: u16,
    number: u32,
    status: String,
}

async fn filled() -> Outcome<support::Db> {
    let db = support::db::<Narrowed>().await;
    let orders = (1..=6_u32).map(|number| Order {
        user: "u1".into(),
        year: if number < 4 { 2024 } else { 2025 },
        number,
        status: "open".into(),
    });
    store(&db, &orders.collect::<Vec<_>>()).await?;
    Ok(db)
}

/// The parameters of a request.
#[derive(Default)]
struct Wanted {
    from: Option<u16>,
    to: Option<u16>,
    newest: bool,
    open: bool,
}

fn orders(wanted: &Wanted) -> Query<Order> {
    let mut query = Order::query("u1");
    if let Some(from) = wanted.from {
        query = query.year_in(from..);
    }
    if let Some(to) = wanted.to {
        query = query.year_in(..=to);
    }
    if wanted.newest {
        query = query.descending();
    }
    if wanted.open {
        query = query.filter(|order| order.status().eq("open"));
    }
    query.query()
}

async fn numbers(db: &Dynamo, query: Query<Order>) -> Outcome<Vec<u32>> {
    let found = query.clone().all(db).await?;
    assert_eq!(query.count(db).await?, found.len());
    Ok(found.into_iter().map(|order| order.number).collect())
}

#[tokio::test]
async fn a_query_is_narrowed_by_each_condition_that_is_given() -> Outcome {
    let db = filled().await?;
    let wanted = |from, to| Wanted {
        from,
        to,
        ..Wanted::default()
    };
    let cases = [
        (wanted(None, None), vec![1, 2, 3, 4, 5, 6]),
        (wanted(Some(2025), None), vec![4, 5, 6]),
        (wanted(None, Some(2024)), vec![1, 2, 3]),
        (wanted(Some(2024), Some(2025)), vec![1, 2, 3, 4, 5, 6]),
        (wanted(Some(2025), Some(2024)), vec![]),
        (
            Wanted {
                newest: true,
                open: true,
                ..wanted(Some(2025), None)
            },
            vec![6, 5, 4],
        ),
    ];
    for (wanted, expected) in cases {
        assert_eq!(numbers(&db, orders(&wanted)).await?, expected);
    }
    Ok(())
}

#[tokio::test]
async fn one_range_makes_the_same_request_as_before() -> Outcome {
    let db = Dynamo::embedded()?;
    let key = |query: Query<Order>| query.explain(&db).map(|it| it.to_string());
    assert_eq!(
        key(Order::query("u1").year_in(2024..).query())?,
        "Query Narrowed\n  key: PK = \"USER#u1\" AND SK BETWEEN \"ORDER#2024\" AND \"ORDER$\""
    );
    assert_eq!(
        key(Order::query("u1").year_in(2024..).year_in(..2025).query())?,
        "Query Narrowed\n  key: PK = \"USER#u1\" AND SK BETWEEN \"ORDER#2024\" AND \"ORDER#2025\""
    );
    assert_eq!(
        key(Order::query("u1")
            .year_in(2024..)
            .year(2025)
            .number_in(..=3)
            .query())?,
        "Query Narrowed\n  key: PK = \"USER#u1\" AND SK BETWEEN \"ORDER#2025#\" AND \
         \"ORDER#2025#000003\""
    );
    Ok(())
}

#[tokio::test]
async fn a_stored_query_is_narrowed_by_a_value() -> Outcome {
    /// A query that a struct holds.
    struct Report {
        orders: Query<Order>,
        by_status: Query<Order, Gsi1>,
    }
    let db = filled().await?;
    let mut report = Report {
        orders: Order::query("u1").query(),
        by_status: Order::by_status("open").query(),
    };
    report.orders = report.orders.within(Order::sort_key().year(2025).build());
    report.orders = report
        .orders
        .at_least(Order::sort_key().year(2025).number(5).build());
    assert_eq!(numbers(&db, report.orders).await?, [5, 6]);
    let range = Order::by_status_sort_key().number_in(2..4).build();
    let found = report.by_status.within(range).all(&db).await?;
    assert_eq!(found.iter().map(|it| it.number).collect::<Vec<_>>(), [2, 3]);
    Ok(())
}

#[tokio::test]
async fn a_partition_of_another_form_refuses_the_sort_key() -> Outcome {
    let db = Dynamo::embedded()?;
    let invalid = Order::query("u1")
        .query()
        .within(Order::sort_key().year(10_000).build());
    assert!(matches!(
        invalid.explain(&db).unwrap_err().kind(),
        ErrorKind::Key(_)
    ));
    Ok(())
}
