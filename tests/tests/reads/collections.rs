//! Collections are full queries: on the table and on indexes, with ranges, filters and counts.

use crate::support::{self, Db, Outcome, put_json, store};
use dynamo_model::read::{Collection, Query, SelectedFrom};
use dynamo_model::{
    Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, Error, ErrorKind, Items,
    index::{Gsi1, IndexMarker},
};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeSet;

/// The same entities in a table with an entity type and in one without.
macro_rules! shop {
    ($name:literal, ($($typed:tt)*), ($($user:tt)*), ($($order:tt)*), ($($note:tt)*)) => {
        #[derive(DynamoTable)]
        #[table(name = $name, pk = "PK", sk = "SK", items = AppItem, ttl = "ttl" $($typed)*)]
        #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
        #[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK", projection = keys_only)]
        pub struct App;

        #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
        #[dynamo(table = App $($user)*)]
        #[pk("USER#<id>")]
        #[sk("PROFILE")]
        #[gsi1(pk = "CITY#<city>", sk = "USER#<id>", as = by_city)]
        #[gsi2(pk = "CITY#<city>", sk = "USER#<id>", as = by_city_keys)]
        #[unique("EMAIL#<email>")]
        pub struct User {
            pub id: String,
            pub city: String,
            pub email: String,
        }

        #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
        #[dynamo(table = App $($order)*)]
        #[pk("USER#<id>")]
        #[sk("ORDER#<number:04>")]
        #[gsi1(pk = "CITY#<city>", sk = "ORDER#<number:04>", as = by_city)]
        #[gsi2(pk = "CITY#<city>", sk = "ORDER#<number:04>", as = by_city_keys)]
        pub struct Order {
            pub id: String,
            pub number: u32,
            pub city: String,
            pub total: u32,
        }

        #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
        #[dynamo(table = App $($note)*)]
        #[pk("USER#<id>")]
        #[sk("NOTE#<number:04>")]
        pub struct Note {
            pub id: String,
            pub number: u32,
            #[dynamo(ttl)]
            #[serde(skip_serializing_if = "Option::is_none", default)]
            pub ttl: Option<u64>,
        }

        #[derive(DynamoItems, Debug, Clone, PartialEq)]
        #[items(table = App)]
        pub enum AppItem {
            User(User),
            Order(Order),
            Note(Note),
        }

        pub fn order(number: u32) -> Order {
            Order { id: "u1".into(), number, city: "Oslo".into(), total: 10 * number }
        }

        pub fn note(number: u32) -> Note {
            Note { id: "u1".into(), number, ttl: None }
        }

        /// A user with eight orders and four notes, and items of another user.
        pub async fn filled() -> Outcome<Db> {
            let db = support::db::<App>().await;
            for id in ["u1", "u2"] {
                let email = format!("{id}@x");
                User { id: id.into(), city: "Oslo".into(), email }.create().send(&db).await?;
            }
            store(&db, &(1..=8).map(order).collect::<Vec<_>>()).await?;
            store(&db, &(1..=4).map(note).collect::<Vec<_>>()).await?;
            store(&db, &[Order { id: "u2".into(), city: "Rome".into(), ..order(9) }]).await?;
            Ok(db)
        }

        pub fn all() -> Collection<AppItem> {
            AppItem::collection(User::partition_key("u1"))
        }

        pub fn label(item: &AppItem) -> String {
            match item {
                AppItem::User(user) => user.id.clone(),
                AppItem::Order(order) => format!("o{}", order.number),
                AppItem::Note(note) => format!("n{}", note.number),
            }
        }

        pub async fn labels(db: &Dynamo, query: Collection<AppItem>) -> Result<String, Error> {
            let items = query.clone().all(db).await?;
            assert_eq!(query.count(db).await?, items.len());
            Ok(items.iter().map(label).collect::<Vec<_>>().join(" "))
        }

        #[tokio::test]
        async fn a_part_of_a_partition_is_read_by_a_range_of_sort_keys() -> Outcome {
            let db = filled().await?;
            let orders = || Order::sort_key();
            #[allow(clippy::reversed_empty_ranges)]
            let none = 3..=2;
            let cases = [
                (all(), "n1 n2 n3 n4 o1 o2 o3 o4 o5 o6 o7 o8 u1"),
                (all().descending().limit(2), "u1 o8"),
                (all().within(orders().build()), "o1 o2 o3 o4 o5 o6 o7 o8"),
                (all().within(orders().number(3).build()), "o3"),
                (all().within(orders().number_in(3..5).build()), "o3 o4"),
                (all().within(orders().number_in(3..5).build()).descending(), "o4 o3"),
                (all().within(orders().number_in(7..).build()), "o7 o8"),
                (all().within(orders().number_in(none).build()), ""),
                // Ends of different entities.
                (all().at_least(Note::sort_key().number(4).build()), "n4 o1 o2 o3 o4 o5 o6 o7 o8 u1"),
                (all().at_most(Note::sort_key().build()), "n1 n2 n3 n4"),
                (
                    all()
                        .at_least(Note::sort_key().number(3).build())
                        .at_most(orders().number(2).build()),
                    "n3 n4 o1 o2",
                ),
                (
                    all().at_least(Note::sort_key().build()).at_most(orders().build()),
                    "n1 n2 n3 n4 o1 o2 o3 o4 o5 o6 o7 o8",
                ),
                // Several conditions must all be met.
                (
                    all().within(orders().build()).at_least(orders().number(6).build()),
                    "o6 o7 o8",
                ),
                (all().within(orders().build()).within(Note::sort_key().build()), ""),
            ];
            for (query, expected) in cases {
                let explained = query.clone().explain(&db)?;
                assert_eq!(labels(&db, query).await?, expected, "{explained}");
            }
            Ok(())
        }

        #[tokio::test]
        async fn an_index_is_read_as_the_table_is() -> Outcome {
            let db = filled().await?;
            let oslo = || AppItem::collection(Order::by_city_partition_key("Oslo"));
            let items = oslo().all(&db).await?;
            let shown: Vec<_> = items.iter().map(label).collect();
            assert_eq!(shown.join(" "), "o1 o2 o3 o4 o5 o6 o7 o8 u1 u2");
            assert_eq!(oslo().count(&db).await?, 10);
            assert_eq!(oslo().descending().first(&db).await?.as_ref().map(label), Some("u2".into()));
            let some = oslo().within(Order::by_city_sort_key().number_in(7..).build());
            assert_eq!(some.clone().count(&db).await?, 2);
            assert_eq!(some.one(&db).await.unwrap_err().kind(), &ErrorKind::NotOne { found: 2 });
            let explained = oslo().within(User::by_city_sort_key().build()).explain(&db)?;
            assert_eq!(explained.index, Some("GSI1"));
            let key = "key: GSI1PK = \"CITY#Oslo\" AND begins_with(GSI1SK, \"USER#\")";
            assert!(explained.to_string().ends_with(key), "{explained}");
            Ok(())
        }

        #[tokio::test]
        async fn an_index_of_keys_is_counted_and_hydrated() -> Outcome {
            let db = filled().await?;
            let oslo = || AppItem::collection(Order::by_city_keys_partition_key("Oslo"));
            let whole = AppItem::collection(Order::by_city_partition_key("Oslo")).all(&db).await?;
            assert_eq!(oslo().hydrate(&db).await?, whole);
            assert_eq!(oslo().limit(3).hydrate(&db).await?, whole[..3]);
            assert_eq!(oslo().count(&db).await?, 10);
            let each = oslo().each().hydrate(&db).await?;
            assert_eq!(each.into_iter().collect::<Result<Vec<_>, _>>()?, whole);
            // Unknown to the enum.
            put_json::<App>(&db, json!({
                "PK": "BADGE#1", "SK": "BADGE", "type": "BADGE",
                "GSI2PK": "CITY#Oslo", "GSI2SK": "ORDER#0000",
            })).await?;
            let each = oslo().each().hydrate(&db).await?;
            assert_eq!(each.iter().filter(|it| it.is_err()).count(), 1);
            assert!(oslo().count(&db).await.is_err());
            Ok(())
        }

        #[tokio::test]
        async fn pages_lead_in_both_directions_and_refuse_other_collections() -> Outcome {
            let db = filled().await?;
            let query = || all().within(Order::sort_key().number_in(2..).build());
            let first = query().limit(3).page(&db).await?;
            let second = query().limit(3).after(&first.next).page(&db).await?;
            let third = query().limit(3).after(&second.next).page(&db).await?;
            let shown = [&first, &second, &third].map(|page| {
                page.items.iter().map(label).collect::<Vec<_>>().join(" ")
            });
            assert_eq!(shown, ["o2 o3 o4", "o5 o6 o7", "o8"]);
            assert_eq!((&first.previous, &third.next), (&None, &None));
            let back = query().limit(3).after(third.previous).page(&db).await?;
            assert_eq!(back.items, second.items);
            for other in [
                all(),
                all().within(Order::sort_key().number_in(3..).build()),
                all().within(Order::sort_key().build()),
            ] {
                let error = other.after(&first.next).page(&db).await.unwrap_err();
                assert!(matches!(error.kind(), ErrorKind::Cursor { .. }), "{error}");
            }
            Ok(())
        }

        #[tokio::test]
        async fn all_items_of_a_table_are_scanned_without_the_librarys_own() -> Outcome {
            let db = filled().await?;
            let items = AppItem::scan().all(&db).await?;
            let all: BTreeSet<_> = items.iter().map(label).collect();
            assert_eq!((items.len(), all.len()), (15, 15));
            assert_eq!(AppItem::scan().count(&db).await?, 15);
            assert_eq!(AppItem::scan().limit(4).all(&db).await?.len(), 4);
            let segments = AppItem::scan().segments(3);
            let found: BTreeSet<_> = segments.all(&db).await?.iter().map(label).collect();
            assert_eq!(found, all);
            assert_eq!(AppItem::scan().segments(3).count(&db).await?, 15);
            let streamed: Vec<_> = AppItem::scan().page_size(2).stream(&db).try_collect().await?;
            assert_eq!(streamed, items);
            let mut cursor = None;
            let mut paged = Vec::new();
            loop {
                let page = AppItem::scan().limit(4).after(cursor).page(&db).await?;
                paged.extend(page.items);
                cursor = page.next;
                if cursor.is_none() {
                    break;
                }
            }
            assert_eq!(paged, items);
            assert_eq!(AppItem::scan().each().all(&db).await?.len(), 15);
            Ok(())
        }

        #[tokio::test]
        async fn an_item_is_read_again_by_its_key() -> Outcome {
            let db = filled().await?;
            for item in all().all(&db).await? {
                let key = item.key()?;
                assert_eq!(key.pk(), &"USER#u1");
                assert_eq!(key.get().consistent().send(&db).await?, Some(item));
            }
            let gone = AppItem::Order(order(77)).key()?;
            assert_eq!(format!("{gone:?}"), "Key<AppItem>(USER#u1/ORDER#0077)");
            assert_eq!(gone.get().send(&db).await?, None);
            Ok(())
        }

        #[tokio::test]
        async fn expired_items_are_left_out_on_request() -> Outcome {
            let db = support::db::<App>().await;
            store(&db, &[Note { ttl: Some(1_700_000_000), ..note(1) }, note(2)]).await?;
            assert_eq!(labels(&db, all()).await?, "n1 n2");
            assert_eq!(labels(&db, all().unexpired()).await?, "n2");
            Ok(())
        }

        #[tokio::test]
        async fn a_budget_ends_a_collection() -> Outcome {
            let db = filled().await?;
            let page = all().page_size(2).max_requests(1).page(&db).await?;
            assert_eq!(page.items.len(), 2);
            let rest = all().after(page.next).all(&db).await?;
            assert_eq!(rest.len(), 11);
            let error = all().max_items_read(5).count(&db).await.unwrap_err();
            assert!(matches!(error.kind(), ErrorKind::BudgetSpent { .. }), "{error}");
            Ok(())
        }

        #[tokio::test]
        async fn a_sort_key_of_another_partition_fails_before_the_request() -> Outcome {
            let db = Dynamo::embedded()?;
            let in_rome = AppItem::collection(User::by_city_partition_key("Rome"));
            assert!(in_rome.within(User::by_city_sort_key().build()).explain(&db).is_ok());
            // The key that could not be built is the error.
            let error = all().within(Order::sort_key().number(10_000).build()).explain(&db);
            assert!(matches!(error.unwrap_err().kind(), ErrorKind::Key(_)));
            Ok(())
        }
    };
}

