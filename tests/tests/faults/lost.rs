//! Lost responses, one by one: what is sent again, and which error the caller gets.

use super::model::*;
use super::support::Outcome;
use super::support::network::{Fault, Network, THROTTLED};
use super::support::typed::typed;
use dynamo_model::batch::IntoKey;
use dynamo_model::error::Outcome as Became;
use dynamo_model::{BatchWrite, Dynamo, Entity, Error, ErrorKind, Table, Transaction};

/// Every kind of lost response to a done request.
const LOST: [Fault; 5] = [
    Fault::Broken { done: true },
    Fault::ServerError { done: true },
    Fault::TimedOut { done: true },
    Fault::Silent { done: true },
    Fault::CutOff,
];

/// An engine with the table, the same through a network, and with typed inputs or without.
struct Rig {
    own: Dynamo,
    network: Network,
    db: Dynamo,
}

async fn rig(operation: &'static str, faults: &[Fault], is_typed: bool) -> Rig {
    let own = Dynamo::embedded().unwrap();
    Faults::create_table(&own).await.unwrap();
    let network = Network::scripted(&own, operation, faults);
    let db = network.handle(&own, 3);
    let db = if is_typed { typed(&db) } else { db };
    let first = network.calm(Counter::get(999).send(&db)).await;
    assert!(first.unwrap().is_none());
    Rig { own, network, db }
}

impl Rig {
    /// Returns how many requests of the operation there were.
    fn sent(&self, operation: &str) -> usize {
        let log = self.network.log();
        log.iter().filter(|(sent, _)| sent == operation).count()
    }
}

/// Each way to lose an answer, with typed inputs and without.
macro_rules! each_loss {
    ($operation:literal, |$rig:ident, $fault:ident| $test:expr) => {
        for $fault in LOST {
            for is_typed in [false, true] {
                let $rig = rig($operation, &[$fault], is_typed).await;
                $test
            }
        }
    };
}

