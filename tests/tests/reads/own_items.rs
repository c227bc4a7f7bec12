//! A read of an entity returns only items of that entity: on the table and on every index, with and
//! without an entity type.

use crate::support::{self, Db, Fault, Outcome, put_json, store};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::{
    BatchGet, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Error, ErrorKind, Table,
};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The same entities in a table with an entity type and in one without.
macro_rules! shops {
    ($name:literal, ($($typed:tt)*), ($($line:tt)*), ($($order:tt)*), ($($event:tt)*)) => {
        #[derive(DynamoTable)]
        #[table(name = $name, pk = "PK", sk = "SK", items = ShopItem $($typed)*)]
        #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
        #[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
        pub struct Shop;

        /// An order; its sort key is the beginning of its lines' sort keys.
        #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
        #[dynamo(table = Shop $($order)*)]
        #[pk("SHOP#<shop>")]
        #[sk("ORDER#<no:06>")]
        #[gsi1(pk = "ORG#<org>", sk = "<created:ms>", as = by_org)]
        #[gsi2(pk = "ORG#<org>", sk = "<created:ms>", as = by_org_keys)]
        pub struct Order {
            pub shop: String,
            pub no: u32,
            pub org: String,
            pub created: jiff::Timestamp,
        }

        /// A line of an order.
        #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
        #[dynamo(table = Shop $($line)*)]
        #[pk("SHOP#<shop>")]
        #[sk("ORDER#<no:06>#LINE#<n:03>")]
        pub struct Line {
            pub shop: String,
            pub no: u32,
            pub n: u32,
        }

        /// Shares the partitions of both indexes with orders.
        #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
        #[dynamo(table = Shop $($event)*)]
        #[pk("EVENT#<id>")]
        #[sk("EVENT")]
        #[gsi1(pk = "ORG#<org>", sk = "<created:ms>", as = by_org)]
        #[gsi2(pk = "ORG#<org>", sk = "<created:ms>", as = by_org_keys)]
        pub struct Event {
            pub id: u32,
            pub org: String,
            pub created: jiff::Timestamp,
        }

        #[derive(DynamoItems, Debug)]
        #[items(table = Shop)]
        pub enum ShopItem {
            Order(Order),
            Line(Line),
            Event(Event),
        }

        /// The attributes of an order in the KEYS_ONLY index.
        #[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
        #[projection(of = Order, from(gsi2, table))]
        pub struct Number {
            pub no: u32,
        }

        fn order(no: u32) -> Order {
            Order {
                shop: "s".into(),
                no,
                org: "o".into(),
                created: jiff::Timestamp::from_second(1_000 + i64::from(no)).unwrap(),
            }
        }

        fn event(id: u32) -> Event {
            Event {
                id,
                org: "o".into(),
                created: jiff::Timestamp::from_second(900 + 10 * i64::from(id)).unwrap(),
            }
        }

        /// Ten orders of two lines each, and 25 events between them in the indexes.
        async fn filled() -> Outcome<Db> {
            let db = support::db::<Shop>().await;
            let lines = (0..10).flat_map(|no| (0..2).map(move |n| Line { shop: "s".into(), no, n }));
            store(&db, &(0..10).map(order).collect::<Vec<_>>()).await?;
            store(&db, &lines.collect::<Vec<_>>()).await?;
            store(&db, &(0..25).map(event).collect::<Vec<_>>()).await?;
            Ok(db)
        }

        /// Finding: "`sk("ORDER#<no:06>")` and `sk("ORDER#<no:06>#LINE#<n:03>")` in one items
        /// enum: `Order::query`, `count`, `first`, `page` and ranges include order lines"
        #[tokio::test]
        async fn a_query_leaves_out_items_whose_sort_key_begins_with_the_entitys() -> Outcome {
            let db = filled().await?;
            let numbers = |orders: &[Order]| orders.iter().map(|it| it.no).collect::<Vec<_>>();
            let ten: Vec<u32> = (0..10).collect();
            assert_eq!(numbers(&Order::query("s").all(&db).await?), ten);
            assert_eq!(numbers(&Order::query("s").page(&db).await?.items), ten);
            assert_eq!(numbers(&Order::query("s").stream(&db).try_collect::<Vec<_>>().await?), ten);
            assert_eq!(Order::query("s").count(&db).await?, 10);
            assert_eq!(Line::query("s").count(&db).await?, 20);
            let some = Order::query("s").no_in(3..=5);
            assert_eq!(numbers(&some.all(&db).await?), [3, 4, 5]);
            assert_eq!(Order::query("s").no_in(3..=5).count(&db).await?, 3);
            let last = Order::query("s").descending().first(&db).await?;
            assert_eq!(last, Some(order(9)));
            let one = Order::query("s").no_in(4..=4).one(&db).await?;
            assert_eq!(one, order(4));
            Ok(())
        }

        #[tokio::test]
        async fn limits_and_pages_count_items_of_the_entity() -> Outcome {
            let db = filled().await?;
            assert_eq!(Order::query("s").limit(4).all(&db).await?.len(), 4);
            assert_eq!(Order::query("s").limit(4).count(&db).await?, 4);
            let mut query = Order::query("s").limit(3);
            let mut found = Vec::new();
            loop {
                let page = query.page(&db).await?;
                assert!(page.items.len() == 3 || page.next.is_none());
                found.extend(page.items.into_iter().map(|it| it.no));
                let Some(cursor) = page.next else { break };
                query = Order::query("s").limit(3).after(cursor);
            }
            assert_eq!(found, (0..10).collect::<Vec<_>>());
            Ok(())
        }

        /// A limit bounds the read also if a query can reach other entities: the partition has 30
        /// items.
        #[tokio::test]
        async fn a_limit_does_not_read_the_whole_partition() -> Outcome {
            let db = filled().await?;
            let page = Order::query("s").limit(1).page(&db).await?;
            assert_eq!(page.items, [order(0)]);
            assert!(page.next.is_some());
            assert!(page.scanned <= 6, "{} items were read", page.scanned);
            let page = Order::by_org("o").limit(2).page(&db).await?;
            assert_eq!(page.items, [order(0), order(1)]);
            assert!(page.scanned < 35, "{} items were read", page.scanned);
            Ok(())
        }

        /// Finding: "The same for two entities in one index partition
        /// (`gsi1(pk = "ORG#<org>", sk = "<created:ms>")`)"
        #[tokio::test]
        async fn a_query_of_an_index_leaves_out_another_entity_in_the_partition() -> Outcome {
            let db = filled().await?;
            assert_eq!(Order::by_org("o").all(&db).await?.len(), 10);
            assert_eq!(Order::by_org("o").count(&db).await?, 10);
            assert_eq!(Order::by_org("o").limit(7).all(&db).await?.len(), 7);
            assert_eq!(Order::by_org("o").first(&db).await?, Some(order(0)));
            assert_eq!(Event::by_org("o").count(&db).await?, 25);
            Ok(())
        }

        /// The index has only keys, no type: the key of the table decides.
        #[tokio::test]
        async fn an_index_without_the_type_recognises_entities_by_the_tables_key() -> Outcome {
            let db = filled().await?;
            assert_eq!(Order::by_org_keys("o").count(&db).await?, 10);
            assert_eq!(Event::by_org_keys("o").count(&db).await?, 25);
            assert_eq!(Order::by_org_keys("o").hydrate(&db).await?.len(), 10);
            assert_eq!(Order::by_org_keys("o").limit(6).hydrate(&db).await?.len(), 6);
            let numbers: Vec<Number> = Order::by_org_keys("o").project().all(&db).await?;
            assert_eq!(numbers, (0..10).map(|no| Number { no }).collect::<Vec<_>>());
            let first: Option<Number> = Order::by_org_keys("o").project().first(&db).await?;
            assert_eq!(first, Some(Number { no: 0 }));
            let numbers: Vec<Number> = Order::query("s").project().all(&db).await?;
            assert_eq!(numbers.len(), 10);
            Ok(())
        }

        #[tokio::test]
        async fn a_scan_leaves_out_the_other_entities() -> Outcome {
            let db = filled().await?;
            assert_eq!(Order::scan().all(&db).await?.len(), 10);
            assert_eq!(Order::scan().count(&db).await?, 10);
            assert_eq!(Line::scan().count(&db).await?, 20);
            assert_eq!(Order::scan().limit(8).all(&db).await?.len(), 8);
            assert_eq!(Line::scan().segments(3).all(&db).await?.len(), 20);
            assert_eq!(Event::scan().segments(3).count(&db).await?, 25);
            Ok(())
        }

        /// A query that can find only its own items is sent unchanged.
        #[tokio::test]
        async fn a_query_that_reaches_only_its_entity_has_no_filter() -> Outcome {
            let db = support::bare();
            let events = Event::query(1).explain(&db)?.to_string();
            assert!(!events.contains("filter"), "{events}");
            Ok(())
        }
    };
}

