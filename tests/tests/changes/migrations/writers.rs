//! Concurrent writers lose no write while the migration runs.

use super::at_once;
use super::killed::Seeded;
use super::model::{App, NewOrder, NewUser, OldOrder, OldUser, old_order, old_user, stored};
use super::rename::renamed;
use crate::support::{self, Fault, Outcome, skip};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::migrate::Migration;
use dynamo_model::{Dynamo, Entity};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const USERS: u32 = 30;

/// Counts a visit in either form of the item, as code does that is deployed before the migration.
async fn visit(db: &Dynamo, id: &str) -> Result<bool, dynamo_model::Error> {
    loop {
        let counted = match NewUser::get(id).consistent().send(db).await {
            Ok(Some(mut user)) => {
                *user.counts.entry("visits".into()).or_default() += 1;
                user.put().send(db).await
            }
            Ok(None) => return Ok(false),
            Err(error) if error.is_decode() => match OldUser::get(id).consistent().send(db).await {
                Ok(Some(mut user)) => {
                    *user.counts.entry("visits".into()).or_default() += 1;
                    user.put().send(db).await
                }
                // Migrated in between.
                Ok(None) | Err(_) => continue,
            },
            Err(error) => return Err(error),
        };
        match counted {
            Ok(()) => return Ok(true),
            Err(error) if error.is_condition_failed() => {}
            Err(error) => return Err(error),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn every_concurrent_write_is_kept() -> Outcome {
    if skip("writes at the same time") {
        return Ok(());
    }
    let db = support::db::<App>().await;
    let users: Vec<_> = (0..USERS).map(old_user).collect();
    for user in &users {
        user.create().send(&db).await?;
    }
    let done = Arc::new(AtomicBool::new(false));
    let writers: Vec<_> = (0..3)
        .map(|writer| {
            let (db, done) = (Dynamo::clone(&db), done.clone());
            tokio::spawn(async move {
                let mut seeded = Seeded::new(writer + 7);
                let mut visits = vec![0_i64; USERS as usize];
                while !done.load(Ordering::Relaxed) {
                    let user = seeded.below(USERS.into());
                    if visit(&db, &format!("u{user}")).await.unwrap() {
                        visits[user as usize] += 1;
                    }
                }
                visits
            })
        })
        .collect();
    // Slowly, so that there is something to write meanwhile.
    let report = renamed()
        .segments(at_once(2))
        .items_per_second(100)
        .run(&db)
        .await?;
    done.store(true, Ordering::Relaxed);
    let mut visits = vec![0; USERS as usize];
    for writer in writers {
        for (sum, own) in visits.iter_mut().zip(writer.await?) {
            *sum += own;
        }
    }
    assert_eq!(report.migrated, u64::from(USERS));
    for (number, visits) in (0..USERS).zip(visits) {
        let user = NewUser::get(format!("u{number}")).send(&db).await?;
        let user = user.ok_or("no user")?;
        let counted = user.counts.get("visits").copied().unwrap_or_default();
        assert_eq!(counted, visits, "u{number}");
    }
    assert_eq!(renamed().run(&db).await?.migrated, 0);
    Ok(())
}

/// Something happens just before the migration's first write of an item.
async fn meanwhile<F>(
    other: impl Fn(Dynamo) -> F + Send + Sync + 'static,
) -> Outcome<(u64, u64, u64)>
where
    F: Future<Output = ()> + Send + 'static,
{
    let db = support::db::<App>().await;
    old_order(7).create().send(&db).await?;
    let happened = Arc::new(AtomicBool::new(false));
    let handle = Dynamo::clone(&db);
    let other = Arc::new(other);
    let (racing, _) = db.faulty(RetryConfig::disabled(), move |_, request| {
        if request.operation == "TransactWriteItems" && !happened.swap(true, Ordering::SeqCst) {
            let (other, handle) = (other.clone(), handle.clone());
            let run = std::thread::spawn(move || {
                let runtime = tokio::runtime::Builder::new_current_thread()
                    .enable_all()
                    .build();
                runtime.unwrap().block_on(other(handle));
            });
            run.join().unwrap();
        }
        Fault::None
    });
    let migration = Migration::new("race", |old: OldOrder| NewOrder::from(old));
    let report = migration.run(&racing).await?;
    assert_eq!(OldOrder::get("u7", 7).send(&db).await?, None);
    let mut there = stored(&db).await?;
    there.retain(|key, _| !key.contains("#migration"));
    let left = there.into_values().next();
    let total = left.map(|item| item["total"].as_n().unwrap().parse().unwrap());
    Ok((report.migrated, report.conflicts, total.unwrap_or_default()))
}

#[tokio::test]
async fn a_change_between_read_and_write_is_migrated() -> Outcome {
    let raced = meanwhile(|db| async move {
        let update = OldOrder::update("u7", 7).set(|order| order.total(), 1000_u32);
        update.send(&db).await.unwrap();
    });
    assert_eq!(raced.await?, (1, 1, 1000));
    Ok(())
}

#[tokio::test]
async fn an_attribute_added_between_read_and_write_is_kept() -> Outcome {
    // An attribute of the new entity, which the old one does not declare: refused, not lost.
    let raced = meanwhile(|db| async move {
        let request = db.client().update_item();
        let request = request.table_name(db.table_name(&<App as dynamo_model::Table>::SCHEMA));
        let text = |text: &str| aws_sdk_dynamodb::types::AttributeValue::S(text.into());
        let request = request
            .key("PK", text("USER#u7"))
            .key("SK", text("ORDER#7"));
        let request = request.update_expression("SET GSI1PK = :x");
        request
            .expression_attribute_values(":x", text("x"))
            .send()
            .await
            .unwrap();
    });
    let error = raced.await.unwrap_err().to_string();
    assert!(
        error.contains("`GSI1PK` is not in `OldOrder`, and would be lost"),
        "{error}"
    );
    Ok(())
}

#[tokio::test]
async fn an_item_deleted_between_read_and_write_stays_deleted() -> Outcome {
    let raced = meanwhile(|db| async move {
        OldOrder::delete("u7", 7).send(&db).await.unwrap();
    });
    assert_eq!(raced.await?, (0, 0, 0));
    Ok(())
}
