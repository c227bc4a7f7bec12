//! `#[dynamo(rest)]`: attributes that no field declares, with their exact types, there and back.

use super::merge::{assert_foreign, foreign, with_foreign};
use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::value::Rest;
use dynamo_model::{
    BatchGet, BatchWrite, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Entity,
    ErrorKind, Transaction, Value,
};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Rest", pk = "PK", sk = "SK", entity_type = "type", ttl = "expires", items = RestItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", projection = include("f_s"))]
struct Table1;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Table1, entity_type = "NOTE", constant("__edb_v__" = "1"))]
#[pk("NOTE#<id>")]
#[sk("NOTE")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
struct Note {
    id: String,
    team: Option<String>,
    #[serde(default, alias = "heading")]
    title: String,
    #[dynamo(rest)]
    rest: Rest,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Table1, entity_type = "CARD")]
#[pk("NOTE#<id>")]
#[sk("CARD#<number>")]
struct Card {
    id: String,
    #[dynamo(key_only)]
    number: u32,
    #[dynamo(rest)]
    #[serde(rename = "theRest")]
    others: Rest,
}

/// Its unique value makes each write a transaction.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Table1, entity_type = "MEMBER")]
#[pk("MEMBER#<id>")]
#[sk("MEMBER")]
#[unique("EMAIL#<email>")]
struct Member {
    id: String,
    email: String,
    #[dynamo(rest)]
    rest: Rest,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = Table1)]
enum RestItem {
    Note(Note),
    Card(Card),
    Member(Member),
}

#[derive(DynamoProjection, Serialize, Deserialize, Debug, PartialEq)]
#[projection(of = Note, from(table, gsi1))]
struct Title {
    id: String,
    title: String,
}

fn note(id: &str) -> Note {
    Note {
        id: id.into(),
        team: Some("red".into()),
        title: "t".into(),
        rest: Rest::new(),
    }
}

/// An item with an attribute of each type that no field declares.
async fn stored(db: &dynamo_model::Dynamo, id: &str) -> Outcome<Note> {
    note(id).put().send(db).await?;
    let item = with_foreign(raw(db, Note::key(id)).await?.unwrap());
    support::put::<Table1>(db, item).await?;
    Ok(Note::get(id).send(db).await?.unwrap())
}

/// Finding: "There is no lossless catch-all (a flattened `serde_json::Value` turns NS into L
/// and fails on 30-digit numbers)."
#[tokio::test]
async fn every_write_stores_captured_attributes_with_their_exact_types() -> Outcome {
    let db = support::db::<Table1>().await;
    let read = stored(&db, "n1").await?;
    let names: Vec<_> = read.rest.keys().map(String::as_str).collect();
    let mut expected: Vec<_> = foreign().into_iter().map(|(name, _)| name).collect();
    expected.sort_unstable();
    assert_eq!(names, expected);
    let number = "12345678901234567890123456789012345678";
    assert_eq!(read.rest["f_n"].as_number().unwrap().as_str(), number);

    read.put().send(&db).await?;
    assert_foreign(&raw(&db, Note::key("n1")).await?.unwrap());
    let merged = read.merge().return_new().send(&db).await?;
    assert_eq!(merged, read);
    let copy = |id: &str| Note {
        id: id.into(),
        ..read.clone()
    };
    copy("n2").create().send(&db).await?;
    BatchWrite::new().put(&copy("n3")).send(&db).await?;
    BatchWrite::new().load(vec![copy("n4")]).send(&db).await?;
    Transaction::new()
        .add(copy("n5").put())
        .add(copy("n6").merge())
        .send(&db)
        .await?;
    for id in ["n2", "n3", "n4", "n5", "n6"] {
        let item = raw(&db, Note::key(id)).await?.unwrap();
        assert_foreign(&item);
        assert_eq!(item["__edb_v__"], AttributeValue::S("1".into()));
    }
    assert_eq!(Note::scan().all(&db).await?.len(), 6);
    assert_eq!(Note::by_team("red").all(&db).await?.len(), 6);
    Ok(())
}

