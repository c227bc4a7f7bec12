//! Sparse indexes: without an optional field both index attributes are removed, with it both are
//! stored, and shared attributes stay as long as one index needs them.

use crate::support::{self, Db, Outcome, assert_keys_as_put, put_json, raw};
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(DynamoTable)]
#[table(name = "Kifu", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI1SK")]
#[gsi3(name = "GSI3", pk = "GSI3PK", sk = "SK")]
#[gsi4(name = "Code", pk = "code")]
#[lsi1(name = "Rank", sk = N("rank"))]
struct Table;

/// GSI1 and GSI2 share their sort key.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Table)]
#[pk("U#<user>")]
#[sk("K#<id>")]
#[gsi1(pk = "TAG#<tag>", sk = "D#<day>", as = by_tag)]
#[gsi2(pk = "SHARE#<share>", sk = "D#<day>", as = by_share)]
#[gsi3(pk = "OPEN#<open>", sk = sk, as = by_open)]
#[gsi4(pk = "<code>", as = by_code)]
#[lsi1(sk = "<rank>", as = by_rank)]
struct Kifu {
    user: String,
    id: String,
    tag: Option<String>,
    share: Option<String>,
    day: String,
    open: Option<bool>,
    code: Option<String>,
    rank: Option<u32>,
    text: String,
}

fn kifu() -> Kifu {
    Kifu {
        user: "u".into(),
        id: "k".into(),
        tag: Some("t".into()),
        share: Some("s".into()),
        day: "1".into(),
        open: Some(true),
        code: Some("c".into()),
        rank: Some(5),
        text: String::new(),
    }
}

fn empty() -> Kifu {
    Kifu {
        tag: None,
        share: None,
        open: None,
        code: None,
        rank: None,
        ..kifu()
    }
}

async fn with(kifu: &Kifu) -> Outcome<Db> {
    let db = support::db::<Table>().await;
    kifu.create().send(&db).await?;
    Ok(db)
}

async fn stored(db: &Db) -> Outcome<Kifu> {
    Ok(Kifu::get("u", "k").consistent().send(db).await?.unwrap())
}

/// Which of the index attributes are there.
async fn index_attributes(db: &Db) -> Outcome<String> {
    let item = raw(db, Kifu::key("u", "k")).await?.unwrap();
    let all = ["GSI1PK", "GSI1SK", "GSI2PK", "GSI3PK", "code", "rank"];
    let there = all.into_iter().filter(|name| item.contains_key(*name));
    Ok(there.collect::<Vec<_>>().join(" "))
}

/// `start, change => expected, the index attributes that are there`.
macro_rules! sparse {
    ($($start:expr, |$update:ident| $changes:expr => |$kifu:ident| $expected:expr, $attributes:literal;)*) => {$({
        let db = with(&$start).await?;
        let read = stored(&db).await?;
        let $update = read.update();
        $changes.send(&db).await?;
        let mut $kifu = $start;
        { $expected; }
        assert_eq!(stored(&db).await?, $kifu, "{}", stringify!($changes));
        assert_eq!(index_attributes(&db).await?, $attributes, "{}", stringify!($changes));
        assert_keys_as_put(&db, Kifu::key("u", "k")).await?;
    })*};
}

#[tokio::test]
async fn a_new_item_without_optional_fields_is_in_no_index() -> Outcome {
    let db = with(&empty()).await?;
    assert_eq!(index_attributes(&db).await?, "");
    assert_eq!(stored(&db).await?, empty());
    assert_eq!(Kifu::query("u").count(&db).await?, 1);
    assert_eq!(Kifu::by_rank("u").count(&db).await?, 0);
    Ok(())
}

