//! Conditional indexes: an item is in the index only while a field has a given value, and every
//! write keeps it in step. `index_laws` tries the same on random sequences of writes.

use crate::support::{self, Db, Outcome, assert_keys_as_put};
use dynamo_model::bounds::IndexedBy;
use dynamo_model::index::Gsi1;
use dynamo_model::{BatchWrite, DynamoEntity, DynamoTable, Entity, KeyPart, Transaction};
use dynamo_model_tools::Model;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Hosting", pk = "PK", sk = "SK")]
#[gsi1(name = "Open", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "Unread", pk = "GSI2PK")]
struct Hosting;

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Open,
    Closed,
}

/// Open issues of a repository and milestone, the newest first.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Hosting)]
#[pk("REPO#<repo>")]
#[sk("ISSUE#<number:08>")]
#[gsi1(pk = "OPEN#<repo>#<milestone>", sk = "<number:08+desc>", when(state = State::Open), as = open)]
#[gsi2(pk = "UNREAD#<milestone>", when(read_by = None), as = unread)]
struct Issue {
    repo: String,
    number: u32,
    milestone: String,
    state: State,
    read_by: Option<String>,
}

fn issue(number: u32, state: State) -> Issue {
    Issue {
        repo: "r".into(),
        number,
        milestone: "m".into(),
        state,
        read_by: None,
    }
}

async fn open(db: &Db) -> Outcome<Vec<u32>> {
    let open = Issue::open("r", "m").all(db).await?;
    Ok(open.iter().map(|issue| issue.number).collect())
}

async fn stored(db: &Db) -> Outcome<Issue> {
    let issue = Issue::get("r", 1_u32).send(db).await?.ok_or("no issue")?;
    assert_keys_as_put(db, issue.primary_key()).await?;
    Ok(issue)
}

/// Finding: "conditional indexes".
#[tokio::test]
async fn only_items_with_the_value_are_in_the_index_after_every_write() -> Outcome {
    let db = support::db::<Hosting>().await;
    issue(1, State::Open).create().send(&db).await?;
    issue(2, State::Closed).create().send(&db).await?;
    issue(10, State::Open).create().send(&db).await?;
    assert_eq!(open(&db).await?, [10, 1], "newest first");
    assert!(IndexedBy::<Gsi1>::key_in(&issue(2, State::Closed))?.is_none());

    let close = Issue::update("r", 1_u32).set(|it| it.state("m"), State::Closed);
    close.send(&db).await?;
    assert_eq!(open(&db).await?, [10]);
    let loaded = stored(&db).await?;
    loaded
        .update()
        .set(|it| it.state(), State::Open)
        .send(&db)
        .await?;
    assert_eq!(open(&db).await?, [10, 1]);
    let wrong = Issue::update("r", 1_u32).set(|it| it.state("other"), State::Open);
    assert!(wrong.send(&db).await.unwrap_err().is_conflict());

    let moved = stored(&db).await?.update().set(|it| it.milestone(), "n");
    moved.send(&db).await?;
    assert_eq!(open(&db).await?, [10]);
    assert_eq!(Issue::open("r", "n").all(&db).await?.len(), 1);

    issue(1, State::Closed).put().send(&db).await?;
    let moved = Issue::update("r", 1_u32).set(|it| it.milestone(State::Closed, None), "n");
    moved.send(&db).await?;
    assert_eq!(stored(&db).await?.milestone, "n");
    assert_eq!(Issue::open("r", "n").all(&db).await?, [], "closed");
    Ok(())
}

#[tokio::test]
async fn batches_transactions_and_upserts_update_the_conditional_index() -> Outcome {
    let db = support::db::<Hosting>().await;
    let issues = [issue(1, State::Open), issue(2, State::Closed)];
    BatchWrite::new().puts(&issues).send(&db).await?;
    assert_eq!(open(&db).await?, [1]);
    Transaction::new()
        .add(Issue::update("r", 1_u32).set(|it| it.state("m"), State::Closed))
        .add(issues[1].update().set(|it| it.state(), State::Open))
        .send(&db)
        .await?;
    assert_eq!(open(&db).await?, [2]);
    stored(&db).await?;
    let upsert = |number: u32, state| {
        Issue::upsert("r", number)
            .set(|it| it.state("m"), state)
            .set(|it| it.milestone(state, None), "m")
            .set_or_remove(|it| it.read_by("m"), None::<String>)
    };
    upsert(1, State::Open).send(&db).await?;
    upsert(2, State::Closed).send(&db).await?;
    upsert(3, State::Open).send(&db).await?;
    assert_eq!(open(&db).await?, [3, 1]);
    stored(&db).await?;
    Ok(())
}

#[tokio::test]
async fn an_index_can_hold_only_items_without_an_optional_field() -> Outcome {
    let db = support::db::<Hosting>().await;
    issue(1, State::Open).create().send(&db).await?;
    let unread = || Issue::unread("m");
    assert_eq!(unread().count(&db).await?, 1);
    let read = Issue::update("r", 1_u32).set(|it| it.read_by("m"), "ann");
    read.send(&db).await?;
    assert_eq!(unread().count(&db).await?, 0);
    stored(&db).await?;
    let forget = Issue::update("r", 1_u32).remove(|it| it.read_by("m"));
    forget.send(&db).await?;
    assert_eq!(unread().count(&db).await?, 1);
    stored(&db).await?;
    Ok(())
}

#[test]
fn outputs_name_the_condition_and_the_lock_compares_it() -> Outcome {
    let model = Model::new("hosting").entity::<Issue>();
    assert!(
        model
            .markdown()
            .contains("`Open`, when `state = State::Open`")
    );
    assert!(
        model
            .html()
            .contains("<em>when</em> <code>state = State::Open</code>")
    );
    let lock = model.lock();
    assert!(lock.contains(r#""when": "state = State::Open""#), "{lock}");
    assert_eq!(model.compare_with_lock(&lock)?, []);
    let before = lock.replace("State::Open", "State::Closed");
    let changes = model.compare_with_lock(&before)?;
    assert_eq!(changes.len(), 1);
    assert!(
        changes[0].to_string().contains("condition"),
        "{}",
        changes[0]
    );
    Ok(())
}
