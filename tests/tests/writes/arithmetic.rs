//! `add` and `subtract` never store a value outside the field's type.

use crate::support::{self, Db, Outcome, from_json, put, raw};
use dynamo_model::expr::{NumberRange, Numeric};
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::num::NonZeroU8;

#[derive(DynamoTable)]
#[table(name = "Games", pk = "PK", items = GamesItem)]
struct Games;

#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Default)]
struct Percent(u8);

impl Numeric for Percent {
    const RANGE: NumberRange = NumberRange::between(0, 100);
}

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
struct Player {
    level: u8,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
#[dynamo(table = Games)]
#[pk("GAME#<id>")]
struct Game {
    id: String,
    lives: u8,
    score: u32,
    shift: i8,
    total: u64,
    ratio: f64,
    done: Percent,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rounds: Option<u16>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    boards: Option<NonZeroU8>,
    #[dynamo(nested)]
    player: Player,
    pieces: BTreeMap<String, u8>,
    #[dynamo(sensitive)]
    secret: u8,
    title: String,
}

fn game() -> Game {
    Game {
        id: "g".into(),
        lives: 3,
        score: 10,
        done: Percent(90),
        player: Player { level: 200 },
        pieces: [("king".to_owned(), 1)].into(),
        secret: 7,
        ..Game::default()
    }
}

async fn games() -> Outcome<Db> {
    let db = support::db::<Games>().await;
    game().create().send(&db).await?;
    Ok(db)
}

/// The change fails for this attribute and changes nothing: by key, on a loaded item, and in a
/// transaction.
macro_rules! misfits {
    ($(|$update:ident| $change:expr => $attribute:literal, $range:expr, $stored:expr;)*) => {$({
        let db = games().await?;
        let expected = ErrorKind::OutOfRange {
            attribute: $attribute.into(),
            range: $range,
            stored: $stored.map(|it: &str| it.into()),
        };
        let $update = Game::update("g");
        let error = $change.send(&db).await.unwrap_err();
        assert_eq!(error.kind(), &expected, "{}", stringify!($change));
        assert!(error.is_out_of_range() && error.is_condition_failed());
        assert_eq!((error.entity(), error.key_text()), ("Game", Some("GAME#g")));
        let loaded = game();
        let $update = loaded.update();
        assert_eq!($change.send(&db).await.unwrap_err().kind(), &expected);
        let $update = Game::update("g");
        let transaction = Transaction::new().add($change.set(|game| game.title(), "x"));
        assert_eq!(transaction.send(&db).await.unwrap_err().kind(), &expected);
        assert_eq!(Game::get("g").send(&db).await?, Some(game()));
    })*};
}

/// Finding: "`subtract` below zero on a `u32` or `add` beyond a `u8` is stored"
#[tokio::test]
async fn a_sum_outside_the_type_of_its_field_is_not_stored() -> Outcome {
    misfits! {
        |u| u.subtract(|game| game.score(), 11_u32) => "score", u32::RANGE, Some("10");
        |u| u.add(|game| game.lives(), 253_u8) => "lives", u8::RANGE, Some("3");
        |u| u.subtract(|game| game.lives(), 4_u8) => "lives", u8::RANGE, Some("3");
        |u| u.subtract(|game| game.total(), 1_u64) => "total", u64::RANGE, Some("0");
        |u| u.subtract(|game| game.shift(), -128_i8) => "shift", i8::RANGE, Some("0");
        |u| u.add(|game| game.player().level(), 56_u8) => "player.level", u8::RANGE, Some("200");
        |u| u.subtract(|game| game.pieces().entry("king"), 2_u8) => "pieces.king", u8::RANGE, Some("1");
    }
    Ok(())
}

#[tokio::test]
async fn an_absent_number_counts_as_zero() -> Outcome {
    misfits! {
        |u| u.subtract(|game| game.rounds(), 1_u16) => "rounds", u16::RANGE, None;
        |u| u.subtract(|game| game.pieces().entry("rook"), 1_u8) => "pieces.rook", u8::RANGE, None;
    }
    let db = games().await?;
    let added = Game::update("g")
        .add(|game| game.rounds(), u16::MAX)
        .add(|game| game.pieces().entry("rook"), 2_u8)
        .return_new()
        .send(&db)
        .await?;
    assert_eq!((added.rounds, added.pieces["rook"]), (Some(u16::MAX), 2));
    Ok(())
}

#[tokio::test]
async fn a_sum_at_the_end_of_the_range_is_stored() -> Outcome {
    let db = games().await?;
    let changed = Game::update("g")
        .add(|game| game.lives(), 252_u8)
        .subtract(|game| game.score(), 10_u32)
        .subtract(|game| game.shift(), 127_i8)
        .add(|game| game.total(), u64::MAX)
        .add(|game| game.player().level(), 55_u8)
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(
        (changed.lives, changed.score, changed.shift),
        (255, 0, -127)
    );
    assert_eq!((changed.total, changed.player.level), (u64::MAX, 255));
    let last = Game::update("g").subtract(|game| game.shift(), 1_i8);
    assert_eq!(last.return_new().send(&db).await?.shift, -128);
    Ok(())
}

#[tokio::test]
async fn user_types_and_non_zero_integers_have_their_own_range() -> Outcome {
    misfits! {
        |u| u.add(|game| game.done(), Percent(11)) => "done", Percent::RANGE, Some("90");
        |u| u.subtract(|game| game.boards(), NonZeroU8::MIN) => "boards", NonZeroU8::RANGE, None;
    }
    let db = games().await?;
    let changed = Game::update("g")
        .add(|game| game.done(), Percent(10))
        .add(|game| game.boards(), NonZeroU8::MIN)
        .return_new();
    let changed = changed.send(&db).await?;
    assert_eq!(
        (changed.done, changed.boards),
        (Percent(100), Some(NonZeroU8::MIN))
    );
    let error = Game::update("g").subtract(|game| game.boards(), NonZeroU8::MIN);
    assert!(error.send(&db).await.unwrap_err().is_out_of_range());
    Ok(())
}

#[tokio::test]
async fn floats_have_no_bounds() -> Outcome {
    let db = games().await?;
    let changed = Game::update("g").subtract(|game| game.ratio(), 1e30);
    let ratio = changed.return_new().send(&db).await?.ratio;
    assert!((ratio + 1e30).abs() < 1e15);
    Ok(())
}

#[tokio::test]
async fn the_message_names_the_attribute_its_type_and_the_stored_number() -> Outcome {
    let db = games().await?;
    let subtract = Game::update("g").subtract(|game| game.lives(), 5_u8);
    assert_eq!(
        subtract.send(&db).await.unwrap_err().to_string(),
        "update Game GAME#g: the result for `lives` of 3 does not fit `u8` (0 to 255); add or \
         subtract less, or widen the type of the field"
    );
    let subtract = Game::update("g").subtract(|game| game.secret(), 8_u8);
    let error = subtract.send(&db).await.unwrap_err();
    assert!(error.is_out_of_range() && !error.to_string().contains('7'));
    Ok(())
}

/// The item decides which error is reported: an equivalent condition of the user is the user's
/// error.
#[tokio::test]
async fn each_failed_condition_has_its_own_error_kind() -> Outcome {
    let db = games().await?;
    let own = Game::update("g")
        .subtract(|game| game.score(), 11_u32)
        .condition(|game| game.score().ge(11) & game.title().eq(""));
    assert_eq!(
        own.send(&db).await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    let weaker = Game::update("g")
        .subtract(|game| game.score(), 11_u32)
        .condition(|game| game.score().ge(5));
    assert!(weaker.send(&db).await.unwrap_err().is_out_of_range());
    let other = Game::update("g")
        .subtract(|game| game.score(), 1_u32)
        .condition(|game| game.title().eq("x"));
    assert_eq!(
        other.send(&db).await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    let missing = Game::update("none").subtract(|game| game.score(), 1_u32);
    assert_eq!(
        missing.send(&db).await.unwrap_err().kind(),
        &ErrorKind::NotFound
    );
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Games)]
#[pk("PURSE#<id>")]
#[unique("OWNER#<owner>")]
struct Purse {
    id: u32,
    owner: String,
    coins: u8,
    #[dynamo(version)]
    version: u64,
}

#[tokio::test]
async fn arithmetic_works_beside_a_version_and_a_unique_value() -> Outcome {
    let db = support::db::<Games>().await;
    let new = |id, owner: &str| Purse {
        id,
        owner: owner.into(),
        coins: 5,
        version: 0,
    };
    let purse = new(1, "a").create().return_new().send(&db).await?;
    new(2, "b").create().send(&db).await?;
    let spend = |purse: &Purse, owner: &str, coins| {
        let update = purse.update().set(|purse| purse.owner(), owner);
        update.subtract(|purse| purse.coins(), coins)
    };
    let error = spend(&purse, "c", 6).send(&db).await.unwrap_err();
    assert!(error.is_out_of_range(), "{error}");
    let error = spend(&purse, "b", 1).send(&db).await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::NotUnique { .. }),
        "{error}"
    );
    spend(&purse, "c", 1).send(&db).await?;
    let error = spend(&purse, "d", 6).send(&db).await.unwrap_err();
    assert!(
        error.is_conflict(),
        "the version is the first thing to look at: {error}"
    );
    let stored = Purse::get(1).send(&db).await?.unwrap();
    assert_eq!(
        (stored.owner.as_str(), stored.coins, stored.version),
        ("c", 4, 2)
    );
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Games)]
#[pk("COUNTER#<id>")]
struct Counter {
    id: u32,
    count: u8,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Games)]
