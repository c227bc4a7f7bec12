//! Updates of a part of a map or list that the item does not have.

use crate::support::{self, Outcome as TestOutcome};
use dynamo_model::error::Outcome;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "Parents", pk = "PK")]
struct Parents;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
struct Settings {
    theme: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Parents)]
#[pk("USER#<id>")]
struct User {
    id: String,
    settings: Option<Settings>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    labels: BTreeMap<String, String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

fn user() -> User {
    User {
        id: "u1".into(),
        settings: None,
        labels: BTreeMap::new(),
        notes: Vec::new(),
    }
}

/// Finding: "a path inside an absent map gives a bare ValidationException"
#[tokio::test]
async fn a_change_inside_an_absent_map_or_list_names_the_path_and_the_fix() -> TestOutcome {
    let db = support::db::<Parents>().await;
    user().create().send(&db).await?;
    let update = || User::update("u1");
    let updates = [
        (
            update().set(|u| u.settings().fields().theme(), "dark"),
            "settings.theme",
        ),
        (update().set(|u| u.labels().entry("k"), "v"), "labels.k"),
        (update().set(|u| u.notes().at(0), "n"), "notes[0]"),
    ];
    for (update, path) in updates {
        let error = update.send(&db).await.unwrap_err();
        let ErrorKind::AbsentParent { attribute } = error.kind() else {
            panic!("{error}")
        };
        assert_eq!(attribute, path);
        assert!(error.is_absent_parent());
        assert_eq!(error.outcome(), Outcome::NotDone);
        let text = error.to_string();
        for part in ["User", "USER#u1", path, "set the whole map or list first"] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    update()
        .set(|u| u.settings(), Settings::default())
        .send(&db)
        .await?;
    update()
        .set(|u| u.settings().fields().theme(), "dark")
        .send(&db)
        .await?;
    let settings = User::get("u1").send(&db).await?.unwrap().settings;
    assert_eq!(settings.unwrap().theme, "dark");
    Ok(())
}

/// Finding: "a path inside an absent map gives a bare ValidationException": in a transaction,
/// too.
#[tokio::test]
async fn a_change_inside_an_absent_map_is_named_in_a_transaction() -> TestOutcome {
    if support::skip("an invalid path in a transaction") {
        return Ok(());
    }
    let db = support::db::<Parents>().await;
    user().create().send(&db).await?;
    let update = User::update("u1").set(|u| u.settings().fields().theme(), "dark");
    let error = Transaction::new().add(update).send(&db).await.unwrap_err();
    assert!(error.is_absent_parent(), "{error}");
    assert_eq!(error.outcome(), Outcome::NotDone);
    assert!(error.to_string().contains("`settings.theme`"), "{error}");
    Ok(())
}

/// DynamoDB refuses it with the same code as a path in an absent map.
#[tokio::test]
async fn another_invalid_update_of_a_nested_path_is_not_an_absent_parent() -> TestOutcome {
    let db = support::db::<Parents>().await;
    let item = serde_json::json!({ "PK": "USER#u1", "id": "u1", "settings": { "theme": "x" }, "notes": "text" });
    support::put_json::<Parents>(&db, item).await?;
    let update = User::update("u1").set(|u| u.settings().fields().theme(), "dark");
    let error = update
        .append(|u| u.notes(), ["n"])
        .send(&db)
        .await
        .unwrap_err();
    assert!(!error.is_absent_parent(), "{error}");
    assert_eq!(error.outcome(), Outcome::NotDone);
    Ok(())
}
