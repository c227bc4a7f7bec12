//! Attribute names of others: they look like expressions, or like those of the library.

use crate::support::{self, Outcome, raw};
use dynamo_model::{DynamoEntity, DynamoTable, Entity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(
    name = "Open",
    pk = "PK",
    sk = "SK",
    entity_type = "type",
    ttl = "expires"
)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Open;

/// With a map that accepts any names, and a flattened one.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Open, entity_type = "FORM")]
#[pk("USER#<user>")]
#[sk("FORM")]
#[gsi1(pk = "TEAM#<team>", sk = "USER#<user>", as = by_team)]
#[unique("NICK#<nick>")]
struct Form {
    user: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<String>,
    nick: Option<String>,
    #[dynamo(version)]
    version: u64,
    answers: BTreeMap<String, String>,
    #[serde(flatten)]
    extra: BTreeMap<String, String>,
}

fn form(user: &str) -> Form {
    Form {
        user: user.into(),
        team: None,
        nick: None,
        version: 0,
        answers: BTreeMap::new(),
        extra: BTreeMap::new(),
    }
}

/// Reserved words, aliases, paths, functions, white space, and long names.
fn names() -> Vec<String> {
    let names = [
        "#n0",
        ":v0",
        "a.b",
        "a[0]",
        "[0]",
        ".",
        "a..b",
        "size",
        "SELECT",
        "SET",
        "name",
        "attribute_exists(PK)",
        "if_not_exists",
        "PK = :v0",
        "' OR 1=1",
        "\"",
        "\\",
        "\n",
        " ",
        "\u{0}",
        "山",
        "😀",
        "$",
        "__proto__",
        "NULL",
        "S",
    ];
    let long = "x".repeat(255);
    names.into_iter().map(String::from).chain([long]).collect()
}

#[tokio::test]
async fn hostile_attribute_names_are_stored_and_read_back() -> Outcome {
    let db = support::db::<Open>().await;
    let mut form = form("u");
    form.answers = names()
        .into_iter()
        .map(|name| (name.clone(), name))
        .collect();
    form.extra = form.answers.clone();
    form.create().send(&db).await?;
    let read = Form::get("u").send(&db).await?.unwrap();
    assert_eq!((&read.answers, &read.extra), (&form.answers, &form.extra));
    for name in names() {
        let found = Form::scan().filter(|it| it.answers().entry(&name).eq(&name));
        assert_eq!(found.count(&db).await?, 1, "{name:?}");
        let none = Form::scan().filter(|it| it.answers().entry(&name).eq("another"));
        assert_eq!(none.count(&db).await?, 0, "{name:?}");
        let update = Form::update("u")
            .any_version()
            .set(|it| it.answers().entry(&name), "new");
        update
            .condition(|it| it.answers().entry(&name).eq(&name))
            .send(&db)
            .await?;
        form.answers.insert(name, "new".into());
        let read = Form::get("u").send(&db).await?.unwrap();
        assert_eq!(read.answers, form.answers);
    }
    Ok(())
}

/// An attribute with a name of the library changes neither a key, nor an index, nor the entity
/// type.
#[tokio::test]
async fn attributes_of_the_library_cannot_be_named_by_a_map() -> Outcome {
    let db = support::db::<Open>().await;
    form("victim").create().send(&db).await?;
    let before = raw(&db, Form::key("victim")).await?;
    for name in [
        "PK",
        "SK",
        "type",
        "GSI1PK",
        "GSI1SK",
        "user",
        "team",
        "nick",
        "version",
        "unique_owner",
        "expires",
    ] {
        let mut hostile = form("mallory");
        hostile.extra = [(name.to_owned(), "USER#victim".to_owned())].into();
        let written = hostile.put().any_version().send(&db).await;
        let Some(item) = raw(&db, Form::key("mallory")).await? else {
            assert!(written.is_err(), "{name}");
            continue;
        };
        let text = |name: &str| item.get(name).and_then(|it| it.as_s().ok().cloned());
        assert_eq!(text("PK").as_deref(), Some("USER#mallory"), "{name}");
        assert_eq!(text("SK").as_deref(), Some("FORM"), "{name}");
        assert_eq!(text("type").as_deref(), Some("FORM"), "{name}");
        // It has no team, so it is in no index.
        assert_eq!(text("GSI1PK"), None, "{name}");
        assert_eq!(text("GSI1SK"), None, "{name}");
        assert!(Form::by_team("x").all(&db).await?.is_empty());
        db.client()
            .delete_item()
            .table_name(db.table_name(&<Open as dynamo_model::Table>::SCHEMA))
            .key("PK", item["PK"].clone())
            .key("SK", item["SK"].clone())
            .send()
            .await?;
    }
    assert_eq!(raw(&db, Form::key("victim")).await?, before);
    Ok(())
}
