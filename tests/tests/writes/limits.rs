//! Requests that DynamoDB would refuse are refused before they are sent, and the error names the
//! attribute and the limit. These tests have no table: a request would fail with another error.

use crate::support::{self, Outcome};
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct App;

/// A list in a list in a list.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
struct Tree(Vec<Tree>);

impl Tree {
    /// Lists within each other, this many.
    fn deep(lists: usize) -> Self {
        (1..lists).fold(Tree::default(), |tree, _| Tree(vec![tree]))
    }
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
#[dynamo(table = App)]
#[pk("FILE#<dir>")]
#[sk("<name>")]
#[gsi1(pk = "OWNER#<owner>", as = by_owner)]
struct File {
    dir: String,
    name: String,
    owner: String,
    text: String,
    ratio: f64,
    ratios: Vec<f64>,
    #[serde(
        default,
        with = "serde_dynamo::string_set",
        skip_serializing_if = "not"
    )]
    tags: BTreeSet<String>,
    tree: Tree,
}

fn not(_: &BTreeSet<String>) -> bool {
    false
}

fn file() -> File {
    File {
        dir: "d".into(),
        name: "n".into(),
        owner: "o".into(),
        tags: ["t".to_owned()].into(),
        ..File::default()
    }
}

/// Put, create and both in a transaction refuse it alike.
async fn refused(file: &File) -> ErrorKind {
    let db = support::bare();
    let put = file.put().send(&db).await.unwrap_err();
    let create = file.create().send(&db).await.unwrap_err();
    let transaction = Transaction::new()
        .add(file.create())
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(put.kind(), create.kind());
    assert_eq!(put.kind(), transaction.kind());
    assert_eq!(put.entity(), "File");
    put.kind().clone()
}

fn encode(attribute: &str) -> ErrorKind {
    ErrorKind::Encode {
        attribute: attribute.into(),
    }
}

#[tokio::test]
async fn an_item_over_400_kb_is_refused_before_the_request() {
    let mut large = file();
    large.text = "字".repeat(140_000);
    let kind = refused(&large).await;
    assert!(
        matches!(
            kind,
            ErrorKind::TooLarge {
                bytes: 420_000..421_000,
                max: 409_600
            }
        ),
        "{kind:?}"
    );
    let error = large.put().send(&support::bare()).await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("put File FILE#d/n: 420") && text.contains("409600"),
        "{text}"
    );
}

/// Neither more nor less is refused than the engine takes.
#[tokio::test]
async fn an_item_of_exactly_400_kb_is_stored() -> Outcome {
    if support::skip("the size of an item") {
        return Ok(());
    }
    let db = support::db::<App>().await;
    let mut large = file();
    large.text = "x".repeat(409_600);
    let ErrorKind::TooLarge { bytes, max } = refused(&large).await else {
        panic!("taken");
    };
    large.text = "x".repeat(409_600 - (bytes - max));
    large.put().send(&db).await?;
    large.text += "x";
    let error = large.put().send(&db).await.unwrap_err();
    assert_eq!(
        error.kind(),
        &ErrorKind::TooLarge {
            bytes: max + 1,
            max
        }
    );
    Ok(())
}

#[tokio::test]
async fn an_update_over_400_kb_is_refused_before_the_request() {
    let db = support::bare();
    let large = "x".repeat(409_600);
    let update = File::update("d", "n").set(|file| file.text(), large.clone());
    let error = update.send(&db).await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::TooLarge { max: 409_600, .. }),
        "{error}"
    );
    let update = File::update("d", "n").set(|file| file.text(), large);
    let error = Transaction::new().add(update).send(&db).await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::TooLarge { .. }),
        "{error}"
    );
}

#[tokio::test]
async fn an_empty_key_part_is_refused() {
    let mut empty = file();
    empty.name = String::new();
    let kind = refused(&empty).await;
    assert!(
        matches!(&kind, ErrorKind::Key(key) if key.field() == Some("name")),
        "{kind:?}"
    );
    let mut empty = file();
    empty.owner = String::new();
    let kind = refused(&empty).await;
    assert!(
        matches!(&kind, ErrorKind::Key(key) if key.field() == Some("owner")),
        "{kind:?}"
    );

    let db = support::bare();
    let by_key = File::update("d", "")
        .set(|file| file.ratio(), 1.0)
        .send(&db)
        .await;
    assert!(matches!(by_key.unwrap_err().kind(), ErrorKind::Key(_)));
    let delete = File::delete("", "n").send(&db).await;
    assert!(matches!(delete.unwrap_err().kind(), ErrorKind::Key(_)));
    let index = file().update().set(|file| file.owner(), "").send(&db).await;
    assert!(matches!(index.unwrap_err().kind(), ErrorKind::Key(_)));
    let index = File::update("d", "n")
        .set(|file| file.owner(), "")
        .send(&db)
        .await;
    assert!(matches!(index.unwrap_err().kind(), ErrorKind::Key(_)));
}

