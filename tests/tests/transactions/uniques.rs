//! Values that no other item has, kept by transactions.

use super::members::*;
use super::support::{Fault, Outcome, Request, db};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Table, Transaction};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const CONSTRAINT: &str = "EMAIL#<email>";

#[tokio::test]
async fn a_create_reserves_values_together_with_other_writes() -> Outcome {
    let db = club(&[("a", "a@x")]).await;
    let new = Member {
        phone: Some("1".into()),
        ..member("b", "b@x")
    };
    Transaction::new()
        .add(new.create())
        .add(visit("b", 1).create())
        .send(&db)
        .await?;
    assert_eq!(taken(&db).await?, ["EMAIL#a@x", "EMAIL#b@x", "PHONE#1"]);

    let transaction = Transaction::new().add(visit("c", 1).create());
    let error = transaction
        .add(member("c", "a@x").create())
        .send(&db)
        .await
        .unwrap_err();
    let constraint = CONSTRAINT;
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!(Visit::get("c", 1).send(&db).await?, None);
    Ok(())
}

#[tokio::test]
async fn a_put_over_an_item_replaces_its_unique_values() -> Outcome {
    let db = club(&[("a", "old@x"), ("b", "b@x")]).await;
    let put = |email| Member {
        version: 1,
        phone: Some("1".into()),
        ..member("a", email)
    };
    let transaction = Transaction::new()
        .add(put("b@x").put())
        .add(visit("a", 1).create());
    let error = transaction.send(&db).await.unwrap_err();
    let constraint = CONSTRAINT;
    assert_eq!(error.kind(), &ErrorKind::NotUnique { constraint });
    assert_eq!(taken(&db).await?, ["EMAIL#b@x", "EMAIL#old@x"]);

    let transaction = Transaction::new()
        .add(put("new@x").put())
        .add(visit("a", 1).create());
    transaction.send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#b@x", "EMAIL#new@x", "PHONE#1"]);
    assert_eq!(version(&db, "a").await?, Some(2));
    Ok(())
}

#[tokio::test]
async fn an_update_replaces_unique_values() -> Outcome {
    let db = club(&[("a", "a@x")]).await;
    let read = Member::get("a").send(&db).await?.unwrap();
    let update = read.update().set(|member| member.email(), "new@x");
    let update = update.set(|member| member.phone(), "1");
    Transaction::new()
        .add(update)
        .add(visit("a", 1).create())
        .send(&db)
        .await?;
    assert_eq!(taken(&db).await?, ["EMAIL#new@x", "PHONE#1"]);

    // By its key, with the value that it has; a wrong one is found out.
    let update = |now: &str| Member::update("a").set(|member| member.email(now), "third@x");
    let error = Transaction::new()
        .add(update("a@x"))
        .send(&db)
        .await
        .unwrap_err();
    let attribute = "email".into();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    Transaction::new().add(update("new@x")).send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#third@x", "PHONE#1"]);
    Ok(())
}

#[tokio::test]
async fn a_delete_by_key_releases_unique_values() -> Outcome {
    let db = club(&[("a", "a@x"), ("b", "b@x"), ("c", "c@x")]).await;
    let read = Member::get("b").send(&db).await?.unwrap();
    let transaction = Transaction::new()
        .add(Member::delete("a"))
        .add(read.delete());
    transaction.add(visit("x", 1).create()).send(&db).await?;
    assert_eq!(taken(&db).await?, ["EMAIL#c@x"]);

    // A missing item has no values.
    Transaction::new()
        .add(Member::delete("a"))
        .send(&db)
        .await?;
    let must = Transaction::new().add(Member::delete("a").must_exist());
    assert_eq!(
        must.send(&db).await.unwrap_err().kind(),
        &ErrorKind::NotFound
    );
    member("d", "a@x").create().send(&db).await?;
    Ok(())
}

