//! Mistakes of other libraries in writes. Each test is named for the mistake.

use crate::support::{self, Outcome, assert_keys_as_put, everything, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::error::Error as _;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
struct Line {
    ratio: f64,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = App)]
#[pk("A#<a>#b_<b>")]
#[sk("N#<number:05>")]
#[gsi1(pk = "OWNER#<owner>", sk = "STATE#<state>#<rank:04>", as = by_owner)]
struct Task {
    a: String,
    b: String,
    number: i32,
    owner: Option<String>,
    state: String,
    rank: u32,
    #[serde(
        default,
        with = "serde_dynamo::string_set",
        skip_serializing_if = "HashSet::is_empty"
    )]
    tags: HashSet<String>,
    lines: Vec<Line>,
}

fn task(a: &str, b: &str) -> Task {
    Task {
        a: a.into(),
        b: b.into(),
        number: 7,
        owner: Some("Owner".into()),
        state: "Open".into(),
        rank: 2,
        tags: HashSet::new(),
        lines: vec![],
    }
}

/// ElectroDB: `{a: "x#b_y", b: "z"}` and `{a: "x", b: "y#b_z"}` are one key.
#[tokio::test]
async fn electrodb_two_items_in_one_key() -> Outcome {
    let db = support::db::<App>().await;
    let (one, two) = (task("x#b_y", "z"), task("x", "y#b_z"));
    one.create().send(&db).await?;
    two.create().send(&db).await?;
    Task::update("x", "y#b_z", 7)
        .set(|task| task.lines(), vec![Line::default()])
        .send(&db)
        .await?;
    assert_eq!(Task::get("x#b_y", "z", 7).send(&db).await?, Some(one));
    Task::delete("x", "y#b_z", 7).send(&db).await?;
    assert_eq!(everything::<App>(&db).await?.len(), 1);
    Ok(())
}

/// ElectroDB: an index part without its siblings is an error at run time; here they are arguments.
/// OneTable and dynamodb-toolbox: the index key stays stale.
#[tokio::test]
async fn onetable_index_key_stale_after_a_partial_update() -> Outcome {
    let db = support::db::<App>().await;
    let old = task("a", "b");
    old.create().send(&db).await?;
    let update = Task::update("a", "b", 7).set(|task| task.state("Owner", 2), "Done");
    update.send(&db).await?;
    assert_keys_as_put(&db, Task::key("a", "b", 7)).await?;
    assert_eq!(Task::by_owner("Owner").state("Open").count(&db).await?, 0);
    assert_eq!(Task::by_owner("Owner").state("Done").count(&db).await?, 1);
    let read = Task::get("a", "b", 7).send(&db).await?.unwrap();
    read.update()
        .set(|task| task.rank(), 30_u32)
        .send(&db)
        .await?;
    assert_keys_as_put(&db, Task::key("a", "b", 7)).await
}

/// ElectroDB: an absent optional part is written as `opt_`, and every such item is in one hot
/// partition.
#[tokio::test]
async fn electrodb_sparse_index_polluted() -> Outcome {
    let db = support::db::<App>().await;
    let none = Task {
        owner: None,
        ..task("a", "b")
    };
    none.create().send(&db).await?;
    let stored = raw(&db, Task::key("a", "b", 7)).await?.unwrap();
    assert!(!stored.contains_key("GSI1PK") && !stored.contains_key("GSI1SK"));
    none.update()
        .set(|task| task.owner(), "o")
        .send(&db)
        .await?;
    let read = Task::get("a", "b", 7).send(&db).await?.unwrap();
    read.update().remove(|task| task.owner()).send(&db).await?;
    let stored = raw(&db, Task::key("a", "b", 7)).await?.unwrap();
    assert!(!stored.contains_key("GSI1PK") && !stored.contains_key("GSI1SK"));
    Ok(())
}

/// ElectroDB: keys are lower-cased, and numbers are not padded.
#[tokio::test]
async fn electrodb_keys_lower_cased_and_unpadded() -> Outcome {
    let db = support::db::<App>().await;
    task("Ab", "cD").create().send(&db).await?;
    let stored = raw(&db, Task::key("Ab", "cD", 7)).await?.unwrap();
    assert_eq!(stored["PK"], AttributeValue::S("A#Ab#b_cD".into()));
    assert_eq!(
        stored["GSI1SK"],
        AttributeValue::S("STATE#Open#0002".into())
    );
    Ok(())
}

/// dynamodb-facade: `is_in(x, [])` drops the condition, and a guarded delete is unconditional.
#[tokio::test]
async fn facade_empty_list_drops_the_condition() -> Outcome {
    let db = support::db::<App>().await;
    task("a", "b").create().send(&db).await?;
    let delete = Task::delete("a", "b", 7).condition(|task| task.state().is_in([""; 0]));
    let error = delete.send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(everything::<App>(&db).await?.len(), 1);
    Ok(())
}