/// Finding: "There is no lossless catch-all": batch reads, collections, updates and projections
/// support it too.
#[tokio::test]
async fn every_read_collects_undeclared_attributes() -> Outcome {
    let db = support::db::<Table1>().await;
    let read = stored(&db, "n1").await?;
    let card = Card {
        id: "n1".into(),
        number: 7,
        others: Rest::from([("theRest", "named as the field"), ("others", "x")]),
    };
    card.put().send(&db).await?;
    assert_eq!(Card::get("n1", 7).send(&db).await?.unwrap(), card);
    let item = raw(&db, Card::key("n1", 7)).await?.unwrap();
    assert_eq!(
        item["theRest"],
        AttributeValue::S("named as the field".into())
    );
    assert!(!item.contains_key("number"));

    let all = BatchGet::new([Note::key("n1")]).send(&db).await?;
    assert_eq!(all, [Some(read.clone())]);
    let updated = Note::update("n1")
        .set(|it| it.title(), "new")
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(updated.rest, read.rest);
    let titles = Note::query("n1").project::<Title>().all(&db).await?;
    assert_eq!((titles.len(), &*titles[0].title), (1, "new"));
    let old = updated.delete().return_old().send(&db).await?.unwrap();
    assert_eq!(old.rest, read.rest);
    Ok(())
}

/// Finding: attributes of the library never get into the map.
#[tokio::test]
async fn a_rest_field_holds_only_undeclared_attributes() -> Outcome {
    let db = support::db::<Table1>().await;
    note("n1").put().send(&db).await?;
    let mut item = raw(&db, Note::key("n1")).await?.unwrap();
    item.remove("title");
    item.insert("heading".into(), AttributeValue::S("old name".into()));
    item.insert("GSI2PK".into(), AttributeValue::S("x".into()));
    item.insert("expires".into(), AttributeValue::N("1900000000".into()));
    support::put::<Table1>(&db, item).await?;
    let read = Note::get("n1").send(&db).await?.unwrap();
    assert_eq!((read.title.as_str(), read.rest.len()), ("old name", 0));

    for name in [
        "PK",
        "SK",
        "GSI1PK",
        "GSI2PK",
        "type",
        "expires",
        "title",
        "id",
        "__edb_v__",
    ] {
        let mut note = note("n1");
        note.rest.insert(name.into(), Value::from("x"));
        let errors = [
            note.put().send(&db).await.unwrap_err(),
            note.merge().send(&db).await.unwrap_err(),
            Transaction::new()
                .add(note.create())
                .send(&db)
                .await
                .unwrap_err(),
            BatchWrite::new().put(&note).send(&db).await.unwrap_err(),
        ];
        for error in errors {
            let attribute = name.to_owned();
            assert_eq!(error.kind(), &ErrorKind::Encode { attribute }, "{error}");
            assert_eq!(
                (error.entity(), error.key_text()),
                ("Note", Some("NOTE#n1/NOTE"))
            );
            let source = error.to_string();
            assert!(source.contains("`rest` cannot contain it"), "{source}");
        }
    }
    assert_eq!(Note::get("n1").send(&db).await?.unwrap(), read);
    Ok(())
}

/// Finding: other formats see an object, and need none.
#[tokio::test]
async fn other_formats_see_an_object() -> Outcome {
    let json = serde_json::to_value(Note {
        rest: Rest::from([("color", "red")]),
        ..note("n1")
    })?;
    assert_eq!(json["rest"], serde_json::json!({ "color": { "S": "red" } }));
    let note: Note = serde_json::from_value(json)?;
    assert_eq!(note.rest["color"].as_str(), Some("red"));
    let without: Note = serde_json::from_value(serde_json::json!({ "id": "a", "team": null }))?;
    assert!(without.rest.is_empty());
    Ok(())
}

/// A transaction returns no item, so the merged item is read afterwards.
#[tokio::test]
async fn a_merge_of_an_entity_with_unique_values_returns_what_it_kept() -> Outcome {
    let db = support::db::<Table1>().await;
    let member = |entries: &[(&str, &str)]| Member {
        id: "m1".into(),
        email: "a@example.com".into(),
        rest: entries.iter().copied().collect(),
    };
    member(&[("color", "red")]).create().send(&db).await?;
    let merged = member(&[("size", "large")])
        .merge()
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(merged, member(&[("color", "red"), ("size", "large")]));
    Ok(())
}
