//! Every change of an update, alone and with others.

use crate::support::{self, Db, Outcome, everything};
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};

#[derive(DynamoTable)]
#[table(name = "Things", pk = "PK")]
struct Things;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
#[serde(rename_all = "camelCase")]
struct Insurance {
    unit_price: u32,
    kind: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
struct Yen(u64);

impl dynamo_model::expr::Numeric for Yen {
    const RANGE: dynamo_model::expr::NumberRange = <u64 as dynamo_model::expr::Numeric>::RANGE;
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
#[dynamo(table = Things)]
#[pk("THING#<id>")]
struct Thing {
    id: String,
    name: String,
    count: u32,
    balance: i64,
    weight: f64,
    price: Yen,
    #[serde(default)]
    views: u64,
    note: Option<String>,
    tags: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    log: Option<Vec<u32>>,
    #[dynamo(nested)]
    insurance: Insurance,
    options: Vec<Insurance>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    extra: Option<Insurance>,
    stock: BTreeMap<String, u32>,
    labels: HashMap<String, String>,
}

fn thing() -> Thing {
    Thing {
        id: "t".into(),
        name: "駒".into(),
        count: 5,
        tags: ["a", "b", "c"].map(String::from).into(),
        options: vec![Insurance::default(), Insurance::default()],
        stock: [("x.y".to_owned(), 1), ("z".to_owned(), 2)].into(),
        labels: [("#n0".to_owned(), ":v0".to_owned())].into(),
        ..Thing::default()
    }
}

async fn things() -> Outcome<Db> {
    let db = support::db::<Things>().await;
    thing().create().send(&db).await?;
    Ok(db)
}

/// Returns the thing for any other change.
fn changed<R>(change: impl FnOnce(&mut Thing) -> R) -> Thing {
    let mut thing = thing();
    change(&mut thing);
    thing
}

/// `changes => expected`: by key and on a loaded item, each on a separate item.
macro_rules! becomes {
    ($(|$update:ident| $changes:expr => |$thing:ident| $expected:expr),* $(,)?) => {$({
        let expected = changed(|$thing| $expected);
        let db = things().await?;
        let $update = Thing::update("t");
        let new = $changes.return_new().send(&db).await?;
        assert_eq!(new, expected, "{}", stringify!($changes));
        let db = things().await?;
        let loaded = thing();
        let $update = loaded.update();
        $changes.send(&db).await?;
        assert_eq!(Thing::get("t").send(&db).await?, Some(expected), "{}", stringify!($changes));
    })*};
}

#[tokio::test]
async fn set_replaces_a_value() -> Outcome {
    becomes! {
        |u| u.set(|t| t.name(), "盤") => |t| t.name = "盤".into(),
        |u| u.set(|t| t.name(), String::new()) => |t| t.name = String::new(),
        |u| u.set(|t| t.count(), 7_u32) => |t| t.count = 7,
        |u| u.set(|t| t.weight(), -0.5) => |t| t.weight = -0.5,
        |u| u.set(|t| t.note(), "n") => |t| t.note = Some("n".into()),
        |u| u.set(|t| t.price(), Yen(3)) => |t| t.price = Yen(3),
        |u| u.set(|t| t.tags(), vec!["z".to_owned()]) => |t| t.tags = vec!["z".into()],
        |u| u.set(|t| t.tags(), Vec::new()) => |t| t.tags = vec![],
    }
    Ok(())
}

#[tokio::test]
async fn set_or_remove_sets_some_and_removes_none() -> Outcome {
    becomes! {
        |u| u.set_or_remove(|t| t.note(), Some("n")) => |t| t.note = Some("n".into()),
        |u| u.set_or_remove(|t| t.note(), None::<&str>) => |t| t.note = None,
        |u| u.set_or_remove(|t| t.views(), None::<u64>) => |t| t.views = 0,
    }
    Ok(())
}

#[tokio::test]
async fn set_if_absent_keeps_a_stored_value() -> Outcome {
    becomes! {
        |u| u.set_if_absent(|t| t.name(), "盤") => |_t| (),
        |u| u.set_if_absent(|t| t.log(), vec![1]) => |t| t.log = Some(vec![1]),
        |u| u.set_if_absent(|t| t.stock().entry("new"), 9_u32) => |t| t.stock.insert("new".into(), 9),
        |u| u.set_if_absent(|t| t.stock().entry("z"), 9_u32) => |_t| (),
    }
    Ok(())
}

#[tokio::test]
async fn remove_deletes_an_attribute() -> Outcome {
    let db = things().await?;
    Thing::update("t").set(|t| t.note(), "n").send(&db).await?;
    Thing::update("t").remove(|t| t.note()).send(&db).await?;
    assert_eq!(Thing::get("t").send(&db).await?, Some(thing()));
    assert!(!everything::<Things>(&db).await?[0].contains_key("note"));
    becomes! {
        |u| u.remove(|t| t.tags().at(1)) => |t| t.tags = vec!["a".into(), "c".into()],
        |u| u.remove(|t| t.tags().at(0)).remove(|t| t.tags().at(2)) => |t| t.tags = vec!["b".into()],
        |u| u.remove(|t| t.tags().at(9)) => |_t| (),
        |u| u.remove(|t| t.stock().entry("x.y")) => |t| t.stock.remove("x.y"),
        |u| u.remove(|t| t.insurance().kind()) => |t| t.insurance.kind = None,
    }
    Ok(())
}

#[tokio::test]
async fn add_and_subtract_change_a_number() -> Outcome {
    becomes! {
        |u| u.add(|t| t.count(), 2_u32) => |t| t.count = 7,
        |u| u.add(|t| t.count(), 0_u32) => |_t| (),
        |u| u.subtract(|t| t.count(), 0_u32) => |_t| (),
        |u| u.subtract(|t| t.count(), 5_u32) => |t| t.count = 0,
        |u| u.add(|t| t.balance(), -3_i64) => |t| t.balance = -3,
        |u| u.subtract(|t| t.balance(), -3_i64) => |t| t.balance = 3,
        |u| u.subtract(|t| t.balance(), i64::MAX) => |t| t.balance = -i64::MAX,
        |u| u.subtract(|t| t.weight(), 0.25) => |t| t.weight = -0.25,
        |u| u.add(|t| t.weight(), 1e-7) => |t| t.weight = 1e-7,
        |u| u.add(|t| t.price(), Yen(120)) => |t| t.price = Yen(120),
        |u| u.add(|t| t.stock().entry("z"), 1_u32) => |t| t.stock.insert("z".into(), 3),
        |u| u.add(|t| t.stock().entry("new"), 1_u32) => |t| t.stock.insert("new".into(), 1),
        |u| u.add(|t| t.options().at(1).fields().unit_price(), 1_u32) => |t| t.options[1].unit_price = 1,
    }
    Ok(())
}

/// An absent attribute of an older item counts as zero or empty.
#[tokio::test]
async fn absent_attributes_count_as_zero_or_empty() -> Outcome {
    let db = things().await?;
    Thing::update("t").remove(|t| t.views()).send(&db).await?;
    let thing = Thing::update("t")
        .add(|t| t.views(), 2_u64)
        .append(|t| t.log(), [1_u32])
        .return_new()
        .send(&db)
        .await?;
    assert_eq!((thing.views, thing.log), (2, Some(vec![1])));
    Thing::update("t").remove(|t| t.log()).send(&db).await?;
    let thing = Thing::update("t")
        .prepend(|t| t.log(), [2_u32, 3])
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(thing.log, Some(vec![2, 3]));
    Ok(())
}

/// An unsigned number goes below zero in DynamoDB, and could not be read: the condition keeps it.
#[tokio::test]
async fn a_condition_keeps_a_number_from_going_below_zero() -> Outcome {
    let db = things().await?;
    let take = |n: u32| {
        Thing::update("t")
            .subtract(|t| t.count(), n)
            .condition(move |t| t.count().ge(n))
            .send(&db)
    };
    take(3).await?;
    let error = take(3).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(error.item::<Thing>()?.unwrap().count, 2);
    take(2).await?;
    assert_eq!(Thing::get("t").send(&db).await?.unwrap().count, 0);
    Ok(())
}

#[tokio::test]
async fn append_and_prepend_extend_a_list() -> Outcome {
    becomes! {
        |u| u.append(|t| t.tags(), ["d", "e"]) => |t| t.tags.extend(["d", "e"].map(String::from)),
        |u| u.append(|t| t.tags(), [""; 0]) => |_t| (),
        |u| u.prepend(|t| t.tags(), ["y", "z"]) => |t| {
            t.tags.insert(0, "z".into());
            t.tags.insert(0, "y".into());
        },
        |u| u.append(|t| t.options(), [Insurance { unit_price: 9, kind: None }]) =>
            |t| t.options.push(Insurance { unit_price: 9, kind: None }),
    }
    Ok(())
}

#[tokio::test]
async fn nested_paths_are_changed() -> Outcome {
    let whole = || Insurance {
        unit_price: 80,
        kind: Some("全".into()),
    };
    becomes! {
        |u| u.set(|t| t.insurance().unit_price(), 8_u32) => |t| t.insurance.unit_price = 8,
        |u| u.set(|t| t.insurance().kind(), "車") => |t| t.insurance.kind = Some("車".into()),
        |u| u.set(|t| t.insurance(), whole()) => |t| t.insurance = whole(),
        |u| u.set(|t| t.extra(), whole()) => |t| t.extra = Some(whole()),
        |u| u.set(|t| t.options().at(0), whole()) => |t| t.options[0] = whole(),
        |u| u.set(|t| t.options().at(1).fields().kind(), "x") => |t| t.options[1].kind = Some("x".into()),
        |u| u.set(|t| t.stock().entry("a b.c#"), 1_u32) => |t| t.stock.insert("a b.c#".into(), 1),
        |u| u.set(|t| t.labels().entry("#n0"), ":v1") => |t| t.labels.insert("#n0".into(), ":v1".into()),
        |u| u.set(|t| t.tags().at(0), "z") => |t| t.tags[0] = "z".into(),
        // As in DynamoDB: an index beyond the end appends.
        |u| u.set(|t| t.tags().at(40), "z") => |t| t.tags.push("z".into()),
    }
    Ok(())
}

#[tokio::test]
async fn fields_of_an_optional_struct_are_changed() -> Outcome {
    let db = things().await?;
    Thing::update("t")
        .set(|t| t.extra(), Insurance::default())
        .send(&db)
        .await?;
    let thing = Thing::update("t")
        .set(|t| t.extra().fields().unit_price(), 5_u32)
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(thing.extra.unwrap().unit_price, 5);
    Ok(())
}

#[tokio::test]
async fn many_changes_are_sent_in_one_request() -> Outcome {
    becomes! {
        |u| u.set(|t| t.name(), "盤")
            .add(|t| t.count(), 1_u32)
            .subtract(|t| t.balance(), 4_i64)
            .set_if_absent(|t| t.log(), vec![1])
            .remove(|t| t.tags().at(0))
            .append(|t| t.options(), [Insurance::default()])
            .set(|t| t.insurance().unit_price(), 3_u32)
            .set(|t| t.insurance().kind(), "k")
            .remove(|t| t.stock().entry("z"))
            .add(|t| t.stock().entry("x.y"), 1_u32)
            .set(|t| t.labels().entry("l"), "m")
            .condition(|t| t.count().eq(5) & t.name().eq("駒"))
        => |t| {
            t.name = "盤".into();
            t.count = 6;
            t.balance = -4;
            t.log = Some(vec![1]);
            t.tags.remove(0);
            t.options.push(Insurance::default());
            t.insurance = Insurance { unit_price: 3, kind: Some("k".into()) };
            t.stock = [("x.y".to_owned(), 2)].into();
            t.labels.insert("l".into(), "m".into());
        },
    }
    Ok(())
}

/// Without a table, so that a request would be another error.
#[tokio::test]
async fn an_attribute_changed_twice_sends_nothing() {
    let db = support::bare();
    macro_rules! twice {
        ($($update:expr => $path:literal),* $(,)?) => {$({
            let error = $update.send(&db).await.unwrap_err();
            let attribute = $path.to_owned();
            assert_eq!(error.kind(), &ErrorKind::ChangedTwice { attribute });
            assert!(error.to_string().starts_with("update Thing THING#t: "), "{error}");
        })*};
    }
    let update = || Thing::update("t");
    twice! {
        update().set(|t| t.name(), "a").set(|t| t.name(), "b") => "name",
        update().add(|t| t.count(), 1_u32).subtract(|t| t.count(), 1_u32) => "count",
        update().set(|t| t.tags().at(1), "a").append(|t| t.tags(), ["b"]) => "tags",
        update().set(|t| t.insurance(), Insurance::default()).remove(|t| t.insurance().kind()) => "insurance.kind",
        update().remove(|t| t.tags().at(1)).set(|t| t.tags().at(1), "x") => "tags[1]",
        update().add(|t| t.stock().entry("a"), 1_u32).remove(|t| t.stock()
            .entry("a")) => "stock.a",
    }
}

#[tokio::test]
async fn an_update_without_changes_sends_nothing() {
    let db = support::bare();
    let error = Thing::update("t").send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NoChange);
    assert_eq!(
        error.to_string(),
        "update Thing THING#t: the update changes nothing; add a change, as in `.set(…)`"
    );
    let error = thing()
        .update()
        .condition(|t| t.count().gt(1))
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NoChange);
}

/// DynamoDB refuses it, and the update has no effect.
#[tokio::test]
async fn a_path_into_an_absent_map_changes_nothing() -> Outcome {
    let db = things().await?;
    let update = Thing::update("t")
        .set(|t| t.name(), "盤")
        .set(|t| t.extra().fields().unit_price(), 5_u32);
    let error = update.send(&db).await.unwrap_err();
    assert!(error.is_absent_parent(), "{error}");
    assert_eq!(Thing::get("t").send(&db).await?, Some(thing()));
    Ok(())
}