#[tokio::test]
async fn removing_a_field_removes_the_item_from_its_indexes() -> Outcome {
    sparse! {
        kifu(), |u| u.remove(|k| k.tag()) => |k| k.tag = None, "GSI1SK GSI2PK GSI3PK code rank";
        kifu(), |u| u.set_or_remove(|k| k.tag(), None::<&str>) => |k| k.tag = None, "GSI1SK GSI2PK \
                                                                                     GSI3PK code \
                                                                                     rank";
        kifu(), |u| u.remove(|k| k.share()) => |k| k.share = None, "GSI1PK GSI1SK GSI3PK code rank";
        kifu(), |u| u.remove(|k| k.tag()).remove(|k| k.share())
            => |k| (k.tag, k.share) = (None, None), "GSI3PK code rank";
        kifu(), |u| u.remove(|k| k.open()) => |k| k.open = None, "GSI1PK GSI1SK GSI2PK code rank";
        kifu(), |u| u.remove(|k| k.code()) => |k| k.code = None, "GSI1PK GSI1SK GSI2PK GSI3PK rank";
        kifu(), |u| u.remove(|k| k.rank()) => |k| k.rank = None, "GSI1PK GSI1SK GSI2PK GSI3PK code";
    }
    Ok(())
}

#[tokio::test]
async fn setting_a_field_adds_the_item_to_its_indexes() -> Outcome {
    sparse! {
        empty(), |u| u.set(|k| k.tag(), "t") => |k| k.tag = Some("t".into()), "GSI1PK GSI1SK";
        empty(), |u| u.set_or_remove(|k| k.share(), Some("s")) => |k| k.share = Some("s".into()), "GSI1SK \
                                                                                                   GSI2PK";
        empty(), |u| u.set(|k| k.open(), false) => |k| k.open = Some(false), "GSI3PK";
        empty(), |u| u.set(|k| k.code(), "c") => |k| k.code = Some("c".into()), "code";
        empty(), |u| u.set(|k| k.rank(), 7_u32) => |k| k.rank = Some(7), "rank";
        empty(), |u| u.set(|k| k.day(), "2") => |k| k.day = "2".into(), "";
        empty(), |u| u.remove(|k| k.tag()) => |k| k.tag = None, "";
    }
    Ok(())
}

#[tokio::test]
async fn a_shared_key_attribute_is_correct_for_both_indexes() -> Outcome {
    sparse! {
        kifu(), |u| u.set(|k| k.day(), "2") => |k| k.day = "2".into(), "GSI1PK GSI1SK GSI2PK \
                                                                        GSI3PK code rank";
        Kifu { tag: None, ..kifu() }, |u| u.set(|k| k.day(), "2") => |k| k.day = "2".into(),
            "GSI1SK GSI2PK GSI3PK code rank";
        kifu(), |u| u.remove(|k| k.tag()).set(|k| k.day(), "3")
            => |k| (k.tag, k.day) = (None, "3".into()), "GSI1SK GSI2PK GSI3PK code rank";
    }
    Ok(())
}

#[tokio::test]
async fn update_by_key_requires_an_optional_sibling() -> Outcome {
    let db = with(&kifu()).await?;
    let (tag, share) = (Some("t".to_owned()), "s".to_owned());
    let update = Kifu::update("u", "k").set(|k| k.day("t", Some("s")), "9");
    update.send(&db).await?;
    assert_keys_as_put(&db, Kifu::key("u", "k")).await?;
    let update = Kifu::update("u", "k").set(|k| k.day(&tag, &share), "7");
    update.send(&db).await?;
    let update = Kifu::update("u", "k").set(|k| k.day(tag.as_deref(), share), "9");
    update.send(&db).await?;
    assert_keys_as_put(&db, Kifu::key("u", "k")).await?;

    let wrong = Kifu::update("u", "k").set(|k| k.day(None, "s"), "8");
    let error = wrong.send(&db).await.unwrap_err();
    let attribute = "tag".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    assert_eq!(stored(&db).await?.day, "9");

    let db = with(&empty()).await?;
    Kifu::update("u", "k")
        .set(|k| k.day(None, None), "9")
        .send(&db)
        .await?;
    assert_eq!(index_attributes(&db).await?, "");
    let wrong = Kifu::update("u", "k").set(|k| k.day("t", None), "8");
    assert!(wrong.send(&db).await.unwrap_err().is_conflict());
    assert_keys_as_put(&db, Kifu::key("u", "k")).await
}

