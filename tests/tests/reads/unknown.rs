//! Items of entities that an items enum does not declare: of a newer release, or of another
//! program.

use crate::support::{self, Db, Outcome, put_json, store};
use dynamo_model::read::UnknownItem;
use dynamo_model::{
    DynamoEntity, DynamoItems, DynamoTable, Entity, ErrorKind, Items, Table, Value,
};
use futures_util::TryStreamExt;
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::error::Error as _;

/// The same entity in a table with an entity type and in one without, each with an enum that takes
/// unknown items.
macro_rules! users {
    ($name:literal, ($($typed:tt)*), ($($user:tt)*)) => {
        #[derive(DynamoTable)]
        #[table(name = $name, pk = "PK", sk = "SK", items = AppItem $($typed)*)]
        #[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
        pub struct App;

        #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
        #[dynamo(table = App $($user)*)]
        #[pk("USER#<id>")]
        #[sk("PROFILE")]
        pub struct User {
            pub id: String,
            pub name: String,
        }

        #[derive(DynamoItems, Debug, Clone, PartialEq)]
        #[items(table = App)]
        pub enum AppItem {
            User(User),
            #[items(unknown)]
            Unknown(UnknownItem),
        }

        fn ann() -> User {
            User { id: "u1".into(), name: "Ann".into() }
        }

        /// A user, and two items of a newer release around it.
        async fn filled() -> Outcome<Db> {
            let db = support::db::<App>().await;
            store(&db, &[ann()]).await?;
            put_json::<App>(&db, json!({
                "PK": "USER#u1", "SK": "BADGE#gold", "type": "BADGE", "points": 5, "tags": ["a"],
                "GSI1PK": "BADGES", "GSI1SK": "gold",
            })).await?;
            put_json::<App>(&db, json!({ "PK": "USER#u1", "SK": "ZZZ", "type": "LAST" })).await?;
            Ok(db)
        }

        /// Finding: "One item of an undeclared entity or of a newer release fails the whole
        /// collection, page or stream batch"
        #[tokio::test]
        async fn a_collection_returns_items_of_a_newer_release_as_unknown() -> Outcome {
            let db = filled().await?;
            let all = || AppItem::collection(User::partition_key("u1"));
            let items = all().all(&db).await?;
            let [AppItem::Unknown(badge), AppItem::User(user), AppItem::Unknown(last)] = &*items else {
                panic!("{items:?}")
            };
            assert_eq!(user, &ann());
            assert_eq!(badge.partition_key(), &"USER#u1");
            assert_eq!(badge.sort_key().unwrap(), &"BADGE#gold");
            assert_eq!(badge.attributes()["points"], Value::from(5));
            assert_eq!(badge.attributes()["tags"], Value::from(["a"]));
            assert_eq!(badge.attributes().len(), 7);
            let declared = App::SCHEMA.entity_type;
            assert_eq!(badge.entity_type(), declared.map(|_| "BADGE"));
            assert_eq!(last.entity_type(), declared.map(|_| "LAST"));

            assert_eq!(all().stream(&db).try_collect::<Vec<_>>().await?, items);
            let page = all().limit(2).page(&db).await?;
            assert_eq!(page.items, items[..2]);
            assert_eq!(all().after(page.next.unwrap()).all(&db).await?, items[2..]);

            assert_eq!(items[1].entity().unwrap().entity, "User");
            assert_eq!(items[0].entity().map(|it| it.entity), None);
            let names = |item: &AppItem| -> Vec<&str> {
                item.key_attributes().unwrap().iter().map(|it| it.name).collect()
            };
            assert_eq!(names(&items[0]), ["PK", "SK", "GSI1PK", "GSI1SK"]);
            assert_eq!(names(&items[2]), ["PK", "SK"]);
            Ok(())
        }

        #[tokio::test]
        async fn an_unreadable_item_of_a_declared_entity_is_an_error() -> Outcome {
            let db = support::db::<App>().await;
            put_json::<App>(&db, json!({ "PK": "USER#u1", "SK": "PROFILE", "type": "USER", "id": "u1" })).await?;
            let error = AppItem::collection(User::partition_key("u1")).all(&db).await.unwrap_err();
            assert_eq!(error.kind(), &ErrorKind::Decode { path: "name".into() });
            let items = AppItem::collection(User::partition_key("u1")).each().all(&db).await?;
            assert_eq!(items[0].as_ref().unwrap_err().attribute(), Some("name"));
            Ok(())
        }

        #[tokio::test]
        async fn an_unknown_item_shows_no_values() -> Outcome {
            let db = filled().await?;
            let items = AppItem::collection(User::partition_key("u1")).all(&db).await?;
            let shown = format!("{:?}", items[0]);
            assert!(!shown.contains("gold") && !shown.contains('5'), "{shown}");
            Ok(())
        }
    };
}

