//! Meeting another transaction.

use super::canned::{Canned, refusal};
use super::model::*;
use super::support::Outcome;
use dynamo_model::{Entity, ErrorKind, Transaction};
use serde_json::{Value, json};
use std::collections::HashSet;

/// Reports a transaction conflict so many times, then does the request.
fn conflicts(times: usize, reasons: &'static [&'static str]) -> Canned {
    Canned::new(move |n, _| {
        if n >= times {
            return (200, json!({}));
        }
        let reasons: Vec<Value> = reasons.iter().map(|code| json!({ "Code": code })).collect();
        refusal(
            "TransactionCanceledException",
            json!({ "CancellationReasons": reasons }),
        )
    })
}

fn tokens(canned: &Canned) -> HashSet<String> {
    let token = |request: &Value| request["ClientRequestToken"].as_str().unwrap().to_owned();
    canned.requests().iter().map(token).collect()
}

#[tokio::test(start_paused = true)]
async fn a_conflict_is_retried_with_the_same_token() -> Outcome {
    let transient: [&[&str]; 3] = [
        &["None", "TransactionConflict"],
        &["ThrottlingError", "TransactionConflict"],
        &["None", "ProvisionedThroughputExceeded"],
    ];
    for reasons in transient {
        let canned = conflicts(7, reasons);
        let transaction = Transaction::new().add(user("a", 1).create());
        transaction
            .add(user("b", 2).create())
            .send(&canned.db())
            .await?;
        let requests = canned.requests();
        assert_eq!(requests.len(), 8);
        assert!(requests.iter().all(|request| *request == requests[0]));
        assert_eq!(tokens(&canned).len(), 1);
    }
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_conflict_after_eight_attempts_names_the_item() {
    let canned = conflicts(usize::MAX, &["None", "TransactionConflict"]);
    let transaction = Transaction::new().add(user("a", 1).create());
    let error = transaction
        .add(user("b", 2).create())
        .send(&canned.db())
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InProgress);
    assert_eq!(error.key_text(), Some("USER#b/PROFILE"));
    assert_eq!(canned.requests().len(), 8);
}

#[tokio::test(start_paused = true)]
async fn transactions_have_different_tokens_by_default() -> Outcome {
    let canned = conflicts(0, &[]);
    let db = canned.db();
    for _ in 0..2 {
        Transaction::new()
            .add(user("a", 1).create())
            .send(&db)
            .await?;
    }
    assert_eq!(tokens(&canned).len(), 2);

    let canned = conflicts(3, &["TransactionConflict"]);
    let transaction = Transaction::new().add(user("a", 1).create());
    transaction.token("order-17").send(&canned.db()).await?;
    assert_eq!(tokens(&canned), HashSet::from(["order-17".to_owned()]));
    assert_eq!(canned.requests().len(), 4);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_transaction_in_progress_is_retried() -> Outcome {
    let answer = |times| {
        Canned::new(move |n, _| match n < times {
            true => refusal("TransactionInProgressException", Value::Null),
            false => (200, json!({})),
        })
    };
    let canned = answer(2);
    let transaction = Transaction::new().add(user("a", 1).create());
    transaction.send(&canned.db()).await?;
    assert_eq!((canned.requests().len(), tokens(&canned).len()), (3, 1));

    let canned = answer(usize::MAX);
    let transaction = Transaction::new().add(user("a", 1).create());
    let error = transaction.send(&canned.db()).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InProgress);
    assert_eq!(canned.requests().len(), 8);
    Ok(())
}

#[tokio::test(start_paused = true)]
async fn a_single_write_retries_a_transaction_conflict() -> Outcome {
    let answer = |times| {
        Canned::new(move |n, _| match n < times {
            true => refusal("TransactionConflictException", Value::Null),
            false => (200, json!({})),
        })
    };
    let canned = answer(3);
    let db = canned.db();
    user("a", 1).put().send(&db).await?;
    assert_eq!(canned.requests().len(), 4);

    let canned = answer(usize::MAX);
    let db = canned.db();
    let update = User::update("a").add(|user| user.age(), 1_u32);
    let error = update.send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InProgress);
    assert_eq!(error.key_text(), Some("USER#a/PROFILE"));
    let error = User::delete("a").send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::InProgress);
    assert_eq!(canned.requests().len(), 16);
    Ok(())
}
