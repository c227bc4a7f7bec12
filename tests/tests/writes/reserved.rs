//! Unique values in tables with plain keys: reserved in a separate table, in the same transaction.

use crate::support::{self, Db, Item, Outcome, everything};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Table, Transaction};
use serde::{Deserialize, Serialize};
use std::time::{Duration, UNIX_EPOCH};

#[derive(DynamoTable)]
#[table(name = "Reservations", pk = "value", ttl = "expires")]
struct Reservations;

#[derive(DynamoTable)]
#[table(name = "Users", pk = "userId", ttl = "expires")]
struct Users;

/// As in a table that is older than the library: its key is only the user's id.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Users)]
#[pk("<user_id>")]
#[unique("EMAIL#<email:lower>", in = Reservations)]
#[unique("APPID#<app_id>", in = Reservations)]
#[serde(rename_all = "camelCase")]
struct User {
    user_id: String,
    email: String,
    #[dynamo(immutable)]
    app_id: Option<String>,
    name: String,
    #[dynamo(ttl)]
    expires: Option<u64>,
}

#[derive(DynamoTable)]
#[table(name = "Seats", pk = "room", sk = N("number"))]
struct Seats;

/// A composite plain key, with a number.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Seats)]
#[pk("<room>")]
#[sk("<number>")]
#[unique("TICKET#<ticket>", in = Reservations)]
#[unique("EMAIL#<email:lower>", in = Reservations)]
struct Seat {
    room: String,
    number: u32,
    ticket: String,
    email: String,
}

fn user(id: &str, email: &str) -> User {
    User {
        user_id: id.into(),
        email: email.into(),
        app_id: None,
        name: "Ann".into(),
        expires: None,
    }
}

fn seat(number: u32, ticket: &str, email: &str) -> Seat {
    Seat {
        room: "hall".into(),
        number,
        ticket: ticket.into(),
        email: email.into(),
    }
}

async fn db() -> Outcome<Db> {
    let db = support::db::<Reservations>().await;
    Users::create_table(&db).await?;
    Seats::create_table(&db).await?;
    Ok(db)
}

/// The values that are taken.
async fn taken(db: &Dynamo) -> Outcome<Vec<String>> {
    let items = everything::<Reservations>(db).await?;
    let mut taken: Vec<_> = items
        .iter()
        .map(|item| item["value"].as_s().unwrap().clone())
        .collect();
    taken.sort();
    Ok(taken)
}

