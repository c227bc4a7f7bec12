//! Queries of index keys that consist of several attributes.

use crate::support::{self, Outcome, raw};
use crate::tournament::{Bye, Match, Tenant, Tournament, TournamentItem, game, games};
use dynamo_model::error::KeyErrorKind;
use dynamo_model::{Dynamo, DynamoProjection, Entity, Table};
use jiff::Timestamp;
use jiff::civil::date;
use serde::Deserialize;

const ENGINE: &str = "index keys of several attributes";

async fn tournament() -> Outcome<support::Db> {
    let db = support::db::<Tournament>().await;
    for game in games() {
        game.put().send(&db).await?;
    }
    Ok(db)
}

fn at(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(millis).unwrap()
}

fn ids(games: &[Match]) -> Vec<&str> {
    games.iter().map(|game| game.match_id.as_str()).collect()
}

#[tokio::test]
async fn items_are_in_the_order_of_the_attributes_and_numbers_sort_as_numbers() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = tournament().await?;
    let query = || Match::by_round("acme", "eu");
    assert_eq!(query().all(&db).await?, games());
    let mut reversed = games();
    reversed.reverse();
    assert_eq!(query().descending().all(&db).await?, reversed);
    assert!(Match::by_round("acme", "us").all(&db).await?.is_empty());
    assert!(
        Match::by_round(Tenant("acm".into()), "eeu")
            .all(&db)
            .await?
            .is_empty()
    );
    assert_eq!(query().count(&db).await?, 7);
    assert_eq!(query().first(&db).await?, Some(games().remove(0)));
    Ok(())
}

#[tokio::test]
async fn sort_attributes_are_given_from_the_left_with_a_range_or_prefix_at_the_end() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = tournament().await?;
    let query = || Match::by_round("acme", "eu");
    let second = || query().round(2);
    let tenth = || second().starts_at(at(10));
    for (found, expected) in [
        (second().all(&db).await?, vec!["m1", "m2", "m3", "x4"]),
        (
            second().descending().all(&db).await?,
            vec!["x4", "m3", "m2", "m1"],
        ),
        (tenth().all(&db).await?, vec!["m2", "m3"]),
        (tenth().match_id("m3").all(&db).await?, vec!["m3"]),
        (
            tenth().match_id_prefix("m").all(&db).await?,
            vec!["m2", "m3"],
        ),
        (tenth().match_id_prefix("x").all(&db).await?, vec![]),
        (tenth().match_id_in("m3"..).all(&db).await?, vec!["m3"]),
        (query().round_in(..2).all(&db).await?, vec!["m0"]),
        (query().round_in(3..=10).all(&db).await?, vec!["m5", "m6"]),
        (
            query().round_in(-3..=2).limit(2).all(&db).await?,
            vec!["m0", "m1"],
        ),
        (query().round_in(5..5).all(&db).await?, vec![]),
        (query().round_in(3..).round(2).all(&db).await?, vec![]),
        (
            query()
                .round_in(3..)
                .round(2)
                .starts_at(at(5))
                .all(&db)
                .await?,
            vec![],
        ),
        (
            second().starts_at_in(at(6)..at(100)).all(&db).await?,
            vec!["m2", "m3"],
        ),
        (
            second()
                .starts_at_in(at(10)..)
                .descending()
                .all(&db)
                .await?,
            vec!["x4", "m3", "m2"],
        ),
        (
            query().round(10).starts_at_in(..=at(7)).all(&db).await?,
            vec!["m5"],
        ),
    ] {
        assert_eq!(ids(&found), expected);
    }
    Ok(())
}

#[tokio::test]
async fn the_request_has_an_equality_for_each_attribute_before_the_last() -> Outcome {
    let db = Dynamo::embedded()?;
    let query = || Match::by_round("acme", "eu");
    let filter = "  only: kind = \"MATCH\" OR attribute_not_exists(kind)";
    for (query, key) in [
        (query().query(), ""),
        (query().round(2).query(), " AND round = 2"),
        (query().round_in(2..).query(), " AND round >= 2"),
        (query().round_in(..).query(), ""),
        (
            query().round_in(2..).round_in(..=8).query(),
            " AND round BETWEEN 2 AND 8",
        ),
        (query().round_in(2..).round(3).query(), " AND round = 3"),
        (
            query().round_in(2..).round(3).starts_at(at(5)).query(),
            " AND round = 3 AND startsAt = 5",
        ),
        (
            query()
                .round(2)
                .starts_at_in(at(5)..)
                .starts_at_in(..at(9))
                .query(),
            " AND round = 2 AND startsAt BETWEEN 5 AND 8",
        ),
        (
            query().round(2).starts_at_in(at(5)..at(9)).query(),
            " AND round = 2 AND startsAt BETWEEN 5 AND 8",
        ),
        (
            query()
                .round(2)
                .starts_at(at(5))
                .match_id_prefix("m")
                .query(),
            " AND round = 2 AND startsAt = 5 AND begins_with(matchId, \"m\")",
        ),
    ] {
        let shown = query.explain(&db)?.to_string();
        let expected = format!("key: tenant = \"acme\" AND region = \"eu\"{key}\n");
        assert!(shown.contains(&expected), "{shown}");
        assert!(shown.contains("kind"), "{filter} {shown}");
    }
    Ok(())
}

