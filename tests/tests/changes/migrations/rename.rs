//! An attribute is called otherwise: the item stays where it is.

use super::at_once;
use super::model::{App, NewUser, OldUser, old_order, old_user, stored};
use crate::support::{self, Outcome};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::migrate::Migration;
use dynamo_model::{Dynamo, Entity};

pub(super) fn renamed<'m>() -> Migration<'m, OldUser, NewUser> {
    Migration::new("rename", NewUser::from).concurrency(at_once(8) as usize)
}

async fn fill(db: &Dynamo, users: u32) -> Outcome {
    for number in 0..users {
        old_user(number).create().send(db).await?;
    }
    Ok(())
}

#[tokio::test]
async fn every_item_is_renamed_and_nothing_else_changes() -> Outcome {
    let db = support::db::<App>().await;
    fill(&db, 20).await?;
    old_order(1).create().send(&db).await?;
    let before = stored(&db).await?;

    let report = renamed().segments(at_once(3)).run(&db).await?;
    assert_eq!((report.migrated, report.already), (20, 0));
    assert_eq!((report.conflicts, report.gone), (0, 0));
    // The checkpoint is in the table too.
    assert!((21..=22).contains(&report.read));
    assert!(report.is_complete() && report.segments == at_once(3) && !report.resumed);

    let mut expected = before;
    for item in expected.values_mut() {
        if let Some(name) = item.remove("name") {
            item.insert("display_name".into(), name);
            let two = aws_sdk_dynamodb::types::AttributeValue::N("2".into());
            item.insert("version".into(), two);
        }
    }
    // It has been deleted by now.
    assert_eq!(stored(&db).await?, expected);
    let user = NewUser::get("u5").send(&db).await?.ok_or("no user")?;
    assert_eq!(user.display_name, "名前5");
    Ok(())
}

#[tokio::test]
async fn a_second_run_changes_nothing() -> Outcome {
    let db = support::db::<App>().await;
    fill(&db, 5).await?;
    renamed().run(&db).await?;
    let after = stored(&db).await?;

    let (watched, faulty) = db.faulty(RetryConfig::disabled(), |_, _| support::Fault::None);
    let report = renamed().run(&watched).await?;
    assert_eq!((report.migrated, report.already), (0, 5));
    assert_eq!(stored(&db).await?, after);
    // Only the checkpoint was written: created, twice updated, and deleted.
    let writes: Vec<_> = faulty.requests().into_iter().collect();
    let count = |name: &str| writes.iter().filter(|it| it.operation == name).count();
    assert_eq!(
        count("PutItem") + count("UpdateItem") + count("DeleteItem"),
        3
    );
    assert_eq!(count("TransactWriteItems"), 0);

    // An item written in the old form since is found.
    old_user(99).create().send(&db).await?;
    assert_eq!(renamed().run(&db).await?.migrated, 1);
    Ok(())
}

#[tokio::test]
async fn a_dry_run_counts_and_writes_nothing() -> Outcome {
    let db = support::db::<App>().await;
    fill(&db, 4).await?;
    NewUser::from(old_user(10)).create().send(&db).await?;
    let before = stored(&db).await?;
    let (watched, faulty) = db.faulty(RetryConfig::disabled(), |_, _| support::Fault::None);
    let report = renamed().segments(at_once(2)).dry_run(&watched).await?;
    assert_eq!((report.migrated, report.already, report.read), (4, 1, 5));
    assert!(report.problems.is_empty());
    assert_eq!(stored(&db).await?, before);
    let reads = ["Scan", "DescribeTable"];
    let mut requests = faulty.requests().into_iter();
    assert!(requests.all(|request| reads.contains(&request.operation.as_str())));
    Ok(())
}

#[tokio::test]
async fn progress_is_reported_after_each_page() -> Outcome {
    let db = support::db::<App>().await;
    fill(&db, 10).await?;
    let mut seen = Vec::new();
    let migration = renamed()
        .page_size(3)
        .on_progress(|report| seen.push(report.read));
    migration.run(&db).await?;
    drop(migration);
    assert!(seen.is_sorted() && seen.len() >= 5, "{seen:?}");
    assert_eq!(seen.first(), Some(&0));
    assert!(seen.last() >= Some(&10));
    Ok(())
}

#[tokio::test]
async fn the_future_of_a_run_is_send() -> Outcome {
    let db = support::db::<App>().await;
    fill(&db, 3).await?;
    let (migration, handle) = (renamed().segments(at_once(2)), Dynamo::clone(&db));
    let report = tokio::spawn(async move { migration.run(&handle).await }).await??;
    assert_eq!(report.migrated, 3);
    Ok(())
}
