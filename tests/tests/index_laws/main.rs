//! Index keys never go stale: any sequence of typed writes leaves every item with the key
//! attributes that a `put` of the same entity would write. And with it: the entity type, the
//! version, the times, and the items of unique constraints.

#![allow(
    unreachable_pub,
    clippy::unwrap_used,
    clippy::panic,
    clippy::large_enum_variant
)]

mod entities;
mod model;
mod operations;
mod stored;
mod strategies;
#[allow(unused_imports)]
#[path = "../support/mod.rs"]
mod support;

use dynamo_model::{Error, ErrorKind, Transaction};
use model::Model;
use operations::{Expected, Operation};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError};
use support::Outcome;

/// One step: a single operation, or several in a transaction.
#[derive(Debug, Clone)]
enum Step {
    Alone(Operation),
    Together(Vec<Operation>),
}

fn is_about_items(error: &Error) -> bool {
    error.is_condition_failed() || matches!(error.kind(), ErrorKind::SameItem { .. })
}

/// Runs every step, and checks the table after each.
async fn run(steps: &[Step]) -> Outcome<Result<(), TestCaseError>> {
    let (db, clock) = stored::db().await?;
    let mut model = Model::default();
    for (i, step) in steps.iter().enumerate() {
        let now = clock.advance();
        let operations = match step {
            Step::Alone(operation) => std::slice::from_ref(operation),
            Step::Together(operations) => operations,
        };
        let expected = model.expected(operations);
        let done = match step {
            Step::Alone(operation) => Box::pin(operation.prepare(&model).send(&db)).await,
            Step::Together(operations) => {
                let mut transaction = Transaction::new();
                for operation in operations {
                    transaction = operation.prepare(&model).add(transaction);
                }
                Box::pin(transaction.send(&db)).await
            }
        };
        let wrong = match &done {
            Ok(()) => expected == Expected::Refused,
            // Only the state of the items is a reason to refuse.
            Err(error) => expected == Expected::Done || !is_about_items(error),
        };
        if wrong {
            let reason = format!("step {i}, {step:#?}: {expected:?}, but {done:?}\n{model:#?}");
            return Ok(Err(TestCaseError::fail(reason)));
        }
        if done.is_ok() {
            for operation in operations {
                operation.apply(&mut model, now);
            }
        }
        if let Err(reason) = Box::pin(stored::check(&db, &model)).await? {
            let reason = format!("step {i}, {step:#?}, {done:?}: {reason}\n{model:#?}");
            return Ok(Err(TestCaseError::fail(reason)));
        }
    }
    Ok(Ok(()))
}

proptest! {
    #![proptest_config(Config { cases: 48, failure_persistence: None, ..Config::default() })]

    #[test]
    fn every_write_leaves_the_index_keys_that_a_put_would_store(steps in strategies::steps()) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(run(&steps)).unwrap()?;
    }
}

/// Counterexamples that the law above found.
mod found {
    use super::entities::*;
    use super::stored;
    use super::support::Outcome;
    use dynamo_model::{Entity, ErrorKind};
    use jiff::Timestamp;
    use std::time::Duration;

    fn task() -> Task {
        Task {
            team: "a".into(),
            number: 1,
            status: Status::Open,
            due: Timestamp::UNIX_EPOCH,
            priority: 7,
            assignee: None,
            owner: None,
            label: None,
            score: 0,
            title: "t".into(),
            views: 0,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            version: 0,
        }
    }

    #[tokio::test]
    async fn contradicting_siblings_are_a_conflict() -> Outcome {
        let (db, _) = stored::db().await?;
        task().create().send(&db).await?;
        let later = Timestamp::from_second(1)?;
        let update = Task::update("a", 1_u32, Status::Open)
            .set(|task| task.due(Status::Open, 7_u16), later)
            .set(|task| task.assignee(8_u16), "x");
        let error = update.send(&db).await.unwrap_err();
        let attribute = "priority".into();
        assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });

        let update =
            Task::update("a", 1_u32, Status::Done).set(|task| task.due(Status::Open, 7_u16), later);
        assert!(update.send(&db).await.unwrap_err().is_conflict());
        Ok(())
    }

    #[tokio::test]
    async fn changing_the_ttl_updates_its_index() -> Outcome {
        let (db, _) = stored::db().await?;
        let note = Note {
            id: "1".into(),
            slug: "s".into(),
            color: None,
            shelf: None,
            rank: 0,
            text: "t".into(),
            created: Timestamp::UNIX_EPOCH,
            expires: None,
        };
        note.create().send(&db).await?;
        let minute = Duration::from_secs(60);
        let update = Note::update("1").expires_in(minute).return_new();
        let expires = update.send(&db).await?.expires.unwrap();
        let found = Note::by_expiry("1").expires(expires).all(&db).await?;
        assert_eq!(found.len(), 1);
        Ok(())
    }
}