mod typed {
    use super::*;

    shops!(
        "Typed",
        (, entity_type = "type"),
        (, entity_type = "LINE"),
        (, entity_type = "ORDER"),
        (, entity_type = "EVENT")
    );

    /// DynamoDB leaves the other entities out, so that they are not sent over.
    #[tokio::test]
    async fn a_query_that_can_reach_other_entities_filters_by_type() -> Outcome {
        let db = support::bare();
        let query = Order::query("s").explain(&db)?.to_string();
        let filter = r#"filter: (type = "ORDER" OR attribute_not_exists(type))"#;
        assert!(query.contains(filter), "{query}");
        let index = Order::by_org_keys("o").explain(&db)?.to_string();
        assert!(!index.contains("attribute_not_exists"), "{index}");
        Ok(())
    }

    /// The number of requests grows with the logarithm of the number of items between.
    #[tokio::test]
    async fn each_further_request_of_a_limited_read_reads_twice_as_many_items() -> Outcome {
        let db = support::db::<Shop>().await;
        store(&db, &[order(0), order(1)]).await?;
        let lines: Vec<_> = (0..300)
            .map(|n| Line {
                shop: "s".into(),
                no: 0,
                n,
            })
            .collect();
        store(&db, &lines).await?;
        let (recorded, log) = db.faulty(RetryConfig::disabled(), |_, _| Fault::None);
        let found = Order::query("s").limit(2).all(&recorded).await?;
        assert_eq!(found, [order(0), order(1)]);
        let limits: Vec<_> = log
            .bodies("Query")
            .iter()
            .map(|it| it["Limit"].as_u64())
            .collect();
        assert!((2..=10).contains(&limits.len()), "{limits:?}");
        Ok(())
    }

