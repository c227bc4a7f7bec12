//! Answers that never came.

use super::members::*;
use super::model::*;
use super::support::{self, Fault, Outcome, Request, db, store};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::{Entity, ErrorKind, Transaction};

const ONCE: &str = "the same request token twice";

/// The first transaction is done, and its response is lost.
fn first_answer_is_lost() -> impl Fn(usize, &Request) -> Fault + Send + Sync {
    let lost = std::sync::atomic::AtomicBool::new(false);
    move |_, request| {
        let is_first = request.operation == "TransactWriteItems"
            && !lost.swap(true, std::sync::atomic::Ordering::SeqCst);
        if is_first {
            Fault::AnswerLost
        } else {
            Fault::None
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_repeated_transaction_is_done_once() -> Outcome {
    if support::skip(ONCE) {
        return Ok(());
    }
    let own = db::<Typed>().await;
    store(&own, &[user("a", 10)]).await?;
    let retries = RetryConfig::standard();
    let (db, faulty) = own.faulty(retries, first_answer_is_lost());
    Transaction::new()
        .add(User::update("a").add(|user| user.age(), 1_u32))
        .add(order("a", 1).create())
        .send(&db)
        .await?;
    let bodies = faulty.bodies("TransactWriteItems");
    assert_eq!(bodies.len(), 2);
    assert_eq!(bodies[0], bodies[1]);
    assert_eq!(User::get("a").send(&own).await?, Some(user("a", 11)));
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_repeated_create_with_unique_values_succeeds() -> Outcome {
    if support::skip(ONCE) {
        return Ok(());
    }
    let own = club(&[]).await;
    let (db, faulty) = own.faulty(RetryConfig::standard(), first_answer_is_lost());
    member("a", "a@x").create().send(&db).await?;
    assert_eq!(faulty.bodies("TransactWriteItems").len(), 2);
    assert_eq!(version(&own, "a").await?, Some(1));
    assert_eq!(taken(&own).await?, ["EMAIL#a@x"]);
    Ok(())
}

#[tokio::test]
async fn a_transaction_with_a_token_can_be_repeated_by_hand() -> Outcome {
    if support::skip(ONCE) {
        return Ok(());
    }
    let own = db::<Typed>().await;
    store(&own, &[user("a", 10)]).await?;
    let (db, _) = own.faulty(RetryConfig::disabled(), first_answer_is_lost());
    let transaction = || {
        let older = User::update("a").add(|user| user.age(), 1_u32);
        Transaction::new().add(older).token("birthday-11").send(&db)
    };
    let error = transaction().await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Network);
    for _ in 0..3 {
        transaction().await?;
    }
    assert_eq!(User::get("a").send(&own).await?, Some(user("a", 11)));
    Ok(())
}

#[tokio::test]
async fn a_token_of_another_transaction_is_refused() -> Outcome {
    if support::skip(ONCE) {
        return Ok(());
    }
    let db = db::<Typed>().await;
    Transaction::new()
        .add(user("a", 1).create())
        .token("t")
        .send(&db)
        .await?;
    let other = Transaction::new().add(user("b", 1).create()).token("t");
    let error = other.send(&db).await.unwrap_err();
    let code = "IdempotentParameterMismatchException".into();
    assert_eq!(error.kind(), &ErrorKind::Service { code });
    assert_eq!(User::get("b").send(&db).await?, None);
    Ok(())
}
