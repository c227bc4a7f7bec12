//! Sets are sets: `HashSet` and `BTreeSet` without an extra crate. See "6." in docs/data-rules.md.

use crate::support::{self, Outcome, raw, stored};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::RandomState;

#[derive(DynamoTable)]
#[table(name = "PlainSets", pk = "PK")]
struct Sets;

/// A set that an alias hides.
type Tags = HashSet<String, RandomState>;

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Label(String);

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
struct Inner {
    tags: HashSet<String>,
    #[serde(default)]
    children: Vec<Inner>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
#[dynamo(table = Sets)]
#[pk("S#<id>")]
struct Sample {
    id: u32,
    tags: Tags,
    labels: BTreeSet<Label>,
    numbers: BTreeSet<i64>,
    hashes: HashSet<[u8; 2]>,
    blobs: BTreeSet<Vec<u8>>,
    maybe: Option<HashSet<String>>,
    #[dynamo(nested)]
    inner: Inner,
    by_name: HashMap<String, Inner>,
    sets: Vec<BTreeSet<u8>>,
    keys: Vec<HashSet<Vec<u8>>>,
    keys_by_name: BTreeMap<String, Vec<BTreeSet<[u8; 2]>>>,
    list: Vec<String>,
    points: BTreeMap<String, BTreeSet<u8>>,
}

fn texts<T: From<String> + Eq + std::hash::Hash>(texts: &[&str]) -> HashSet<T> {
    texts.iter().map(|it| T::from((*it).to_owned())).collect()
}

fn sample() -> Sample {
    let inner = Inner {
        tags: texts(&["i"]),
        children: vec![Inner {
            tags: texts(&["c"]),
            children: vec![],
        }],
    };
    Sample {
        id: 1,
        tags: texts(&["a", "b"]),
        labels: [Label("l".into())].into(),
        numbers: [1, -2].into(),
        hashes: [[1, 2], [3, 4]].into(),
        blobs: [vec![], vec![0xff; 3]].into(),
        maybe: Some(texts(&["m"])),
        by_name: [("x".to_owned(), inner.clone())].into(),
        inner,
        sets: vec![[1].into(), [].into()],
        keys: vec![[vec![1], vec![]].into()],
        keys_by_name: [("k".to_owned(), vec![[[1, 2]].into()])].into(),
        list: vec!["b".into(), "a".into()],
        points: [("p".to_owned(), [7].into())].into(),
    }
}

fn empty() -> Sample {
    Sample {
        id: 1,
        ..Sample::default()
    }
}

/// Finding: "A plain `HashSet` reads SS and writes L", "Sets require `serde_dynamo`"
#[tokio::test]
async fn sets_are_stored_as_ss_ns_and_bs() -> Outcome {
    let db = support::db::<Sets>().await;
    sample().create().send(&db).await?;
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    for name in ["tags", "labels", "maybe"] {
        assert!(item[name].is_ss(), "{name}");
    }
    assert!(item["numbers"].is_ns());
    assert!(item["hashes"].is_bs() && item["blobs"].is_bs());
    assert!(item["list"].is_l());
    assert_eq!(Sample::get(1).send(&db).await?, Some(sample()));
    Ok(())
}

#[tokio::test]
async fn sets_in_nested_structs_lists_and_maps_are_sets() -> Outcome {
    let db = support::db::<Sets>().await;
    sample().create().send(&db).await?;
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    let inner = item["inner"].as_m().unwrap();
    assert!(inner["tags"].is_ss());
    assert!(inner["children"].as_l().unwrap()[0].as_m().unwrap()["tags"].is_ss());
    assert!(item["by_name"].as_m().unwrap()["x"].as_m().unwrap()["tags"].is_ss());
    assert!(item["points"].as_m().unwrap()["p"].is_ns());
    // DynamoDB has no empty set, and an element of a list cannot be omitted.
    let sets = item["sets"].as_l().unwrap();
    assert!(sets[0].is_ns() && sets[1] == AttributeValue::L(vec![]));
    assert!(item["keys"].as_l().unwrap()[0].is_bs());
    let by_name = item["keys_by_name"].as_m().unwrap();
    assert!(by_name["k"].as_l().unwrap()[0].is_bs());
    assert_eq!(Sample::get(1).send(&db).await?, Some(sample()));
    let set = Sample::update(1).set(|it| it.keys(), vec![HashSet::from([vec![7_u8]])]);
    set.send(&db).await?;
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    assert!(item["keys"].as_l().unwrap()[0].is_bs());
    Ok(())
}

#[tokio::test]
async fn an_empty_set_is_omitted_and_reads_as_empty() -> Outcome {
    let db = support::db::<Sets>().await;
    empty().create().send(&db).await?;
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    for name in ["tags", "labels", "numbers", "hashes", "blobs", "maybe"] {
        assert!(!item.contains_key(name), "{name}");
    }
    assert!(!item["inner"].as_m().unwrap().contains_key("tags"));
    assert_eq!(Sample::get(1).send(&db).await?, Some(empty()));
    // An empty optional set equals an absent one.
    let some = Sample {
        maybe: Some(HashSet::new()),
        ..empty()
    };
    some.put().send(&db).await?;
    assert_eq!(Sample::get(1).send(&db).await?, Some(empty()));
    Ok(())
}

#[tokio::test]
async fn a_list_that_an_older_release_stored_is_read() -> Outcome {
    let db = support::db::<Sets>().await;
    let mut item = stored(&empty())?;
    let list = |it: &[&str]| {
        AttributeValue::L(
            it.iter()
                .map(|it| AttributeValue::S((*it).into()))
                .collect(),
        )
    };
    item.insert("tags".into(), list(&["a", "b"]));
    item.insert("labels".into(), list(&[]));
    support::put::<Sets>(&db, item).await?;
    let read = Sample::get(1).send(&db).await?.unwrap();
    assert_eq!(read.tags, texts(&["a", "b"]));
    read.put().send(&db).await?;
    assert!(raw(&db, Sample::key(1)).await?.unwrap()["tags"].is_ss());
    Ok(())
}

/// Finding: "`add_to_set` on it compiles and fails at run time"
#[tokio::test]
async fn elements_are_added_and_deleted() -> Outcome {
    let db = support::db::<Sets>().await;
    empty().create().send(&db).await?;
    let new = Sample::update(1)
        .add_to_set(|s| s.tags(), ["a", "b", "b"])
        .add_to_set(|s| s.numbers(), [5_i64])
        .add_to_set(|s| s.hashes(), [[1, 2], [1, 2]])
        .add_to_set(|s| s.maybe(), ["m"])
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(new.tags, texts(&["a", "b"]));
    assert_eq!(new.hashes, [[1, 2]].into());
    let new = Sample::update(1)
        .delete_from_set(|s| s.tags(), ["a"])
        .delete_from_set(|s| s.hashes(), [[1, 2]])
        .delete_from_set(|s| s.numbers(), [5_i64])
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(new.tags, texts(&["b"]));
    assert!(new.hashes.is_empty() && new.numbers.is_empty());
    Ok(())
}

/// Finding: "Setting an empty set … gives a bare ValidationException"
#[tokio::test]
async fn setting_a_set_stores_a_set_and_an_empty_one_removes_it() -> Outcome {
    let db = support::db::<Sets>().await;
    empty().create().send(&db).await?;
    Sample::update(1)
        .set(|s| s.tags(), texts::<String>(&["x"]))
        .set(|s| s.blobs(), BTreeSet::from([vec![1_u8]]))
        .set(|s| s.inner().tags(), texts::<String>(&["y"]))
        .send(&db)
        .await?;
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    assert!(item["tags"].is_ss() && item["blobs"].is_bs());
    assert!(item["inner"].as_m().unwrap()["tags"].is_ss());
    Sample::update(1)
        .set(|s| s.tags(), Tags::new())
        .set(|s| s.blobs(), BTreeSet::new())
        .set(|s| s.inner(), sample().inner)
        .send(&db)
        .await?;
    let item = raw(&db, Sample::key(1)).await?.unwrap();
    assert!(!item.contains_key("tags") && !item.contains_key("blobs"));
    assert!(item["inner"].as_m().unwrap()["tags"].is_ss());
    Ok(())
}

#[tokio::test]
async fn conditions_compare_sets() -> Outcome {
    let db = support::db::<Sets>().await;
    sample().create().send(&db).await?;
    let count = |found: usize, scan: dynamo_model::read::Scan<Sample>| {
        let db = &db;
        async move {
            assert_eq!(scan.count(db).await?, found);
            Outcome::Ok(())
        }
    };
    count(1, Sample::scan().filter(|s| s.tags().contains("a"))).await?;
    count(1, Sample::scan().filter(|s| s.hashes().contains([1, 2]))).await?;
    count(1, Sample::scan().filter(|s| s.inner().tags().contains("i"))).await?;
    count(
        1,
        Sample::scan().filter(|s| s.tags().eq(texts::<String>(&["b", "a"]))),
    )
    .await?;
    count(0, Sample::scan().filter(|s| s.tags().eq(Tags::new()))).await?;
    count(1, Sample::scan().filter(|s| s.tags().ne(Tags::new()))).await?;
    empty().put().send(&db).await?;
    count(1, Sample::scan().filter(|s| s.tags().eq(Tags::new()))).await?;
    count(0, Sample::scan().filter(|s| s.tags().ne(Tags::new()))).await?;
    count(1, Sample::scan().filter(|s| s.tags().not_exists())).await?;
    Ok(())
}
