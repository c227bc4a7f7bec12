//! Attribute names that are reserved words, or look like expressions.

use crate::support::{self, Db, Outcome, store};
use dynamo_model::{DynamoEntity, DynamoTable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "select.from-where_0", pk = "#pk", sk = "order by")]
#[gsi1(name = "index.1", pk = "a.b", sk = "list[0]")]
struct Odd;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Odd)]
#[pk("USER#<owner>")]
#[sk("N#<id:03>")]
#[gsi1(pk = "SIZE#<size>", sk = "N#<id:03>", as = by_size)]
struct Row {
    owner: String,
    id: u32,
    size: String,
    #[serde(rename = "name")]
    reserved: String,
    #[serde(rename = "#n0")]
    alias: u32,
    #[serde(rename = ":v0")]
    value: u32,
    #[serde(rename = "x = :v0 OR #n0")]
    expression: u32,
    #[serde(rename = "a.c")]
    dotted: u32,
    #[serde(rename = "l[1]")]
    bracketed: u32,
    #[serde(rename = "日本語 の 名前")]
    japanese: u32,
    r#type: BTreeMap<String, u32>,
}

fn row(id: u32) -> Row {
    Row {
        owner: "u1".into(),
        id,
        size: "L".into(),
        reserved: format!("name{}", id % 2),
        alias: id,
        value: id + 1,
        expression: id + 2,
        dotted: id + 3,
        bracketed: id + 4,
        japanese: id + 5,
        r#type: BTreeMap::from([("and".into(), id), ("k.#n0[0]".into(), id + 1)]),
    }
}

async fn rows() -> Outcome<Db> {
    let db = support::db::<Odd>().await;
    store(&db, &(0..20).map(row).collect::<Vec<_>>()).await?;
    Ok(db)
}

macro_rules! finds {
    ($db:expr, $($filter:expr => $ids:expr),* $(,)?) => {$(
        for query in [Row::query("u1").filter($filter)] {
            let found: Vec<_> = query.all($db).await?.iter().map(|row| row.id).collect();
            assert_eq!(found, Vec::<u32>::from($ids), "{}", stringify!($filter));
        }
        let count = Row::by_size("L").filter($filter).count($db).await?;
        assert_eq!(count, $ids.len(), "{}", stringify!($filter));
    )*};
}

#[tokio::test]
async fn keys_may_have_reserved_words_as_names() -> Outcome {
    let db = rows().await?;
    Odd::verify_here(&db).await?;
    assert_eq!(Row::get("u1", 7).send(&db).await?, Some(row(7)));
    let some = Row::query("u1").id_in(3..5).all(&db).await?;
    assert_eq!(some, [row(3), row(4)]);
    let page = Row::by_size("L").id_in(10..).limit(4).page(&db).await?;
    let rest = Row::by_size("L").id_in(10..).after(page.next.unwrap());
    assert_eq!(rest.all(&db).await?, (14..20).map(row).collect::<Vec<_>>());
    Ok(())
}

impl Odd {
    async fn verify_here(db: &Db) -> Outcome {
        Ok(<Self as dynamo_model::Table>::verify(db).await?)
    }
}

#[tokio::test]
async fn filters_may_name_reserved_words() -> Outcome {
    let db = rows().await?;
    finds! { &db,
        |row| row.reserved().eq("name1") & row.id().lt(4) => [1, 3],
        |row| row.alias().eq(4) => [4],
        |row| row.value().eq(4) => [3],
        |row| row.expression().between(4, 5) => [2, 3],
        |row| row.japanese().is_in([5, 6]) => [0, 1],
        |row| row.r#type().entry("and").eq(9) => [9],
        |row| row.size().eq("L") & row.alias().ge(18) => [18, 19],
    }
    Ok(())
}

/// A dot or a bracket in a name is not a path.
#[tokio::test]
async fn names_that_look_like_paths_are_only_names() -> Outcome {
    let db = rows().await?;
    finds! { &db,
        |row| row.dotted().le(4) => [0, 1],
        |row| row.bracketed().gt(22) => [19],
        |row| row.r#type().entry("k.#n0[0]").eq(9) => [8],
    }
    Ok(())
}

#[tokio::test]
async fn explain_keeps_names_and_values_apart() -> Outcome {
    let db = support::bare();
    let explained = Row::query("u1")
        .filter(|row| row.value().eq(5) & row.alias().eq(6) & row.reserved().eq(":v1 #n1"))
        .explain(&db)?;
    let shown = explained.to_string();
    let filter = r##"filter: (:v0 = 5 AND #n0 = 6 AND name = ":v1 #n1")"##;
    assert!(shown.contains(filter), "{shown}");
    Ok(())
}
