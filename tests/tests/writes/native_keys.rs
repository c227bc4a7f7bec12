//! Writes of items in index keys that consist of several attributes.

use crate::support::{self, Outcome, raw};
use crate::tournament::{Match, Tournament, game};
use aws_sdk_dynamodb::types::AttributeValue::{N, S};
use dynamo_model::error::KeyErrorKind;
use dynamo_model::transaction::Transaction;
use dynamo_model::{Entity, ErrorKind};

const ENGINE: &str = "index keys of several attributes";

/// Nothing is written beside the item's own data.
#[tokio::test]
async fn an_item_has_no_attributes_but_its_own() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = support::db::<Tournament>().await;
    let game = game("m1", -7, 5);
    game.create().send(&db).await?;
    let stored = raw(&db, game.primary_key()).await?.unwrap();
    let mut names: Vec<_> = stored.keys().map(String::as_str).collect();
    names.sort_unstable();
    let own = [
        "PK", "SK", "day", "kind", "matchId", "region", "round", "score", "startsAt", "tenant",
    ];
    assert_eq!(names, own);
    assert_eq!(stored["round"], N("-7".into()));
    assert_eq!(stored["startsAt"], N("5".into()));
    assert_eq!(stored["region"], S("eu".into()));
    let attributes = game.key_attributes()?;
    let names: Vec<_> = attributes.iter().map(|it| it.name).collect();
    assert_eq!(names, ["PK", "SK"]);
    Ok(())
}

/// Each attribute changes alone: no sibling is an argument or a condition.
#[tokio::test]
async fn an_update_by_key_moves_the_item_without_the_other_attributes() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = support::db::<Tournament>().await;
    game("m1", 2, 5).create().send(&db).await?;
    let update = || Match::update("acme", "m1");
    update().set(|it| it.region(), "us").send(&db).await?;
    update().add(|it| it.round(), 8).send(&db).await?;
    update().set(|it| it.venue(), "hall").send(&db).await?;
    assert!(Match::by_round("acme", "eu").all(&db).await?.is_empty());
    let found = Match::by_round("acme", "us").round(10).one(&db).await?;
    assert_eq!((found.round, found.venue.as_deref()), (10, Some("hall")));
    assert_eq!(Match::by_venue("hall").count(&db).await?, 1);
    let loaded = found.update().subtract(|it| it.round(), 1);
    let loaded = loaded.condition(|it| it.round().eq(10));
    loaded.send(&db).await?;
    assert_eq!(Match::by_round("acme", "us").round(9).count(&db).await?, 1);
    Ok(())
}

#[tokio::test]
async fn a_transaction_moves_items_between_partitions() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = support::db::<Tournament>().await;
    game("m1", 2, 5).create().send(&db).await?;
    let mut second = game("m2", 2, 5);
    second.region = "us".into();
    Transaction::new()
        .add(second.create())
        .add(Match::update("acme", "m1").set(|it| it.region(), "us"))
        .send(&db)
        .await?;
    assert_eq!(Match::by_round("acme", "us").count(&db).await?, 2);
    let delete = Transaction::new().add(Match::delete("acme", "m1"));
    delete.send(&db).await?;
    assert_eq!(Match::by_round("acme", "us").one(&db).await?, second);
    Ok(())
}

/// DynamoDB would refuse the item.
#[tokio::test]
async fn an_empty_attribute_fails_before_the_request() -> Outcome {
    let db = dynamo_model::Dynamo::embedded()?;
    let mut game = game("m1", 2, 5);
    game.region = String::new();
    let update = Match::update("acme", "m1").set(|it| it.region(), "");
    for error in [
        game.put().send(&db).await.unwrap_err(),
        update.send(&db).await.unwrap_err(),
    ] {
        let ErrorKind::Key(error) = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(
            (error.kind(), error.field()),
            (&KeyErrorKind::Empty, Some("region"))
        );
    }
    Ok(())
}
