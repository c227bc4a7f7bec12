//! Conditions on items that are not written.

use super::model::*;
use super::support::{Db, Outcome, db, store};
use dynamo_model::batch::IntoKey;
use dynamo_model::{Entity, Error, ErrorKind, Transaction};

async fn with_ann() -> Outcome<Db> {
    let db = db::<Typed>().await;
    store(&db, &[user("ann", 30)]).await?;
    Ok(db)
}

/// Returns the result of an order that is placed together with a check.
async fn placed(
    db: &Db,
    check: impl FnOnce(Transaction) -> Transaction,
) -> Outcome<Result<(), Error>> {
    let placed = check(Transaction::new())
        .add(order("ann", 1).create())
        .send(db)
        .await;
    let order = Order::get("ann", 1).send(db).await?;
    assert_eq!(order.is_some(), placed.is_ok());
    Ok(placed)
}

#[tokio::test]
async fn a_satisfied_check_lets_the_transaction_succeed() -> Outcome {
    let db = with_ann().await?;
    placed(&db, |it| {
        it.add(User::key("ann").must_meet(|user| user.age().ge(18)))
    })
    .await??;
    assert_eq!(User::get("ann").send(&db).await?, Some(user("ann", 30)));
    Ok(())
}

#[tokio::test]
async fn a_failed_check_cancels_the_transaction() -> Outcome {
    let db = with_ann().await?;
    let check = |it: Transaction| it.add(User::key("ann").must_meet(|it| it.age().ge(65)));
    let error = placed(&db, check).await?.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(error.item::<User>()?, Some(user("ann", 30)));
    assert!(
        error
            .to_string()
            .starts_with("check User USER#ann/PROFILE: ")
    );

    // A missing item meets no condition.
    let check = |it: Transaction| it.add(User::key("bob").must_meet(|it| it.age().ne(65)));
    let error = placed(&db, check).await?.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    Ok(())
}

#[tokio::test]
async fn must_exist_fails_on_a_missing_item() -> Outcome {
    let db = with_ann().await?;
    let error = placed(&db, |it| it.add(User::key("bob").must_exist())).await?;
    assert_eq!(error.unwrap_err().kind(), &ErrorKind::NotFound);
    placed(&db, |it| it.add(User::key("ann").must_exist())).await??;
    Ok(())
}

#[tokio::test]
async fn must_not_exist_fails_on_an_existing_item() -> Outcome {
    let db = with_ann().await?;
    let error = placed(&db, |it| it.add(User::key("ann").must_not_exist())).await?;
    let error = error.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.item::<User>()?, Some(user("ann", 30)));
    placed(&db, |it| it.add(User::key("bob").must_not_exist())).await??;
    Ok(())
}

#[tokio::test]
async fn an_unsatisfiable_condition_is_still_sent() -> Outcome {
    let db = with_ann().await?;
    let none: [u32; 0] = [];
    let check = |it: Transaction| it.add(User::key("ann").must_meet(|it| it.age().is_in(none)));
    let error = placed(&db, check).await?.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    Ok(())
}
