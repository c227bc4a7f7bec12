//! Every operator of a filter, against the engine: the same items as the same predicate in Rust
//! gives.

use crate::support::{self, Db, Outcome, store};
use dynamo_model::{DynamoEntity, DynamoTable};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

#[derive(DynamoTable)]
#[table(name = "Things", pk = "PK", sk = "SK")]
struct Things;

#[derive(Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
enum State {
    Open,
    Closed,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Things)]
#[pk("P#<group>")]
#[sk("T#<id:03>")]
struct Thing {
    group: String,
    id: u32,
    name: String,
    price: i64,
    weight: f64,
    state: State,
    sold: bool,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    tags: Vec<String>,
    #[serde(with = "serde_dynamo::string_set")]
    colors: BTreeSet<String>,
    stock: BTreeMap<String, u32>,
}

fn thing(id: u32) -> Thing {
    let pick = |texts: &[&str]| texts[id as usize % texts.len()].to_owned();
    Thing {
        group: "g".into(),
        id,
        name: pick(&[
            "",
            "a",
            "ab",
            "abc",
            "b",
            "山",
            "山田",
            "#n0",
            ":v0 OR 1 = 1",
        ]),
        price: i64::from(id) * 7 % 10 - 5,
        weight: f64::from(id % 8) / 4.0,
        state: if id.is_multiple_of(3) {
            State::Open
        } else {
            State::Closed
        },
        sold: id.is_multiple_of(2),
        note: (!id.is_multiple_of(4)).then(|| pick(&["x", "y", "xyz"])),
        tags: (0..id % 4)
            .map(|tag| format!("t{}", (tag + id) % 5))
            .collect(),
        colors: ["red", "green", "blue"]
            .into_iter()
            .take(1 + id as usize % 3)
            .map(String::from)
            .collect(),
        stock: (0..id % 3)
            .map(|place| (format!("place.{place}"), id % 7))
            .collect(),
    }
}

async fn things() -> Outcome<(Db, Vec<Thing>)> {
    let db = support::db::<Things>().await;
    let all: Vec<_> = (0..90).map(thing).collect();
    store(&db, &all).await?;
    Ok((db, all))
}

/// `filter => predicate`, one pair after the other.
macro_rules! same_as_in_rust {
    ($($filter:expr => $keep:expr),* $(,)?) => {{
        let (db, all) = things().await?;
        $({
            let query = || Thing::query("g").filter($filter);
            let expected: Vec<_> = all.iter().filter(|thing| ($keep)(*thing)).map(|thing| thing.id).collect();
            let found: Vec<_> = query().all(&db).await?.iter().map(|thing| thing.id).collect();
            assert_eq!(found, expected, "{}", stringify!($filter));
            assert_eq!(query().count(&db).await?, expected.len(), "{}", stringify!($filter));
            assert!(expected.len() < all.len(), "the filter {} drops nothing", stringify!($filter));
        })*
        Ok(())
    }};
}

#[tokio::test]
async fn filters_compare_numbers() -> Outcome {
    same_as_in_rust! {
        |t| t.price().eq(2) => |t: &Thing| t.price == 2,
        |t| t.price().ne(2) => |t: &Thing| t.price != 2,
        |t| t.price().lt(-1) => |t: &Thing| t.price < -1,
        |t| t.price().le(-1) => |t: &Thing| t.price <= -1,
        |t| t.price().gt(0) => |t: &Thing| t.price > 0,
        |t| t.price().ge(0) => |t: &Thing| t.price >= 0,
        |t| t.price().between(-2, 3) => |t: &Thing| (-2..=3).contains(&t.price),
        |t| t.price().is_in([1, 2, -5]) => |t: &Thing| [1, 2, -5].contains(&t.price),
        |t| t.weight().gt(0.25) => |t: &Thing| t.weight > 0.25,
        |t| t.weight().eq(1.0) => |t: &Thing| t.weight == 1.0,
        |t| t.weight().between(0.25, 1.5) => |t: &Thing| (0.25..=1.5).contains(&t.weight),
    }
}