#[tokio::test]
async fn update_by_key_requires_fields_of_a_shared_key_attribute() -> Outcome {
    let db = with(&kifu()).await?;
    // GSI2 has the same sort key: whether to remove it depends on `share`, which is not given.
    let update = Kifu::update("u", "k").remove(|k| k.tag("1"));
    let error = update.send(&db).await.unwrap_err();
    let attributes = vec!["share".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    assert_eq!(stored(&db).await?, kifu());
    Ok(())
}

/// Others wrote the item: without the attribute, or with a null in it.
#[tokio::test]
async fn an_absent_and_a_null_sibling_are_equal() -> Outcome {
    let db = support::db::<Table>().await;
    let absent = json!({"PK": "U#u", "SK": "K#k", "user": "u", "id": "k", "day": "1", "text": ""});
    let mut null = absent.clone();
    for name in ["tag", "share"] {
        null[name] = serde_json::Value::Null;
    }
    for item in [absent, null] {
        put_json::<Table>(&db, item).await?;
        let read = stored(&db).await?;
        read.update().set(|k| k.day(), "2").send(&db).await?;
        assert_keys_as_put(&db, Kifu::key("u", "k")).await?;
        let late = read.update().set(|k| k.tag(), "t").send(&db).await;
        assert!(late.unwrap_err().is_conflict());
    }
    Ok(())
}

/// Finding: "`upsert` that sets an optional sibling to None".
#[tokio::test]
async fn an_upsert_with_siblings_that_are_none_is_in_no_index() -> Outcome {
    let db = support::db::<Table>().await;
    let upsert = |day: &str| {
        Kifu::upsert("u", "k")
            .set(|k| k.day(None, None), day)
            .set(|k| k.text(), "x")
    };
    upsert("1").send(&db).await?;
    upsert("2").send(&db).await?;
    assert_eq!(index_attributes(&db).await?, "");
    assert_eq!(stored(&db).await?.day, "2");
    assert_keys_as_put(&db, Kifu::key("u", "k")).await?;

    // The stored item has both, so it is in the indexes.
    kifu().put().send(&db).await?;
    let error = upsert("3").send(&db).await.unwrap_err();
    let attribute = "share".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    assert_eq!(stored(&db).await?, kifu());
    let upsert = upsert("3").remove(|k| k.tag("1")).remove(|k| k.share("1"));
    upsert.send(&db).await?;
    assert_eq!(index_attributes(&db).await?, "GSI3PK code rank");
    assert_keys_as_put(&db, Kifu::key("u", "k")).await
}

#[tokio::test]
async fn an_upsert_with_an_unset_sibling_is_incomplete() -> Outcome {
    let db = support::db::<Table>().await;
    // A new item would not have the tag.
    let upsert = Kifu::upsert("u", "k").set(|k| k.day("t", None), "1");
    let upsert = upsert.set(|k| k.text(), "x");
    let error = upsert.send(&db).await.unwrap_err();
    let attributes = vec!["tag".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    assert_eq!(Kifu::query("u").count(&db).await?, 0);
    Ok(())
}

/// A put over an item with index keys leaves none of them behind.
#[tokio::test]
async fn a_put_without_the_field_removes_the_item_from_the_index() -> Outcome {
    let db = with(&kifu()).await?;
    empty().put().send(&db).await?;
    assert_eq!(index_attributes(&db).await?, "");
    Ok(())
}

/// Without `or_empty`, a key with an empty part belongs to no item of the entity.
#[test]
fn an_empty_part_of_an_optional_field_is_not_parsed_as_none() {
    use dynamo_model::bounds::IndexedBy;
    use dynamo_model::index::Gsi1;
    let parse = |pk: &'static str| <Kifu as IndexedBy<Gsi1>>::parse(pk.into(), Some("D#1".into()));
    assert_eq!(parse("TAG#t").unwrap().tag, "t");
    let error = parse("TAG#").unwrap_err();
    assert!(error.to_string().contains("tag"), "{error}");
}