    async fn with(item: serde_json::Value) -> Outcome<Db> {
        let db = filled().await?;
        put_json::<Shop>(&db, item).await?;
        Ok(db)
    }

    fn assert_untyped<T: std::fmt::Debug>(read: Result<T, Error>) {
        let error = read.unwrap_err();
        let (found, expected) = (None, "ORDER");
        assert_eq!(error.kind(), &ErrorKind::OtherEntity { found, expected });
        assert_eq!(error.key_text(), Some("SHOP#s/ORDER#000077"));
    }

    /// Finding: "If the type attribute is missing, `get` fails, `scan` skips silently"
    #[tokio::test]
    async fn an_item_without_a_type_fails_every_read_that_finds_it() -> Outcome {
        let db = with(json!({
            "PK": "SHOP#s", "SK": "ORDER#000077", "shop": "s", "no": 77, "org": "o",
            "created": "2025-06-01T10:00:00Z",
        }))
        .await?;
        assert_untyped(Order::get("s", 77).send(&db).await);
        assert_untyped(Order::query("s").all(&db).await);
        assert_untyped(Order::scan().all(&db).await);
        assert_untyped(Order::scan().segments(2).all(&db).await);
        assert_untyped(BatchGet::new([Order::key("s", 77)]).send(&db).await);
        // The others are not concerned.
        assert_eq!(Line::scan().all(&db).await?.len(), 20);
        assert_eq!(Line::query("s").all(&db).await?.len(), 20);
        Ok(())
    }

