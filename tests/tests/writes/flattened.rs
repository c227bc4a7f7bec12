//! `#[serde(flatten)]` content is data: never a key, the type, the TTL or a declared attribute.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{
    BatchWrite, DynamoEntity, DynamoItems, DynamoTable, Entity, ErrorKind, Transaction,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "Flat", pk = "PK", sk = "SK", entity_type = "type", ttl = "expires", items = FlatItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK")]
struct Flat;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Flat, entity_type = "NOTE")]
#[pk("NOTE#<id>")]
#[sk("NOTE")]
#[gsi1(pk = "TEAM#<team>", sk = "NOTE#<id>", as = by_team)]
struct Note {
    id: String,
    team: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    #[serde(flatten)]
    more: BTreeMap<String, String>,
}

#[derive(Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
struct Extra {
    color: Option<String>,
    #[serde(default, rename = "GSI2PK", skip_serializing_if = "Option::is_none")]
    index: Option<String>,
    #[serde(default, rename = "team2", skip_serializing_if = "Option::is_none")]
    other: Option<String>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Flat, entity_type = "CARD")]
#[pk("CARD#<id>")]
#[sk("CARD")]
struct Card {
    id: String,
    team2: Option<String>,
    #[dynamo(ttl)]
    expires: Option<u64>,
    #[serde(flatten)]
    extra: Extra,
}

#[derive(DynamoItems)]
#[items(table = Flat)]
enum FlatItem {
    Note(Note),
    Card(Card),
}

fn note(more: &[(&str, &str)]) -> Note {
    let more = more.iter();
    Note {
        id: "n1".into(),
        team: "red".into(),
        title: None,
        more: more.map(|(k, v)| ((*k).into(), (*v).into())).collect(),
    }
}

/// Finding: "A `#[serde(flatten)]` map can write `GSI1PK` or the TTL attribute, can contradict
/// the key"
#[tokio::test]
async fn a_flattened_entry_with_a_reserved_name_sends_nothing() -> Outcome {
    let db = support::db::<Flat>().await;
    let names = [
        ("PK", "is a key of the table"),
        ("SK", "is a key of the table"),
        ("GSI1PK", "is a key of the index `GSI1`"),
        ("GSI1SK", "is a key of the index `GSI1`"),
        ("GSI2PK", "is a key of the index `GSI2`"),
        ("type", "is the entity type"),
        ("expires", "is the TTL attribute of the table"),
        ("team", "is the attribute of the field `team`"),
        // serde skips the field, so the name occurs once.
        ("title", "is the attribute of the field `title`"),
    ];
    for (name, reason) in names {
        let note = note(&[("fine", "x"), (name, "x")]);
        let errors = [
            note.put().send(&db).await.unwrap_err(),
            note.create().send(&db).await.unwrap_err(),
            note.merge().send(&db).await.unwrap_err(),
            BatchWrite::new().put(&note).send(&db).await.unwrap_err(),
            Transaction::new()
                .add(note.put())
                .send(&db)
                .await
                .unwrap_err(),
        ];
        for error in errors {
            let attribute = name.to_owned();
            assert_eq!(error.kind(), &ErrorKind::Encode { attribute }, "{error}");
            assert_eq!(
                (error.entity(), error.key_text()),
                ("Note", Some("NOTE#n1/NOTE"))
            );
            let source = error.to_string();
            assert!(source.contains(reason), "{name}: {source}");
        }
    }
    assert_eq!(support::everything::<Flat>(&db).await?.len(), 0);
    Ok(())
}

/// Finding: "… and contains PK, SK and the type when read"
#[tokio::test]
async fn a_flattened_map_reads_only_undeclared_data() -> Outcome {
    let db = support::db::<Flat>().await;
    let note = note(&[("color", "red")]);
    note.put().send(&db).await?;
    let mut item = raw(&db, Note::key("n1")).await?.unwrap();
    assert_eq!(item["GSI1PK"], AttributeValue::S("TEAM#red".into()));
    // Of another program.
    item.insert("GSI2PK".into(), AttributeValue::S("x".into()));
    item.insert("expires".into(), AttributeValue::N("1900000000".into()));
    support::put::<Flat>(&db, item).await?;
    assert_eq!(Note::get("n1").send(&db).await?.unwrap(), note);
    let notes = std::slice::from_ref(&note);
    assert_eq!(Note::by_team("red").all(&db).await?, notes);
    assert_eq!(Note::scan().all(&db).await?, notes);
    note.put().send(&db).await?;
    Ok(())
}

/// Finding: "A `#[serde(flatten)]` map can write `GSI1PK`": a struct can, too.
#[tokio::test]
async fn a_flattened_struct_cannot_write_an_index_key_or_a_field_twice() -> Outcome {
    let db = support::db::<Flat>().await;
    let card = |extra: Extra| Card {
        id: "c1".into(),
        team2: Some("blue".into()),
        expires: Some(1_900_000_000),
        extra,
    };
    let fine = card(Extra {
        color: Some("red".into()),
        ..Extra::default()
    });
    fine.put().send(&db).await?;
    assert_eq!(Card::get("c1").send(&db).await?.unwrap(), fine);
    let index = card(Extra {
        index: Some("x".into()),
        ..Extra::default()
    });
    let error = index.put().send(&db).await.unwrap_err();
    let attribute = "GSI2PK".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Encode { attribute });
    let twice = card(Extra {
        other: Some("x".into()),
        ..Extra::default()
    });
    let error = twice.put().send(&db).await.unwrap_err();
    let attribute = "team2".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Encode { attribute });
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Two", pk = "PK")]
struct Two;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Two)]
#[pk("T#<id>")]
struct TwoMaps {
    id: u32,
    #[serde(flatten)]
    first: BTreeMap<String, u32>,
    #[serde(flatten)]
    second: BTreeMap<String, u32>,
}

/// Finding: of two flattened maps with one name, one value would be lost.
#[tokio::test]
async fn two_flattened_maps_with_one_name_send_nothing() -> Outcome {
    let db = support::db::<Two>().await;
    let maps = |second: &str| TwoMaps {
        id: 1,
        first: BTreeMap::from([("a".to_owned(), 1)]),
        second: BTreeMap::from([(second.to_owned(), 2)]),
    };
    maps("b").put().send(&db).await?;
    let error = maps("a").put().send(&db).await.unwrap_err();
    let attribute = "a".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Encode { attribute });
    Ok(())
}