#[tokio::test]
async fn a_key_over_the_limit_is_refused() {
    let mut long = file();
    long.name = "x".repeat(1_025);
    assert!(matches!(refused(&long).await, ErrorKind::Key(_)));
    let mut long = file();
    long.dir = "x".repeat(2_044);
    assert!(matches!(refused(&long).await, ErrorKind::Key(_)));
    let db = support::bare();
    let update = file().update().set(|file| file.owner(), "x".repeat(2_043));
    assert!(matches!(
        update.send(&db).await.unwrap_err().kind(),
        ErrorKind::Key(_)
    ));
}

#[tokio::test]
async fn nan_and_infinity_are_refused() {
    for number in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let ratio = File {
            ratio: number,
            ..file()
        };
        assert_eq!(refused(&ratio).await, encode("ratio"));
        let within = File {
            ratios: vec![1.0, number],
            ..file()
        };
        assert_eq!(refused(&within).await, encode("ratios"));
    }
}

#[tokio::test]
async fn nan_and_infinity_are_refused_in_an_update() {
    let db = support::bare();
    let update = || File::update("d", "n");
    let updates = [
        update().set(|file| file.ratio(), f64::NAN),
        update().set_if_absent(|file| file.ratio(), f64::INFINITY),
        update().add(|file| file.ratio(), f64::NAN),
        update().subtract(|file| file.ratio(), f64::INFINITY),
        update().append(|file| file.ratios(), [0.5, f64::NAN]),
        update().set(|file| file.ratios().at(0), f64::NAN),
        update().set(|file| file.ratios(), vec![f64::NAN]),
        update()
            .set(|file| file.text(), "x")
            .condition(|file| file.ratio().lt(f64::NAN)),
    ];
    for update in updates {
        let error = update.send(&db).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Encode { .. }), "{error}");
        let text = error.to_string();
        assert!(
            text.starts_with("update File FILE#d/n: ") && text.contains("ratio"),
            "{text}"
        );
        assert!(text.contains("not finite"), "{text}");
    }
    let update = update().set(|file| file.ratios().at(3), f64::NAN);
    let error = update.send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &encode("ratios[3]"));
    assert_eq!(
        error.to_string(),
        "update File FILE#d/n: ratios[3]: it is not a number that DynamoDB has: not finite; leave \
         it out, or store it as a text"
    );
}

/// A 64-bit float goes further than a number of DynamoDB.
#[tokio::test]
async fn a_number_out_of_range_is_refused() -> Outcome {
    for number in [f64::MAX, f64::MIN, f64::MIN_POSITIVE, 1e126, 9e-131] {
        let ratio = File {
            ratio: number,
            ..file()
        };
        assert_eq!(refused(&ratio).await, encode("ratio"), "{number}");
        let update = File::update("d", "n").set(|file| file.ratio(), number);
        let error = update.send(&support::bare()).await.unwrap_err();
        assert!(matches!(error.kind(), ErrorKind::Encode { .. }), "{error}");
    }
    let db = support::db::<App>().await;
    let ratios = vec![0.0, -0.0, 1e125, -9.5e125, 1e-130, f64::EPSILON];
    let kept = File { ratios, ..file() };
    kept.put().send(&db).await?;
    assert_eq!(File::get("d", "n").send(&db).await?, Some(kept));
    Ok(())
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone)]
#[dynamo(table = App)]
#[pk("COUNT#<id>")]
#[sk("COUNT")]
struct Count {
    id: String,
    large: u128,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    File(File),
    Count(Count),
}

/// serde cannot pass it on; the error still names the attribute.
#[tokio::test]
async fn an_integer_of_more_than_38_digits_is_refused() {
    let db = support::bare();
    let large = u128::MAX;
    let id = "c".to_owned();
    let error = Count { id, large }.put().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &encode("large"));
    let error = Count::update("c")
        .set(|count| count.large(), large)
        .send(&db)
        .await
        .unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::Encode { .. }), "{error}");
}

#[tokio::test]
async fn an_empty_set_of_serde_dynamo_is_refused() {
    let mut empty = file();
    empty.tags.clear();
    assert_eq!(refused(&empty).await, encode("tags"));
    let error = empty.put().send(&support::bare()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "put File FILE#d/n: tags: a set is empty; leave the attribute out, with an `Option` or \
         `skip_serializing_if`"
    );
}

#[tokio::test]
async fn an_item_nested_more_than_32_deep_is_refused() -> Outcome {
    let mut deep = file();
    deep.tree = Tree::deep(40);
    assert_eq!(refused(&deep).await, encode("tree"));
    let db = support::bare();
    let update = File::update("d", "n").set(|file| file.tree(), Tree::deep(40));
    let error = update.send(&db).await.unwrap_err();
    assert!(error.to_string().contains("32 deep"), "{error}");

    let db = support::db::<App>().await;
    deep.tree = Tree::deep(32);
    deep.put().send(&db).await?;
    assert_eq!(File::get("d", "n").send(&db).await?, Some(deep));
    Ok(())
}