#[tokio::test]
async fn filters_compare_text() -> Outcome {
    same_as_in_rust! {
        |t| t.name().eq("ab") => |t: &Thing| t.name == "ab",
        |t| t.name().ne("ab") => |t: &Thing| t.name != "ab",
        |t| t.name().lt("ab") => |t: &Thing| t.name.as_str() < "ab",
        |t| t.name().le("ab") => |t: &Thing| t.name.as_str() <= "ab",
        |t| t.name().gt("b") => |t: &Thing| t.name.as_str() > "b",
        |t| t.name().ge("山") => |t: &Thing| t.name.as_str() >= "山",
        |t| t.name().between("ab", "b") => |t: &Thing| ("ab"..="b").contains(&t.name.as_str()),
        |t| t.name().is_in(["a", "山", "z"]) => |t: &Thing| ["a", "山", "z"].contains(&t.name.as_str()),
        |t| t.name().begins_with("ab") => |t: &Thing| t.name.starts_with("ab"),
        |t| t.name().contains("b") => |t: &Thing| t.name.contains('b'),
        |t| t.name().contains("田") => |t: &Thing| t.name.contains('田'),
    }
}

#[tokio::test]
async fn values_that_look_like_expressions_are_only_values() -> Outcome {
    same_as_in_rust! {
        |t| t.name().eq(":v0 OR 1 = 1") => |t: &Thing| t.name == ":v0 OR 1 = 1",
        |t| t.name().eq("#n0") => |t: &Thing| t.name == "#n0",
        |t| t.name().is_in(["#n0", ":v0"]) => |t: &Thing| t.name == "#n0",
    }
}

#[tokio::test]
async fn filters_compare_flags_and_states() -> Outcome {
    same_as_in_rust! {
        |t| t.sold().eq(true) => |t: &Thing| t.sold,
        |t| t.sold().ne(true) => |t: &Thing| !t.sold,
        |t| t.state().eq(State::Open) => |t: &Thing| t.state == State::Open,
        |t| t.state().is_in([State::Closed]) => |t: &Thing| t.state == State::Closed,
    }
}

#[tokio::test]
async fn filters_compare_optional_attributes() -> Outcome {
    same_as_in_rust! {
        |t| t.note().exists() => |t: &Thing| t.note.is_some(),
        |t| t.note().not_exists() => |t: &Thing| t.note.is_none(),
        |t| t.note().eq("x") => |t: &Thing| t.note.as_deref() == Some("x"),
        |t| t.note().ne("x") => |t: &Thing| t.note.as_deref() != Some("x"),
        |t| t.note().begins_with("x") => |t: &Thing| t.note.as_ref().is_some_and(|note| note.starts_with('x')),
        |t| t.note().gt("x") => |t: &Thing| t.note.as_deref().is_some_and(|note| note > "x"),
        |t| !t.note().gt("x") => |t: &Thing| t.note.as_deref().is_none_or(|note| note <= "x"),
        |t| t.note().attribute_type("S") => |t: &Thing| t.note.is_some(),
        |t| t.note().attribute_type("S") & t.sold().attribute_type("N") => |_: &Thing| false,
    }
}

#[tokio::test]
async fn filters_compare_sizes() -> Outcome {
    same_as_in_rust! {
        |t| t.tags().size().eq(2) => |t: &Thing| t.tags.len() == 2,
        |t| t.tags().size().ne(2) => |t: &Thing| t.tags.len() != 2,
        |t| t.tags().size().lt(2) => |t: &Thing| t.tags.len() < 2,
        |t| t.tags().size().le(2) => |t: &Thing| t.tags.len() <= 2,
        |t| t.tags().size().gt(2) => |t: &Thing| t.tags.len() > 2,
        |t| t.tags().size().ge(2) => |t: &Thing| t.tags.len() >= 2,
        |t| t.colors().size().eq(3) => |t: &Thing| t.colors.len() == 3,
        |t| t.stock().size().eq(1) => |t: &Thing| t.stock.len() == 1,
        |t| t.name().size().eq(1) => |t: &Thing| t.name.chars().count() == 1,
    }
}

/// An absent attribute has no size, and is neither long nor short.
#[tokio::test]
async fn filters_compare_sizes_of_optional_attributes() -> Outcome {
    if support::skip("the size of an absent attribute") {
        return Ok(());
    }
    same_as_in_rust! {
        |t| t.note().size().eq(3) => |t: &Thing| t.note.as_ref().is_some_and(|note| note.len() == 3),
        |t| t.note().size().lt(3) => |t: &Thing| t.note.as_ref().is_some_and(|note| note.len() < 3),
    }
}