mod typed {
    use super::*;
    shop!(
        "TypedShop",
        (, entity_type = "type"),
        (, entity_type = "USER"),
        (, entity_type = "ORDER"),
        (, entity_type = "NOTE")
    );

    #[tokio::test]
    async fn a_filter_of_one_entity_leaves_the_others_alone() -> Outcome {
        let db = filled().await?;
        let dear = all().filter_entity::<Order, _>(|order| order.total().ge(60_u32));
        assert_eq!(labels(&db, dear.clone()).await?, "n1 n2 n3 n4 o6 o7 o8 u1");
        let late = dear
            .clone()
            .filter_entity::<Note, _>(|note| note.number().gt(3_u32));
        assert_eq!(labels(&db, late).await?, "n4 o6 o7 o8 u1");
        let page = dear.clone().limit(5).page(&db).await?;
        assert_eq!(page.items.len(), 5);
        assert_eq!(dear.after(page.next).all(&db).await?.len(), 3);
        Ok(())
    }

    #[tokio::test]
    async fn entities_are_left_out() -> Outcome {
        let db = filled().await?;
        assert_eq!(
            labels(&db, all().without::<Order>()).await?,
            "n1 n2 n3 n4 u1"
        );
        let none = all().without::<Order>().without::<Note>().without::<User>();
        assert_eq!(labels(&db, none).await?, "");
        let scanned = AppItem::scan().without::<Order>().all(&db).await?;
        assert_eq!(scanned.len(), 6);
        let scanned = AppItem::scan().filter_entity::<Order, _>(|it| it.total().lt(30_u32));
        assert_eq!(scanned.clone().count(&db).await?, 8);
        assert_eq!(scanned.segments(2).all(&db).await?.len(), 8);
        Ok(())
    }