/// Another client writes between the read of an item and the following write.
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
async fn an_item_created_during_its_delete_is_deleted_with_its_values() -> Outcome {
    for alone in [true, false] {
        let own = club(&[]).await;
        let other = own.clone();
        let create = move || {
            let other = other.clone();
            async move { member("a", "a@x").create().send(&other).await.unwrap() }
        };
        let (db, faulty) = own.faulty(RetryConfig::disabled(), meanwhile(create));
        match alone {
            true => Member::delete("a").send(&db).await?,
            false => {
                Transaction::new()
                    .add(Member::delete("a"))
                    .send(&db)
                    .await?;
            }
        }
        assert_eq!(faulty.bodies("TransactWriteItems").len(), 2);
        assert_eq!(version(&own, "a").await?, None);
        assert!(taken(&own).await?.is_empty());
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_value_changed_during_a_delete_is_released() -> Outcome {
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
            false => {
                Transaction::new()
                    .add(Member::delete("a"))
                    .send(&db)
                    .await?;
            }
        }
        assert_eq!(version(&own, "a").await?, None);
        assert!(taken(&own).await?.is_empty());
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_put_with_a_concurrent_change_is_a_conflict_without_effect() -> Outcome {
    for alone in [true, false] {
        let own = club(&[]).await;
        let other = own.clone();
        let create = move || {
            let other = other.clone();
            async move { member("a", "first@x").create().send(&other).await.unwrap() }
        };
        let (db, _) = own.faulty(RetryConfig::disabled(), meanwhile(create));
        let second = member("a", "second@x");
        let put = match alone {
            true => second.put().send(&db).await,
            false => Transaction::new().add(second.put()).send(&db).await,
        };
        let error = put.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        assert_eq!(error.item::<Member>()?.unwrap().email, "first@x");
        assert_eq!(taken(&own).await?, ["EMAIL#first@x"]);
    }
    Ok(())
}

#[tokio::test]
async fn a_versioned_put_over_a_deleted_item_is_refused_at_once() -> Outcome {
    let own = club(&[("a", "a@x")]).await;
    let read = Member::get("a").send(&own).await?.unwrap();
    read.delete().send(&own).await?;
    let (db, faulty) = own.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let error = read.put().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert_eq!(error.key_text(), Some("MEMBER#a/MEMBER"));
    let error = Transaction::new()
        .add(read.put())
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    // It was only read.
    assert_eq!(faulty.bodies("GetItem").len(), faulty.requests().len());
    assert!(taken(&own).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_condition_on_a_missing_item_fails() -> Outcome {
    let own = club(&[]).await;
    let (db, faulty) = own.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let new = member("a", "a@x");
    let put = new.put().condition(|member| member.email().eq("b@x"));
    let error = put.send(&db).await.unwrap_err();
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
        Transaction::new()
            .add(new.create())
            .add(visit.create())
            .send(&db)
            .await
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

/// Its owner is stored only in the key, its name in the key of an index, and its time as a key
/// writes it.
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
async fn values_of_key_only_fields_are_replaced_and_released() -> Outcome {
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
    label("a").create().send(&db).await?;
    label("b").put().send(&db).await?;
    assert_eq!(count().await?, 3);
    let read = Label::get("o", 1_u32).send(&db).await?.unwrap();
    assert_eq!(read, label("b"));
    let update = read.update().set(|label| label.name(), "c");
    update.send(&db).await?;
    assert_eq!(count().await?, 3);

    // The loaded item has another name.
    assert!(read.delete().send(&db).await.unwrap_err().is_conflict());
    let read = Label::get("o", 1_u32).send(&db).await?.unwrap();
    read.delete().send(&db).await?;
    assert_eq!(count().await?, 0);
    Ok(())
}

/// Only an operation whose own item changed after it was read is repeated.
#[tokio::test]
async fn a_transaction_that_fails_by_another_operation_is_sent_once() -> Outcome {
    let own = club(&[("a", "a@x")]).await;
    visit("a", 1).create().send(&own).await?;
    let (db, faulty) = own.faulty(RetryConfig::disabled(), |_, _| Fault::None);
    let read = Member::get("a").send(&own).await?.unwrap();
    let failing = [
        Transaction::new()
            .add(read.put())
            .add(visit("a", 1).create()),
        Transaction::new().add(read.put().condition(|member| member.email().eq("b@x"))),
        Transaction::new().add(Member::delete("a").condition(|member| member.email().eq("b@x"))),
    ];
    for (sent, transaction) in failing.into_iter().enumerate() {
        let error = transaction.send(&db).await.unwrap_err();
        assert!(
            matches!(
                error.kind(),
                ErrorKind::AlreadyExists | ErrorKind::ConditionFailed
            ),
            "{error}"
        );
        assert_eq!(faulty.bodies("TransactWriteItems").len(), sent + 1);
    }
    assert_eq!(version(&own, "a").await?, Some(1));
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Names", pk = "PK", sk = "SK", ttl = "expires")]
struct Names;

/// Without a version: a put replaces any stored item.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Names)]
#[pk("PERSON#<id>")]
#[sk("NAME")]
#[unique("NAME#<name>")]
struct Person {
    id: u32,
    name: String,
}

fn person(id: u32, name: &str) -> Person {
    let name = name.into();
    Person { id, name }
}

#[tokio::test(start_paused = true)]
async fn a_put_stores_the_item_after_a_concurrent_delete() -> Outcome {
    let own = db::<Names>().await;
    person(1, "old").create().send(&own).await?;
    let other = own.clone();
    let delete = move || {
        let other = other.clone();
        async move { Person::delete(1_u32).send(&other).await.unwrap() }
    };
    let (db, faulty) = own.faulty(RetryConfig::disabled(), meanwhile(delete));
    person(1, "new").put().send(&db).await?;
    assert_eq!(faulty.bodies("TransactWriteItems").len(), 2);
    assert_eq!(Person::get(1_u32).send(&own).await?, Some(person(1, "new")));
    person(2, "old").create().send(&own).await?;
    Ok(())
}

#[test]
fn a_transaction_counts_its_operations() {
    assert!(Transaction::new().is_empty());
    let transaction = Transaction::new().add(visit("a", 1).create());
    assert!(!transaction.is_empty());
    assert_eq!(transaction.add(visit("a", 2).create()).len(), 2);
}