#[tokio::test]
async fn filters_look_into_lists_sets_and_maps() -> Outcome {
    same_as_in_rust! {
        |t| t.tags().contains("t3") => |t: &Thing| t.tags.iter().any(|tag| tag == "t3"),
        |t| t.tags().at(1).eq("t2") => |t: &Thing| t.tags.get(1).is_some_and(|tag| tag == "t2"),
        |t| t.tags().at(2).exists() => |t: &Thing| t.tags.len() > 2,
        |t| t.colors().contains("green") => |t: &Thing| t.colors.contains("green"),
        |t| t.stock().entry("place.1").gt(3) => |t: &Thing| t.stock.get("place.1").is_some_and(|n| *n > 3),
        |t| t.stock().entry("place.0").not_exists() => |t: &Thing| !t.stock.contains_key("place.0"),
        |t| t.stock().entry("place").exists() => |_: &Thing| false,
    }
}

#[tokio::test]
async fn filters_are_combined() -> Outcome {
    same_as_in_rust! {
        |t| t.sold().eq(true) & t.price().gt(0) => |t: &Thing| t.sold && t.price > 0,
        |t| t.sold().eq(true) | t.price().gt(0) => |t: &Thing| t.sold || t.price > 0,
        |t| !(t.sold().eq(true) | t.price().gt(0)) => |t: &Thing| !t.sold && t.price <= 0,
        |t| !(t.sold().eq(true) & t.price().gt(0)) => |t: &Thing| !(t.sold && t.price > 0),
        |t| t.sold().eq(true) & t.price().gt(0) | t.name().eq("b") =>
            |t: &Thing| t.sold && t.price > 0 || t.name == "b",
        |t| t.sold().eq(true) & (t.price().gt(0) | t.name().eq("b")) =>
            |t: &Thing| t.sold && (t.price > 0 || t.name == "b"),
        |t| !t.sold().eq(true) & !t.name().is_in(["a", "b"]) =>
            |t: &Thing| !t.sold && !["a", "b"].contains(&t.name.as_str()),
        |t| t.id().ge(10) & t.id().lt(20) & t.price().ne(1) =>
            |t: &Thing| (10..20).contains(&t.id) && t.price != 1,
    }
}

#[tokio::test]
async fn several_filters_must_all_pass() -> Outcome {
    let (db, all) = things().await?;
    let query = Thing::query("g")
        .filter(|t| t.sold().eq(true))
        .filter(|t| t.price().gt(0) | t.price().lt(-3));
    let expected = all
        .iter()
        .filter(|t| t.sold && (t.price > 0 || t.price < -3));
    assert_eq!(query.count(&db).await?, expected.count());
    Ok(())
}

/// `IN` takes a hundred values; a longer list is several of them.
#[tokio::test]
async fn is_in_accepts_more_than_a_hundred_values() -> Outcome {
    let (db, _) = things().await?;
    let query = Thing::query("g").filter(|t| t.id().is_in(40..290));
    assert_eq!(query.count(&db).await?, 50);
    let query = Thing::query("g").filter(|t| !t.id().is_in(40..290));
    assert_eq!(query.count(&db).await?, 40);
    Ok(())
}

/// An empty list matches no item, so no request is sent, and the table need not exist.
#[tokio::test]
async fn an_empty_list_sends_nothing() -> Outcome {
    let db = support::bare();
    let nobody = || Thing::query("g").filter(|t| t.name().is_in([""; 0]));
    assert!(nobody().all(&db).await?.is_empty());
    assert_eq!(nobody().count(&db).await?, 0);
    assert!(nobody().explain(&db)?.nothing);
    let both = Thing::query("g").filter(|t| t.sold().eq(true) & t.name().is_in([""; 0]));
    assert!(both.first(&db).await?.is_none());

    let (db, all) = things().await?;
    let either = Thing::query("g").filter(|t| t.sold().eq(true) | t.name().is_in([""; 0]));
    assert_eq!(
        either.count(&db).await?,
        all.iter().filter(|t| t.sold).count()
    );
    let everybody = Thing::query("g").filter(|t| !t.name().is_in([""; 0]));
    assert_eq!(everybody.count(&db).await?, all.len());
    Ok(())
}

#[tokio::test]
async fn a_cursor_of_a_filter_on_another_map_entry_is_refused() -> Outcome {
    let (db, _) = things().await?;
    let query = |entry: &'static str| {
        Thing::query("g")
            .filter(move |t| t.stock().entry(entry).ge(0_u32))
            .limit(1)
    };
    let cursor = query("place.0").page(&db).await?.next;
    assert!(cursor.is_some());
    assert!(
        query("place.0")
            .after(cursor.clone())
            .page(&db)
            .await
            .is_ok()
    );
    let error = query("place.1").after(cursor).page(&db).await.unwrap_err();
    assert!(error.is_cursor(), "{error}");
    Ok(())
}
