//! `None` means absent: what writes store, what reads accept, and how conditions and updates treat
//! NULL of other programs. See "1." in docs/data-rules.md.

use crate::support::{self, Outcome, raw, stored};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::expr::Path;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "Absent", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct Absent;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
struct Address {
    street: Option<String>,
    #[dynamo(null)]
    country: Option<String>,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
enum Contact {
    Mail { to: String, cc: Option<String> },
    Phone(Option<String>),
}

/// A type that an alias hides.
type Maybe<T> = Option<T>;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Absent)]
#[pk("P#<id>")]
#[gsi1(pk = "TEAM#<team>", as = by_team)]
struct Person {
    id: u32,
    team: Option<String>,
    nick: Option<String>,
    alias: Maybe<String>,
    points: Option<u32>,
    notes: Option<Vec<String>>,
    #[dynamo(null)]
    title: Option<String>,
    #[serde(with = "seconds")]
    seen: Option<u64>,
    #[dynamo(nested)]
    address: Address,
    contacts: Vec<Contact>,
    scores: Vec<Option<u32>>,
    marks: BTreeMap<String, Option<u32>>,
}

/// A serde function that reads NULL as `None`, and cannot read an absent attribute.
mod seconds {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    #[allow(clippy::ref_option)]
    pub fn serialize<S: Serializer>(value: &Option<u64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(|seconds| seconds * 1000).serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<u64>, D::Error> {
        Ok(Option::<u64>::deserialize(from)?.map(|millis| millis / 1000))
    }
}

fn empty_person() -> Person {
    Person {
        id: 1,
        team: None,
        nick: None,
        alias: None,
        points: None,
        notes: None,
        title: None,
        seen: None,
        address: Address::default(),
        contacts: vec![
            Contact::Mail {
                to: "a".into(),
                cc: None,
            },
            Contact::Phone(None),
        ],
        scores: vec![Some(1), None],
        marks: [("x".to_owned(), None)].into(),
    }
}

fn null() -> AttributeValue {
    AttributeValue::Null(true)
}

/// The item as another tool writes it: NULL in each optional attribute.
async fn with_nulls() -> Outcome<support::Db> {
    let db = support::db::<Absent>().await;
    let mut item = stored(&empty_person())?;
    for name in ["team", "nick", "alias", "points", "notes", "title", "seen"] {
        item.insert(name.into(), null());
    }
    support::put::<Absent>(&db, item).await?;
    Ok(db)
}

/// Finding: "`None` is stored as NULL, but everything else treats absent as unset"
#[tokio::test]
async fn a_field_that_is_none_is_omitted_at_every_depth() -> Outcome {
    let db = support::db::<Absent>().await;
    empty_person().create().send(&db).await?;
    let item = raw(&db, Person::key(1)).await?.unwrap();
    for name in ["team", "nick", "alias", "points", "notes", "seen", "GSI1PK"] {
        assert!(!item.contains_key(name), "{name}");
    }
    let address = item["address"].as_m().unwrap();
    assert!(!address.contains_key("street"));
    let contacts = item["contacts"].as_l().unwrap();
    assert_eq!(contacts[0].as_m().unwrap()["Mail"].as_m().unwrap().len(), 1);
    assert_eq!(Person::get(1).send(&db).await?, Some(empty_person()));
    Ok(())
}

#[tokio::test]
async fn elements_entries_and_variants_keep_null() -> Outcome {
    let db = support::db::<Absent>().await;
    empty_person().create().send(&db).await?;
    let item = raw(&db, Person::key(1)).await?.unwrap();
    assert_eq!(item["scores"].as_l().unwrap()[1], null());
    assert_eq!(item["marks"].as_m().unwrap()["x"], null());
    let contacts = item["contacts"].as_l().unwrap();
    assert_eq!(contacts[1].as_m().unwrap()["Phone"], null());
    Ok(())
}

#[tokio::test]
async fn a_null_field_stores_null_in_the_item_and_in_nested_structs() -> Outcome {
    let db = support::db::<Absent>().await;
    empty_person().create().send(&db).await?;
    let item = raw(&db, Person::key(1)).await?.unwrap();
    assert_eq!(item["title"], null());
    assert_eq!(item["address"].as_m().unwrap()["country"], null());
    let cleared = Person::update(1)
        .set_or_remove(|p| p.title(), None::<String>)
        .set_or_remove(|p| p.address().country(), None::<String>)
        .set_or_remove(|p| p.address().street(), None::<String>);
    cleared.send(&db).await?;
    let item = raw(&db, Person::key(1)).await?.unwrap();
    assert_eq!(item["title"], null());
    assert_eq!(item["address"].as_m().unwrap()["country"], null());
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Nulls", pk = "PK")]
struct NullsTable;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = NullsTable, null)]
#[pk("N#<id>")]
struct Nulls {
    id: u32,
    nick: Option<String>,
    address: Address,
}