fn s(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

/// The stored format: the owner of a value is identified by its table and the parts of its key.
#[tokio::test]
async fn a_unique_item_in_another_table_names_its_owner() -> Outcome {
    let db = db().await?;
    user("u1", "Ann@x").create().send(&db).await?;
    seat(7, "t7", "bea@x").create().send(&db).await?;
    let mut items = everything::<Reservations>(&db).await?;
    items.sort_by_key(|item| item["value"].as_s().unwrap().clone());
    let owner = |table: &str, key: Vec<AttributeValue>| {
        AttributeValue::M(
            [
                ("table".into(), s(table)),
                ("key".into(), AttributeValue::L(key)),
            ]
            .into(),
        )
    };
    let of_user = owner("Users", vec![s("u1")]);
    let of_seat = owner("Seats", vec![AttributeValue::N("7".into()), s("hall")]);
    let item = |value: &str, owner: &AttributeValue| -> Item {
        [
            ("value".into(), s(value)),
            ("unique_owner".into(), owner.clone()),
        ]
        .into()
    };
    let expected = [
        item("EMAIL#ann@x", &of_user),
        item("EMAIL#bea@x", &of_seat),
        item("TICKET#t7", &of_seat),
    ];
    assert_eq!(items, expected);
    // The tables with plain keys contain no other items.
    assert_eq!(everything::<Users>(&db).await?.len(), 1);
    assert_eq!(User::scan().all(&db).await?, [user("u1", "Ann@x")]);
    assert_eq!(Seat::query("hall").all(&db).await?.len(), 1);
    Ok(())
}

#[tokio::test]
async fn an_item_of_any_table_cannot_take_a_reserved_value() -> Outcome {
    let db = db().await?;
    user("u1", "ann@x").create().send(&db).await?;
    let constraint = "EMAIL#<email:lower>";
    let error = user("u2", "ANN@x").create().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!((error.entity(), error.key_text()), ("User", Some("u2")));
    let error = seat(1, "t1", "ann@x").put().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!(error.entity(), "Seat");
    // The failed write left no item.
    assert_eq!(taken(&db).await?, ["EMAIL#ann@x"]);
    assert!(User::get("u2").send(&db).await?.is_none());
    Ok(())
}

#[tokio::test]
async fn puts_updates_and_deletes_replace_and_release_values() -> Outcome {
    let db = db().await?;
    user("u1", "a@x").put().send(&db).await?;
    let read = User::get("u1").send(&db).await?.unwrap();
    read.update().set(|it| it.email(), "b@x").send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#b@x"]);
    // The value expires with the item, so its TTL must be known.
    let by_key = User::update("u1").set(|it| it.email("b@x"), "c@x");
    let attributes = vec!["expires".to_owned()];
    let error = by_key.send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    seat(1, "t1", "s@x").create().send(&db).await?;
    let by_key = Seat::update("hall", 1).set(|it| it.ticket("t1"), "t2");
    by_key.send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#b@x", "EMAIL#s@x", "TICKET#t2"]);
    Seat::delete("hall", 1).send(&db).await?;
    user("u1", "d@x").put().send(&db).await?;
    user("u1", "e@x").merge().send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#e@x"]);
    user("u2", "d@x").create().send(&db).await?;
    User::delete("u1").send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#d@x"]);
    let read = User::get("u2").send(&db).await?.unwrap();
    read.delete().send(&db).await?;
    assert!(taken(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn one_transaction_writes_items_and_unique_items_of_several_tables() -> Outcome {
    let db = db().await?;
    user("u0", "old@x").create().send(&db).await?;
    let old = User::get("u0").send(&db).await?.unwrap();
    Transaction::new()
        .add(user("u1", "a@x").create())
        .add(seat(1, "t1", "b@x").put())
        .add(old.delete())
        .send(&db)
        .await?;
    assert_eq!(taken(&db).await?, ["EMAIL#a@x", "EMAIL#b@x", "TICKET#t1"]);
    let sent = Transaction::new()
        .add(user("u2", "c@x").create())
        .add(seat(2, "t1", "d@x").create())
        .send(&db);
    assert!(sent.await.unwrap_err().is_not_unique());
    assert_eq!(taken(&db).await?, ["EMAIL#a@x", "EMAIL#b@x", "TICKET#t1"]);
    // The same value twice in one transaction is refused before it is sent.
    let twice = Transaction::new()
        .add(user("u3", "e@x").create())
        .add(seat(3, "t3", "E@x").create());
    let error = twice.send(&db).await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::SameItem { .. }),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn an_item_without_the_value_reserves_and_releases_none() -> Outcome {
    let db = db().await?;
    // Stored by another program, without a reservation.
    let legacy = user("u1", "ann@x");
    let item = support::stored(&legacy)?;
    support::put::<Users>(&db, item).await?;
    user("u2", "ann@x").create().send(&db).await?;
    // The value is u2's now: u1 can be changed and deleted, and u2 keeps it.
    legacy
        .update()
        .set(|it| it.name(), "Anna")
        .send(&db)
        .await?;
    User::delete("u1").send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#ann@x"]);
    let error = user("u3", "ann@x").create().send(&db).await.unwrap_err();
    assert!(error.is_not_unique());
    Ok(())
}

#[tokio::test]
async fn a_value_expires_with_its_item() -> Outcome {
    let db = db().await?;
    let at = 1_700_000_000;
    let expiring = User {
        expires: Some(at),
        app_id: Some("ann".into()),
        ..user("u1", "ann@x")
    };
    expiring.create().send(&db).await?;
    let ttl = |at: u64| AttributeValue::N(at.to_string());
    for item in everything::<Reservations>(&db).await? {
        assert_eq!(item["expires"], ttl(at));
    }
    let later = UNIX_EPOCH + Duration::from_secs(at + 60);
    let read = User::get("u1").send(&db).await?.unwrap();
    read.update().expires_at(later).send(&db).await?;
    let items = everything::<Reservations>(&db).await?;
    assert_eq!(items.len(), 2);
    assert!(items.iter().all(|item| item["expires"] == ttl(at + 60)));
    Ok(())
}

#[tokio::test]
async fn one_of_two_simultaneous_creates_gets_the_value() -> Outcome {
    let db = db().await?;
    if support::skip("writes at the same time") {
        return Ok(());
    }
    for round in 0..5 {
        let email = format!("{round}@x");
        let [a, b] = ["a", "b"].map(|name| user(&format!("{name}{round}"), &email));
        let (a, b) = tokio::join!(a.create().send(&db), b.create().send(&db));
        let errors: Vec<_> = [a, b].into_iter().filter_map(Result::err).collect();
        assert_eq!(errors.len(), 1, "{errors:?}");
        assert!(errors[0].is_not_unique(), "{}", errors[0]);
    }
    assert_eq!(User::scan().count(&db).await?, 5);
    assert_eq!(taken(&db).await?.len(), 5);
    Ok(())
}

#[tokio::test]
async fn a_missing_reservations_table_is_named_in_the_error() -> Outcome {
    let db = support::db::<Users>().await;
    let error = user("u1", "ann@x").create().send(&db).await.unwrap_err();
    assert!(error.is_missing_table() || matches!(error.kind(), ErrorKind::Service { .. }));
    assert!(User::get("u1").send(&db).await?.is_none());
    Ok(())
}