/// dynamodb-facade: names are aliased only sometimes. See `names` for all of them.
#[tokio::test]
async fn facade_expression_injection() -> Outcome {
    let db = support::db::<App>().await;
    task("a", "b").create().send(&db).await?;
    let hostile = "Open OR attribute_exists(PK)";
    let delete = Task::delete("a", "b", 7).condition(|task| task.state().eq(hostile));
    assert_eq!(
        delete.send(&db).await.unwrap_err().kind(),
        &ErrorKind::ConditionFailed
    );
    Ok(())
}

/// by-macros: integers are encoded one way on write and another on query, and never match.
#[tokio::test]
async fn by_macros_integers_never_match() -> Outcome {
    let db = support::db::<App>().await;
    for number in [-12, 0, 7, 100] {
        let task = Task {
            number,
            ..task("a", "b")
        };
        task.create().send(&db).await?;
        assert_eq!(
            Task::get("a", "b", number).send(&db).await?.as_ref(),
            Some(&task)
        );
        task.update()
            .set(|task| task.rank(), 900_u32)
            .send(&db)
            .await?;
        let found = Task::by_owner("Owner")
            .state("Open")
            .rank(900)
            .count(&db)
            .await?;
        assert_eq!(found, 1);
        Task::delete("a", "b", number)
            .must_exist()
            .send(&db)
            .await?;
    }
    Ok(())
}

/// serde_dynamo #98: an error has no path.
#[tokio::test]
async fn serde_dynamo_errors_without_a_path() {
    let db = support::bare();
    let mut broken = task("a", "b");
    broken.lines = vec![Line::default(), Line { ratio: f64::NAN }];
    let error = broken.put().send(&db).await.unwrap_err();
    assert!(
        matches!(error.kind(), ErrorKind::Encode { attribute } if attribute == "lines"),
        "{error}"
    );
    let text = error.to_string();
    assert!(
        text.starts_with("put Task A#a#b_b/N#") && text.contains(": lines: "),
        "{text}"
    );
    let update = task("a", "b");
    let update = update
        .update()
        .append(|task| task.lines(), [Line { ratio: f64::NAN }]);
    let error = update.send(&db).await.unwrap_err();
    assert!(error.to_string().contains("lines"), "{error}");
}

/// serde_dynamo #101, dynomite #152: a `HashSet` becomes a list.
#[tokio::test]
async fn serde_dynamo_set_becomes_a_list() -> Outcome {
    let db = support::db::<App>().await;
    let mut tagged = task("a", "b");
    tagged.tags = ["x".to_owned()].into();
    tagged.create().send(&db).await?;
    tagged
        .update()
        .add_to_set(|task| task.tags(), ["y"])
        .send(&db)
        .await?;
    let stored = raw(&db, Task::key("a", "b", 7)).await?.unwrap();
    assert!(matches!(&stored["tags"], AttributeValue::Ss(tags) if tags.len() == 2));
    Ok(())
}

/// aws-sdk-rust: an error text is only "service error".
#[tokio::test]
async fn sdk_errors_hide_the_reason() -> Outcome {
    let db = support::db::<App>().await;
    let error = Task::update("a", "b", 7)
        .set(|task| task.lines(), vec![])
        .send(&db)
        .await
        .unwrap_err();
    let text = error.to_string();
    assert!(
        text.starts_with("update Task A#a#b_b/N#") && !text.contains("service error"),
        "{text}"
    );
    let mut chain = Vec::new();
    let mut source = error.source();
    while let Some(error) = source {
        chain.push(error.to_string());
        source = error.source();
    }
    assert!(
        chain
            .iter()
            .any(|text| text.contains("ConditionalCheckFailed")),
        "{chain:?}"
    );
    Ok(())
}

/// raiden #190: the reasons of a cancelled transaction are lost.
#[tokio::test]
async fn raiden_cancellation_reasons_are_lost() -> Outcome {
    let db = support::db::<App>().await;
    task("a", "b").create().send(&db).await?;
    let error = Transaction::new()
        .add(task("new", "b").create())
        .add(task("a", "b").create())
        .add(Task::update("gone", "b", 7).set(|task| task.lines(), vec![]))
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.item::<Task>()?, Some(task("a", "b")));
    let [other] = error.cancellations() else {
        panic!("{error:?}");
    };
    assert_eq!(other.kind(), &ErrorKind::NotFound);
    assert!(other.key_text().unwrap().starts_with("A#gone#b_b/"));
    assert_eq!(everything::<App>(&db).await?.len(), 1);
    Ok(())
}

/// raiden #89, modyne #19, toasty #830: updates are texts. Here a change of one field is one line,
/// and typed.
#[tokio::test]
async fn updates_are_typed() -> Outcome {
    let db = support::db::<App>().await;
    let new = task("a", "b");
    new.create().send(&db).await?;
    let updated = new
        .update()
        .append(|task| task.lines(), [Line::default()])
        .return_new();
    assert_eq!(updated.send(&db).await?.lines, [Line::default()]);
    Ok(())
}