#[tokio::test]
async fn null_on_the_entity_stores_null_at_every_depth() -> Outcome {
    let db = support::db::<NullsTable>().await;
    let nulls = Nulls {
        id: 1,
        nick: None,
        address: Address::default(),
    };
    nulls.create().send(&db).await?;
    let item = raw(&db, Nulls::key(1)).await?.unwrap();
    assert_eq!(item["nick"], null());
    assert_eq!(item["address"].as_m().unwrap()["street"], null());
    let update = Nulls::update(1).set(|n| n.address(), Address::default());
    update.send(&db).await?;
    let item = raw(&db, Nulls::key(1)).await?.unwrap();
    assert_eq!(item["address"].as_m().unwrap()["street"], null());
    assert_eq!(Nulls::get(1).send(&db).await?, Some(nulls));
    Ok(())
}

#[tokio::test]
async fn setting_a_struct_omits_its_fields_that_are_none() -> Outcome {
    let db = support::db::<Absent>().await;
    empty_person().create().send(&db).await?;
    let update = Person::update(1).set(|p| p.address(), Address::default());
    update.send(&db).await?;
    let item = raw(&db, Person::key(1)).await?.unwrap();
    let address = item["address"].as_m().unwrap();
    assert!(!address.contains_key("street"));
    assert_eq!(address["country"], null());
    // A condition compares the stored value.
    let update = Person::update(1)
        .set(|p| p.nick(), "x")
        .condition(|p| p.address().eq(Address::default()));
    update.send(&db).await?;
    Ok(())
}

#[tokio::test]
async fn setting_an_option_to_none_removes_it() -> Outcome {
    let db = support::db::<Absent>().await;
    let known = Person {
        nick: Some("x".into()),
        alias: Some("y".into()),
        seen: Some(5),
        ..empty_person()
    };
    known.create().send(&db).await?;
    let update = Person::update(1)
        .set_or_remove(|p| p.nick(), None::<String>)
        .set(|p| p.alias(), None::<String>)
        .set(|p| p.seen(), None::<u64>);
    update.send(&db).await?;
    assert_eq!(Person::get(1).send(&db).await?, Some(empty_person()));
    let item = raw(&db, Person::key(1)).await?.unwrap();
    assert!(
        !["nick", "alias", "seen"]
            .iter()
            .any(|it| item.contains_key(*it))
    );
    Ok(())
}

#[tokio::test]
async fn null_of_another_tool_reads_as_none() -> Outcome {
    let db = with_nulls().await?;
    assert_eq!(Person::get(1).send(&db).await?, Some(empty_person()));
    assert!(Person::by_team("x").all(&db).await?.is_empty());
    // The index attributes are correct after an update of a loaded item.
    let person = Person::get(1).send(&db).await?.unwrap();
    let update = person.update().set(|p| p.team(), "red");
    update.send(&db).await?;
    assert_eq!(Person::by_team("red").all(&db).await?.len(), 1);
    Ok(())
}

