//! A migration that cannot work fails before it writes.

use super::keys::moved;
use super::model::{App, OldOrder, OldUser, old_order, old_user, stored};
use super::rename::renamed;
use crate::support::{self, Outcome, from_json, put, put_json};
use dynamo_model::migrate::Migration;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(DynamoTable, Debug)]
#[table(name = "shop", pk = "PK")]
struct Shop;

/// An item in yen looks like an item in sen.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Shop)]
#[pk("ITEM#<id>")]
struct Priced {
    id: u32,
    price: u64,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    in_sen: bool,
}

fn priced(id: u32) -> Priced {
    Priced {
        id,
        price: 5,
        in_sen: false,
    }
}

fn to_sen<'m>() -> Migration<'m, Priced, Priced> {
    Migration::new("sen", |old: Priced| Priced {
        price: old.price * 100,
        in_sen: true,
        ..old
    })
}

#[tokio::test]
async fn an_item_of_both_shapes_is_an_error() -> Outcome {
    let db = support::db::<Shop>().await;
    priced(1).create().send(&db).await?;
    let error = to_sen().run(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "migrate Priced ITEM#1: it can be read as `Priced` and as `Priced`, so it does not show \
         whether it is migrated; define that with `done_if` or `done_if_new`, or give `Priced` an \
         attribute or a type that `Priced` does not have"
    );
    let told = || to_sen().done_if(|item: &Priced| item.in_sen);
    assert_eq!(told().run(&db).await?.migrated, 1);
    assert_eq!(told().run(&db).await?.already, 1);
    let item = Priced::get(1).send(&db).await?.ok_or("gone")?;
    assert_eq!(item.price, 500);
    Ok(())
}

#[tokio::test]
async fn a_step_whose_result_has_the_old_shape_is_refused() -> Outcome {
    let db = support::db::<Shop>().await;
    priced(1).create().send(&db).await?;
    // It does not declare that the item is in sen now.
    let forgetful = Migration::new("sen", |old: Priced| Priced {
        price: old.price * 100,
        ..old
    });
    let forgetful = forgetful.done_if(|item: &Priced| item.in_sen);
    let error = forgetful.run(&db).await.unwrap_err();
    let said = error.to_string();
    assert!(
        said.contains("its replacement would match the old shape"),
        "{said}"
    );
    assert_eq!(Priced::get(1).send(&db).await?.ok_or("gone")?.price, 5);
    Ok(())
}

#[tokio::test]
async fn an_item_with_undeclared_attributes_is_refused() -> Outcome {
    let db = support::db::<App>().await;
    let item = json!({
        "PK": "USER#u1", "SK": "ORDER#1", "type": "ORDER",
        "user_id": "u1", "number": 1, "total": 3, "coupon": "X", "gift": true,
    });
    put_json::<App>(&db, item).await?;
    let error = moved().run(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "migrate OldOrder USER#u1/ORDER#1: `coupon`, `gift` is not in `OldOrder`, and would be \
         lost; declare it there, or call `drop_unknown`"
    );
    assert_eq!(moved().drop_unknown().run(&db).await?.migrated, 1);
    Ok(())
}

#[tokio::test]
async fn a_dry_run_lists_every_problem() -> Outcome {
    let db = support::db::<App>().await;
    old_order(1).create().send(&db).await?;
    let broken = [
        json!({ "PK": "USER#u1", "SK": "ORDER#7", "type": "ORDER", "user_id": "u1", "number": 7 }),
        json!({ "PK": "USER#u1", "SK": "ORDER#8", "type": "ORDER", "user_id": "u1", "number": 8, "total": "many" }),
        json!({ "PK": "somewhere", "SK": "else", "type": "ORDER", "user_id": "u1", "number": 9, "total": 1 }),
    ];
    for item in broken {
        put::<App>(&db, from_json(item)).await?;
    }
    let report = moved().dry_run(&db).await?;
    assert_eq!(report.migrated, 1);
    let mut said: Vec<_> = report.problems.iter().map(ToString::to_string).collect();
    said.sort();
    assert_eq!(
        said,
        [
            "migrate OldOrder USER#u1/ORDER#7: total: missing, and `OldOrder` needs it; change the \
             item, or the type that reads it",
            "migrate OldOrder USER#u1/ORDER#8: total: expected N, found S; change the item, or the \
             type that reads it",
            "migrate OldOrder somewhere/else: its key does not have the form of `OldOrder`; \
             correct the template of `OldOrder`, or the item",
        ]
    );
    // A real run ends with one of them.
    assert!(moved().run(&db).await.is_err());
    Ok(())
}