enum GamesItem {
    Game(Game),
    Purse(Purse),
    Counter(Counter),
}

#[tokio::test]
async fn upsert_checks_a_new_and_a_stored_item() -> Outcome {
    let db = support::db::<Games>().await;
    let error = Counter::upsert(1).subtract(|it| it.count(), 1_u8).send(&db);
    let error = error.await.unwrap_err();
    assert!(error.is_out_of_range(), "{error}");
    assert_eq!(Counter::get(1).send(&db).await?, None);
    for _ in 0..2 {
        Counter::upsert(1)
            .add(|it| it.count(), 100_u8)
            .send(&db)
            .await?;
    }
    let error = Counter::upsert(1).add(|it| it.count(), 100_u8).send(&db);
    assert!(error.await.unwrap_err().is_out_of_range());
    let transaction = Transaction::new();
    let transaction = transaction.add(Counter::upsert(2).subtract(|it| it.count(), 1_u8));
    assert!(transaction.send(&db).await.unwrap_err().is_out_of_range());
    assert_eq!(
        Counter::get(1).send(&db).await?,
        Some(Counter { id: 1, count: 200 })
    );
    Ok(())
}

#[tokio::test]
async fn arithmetic_on_a_stored_text_names_the_value() -> Outcome {
    let db = support::db::<Games>().await;
    let stored = json!({ "PK": "COUNTER#1", "id": 1, "count": null });
    put::<Games>(&db, from_json(stored)).await?;
    let before = raw(&db, Counter::key(1)).await?;
    let error = Counter::update(1)
        .add(|it| it.count(), 1_u8)
        .send(&db)
        .await;
    let error = error.unwrap_err();
    assert_eq!(
        error.kind(),
        &ErrorKind::NotANumber {
            attribute: "count".into()
        }
    );
    assert_eq!(raw(&db, Counter::key(1)).await?, before);
    Ok(())
}