/// Finding: "`exists()` is true, `not_exists()` is false"
#[tokio::test]
async fn exists_is_false_for_absent_and_null_attributes() -> Outcome {
    let absent = support::db::<Absent>().await;
    empty_person().create().send(&absent).await?;
    for db in [absent, with_nulls().await?] {
        let scan = Person::scan().filter(|p| p.nick().exists() | p.alias().exists());
        assert_eq!(scan.count(&db).await?, 0);
        let scan = Person::scan().filter(|p| p.nick().not_exists() & p.points().not_exists());
        assert_eq!(scan.count(&db).await?, 1);
        Person::update(1).set(|p| p.nick(), "x").send(&db).await?;
        let scan = Person::scan().filter(|p| p.nick().exists());
        assert_eq!(scan.count(&db).await?, 1);
        let scan = Person::scan().filter(|p| p.nick().not_exists());
        assert_eq!(scan.count(&db).await?, 0);
    }
    Ok(())
}

/// Finding: "`set_if_absent` does nothing, `add` and `append` fail"
#[tokio::test]
async fn changes_with_a_default_start_from_an_absent_attribute() -> Outcome {
    let db = support::db::<Absent>().await;
    empty_person().create().send(&db).await?;
    let new = Person::update(1)
        .set_if_absent(|p| p.nick(), "x")
        .add(|p| p.points(), 2_u32)
        .append(|p| p.notes(), ["n"])
        .return_new()
        .send(&db)
        .await?;
    assert_eq!(new.nick.as_deref(), Some("x"));
    assert_eq!(new.points, Some(2));
    assert_eq!(new.notes, Some(vec!["n".to_owned()]));
    Ok(())
}

#[tokio::test]
async fn changes_with_a_default_name_a_null_attribute() -> Outcome {
    let db = with_nulls().await?;
    let update = || Person::update(1);
    for (attribute, update) in [
        ("nick", update().set_if_absent(|p| p.nick(), "x")),
        ("points", update().add(|p| p.points(), 2_u32)),
        ("notes", update().append(|p| p.notes(), ["n"])),
    ] {
        let error = update.send(&db).await.unwrap_err();
        let attribute = attribute.to_owned();
        assert_eq!(error.kind(), &ErrorKind::StoredNull { attribute });
        assert!(
            error.to_string().starts_with("update Person P#1: `"),
            "{error}"
        );
    }
    // A value takes its place.
    update().set(|p| p.points(), 1_u32).send(&db).await?;
    update().add(|p| p.points(), 2_u32).send(&db).await?;
    assert_eq!(Person::get(1).send(&db).await?.unwrap().points, Some(3));
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Visits", pk = "PK")]
struct VisitsTable;

/// A nested struct whose field has a function that cannot read an absent attribute.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = VisitsTable)]
#[pk("V#<id>")]
struct Visits {
    id: u32,
    list: Vec<Visit>,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Visit {
    #[serde(with = "seconds")]
    from: Option<u64>,
    #[serde(with = "seconds")]
    to: Option<u64>,
}

#[tokio::test]
async fn an_absent_field_with_a_function_reads_as_none_in_nested_structs() -> Outcome {
    let db = support::db::<VisitsTable>().await;
    let open = Visit {
        from: Some(1),
        to: None,
    };
    let unknown = Visit {
        from: None,
        to: None,
    };
    let visits = Visits {
        id: 1,
        list: vec![open, unknown],
    };
    visits.create().send(&db).await?;
    let item = raw(&db, Visits::key(1)).await?.unwrap();
    assert!(item["list"].as_l().unwrap()[1].as_m().unwrap().is_empty());
    assert_eq!(Visits::get(1).send(&db).await?, Some(visits));
    Ok(())
}

#[test]
fn an_entry_of_a_map_is_named_by_a_reference_to_its_key() {
    #[derive(Serialize)]
    #[serde(rename_all = "lowercase")]
    enum Reaction {
        Heart,
    }
    let path = || Path::<BTreeMap<Reaction, u32>>::attribute("reactions");
    let by_reference = path().entry(&Reaction::Heart).eq(9_u32).to_string();
    assert_eq!(by_reference, "reactions.heart = 9");
    assert_eq!(
        path().entry(Reaction::Heart).eq(9_u32).to_string(),
        by_reference
    );
}