mod typed {
    use super::*;
    users!("Typed", (, entity_type = "type"), (, entity_type = "USER"));

    /// An item with the key of a declared entity but without a type is an error.
    #[tokio::test]
    async fn an_item_without_its_type_is_not_unknown() -> Outcome {
        let db = support::db::<App>().await;
        put_json::<App>(
            &db,
            json!({ "PK": "USER#u1", "SK": "PROFILE", "id": "u1", "name": "Ann" }),
        )
        .await?;
        put_json::<App>(&db, json!({ "PK": "USER#u1", "SK": "ZZZ" })).await?;
        let items = AppItem::collection(User::partition_key("u1"))
            .each()
            .all(&db)
            .await?;
        let error = items[0].as_ref().unwrap_err();
        assert!(matches!(
            error.error().kind(),
            ErrorKind::OtherEntity { found: None, .. }
        ));
        assert_eq!(error.key_text(), Some("USER#u1/PROFILE"));
        assert!(matches!(items[1], Ok(AppItem::Unknown(_))));
        Ok(())
    }
}

mod untyped {
    use super::*;
    users!("Untyped", (), ());
}

/// Without the variant.
mod strict {
    use super::*;

    #[derive(DynamoTable)]
    #[table(name = "Strict", pk = "PK", sk = "SK", entity_type = "type", items = StrictItem)]
    struct Strict;

    #[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
    #[dynamo(table = Strict, entity_type = "USER")]
    #[pk("USER#<id>")]
    #[sk("PROFILE")]
    struct User {
        id: String,
    }

    #[derive(DynamoItems, Debug, PartialEq)]
    #[items(table = Strict)]
    enum StrictItem {
        User(User),
    }

    #[tokio::test]
    async fn without_the_variant_an_unknown_item_is_an_error_that_names_it() -> Outcome {
        let db = support::db::<Strict>().await;
        put_json::<Strict>(
            &db,
            json!({ "PK": "USER#u1", "SK": "BADGE#gold", "type": "BADGE" }),
        )
        .await?;
        put_json::<Strict>(
            &db,
            json!({ "PK": "USER#u1", "SK": "PROFILE", "type": "USER", "id": "u1" }),
        )
        .await?;
        let all = || StrictItem::collection(User::partition_key("u1"));
        let error = all().all(&db).await.unwrap_err();
        assert!(error.is_other_entity());
        assert_eq!(error.key_text(), Some("USER#u1/BADGE#gold"));
        let proceed = error.source().unwrap().to_string();
        assert!(
            proceed.contains(
                "add the variant `#[items(unknown)] Unknown(UnknownItem)` to `StrictItem`"
            ),
            "{proceed}"
        );
        let items = all().each().all(&db).await?;
        assert!(items[0].is_err());
        assert_eq!(
            items[1].as_ref().unwrap(),
            &StrictItem::User(User { id: "u1".into() })
        );
        assert_eq!(User::SCHEMA.entity_type, Some("USER"));
        Ok(())
    }
}