/// An item is in the index because of its attributes, whatever its entity.
#[tokio::test]
async fn items_of_other_entities_with_the_same_attributes_are_not_found() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = tournament().await?;
    for (match_id, round, starts_at) in [("b1", 2, 6), ("b2", 2, 7), ("b3", 11, 0)] {
        let bye = Bye {
            tenant: "acme".into(),
            match_id: match_id.into(),
            region: "eu".into(),
            round,
            starts_at,
        };
        bye.put().send(&db).await?;
    }
    let query = || Match::by_round("acme", "eu");
    assert_eq!(query().all(&db).await?, games());
    assert_eq!(query().count(&db).await?, 7);
    assert_eq!(query().round_in(11..).first(&db).await?, None);
    let page = query().limit(2).descending().page(&db).await?;
    assert_eq!(ids(&page.items), ["m6", "m5"]);
    let all = TournamentItem::collection(Match::partition_key("acme"))
        .all(&db)
        .await?;
    assert_eq!(all.len(), 10);
    Ok(())
}

#[tokio::test]
async fn pages_go_on_and_back_with_every_attribute_in_the_cursor() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = tournament().await?;
    let query = || Match::by_round("acme", "eu").limit(3);
    let first = query().page(&db).await?;
    let second = query().after(first.next.clone()).page(&db).await?;
    let third = query().after(second.next.clone()).page(&db).await?;
    assert_eq!(ids(&first.items), ["m0", "m1", "m2"]);
    assert_eq!(ids(&second.items), ["m3", "x4", "m5"]);
    assert_eq!(ids(&third.items), ["m6"]);
    assert_eq!(third.next, None);
    let back = query().after(third.previous).page(&db).await?;
    assert_eq!(back.items, second.items);
    // A cursor is of one partition and one condition.
    let cursor = first.next.unwrap();
    let other = Match::by_round("acme", "us")
        .after(cursor.clone())
        .page(&db)
        .await;
    assert!(other.unwrap_err().to_string().contains("cursor"));
    let other = Match::by_round("acme", "eu")
        .round(2)
        .after(cursor)
        .page(&db)
        .await;
    assert!(other.unwrap_err().to_string().contains("cursor"));
    Ok(())
}

/// Literal, so that no release refuses the cursors that clients hold. The table's name is part of
/// them.
#[tokio::test]
async fn cursors_are_pinned() -> Outcome {
    let db = Dynamo::embedded()?;
    Tournament::create_table(&db).await?;
    for game in games() {
        game.put().send(&db).await?;
    }
    let page = Match::by_round("acme", "eu").limit(3).page(&db).await?;
    assert_eq!(page.next.as_deref(), Some(WHOLE));
    let late = Match::by_round("acme", "eu")
        .round(2)
        .starts_at_in(at(10)..);
    let page = late.limit(1).page(&db).await?;
    assert_eq!(page.next.as_deref(), Some(LATE));
    Ok(())
}

const WHOLE: &str = "BABQ6kmP-cA38X9dTnBXg_fqAlMAC1RFTkFOVCNhY21lUwAITUFUQ0gjbTJTAARhY21lUwACZXVO\
                     AAEyTgACMTBTAAJtMg";
const LATE: &str = "BABtoLf5zwNP_thbLwGFalXEAlMAC1RFTkFOVCNhY21lUwAITUFUQ0gjbTJTAARhY21lUwACZXVOA\
                    AEyTgACMTBTAAJtMg";

#[derive(DynamoProjection, Deserialize, Debug, PartialEq)]
#[projection(of = Match, from(gsi2))]
#[serde(rename_all = "camelCase")]
struct Visit {
    match_id: String,
    venue: Option<String>,
    day: jiff::civil::Date,
}

/// The index has an item only while the item has all attributes of the key.
#[tokio::test]
async fn an_item_without_an_attribute_is_not_in_the_index() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = tournament().await?;
    let mut game = game("m1", 2, 5);
    let at_hall = || Match::by_venue("hall");
    assert_eq!(at_hall().count(&db).await?, 0);
    game.venue = Some("hall".into());
    game.put().send(&db).await?;
    let visits = at_hall().project::<Visit>().all(&db).await?;
    let visit = Visit {
        match_id: "m1".into(),
        venue: game.venue.clone(),
        day: game.day,
    };
    assert_eq!(visits, [visit]);
    let march = at_hall().day_in(date(2026, 3, 1)..date(2026, 4, 1));
    assert_eq!(march.hydrate(&db).await?, [game.clone()]);
    assert_eq!(at_hall().day_prefix("2026-04").count(&db).await?, 0);
    let update = Match::update("acme", "m1").remove(|it| it.venue());
    update.send(&db).await?;
    assert_eq!(at_hall().count(&db).await?, 0);
    let stored = raw(&db, game.primary_key()).await?.unwrap();
    assert!(!stored.contains_key("venue"));
    Ok(())
}

#[tokio::test]
async fn a_value_that_no_key_can_have_fails_before_the_request() -> Outcome {
    let db = Dynamo::embedded()?;
    for (query, field) in [
        (Match::by_round("", "eu").query(), "tenant"),
        (Match::by_round("acme", "").query(), "region"),
        (
            Match::by_round("acme", "eu")
                .round(1)
                .starts_at(at(1))
                .match_id("")
                .query(),
            "match_id",
        ),
    ] {
        let error = query.all(&db).await.unwrap_err();
        let dynamo_model::ErrorKind::Key(error) = error.kind() else {
            panic!("{error}");
        };
        assert_eq!(
            (error.kind(), error.field()),
            (&KeyErrorKind::Empty, Some(field))
        );
    }
    Ok(())
}

#[tokio::test]
async fn the_deployed_index_has_the_declared_key() -> Outcome {
    if support::skip(ENGINE) {
        return Ok(());
    }
    let db = support::db::<Tournament>().await;
    Tournament::verify(&db).await?;
    Ok(())
}
