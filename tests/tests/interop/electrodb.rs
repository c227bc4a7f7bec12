//! ElectroDB: the entity in `__edb_e__`, its version in `__edb_v__`, keys in lower case, times in
//! milliseconds.

use crate::snapshot::{self, Snapshot, assert_changes, stored};
use crate::support::{Db, Outcome};
use dynamo_model::value::Rest;
use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, KeyPart};
use jiff::Timestamp;
use jiff::fmt::serde::timestamp::millisecond::required as millis;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(
    name = "interop-electrodb",
    pk = "pk",
    sk = "sk",
    entity_type = "__edb_e__", items = TaskItem)]
#[gsi1(name = "gsi1", pk = "gsi1pk", sk = "gsi1sk")]
pub struct Tasks;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Tasks, entity_type = "user", constant("__edb_v__" = "1"))]
#[pk("$taskapp#userid_<user_id:lower+raw>")]
#[sk("$user_1")]
#[gsi1(pk = "$taskapp#email_<email:lower+raw>", sk = "$user_1", as = by_email)]
pub struct User {
    user_id: String,
    email: String,
    name: String,
    visits: u32,
    roles: BTreeSet<String>,
    #[serde(with = "millis")]
    #[dynamo(created_at)]
    created_at: Timestamp,
    #[serde(with = "millis")]
    #[dynamo(updated_at)]
    updated_at: Timestamp,
    #[dynamo(rest)]
    rest: Rest,
}

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Open,
    Done,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Tasks, entity_type = "task", constant("__edb_v__" = "1"))]
#[pk("$taskapp#userid_<user_id:lower+raw>")]
#[sk("$task_1#projectid_<project_id:lower+raw>#taskid_<task_id:lower+raw>")]
#[gsi1(
    pk = "$taskapp#projectid_<project_id:lower+raw>",
    sk = "$work#task_1#status_<status>#dueat_<due_at:lower+raw>",
    as = by_project
)]
pub struct Task {
    user_id: String,
    project_id: String,
    task_id: String,
    title: String,
    status: Status,
    due_at: String,
    #[serde(with = "millis")]
    #[dynamo(created_at)]
    created_at: Timestamp,
    #[serde(with = "millis")]
    #[dynamo(updated_at)]
    updated_at: Timestamp,
    #[dynamo(rest)]
    rest: Rest,
}

#[derive(DynamoItems, Debug)]
#[items(table = Tasks)]
pub enum TaskItem {
    User(User),
    Task(Task),
}

async fn tasks() -> Outcome<Db> {
    stored::<Tasks>(include_str!("items/electrodb.json")).await
}

/// The changes that ElectroDB reads afterwards, in `tests/interop/electrodb.mjs`.
pub async fn change(db: &Dynamo) -> Outcome {
    let before = Snapshot::of::<Tasks>(db).await?;
    User::update("U1-Ada")
        .set(|user| user.name(), "Ada Lovelace")
        .add(|user| user.visits(), 1_u32)
        .add_to_set(|user| user.roles(), ["rust"])
        .send(db)
        .await?;
    let after = Snapshot::of::<Tasks>(db).await?;
    assert_changes(&before, &after, &["name", "roles", "updatedAt", "visits"]);

    let task = Task::get("U1-Ada", "Engine", "T-1")
        .send(db)
        .await?
        .unwrap();
    task.update()
        .set(|task| task.status(), Status::Done)
        .send(db)
        .await?;
    let moved = Snapshot::of::<Tasks>(db).await?;
    assert_changes(&after, &moved, &["gsi1sk", "status", "updatedAt"]);

    let new = Task {
        task_id: "T-4".into(),
        title: "Task T-4".into(),
        due_at: "2025-08-01T00:00:00.000Z".into(),
        created_at: Timestamp::UNIX_EPOCH,
        ..task
    };
    new.create().send(db).await?;
    let more = Snapshot::of::<Tasks>(db).await?;
    let key = r##"S "$taskapp#userid_u1-ada" S "$task_1#projectid_engine#taskid_t-4""##;
    assert_changes(&moved, &more, &[&format!("+ {key}")]);
    assert_eq!(more.attribute(key, "__edb_e__"), Some(r#"S "task""#));
    assert_eq!(more.attribute(key, "__edb_v__"), Some(r#"S "1""#));
    merge_and_put(db).await
}

async fn merge_and_put(db: &Dynamo) -> Outcome {
    let user = User::get("U1-Ada").send(db).await?.unwrap();
    let names: Vec<_> = user.rest.keys().map(String::as_str).collect();
    let expected = ["balance", "expiresAt", "profile", "scores", "settings"];
    assert_eq!(names, expected);
    snapshot::merge_and_put::<Tasks, _>(db, user, &["updatedAt"]).await?;
    let task = Task::get("U1-Ada", "Engine", "T-2").send(db).await?;
    snapshot::merge_and_put::<Tasks, _>(db, task.unwrap(), &["updatedAt"]).await
}

#[tokio::test]
async fn items_are_found_by_every_key() -> Outcome {
    let db = tasks().await?;
    let user = User::get("u1-ADA").send(&db).await?.unwrap();
    assert_eq!((user.user_id.as_str(), user.visits), ("U1-Ada", 7));
    assert_eq!(user.roles, ["admin", "author"].map(String::from).into());
    assert_eq!(user.created_at.as_millisecond(), 1_795_006_653_943);
    assert_eq!(User::by_email("ADA@example.com").one(&db).await?, user);

    let tasks = Task::query("U1-Ada").project_id("Engine").all(&db).await?;
    assert_eq!(ids(&tasks), ["T-1", "T-2", "T-3"]);
    let open = Task::by_project("Engine")
        .status(Status::Open)
        .all(&db)
        .await?;
    assert_eq!(ids(&open), ["T-2", "T-1"]);
    let all = TaskItem::collection(User::partition_key("U1-Ada"))
        .all(&db)
        .await?;
    assert_eq!(all.len(), 4);
    assert_eq!(Task::scan().count(&db).await?, 3);
    Ok(())
}

fn ids(tasks: &[Task]) -> Vec<&str> {
    tasks.iter().map(|task| task.task_id.as_str()).collect()
}

#[tokio::test]
async fn an_update_keeps_undeclared_attributes() -> Outcome {
    let db = tasks().await?;
    change(&db).await
}

/// Finding: "`put` drops attributes that the struct does not declare."
#[tokio::test]
async fn merge_and_put_keep_undeclared_attributes() -> Outcome {
    let db = tasks().await?;
    merge_and_put(&db).await
}
