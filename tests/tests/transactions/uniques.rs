//! Values that no other item has, kept by transactions.

use super::members::*;
use super::support::{Fault, Outcome, Request, db};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Table};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const CONSTRAINT: &str = "EMAIL#<email>";

#[tokio::test]
async fn a_create_takes_values_together_with_other_writes() -> Outcome {
    let db = club(&[("a", "a@x")]).await;
    let new = Member {
        phone: Some("1".into()),
        ..member("b", "b@x")
    };
    db.transaction()
        .create(&new)
        .create(&visit("b", 1))
        .send()
        .await?;
    assert_eq!(taken(&db).await?, ["EMAIL#a@x", "EMAIL#b@x", "PHONE#1"]);

    let transaction = db.transaction().create(&visit("c", 1));
    let error = transaction
        .create(&member("c", "a@x"))
        .send()
        .await
        .unwrap_err();
    let constraint = CONSTRAINT;
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!(Visit::get("c", 1).send(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn a_put_over_an_item_moves_its_values() -> Outcome {
    let db = club(&[("a", "old@x"), ("b", "b@x")]).await;
    let put = |email| Member {
        version: 1,
        phone: Some("1".into()),
        ..member("a", email)
    };
    let transaction = db.transaction().put(&put("b@x")).create(&visit("a", 1));
    let error = transaction.send().await.unwrap_err();
    let constraint = CONSTRAINT;
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!(taken(&db).await?, ["EMAIL#b@x", "EMAIL#old@x"]);

    let transaction = db.transaction().put(&put("new@x")).create(&visit("a", 1));
    transaction.send().await?;
    assert_eq!(taken(&db).await?, ["EMAIL#b@x", "EMAIL#new@x", "PHONE#1"]);
    assert_eq!(version(&db, "a").await?, Some(2));
    Ok(())
}

#[tokio::test]
async fn an_update_moves_values() -> Outcome {
    let db = club(&[("a", "a@x")]).await;
    let read = Member::get("a").send(&db).await?.unwrap();
    let update = read.update().set(|member| member.email(), "new@x");
    let update = update.set(|member| member.phone(), "1");
    db.transaction()
        .update(update)
        .create(&visit("a", 1))
        .send()
        .await?;
    assert_eq!(taken(&db).await?, ["EMAIL#new@x", "PHONE#1"]);

    // By its key, with the value that it has; a wrong one is found out.
    let update = |now: &str| Member::update("a").set(|member| member.email(now), "third@x");
    let error = db
        .transaction()
        .update(update("a@x"))
        .send()
        .await
        .unwrap_err();
    let attribute = "email".into();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    db.transaction().update(update("new@x")).send().await?;
    assert_eq!(taken(&db).await?, ["EMAIL#third@x", "PHONE#1"]);
    Ok(())
}

#[tokio::test]
async fn a_delete_by_key_gives_values_back() -> Outcome {
    let db = club(&[("a", "a@x"), ("b", "b@x"), ("c", "c@x")]).await;
    let read = Member::get("b").send(&db).await?.unwrap();
    let transaction = db.transaction().delete(Member::delete("a")).delete(&read);
    transaction.create(&visit("x", 1)).send().await?;
    assert_eq!(taken(&db).await?, ["EMAIL#c@x"]);

    // What is not there has no values.
    db.transaction().delete(Member::delete("a")).send().await?;
    let must = db.transaction().delete(Member::delete("a").must_exist());
    assert_eq!(must.send().await.unwrap_err().kind(), &ErrorKind::NotFound);
    db.create(&member("d", "a@x")).send().await?;
    Ok(())
}

/// Somebody else writes after an item was read, and before what follows from it is written.
fn meanwhile<F: Future<Output = ()>>(
    write: impl Fn() -> F + Send + Sync + 'static,
) -> impl Fn(usize, &Request) -> Fault + Send + Sync {
    let write = Arc::new(write);
    let done = AtomicBool::new(false);
    move |_, request| {
        if request.operation == "TransactWriteItems" && !done.swap(true, Ordering::SeqCst) {
            let write = write.clone();
            let run = move || {
                let mut runtime = tokio::runtime::Builder::new_current_thread();
                runtime.enable_all().build().unwrap().block_on(write());
            };
            std::thread::spawn(run).join().unwrap();
        }
        Fault::None
    }
}

#[tokio::test(start_paused = true)]
async fn an_item_that_comes_before_its_delete_goes_with_its_values() -> Outcome {
    for alone in [true, false] {
        let own = club(&[]).await;
        let other = own.clone();
        let create = move || {
            let other = other.clone();
            async move { other.create(&member("a", "a@x")).send().await.unwrap() }
        };
        let (db, faulty) = own.faulty(RetryConfig::disabled(), meanwhile(create));
        match alone {
            true => Member::delete("a").send(&db).await?,
            false => db.transaction().delete(Member::delete("a")).send().await?,
        }
        assert_eq!(faulty.bodies("TransactWriteItems").len(), 2);
        assert_eq!(version(&own, "a").await?, None);
        assert!(taken(&own).await?.is_empty());
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_value_that_changes_before_a_delete_is_given_back_all_the_same() -> Outcome {
    for alone in [true, false] {
        let own = club(&[("a", "a@x")]).await;
        let other = own.clone();
        let change = move || {
            let other = other.clone();
            async move {
                let update = Member::update("a").set(|member| member.email("a@x"), "new@x");
                update.send(&other).await.unwrap();
            }
        };
        let (db, _) = own.faulty(RetryConfig::disabled(), meanwhile(change));
        match alone {
            true => Member::delete("a").send(&db).await?,
            false => db.transaction().delete(Member::delete("a")).send().await?,
        }
        assert_eq!(version(&own, "a").await?, None);
        assert!(taken(&own).await?.is_empty());
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_put_that_was_overtaken_is_a_conflict_and_leaves_nothing() -> Outcome {
    for alone in [true, false] {
        let own = club(&[]).await;
        let other = own.clone();
        let create = move || {
            let other = other.clone();
            async move { other.create(&member("a", "first@x")).send().await.unwrap() }
        };
        let (db, _) = own.faulty(RetryConfig::disabled(), meanwhile(create));
        let second = member("a", "second@x");
        let put = match alone {
            true => db.put(&second).send().await,
            false => db.transaction().put(&second).send().await,
        };
        let error = put.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        assert_eq!(error.item::<Member>()?.unwrap().email, "first@x");
        assert_eq!(taken(&own).await?, ["EMAIL#first@x"]);
    }
    Ok(())
}

#[tokio::test]
async fn a_put_over_what_was_deleted_is_refused_at_once() -> Outcome {
    let own = club(&[("a", "a@x")]).await;
    let read = Member::get("a").send(&own).await?.unwrap();
    read.delete().send(&own).await?;
    let (db, faulty) = own.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let error = db.put(&read).send().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert_eq!(error.key_text(), Some("MEMBER#a/MEMBER"));
    let error = db.transaction().put(&read).send().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    // It was looked for, and that is all.
    assert_eq!(faulty.bodies("GetItem").len(), faulty.requests().len());
    assert!(taken(&own).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_condition_on_what_is_not_there_is_just_not_met() -> Outcome {
    let own = club(&[]).await;
    let (db, faulty) = own.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let new = member("a", "a@x");
    let put = db.put(&new).condition(|member| member.email().eq("b@x"));
    let error = put.send().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    let delete = Member::delete("a").condition(|member| member.email().eq("b@x"));
    let error = delete.send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(faulty.bodies("TransactWriteItems").len(), 2);
    Ok(())
}

#[tokio::test]
async fn of_racing_creates_exactly_one_wins() -> Outcome {
    let db = club(&[]).await;
    let ids: Vec<String> = (0..10).map(|n| n.to_string()).collect();
    let creates = ids.iter().map(async |id| {
        let (new, visit) = (member(id, "same@x"), visit(id, 1));
        db.transaction().create(&new).create(&visit).send().await
    });
    let done = futures_util::future::join_all(creates).await;
    let lost: Vec<_> = done.into_iter().filter_map(Result::err).collect();
    assert_eq!(lost.len(), 9);
    let constraint = CONSTRAINT;
    assert!(
        lost.iter()
            .all(|it| *it.kind() == ErrorKind::NotUnique { constraint })
    );
    assert_eq!(taken(&db).await?, ["EMAIL#same@x"]);
    assert_eq!(Visit::scan().count(&db).await?, 1);
    Ok(())
}

/// Its owner is stored in the key alone, its name in the key of an index, and its time as a key is written.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Labels)]
#[pk("OWNER#<owner>")]
#[sk("LABEL#<id>")]
#[lsi1(sk = "NAME#<name>", as = by_name)]
#[lsi2(sk = "<since:ms>", as = by_time)]
#[unique("NAME#<owner>#<name>")]
#[unique("SINCE#<owner>#<since:ms>")]
struct Label {
    #[dynamo(key_only)]
    owner: String,
    id: u32,
    #[dynamo(key_only)]
    name: String,
    since: jiff::Timestamp,
    #[serde(default)]
    color: String,
}

#[derive(DynamoTable)]
#[table(name = "Labels", pk = "PK", sk = "SK")]
#[lsi1(name = "Names", sk = "LSI1SK")]
#[lsi2(name = "Times", sk = "since")]
struct Labels;

#[tokio::test]
async fn values_of_fields_that_are_stored_in_keys_move_and_come_back() -> Outcome {
    let db = db::<Labels>().await;
    let label = |name: &str| Label {
        owner: "o".into(),
        id: 1,
        name: name.into(),
        since: jiff::Timestamp::UNIX_EPOCH,
        color: String::new(),
    };
    let count = async || {
        let table = db.table_name(&<Labels as Table>::SCHEMA);
        let scan = db.client().scan().table_name(table).send().await;
        scan.map(|it| it.count)
    };
    db.create(&label("a")).send().await?;
    db.put(&label("b")).send().await?;
    assert_eq!(count().await?, 3);
    let read = Label::get("o", 1_u32).send(&db).await?.unwrap();
    assert_eq!(read, label("b"));
    let update = read.update().set(|label| label.name(), "c");
    update.send(&db).await?;
    assert_eq!(count().await?, 3);

    // What was read before has another name.
    assert!(read.delete().send(&db).await.unwrap_err().is_conflict());
    let read = Label::get("o", 1_u32).send(&db).await?.unwrap();
    read.delete().send(&db).await?;
    assert_eq!(count().await?, 0);
    Ok(())
}