    #[tokio::test]
    async fn a_filter_on_an_index_names_its_entities() -> Outcome {
        let db = filled().await?;
        let oslo = AppItem::collection(User::by_city_partition_key("Oslo"));
        let dear = oslo.filter_entity::<Order, _>(|order| order.total().ge(70_u32));
        assert_eq!(dear.clone().count(&db).await?, 4);
        assert_eq!(
            dear.explain(&db)?.filter.as_deref(),
            Some("(NOT #n1 = :v1 OR #n2 >= :v2)")
        );
        Ok(())
    }

    /// Any query has one type, whatever it selects.
    async fn newest<S, I>(db: &Dynamo, query: Query<S, I>) -> Result<Option<S::Item>, Error>
    where
        S: SelectedFrom<I>,
        I: IndexMarker,
    {
        query.descending().first(db).await
    }

    #[tokio::test]
    async fn a_function_takes_any_query() -> Outcome {
        let db = filled().await?;
        assert_eq!(
            newest(&db, Order::query("u1").query()).await?,
            Some(order(8))
        );
        let found = newest(&db, all().without::<User>()).await?;
        assert_eq!(found, Some(AppItem::Order(order(8))));
        let of_city: Collection<AppItem, Gsi1> =
            AppItem::collection(Order::by_city_partition_key("Rome"));
        let boxed: Box<dyn Fn() -> Collection<AppItem, Gsi1> + Send> =
            Box::new(move || of_city.clone());
        assert_eq!(
            newest(&db, boxed()).await?.as_ref().map(label),
            Some("o9".into())
        );
        Ok(())
    }
}

mod untyped {
    use super::*;
    shop!("UntypedShop", (), (), (), ());
}