#[tokio::test]
async fn a_step_can_refuse_an_item() -> Outcome {
    let db = support::db::<App>().await;
    for number in 0..3 {
        old_order(number).create().send(&db).await?;
    }
    let step = |old: OldOrder| match old.number {
        2 => Err("no second orders"),
        _ => Ok(super::model::NewOrder::from(old)),
    };
    let migration = Migration::try_new("picky", step);
    let report = migration.dry_run(&db).await?;
    assert_eq!((report.migrated, report.problems.len()), (2, 1));
    let error = migration.run(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "migrate OldOrder USER#u2/ORDER#2: the step refused it"
    );
    let source = std::error::Error::source(&error).unwrap();
    assert_eq!(source.to_string(), "no second orders");
    // After the item is corrected, the migration continues.
    OldOrder::delete("u2", 2).send(&db).await?;
    let report = migration.run(&db).await?;
    assert!(report.resumed);
    assert_eq!(stored(&db).await?.len(), 2);
    Ok(())
}

#[derive(DynamoTable, Debug)]
#[table(name = "numbers", pk = N("id"))]
struct Numbers;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Numbers, former)]
#[pk("<id>")]
struct Before {
    id: u64,
    a: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Numbers)]
#[pk("<id>")]
struct After {
    id: u64,
    b: u32,
}

#[derive(DynamoTable, Debug)]
#[table(name = "users", pk = "id")]
struct Users;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Users, former)]
#[pk("<id>")]
struct UserBefore {
    id: String,
    a: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Users)]
#[pk("<id>")]
struct UserAfter {
    id: String,
    b: u32,
}

#[tokio::test]
async fn an_error_names_checkpoint_in_where_the_table_cannot_hold_the_checkpoint() -> Outcome {
    let db = support::db::<Numbers>().await;
    Users::create_table(&db).await?;
    App::create_table(&db).await?;
    Before { id: 1, a: 1 }.create().send(&db).await?;
    let numbers = || {
        Migration::new("m", |old: Before| After {
            id: old.id,
            b: old.a,
        })
    };
    let error = numbers().run(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "migrate Before #migration#m: `id` is a number, but the key of the checkpoint is text; \
         store it in another table, with `checkpoint_in`"
    );
    assert_eq!(numbers().checkpoint_in::<App>().run(&db).await?.migrated, 1);
    assert_eq!(After::get(1).send(&db).await?, Some(After { id: 1, b: 1 }));

    let user = UserBefore {
        id: "u".into(),
        a: 1,
    };
    user.create().send(&db).await?;
    let users = || {
        Migration::new("m", |old: UserBefore| UserAfter {
            id: old.id,
            b: old.a,
        })
    };
    let error = users().run(&db).await.unwrap_err();
    assert!(error.to_string().contains("could be an item's"), "{error}");
    assert_eq!(users().checkpoint_in::<App>().run(&db).await?.migrated, 1);
    assert!(stored(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn an_item_at_the_key_of_the_checkpoint_is_never_overwritten() -> Outcome {
    let db = support::db::<App>().await;
    let item = json!({ "PK": "#migration#rename", "SK": "#migration#rename", "type": "NOTE" });
    put_json::<App>(&db, item).await?;
    old_user(1).create().send(&db).await?;
    let before = stored(&db).await?;
    let error = renamed().run(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(stored(&db).await?, before);
    assert_eq!(OldUser::scan().count(&db).await?, 1);
    Ok(())
}