    /// Another program writes to the same table.
    #[tokio::test]
    async fn items_of_an_undeclared_type_are_left_out() -> Outcome {
        let db = with(json!({"PK": "SHOP#s", "SK": "ORDER#000001#NOTE", "type": "NOTE"})).await?;
        assert_eq!(Order::query("s").all(&db).await?.len(), 10);
        assert_eq!(Order::query("s").count(&db).await?, 10);
        assert_eq!(Line::query("s").count(&db).await?, 20);
        assert_eq!(Line::query("s").all(&db).await?.len(), 20);
        assert_eq!(Line::query("s").limit(20).all(&db).await?.len(), 20);
        Ok(())
    }
}

mod untyped {
    use super::*;

    shops!("Untyped", (), (), (), ());

    /// A table that is older than its declaration, or shared with another program: its keys begin
    /// differently from every entity's.
    #[tokio::test]
    async fn items_of_no_entity_are_left_out_of_scans() -> Outcome {
        let db = filled().await?;
        for item in [
            json!({"PK": "SETTINGS", "SK": "SETTINGS", "theme": "dark"}),
            json!({"PK": "SHOP#s", "SK": "NOTE#1", "no": 1}),
            json!({"PK": "shop#s", "SK": "order#1", "no": "one"}),
        ] {
            put_json::<Shop>(&db, item).await?;
        }
        assert_eq!(Order::scan().all(&db).await?.len(), 10);
        assert_eq!(Order::scan().count(&db).await?, 10);
        assert_eq!(Order::scan().limit(10).all(&db).await?.len(), 10);
        assert_eq!(Order::scan().each().all(&db).await?.len(), 10);
        assert_eq!(Line::scan().segments(3).all(&db).await?.len(), 20);
        assert_eq!(Event::scan().segments(3).count(&db).await?, 25);
        assert_eq!(Order::query("s").count(&db).await?, 10);
        assert_eq!(Order::query("s").all(&db).await?.len(), 10);
        Ok(())
    }

    /// A key that begins as the entity's does, and that no entity builds, would be dropped
    /// silently.
    #[tokio::test]
    async fn a_key_that_no_entity_builds_fails_every_read_that_finds_it() -> Outcome {
        let db = filled().await?;
        put_json::<Shop>(
            &db,
            json!({"PK": "SHOP#s", "SK": "ORDER#7", "shop": "s", "no": 7}),
        )
        .await?;
        let expected = "Order SHOP#s/ORDER#7: SK: `Order` builds it as `ORDER#<no:06>`, and no \
                        entity of table `Shop` builds this one; correct the template, or declare \
                        the entity of the item in the table's items enum; change the item, or the \
                        type that reads it";
        let error = Order::scan().count(&db).await.unwrap_err();
        assert_eq!(error.to_string(), format!("scan {expected}"));
        let error = Order::query("s").count(&db).await.unwrap_err();
        assert_eq!(error.to_string(), format!("query {expected}"));
        let error = Order::query("s").all(&db).await.unwrap_err();
        assert!(error.is_decode(), "{error}");
        assert!(Order::scan().all(&db).await.unwrap_err().is_decode());
        // The others are not concerned.
        assert_eq!(Event::scan().count(&db).await?, 25);
        Ok(())
    }
}

/// ElectroDB's clustered collection for user `1` also returns user `10`.
mod prefixes {
    use super::*;

    #[derive(DynamoTable)]
    #[table(name = "Users", pk = "PK", sk = "SK")]
    struct Users;

    #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
    #[dynamo(table = Users)]
    #[pk("TENANT")]
    #[sk("USER#<user>#<seq:03>")]
    struct Entry {
        user: String,
        seq: u32,
    }

    #[tokio::test]
    async fn a_read_of_user_1_returns_no_item_of_user_10() -> Outcome {
        let db = support::db::<Users>().await;
        let entries = ["1", "10", "1#2"].map(|user| Entry {
            user: user.into(),
            seq: 1,
        });
        store(&db, &entries).await?;
        assert_eq!(Entry::query().user("1").all(&db).await?, entries[..1]);
        assert_eq!(Entry::query().user("1").count(&db).await?, 1);
        assert_eq!(Users::SCHEMA.name, "Users");
        Ok(())
    }
}