#[tokio::test(start_paused = true)]
async fn a_repeated_create_recognises_its_earlier_attempt() -> Outcome {
    each_loss!("PutItem", |rig, fault| {
        let mut task = task(1);
        let new = task.create().return_new().send(&rig.db).await?;
        task.version = 1;
        assert_eq!(new, task, "{fault:?}");
        assert_eq!(rig.sent("PutItem"), 2);
        assert_eq!(Task::get(1).send(&rig.own).await?, Some(task));
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_repeated_create_over_another_item_is_uncertain() -> Outcome {
    let rig = rig("PutItem", &[Fault::Broken { done: false }], false).await;
    counter(1, 7).create().send(&rig.own).await?;
    let error = counter(1, 8).create().send(&rig.db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert!(error.is_uncertain());
    assert!(error.to_string().ends_with("it may have been done"));
    assert_eq!(error.item::<Counter>()?, Some(counter(1, 7)));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_create_refused_at_first_is_certain() -> Outcome {
    let rig = rig("PutItem", &[THROTTLED], false).await;
    counter(1, 8).create().send(&rig.own).await?;
    let error = counter(1, 8).create().send(&rig.db).await.unwrap_err();
    assert_eq!(
        error.kind(),
        &ErrorKind::AlreadyExists,
        "equal, and not its own"
    );
    assert!(!error.is_uncertain());
    Ok(())
}

/// Asserts that it is not sent again, and is uncertain; or done, if half of a success arrived.
fn assert_sent_once<T: std::fmt::Debug>(rig: &Rig, operation: &str, sent: Result<T, Error>) {
    let error = sent.unwrap_err();
    let log = rig.network.log();
    let expected = match log.contains(&(operation.to_owned(), Fault::CutOff)) {
        true => Became::Done,
        false => Became::Uncertain,
    };
    assert_eq!(error.outcome(), expected, "{error}");
    assert!(!error.is_condition_failed(), "{error}");
    assert_eq!(rig.sent(operation), 1, "{error}");
}

#[tokio::test(start_paused = true)]
async fn a_versioned_put_is_sent_once() -> Outcome {
    each_loss!("PutItem", |rig, _fault| {
        let mut task = task(1).create().return_new().send(&rig.own).await?;
        task.title = 2;
        assert_sent_once(&rig, "PutItem", task.put().send(&rig.db).await);
        let stored = Task::get(1).send(&rig.own).await?.unwrap();
        assert_eq!((stored.version, stored.title), (2, 2));
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_add_is_sent_once() -> Outcome {
    each_loss!("UpdateItem", |rig, _fault| {
        counter(1, 7).create().send(&rig.own).await?;
        let add = Counter::update(1).add(|it| it.value(), 1_u64);
        assert_sent_once(&rig, "UpdateItem", add.send(&rig.db).await);
        assert_eq!(Counter::get(1).send(&rig.own).await?, Some(counter(1, 8)));
    });
    each_loss!("UpdateItem", |rig, _fault| {
        let add = Counter::upsert(1).add(|it| it.value(), 1_u64);
        assert_sent_once(&rig, "UpdateItem", add.send(&rig.db).await);
        assert_eq!(Counter::get(1).send(&rig.own).await?.unwrap().value, 1);
    });
    each_loss!("UpdateItem", |rig, _fault| {
        counter(1, 7).create().send(&rig.own).await?;
        let append = Counter::update(1).append(|it| it.lines(), [5_u64]);
        assert_sent_once(&rig, "UpdateItem", append.send(&rig.db).await);
        assert_eq!(Counter::get(1).send(&rig.own).await?.unwrap().lines, [5]);
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_add_in_a_transaction_is_done_once_and_acknowledged() -> Outcome {
    each_loss!("TransactWriteItems", |rig, fault| {
        counter(1, 7).create().send(&rig.own).await?;
        let add = Counter::update(1).add(|it| it.value(), 1_u64);
        Transaction::new().add(add).send(&rig.db).await?;
        assert_eq!(rig.sent("TransactWriteItems"), 2, "{fault:?}");
        assert_eq!(Counter::get(1).send(&rig.own).await?, Some(counter(1, 8)));
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn every_throttled_write_is_sent_again() -> Outcome {
    for code in [
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
    ] {
        let refused = Fault::Refused(code);
        let rig = rig("UpdateItem", &[refused, refused], false).await;
        counter(1, 7).create().send(&rig.own).await?;
        let add = Counter::update(1).add(|it| it.value(), 1_u64);
        add.send(&rig.db).await?;
        assert_eq!(rig.sent("UpdateItem"), 3);
        assert_eq!(Counter::get(1).send(&rig.own).await?, Some(counter(1, 8)));
    }
    let rig = rig("UpdateItem", &[THROTTLED; 3], false).await;
    counter(1, 7).create().send(&rig.own).await?;
    let add = Counter::update(1).add(|it| it.value(), 1_u64);
    let error = add.send(&rig.db).await.unwrap_err();
    assert!(error.is_throttled() && !error.is_uncertain());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_update_that_sets_is_sent_again() -> Outcome {
    each_loss!("UpdateItem", |rig, fault| {
        task(1).create().send(&rig.own).await?;
        let day = task(1).day;
        let update = Task::update(1)
            .set(|it| it.status(day.as_deref()), Status::Done)
            .set(|it| it.title(), 5_u64);
        update.send(&rig.db).await?;
        assert_eq!(rig.sent("UpdateItem"), 2, "{fault:?}");
        let stored = Task::get(1).send(&rig.own).await?.unwrap();
        assert_eq!((stored.status, stored.title), (Status::Done, 5));
        // Counted up twice, which does no harm.
        assert_eq!(stored.version, 3);
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn an_update_of_a_version_is_sent_once() -> Outcome {
    each_loss!("UpdateItem", |rig, _fault| {
        let task = task(1).create().return_new().send(&rig.own).await?;
        let update = task.update().set(|it| it.title(), 5_u64);
        assert_sent_once(&rig, "UpdateItem", update.send(&rig.db).await);
        let stored = Task::get(1).send(&rig.own).await?.unwrap();
        assert_eq!((stored.title, stored.version), (5, 2));
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_delete_is_sent_again_unless_it_has_a_condition_or_returns_the_item() -> Outcome {
    each_loss!("DeleteItem", |rig, fault| {
        counter(1, 7).create().send(&rig.own).await?;
        Counter::delete(1).send(&rig.db).await?;
        assert_eq!(rig.sent("DeleteItem"), 2, "{fault:?}");
        assert_eq!(Counter::get(1).send(&rig.own).await?, None);
    });
    each_loss!("DeleteItem", |rig, _fault| {
        counter(1, 7).create().send(&rig.own).await?;
        let delete = Counter::delete(1).must_exist();
        assert_sent_once(&rig, "DeleteItem", delete.send(&rig.db).await);
        assert_eq!(Counter::get(1).send(&rig.own).await?, None);
    });
    each_loss!("DeleteItem", |rig, _fault| {
        counter(1, 7).create().send(&rig.own).await?;
        let delete = Counter::delete(1).return_old();
        assert_sent_once(&rig, "DeleteItem", delete.send(&rig.db).await);
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_put_is_sent_again_unless_it_returns_the_old_item() -> Outcome {
    each_loss!("PutItem", |rig, fault| {
        counter(1, 7).put().send(&rig.db).await?;
        assert_eq!(rig.sent("PutItem"), 2, "{fault:?}");
        assert_eq!(Counter::get(1).send(&rig.own).await?, Some(counter(1, 7)));
    });
    each_loss!("PutItem", |rig, _fault| {
        let put = counter(1, 7).put().return_old().send(&rig.db).await;
        assert_sent_once(&rig, "PutItem", put);
    });
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_write_with_an_unreadable_result_is_done() -> Outcome {
    let rig = rig("GetItem", &[THROTTLED; 3], false).await;
    let new = account(1, "a@x");
    let account = new.create().return_new().send(&rig.own).await?;
    let moved = account.update().set(|it| it.email(), "b@x").return_new();
    let error = moved.send(&rig.db).await.unwrap_err();
    assert!(error.is_throttled());
    assert_eq!(error.outcome(), Became::Done);
    let stored = Account::get(1).send(&rig.own).await?.unwrap();
    assert_eq!((stored.email.as_str(), stored.version), ("b@x", 2));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_cancelled_transaction_was_not_done_by_an_earlier_attempt() -> Outcome {
    let rig = rig("TransactWriteItems", &[Fault::Broken { done: true }], false).await;
    let create = Transaction::new().add(counter(2, 1).create());
    let check = create.add(Counter::key(1).must_exist());
    let error = check.send(&rig.db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert!(!error.is_uncertain());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_timed_out_write_is_uncertain() -> Outcome {
    use aws_sdk_dynamodb::config::timeout::TimeoutConfig;
    let rig = rig("UpdateItem", &[Fault::Silent { done: true }], false).await;
    counter(1, 7).create().send(&rig.own).await?;
    let timeouts = TimeoutConfig::builder().operation_timeout(std::time::Duration::from_secs(1));
    let config = rig.db.client().config().to_builder();
    let config = config.timeout_config(timeouts.build()).build();
    let db = Dynamo::new(aws_sdk_dynamodb::Client::from_conf(config));
    let error = Counter::update(1)
        .add(|it| it.value(), 1_u64)
        .send(&db)
        .await;
    let error = error.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Network);
    assert!(error.is_uncertain());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_failed_read_is_certain() -> Outcome {
    let rig = rig("GetItem", &[Fault::Broken { done: true }; 3], false).await;
    let error = Counter::get(1).send(&rig.db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Network);
    assert!(!error.is_uncertain());
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_batch_with_a_lost_response_is_sent_again() -> Outcome {
    each_loss!("BatchWriteItem", |rig, fault| {
        let entries: Vec<Entry> = (0..20).map(|number| entry(1, number)).collect();
        BatchWrite::new().puts(&entries).send(&rig.db).await?;
        assert_eq!(rig.sent("BatchWriteItem"), 2, "{fault:?}");
        assert_eq!(Entry::query(1).all(&rig.own).await?, entries);
    });
    let rig = rig("BatchWriteItem", &[Fault::Broken { done: true }; 3], false).await;
    let batch = BatchWrite::new().puts(&[entry(1, 1), entry(1, 2)]);
    let error = batch.send(&rig.db).await.unwrap_err();
    assert!(error.is_uncertain());
    assert_eq!(error.unwritten().len(), 2, "for all that is known");
    BatchWrite::new()
        .again(error.into_unwritten())
        .send(&rig.own)
        .await?;
    assert_eq!(Entry::query(1).all(&rig.own).await?.len(), 2);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_repeated_create_table_recognises_its_earlier_attempt() -> Outcome {
    for fault in LOST {
        let own = Dynamo::embedded()?;
        let network = Network::scripted(&own, "CreateTable", &[fault]);
        Faults::create_table(&network.handle(&own, 3)).await?;
        assert!(Faults::exists(&own).await?);
        let error = Faults::create_table(&own).await.unwrap_err();
        let code = "ResourceInUseException".into();
        assert_eq!(error.kind(), &ErrorKind::Service { code });
        let network = Network::scripted(&own, "DeleteTable", &[fault]);
        Faults::drop_table(&network.handle(&own, 3)).await?;
        assert!(!Faults::exists(&own).await?);
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_transaction_with_conflicts_after_a_lost_response_is_uncertain() -> Outcome {
    let mut faults = vec![Fault::Broken { done: true }];
    faults.extend([Fault::Conflict; 40]);
    let rig = rig("TransactWriteItems", &faults, false).await;
    let create = Transaction::new().add(counter(1, 1).create());
    let error = create.send(&rig.db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InProgress);
    assert!(error.is_uncertain());
    assert_eq!(Counter::get(1).send(&rig.own).await?, Some(counter(1, 1)));
    Ok(())
}
