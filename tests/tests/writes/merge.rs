//! `merge` stores the declared attributes, and keeps the rest of the item.

use crate::support::{self, Item, Outcome, assert_keys_as_put, raw};
use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{
    DynamoEntity, DynamoNested, DynamoTable, Entity, ErrorKind, Table, Transaction,
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

#[derive(DynamoTable)]
#[table(
    name = "Merge",
    pk = "PK",
    sk = "SK",
    entity_type = "type",
    ttl = "expires"
)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK")]
struct Merged;

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, Default, PartialEq)]
struct Address {
    city: String,
    street: Option<String>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Merged, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
#[gsi1(pk = "TEAM#<team>", sk = "USER#<id>", as = by_team)]
#[gsi2(pk = "ACTIVE#<id>", as = active, when(active = true))]
#[unique("NAME#<name>")]
struct User {
    id: String,
    name: String,
    team: Option<String>,
    active: bool,
    tags: BTreeSet<String>,
    #[serde(alias = "home")]
    address: Address,
    #[dynamo(ttl)]
    expires: Option<u64>,
    #[dynamo(created_at)]
    created_at: Option<u64>,
    #[dynamo(updated_at)]
    updated_at: u64,
    #[dynamo(version)]
    version: u64,
}

fn user() -> User {
    User {
        id: "u1".into(),
        name: "Ann".into(),
        team: Some("red".into()),
        active: true,
        tags: BTreeSet::from(["a".into()]),
        address: Address {
            city: "Bern".into(),
            street: Some("Weg".into()),
        },
        expires: Some(1_900_000_000),
        created_at: None,
        updated_at: 0,
        version: 0,
    }
}

/// Returns the attributes of another program: every type.
pub fn foreign() -> Vec<(&'static str, AttributeValue)> {
    let text = |it: &str| AttributeValue::S(it.into());
    vec![
        ("f_s", text("x")),
        ("f_empty", text("")),
        (
            "f_n",
            AttributeValue::N("12345678901234567890123456789012345678".into()),
        ),
        ("f_b", AttributeValue::B(Blob::new([0, 255]))),
        ("f_bool", AttributeValue::Bool(false)),
        ("f_null", AttributeValue::Null(true)),
        (
            "f_m",
            AttributeValue::M([("NS".to_owned(), AttributeValue::Ns(vec!["1".into()]))].into()),
        ),
        (
            "f_l",
            AttributeValue::L(vec![AttributeValue::Null(true), text("y")]),
        ),
        ("f_ss", AttributeValue::Ss(vec!["a".into()])),
        (
            "f_ns",
            AttributeValue::Ns(vec!["123456789012345678901234567890".into()]),
        ),
        ("f_bs", AttributeValue::Bs(vec![Blob::new([7])])),
    ]
}

pub fn with_foreign(mut item: Item) -> Item {
    item.extend(foreign().into_iter().map(|(k, v)| (k.to_owned(), v)));
    item
}

pub fn assert_foreign(item: &Item) {
    for (name, value) in foreign() {
        assert_eq!(item.get(name), Some(&value), "{name}");
    }
}

/// Finding: "`put` drops attributes that the struct does not declare."
#[tokio::test]
async fn merge_keeps_undeclared_attributes_and_removes_unset_declared_ones() -> Outcome {
    let db = support::db::<Merged>().await;
    let user = user().create().return_new().send(&db).await?;
    let item = with_foreign(raw(&db, User::key("u1")).await?.unwrap());
    support::put::<Merged>(&db, item).await?;

    let changed = User {
        name: "Bea".into(),
        team: None,
        active: false,
        tags: BTreeSet::new(),
        address: Address {
            city: "Basel".into(),
            street: None,
        },
        expires: None,
        ..user.clone()
    };
    let new = changed.merge().return_new().send(&db).await?;
    assert_eq!((new.version, new.created_at), (2, user.created_at));
    let item = raw(&db, User::key("u1")).await?.unwrap();
    assert_foreign(&item);
    for unset in ["team", "tags", "expires", "GSI1PK", "GSI1SK", "GSI2PK"] {
        assert_eq!(item.get(unset), None, "{unset}");
    }
    // A nested struct is replaced as a whole.
    let street = item["address"].as_m().unwrap().get("street");
    assert_eq!(street, None);
    assert_eq!(User::get("u1").send(&db).await?.unwrap(), new);
    // The value of the constraint has moved.
    let other = User {
        id: "u2".into(),
        name: "Ann".into(),
        ..changed.clone()
    };
    other.create().send(&db).await?;
    let taken = User {
        name: "Bea".into(),
        version: 1,
        ..other
    }
    .merge()
    .send(&db)
    .await;
    assert!(taken.unwrap_err().is_not_unique());

    let back = User {
        team: Some("blue".into()),
        active: true,
        ..new
    };
    back.merge().send(&db).await?;
    assert_eq!(User::by_team("blue").all(&db).await?.len(), 1);
    assert_eq!(User::active("u1").all(&db).await?.len(), 1);
    assert_keys_as_put(&db, User::key("u1")).await?;
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Plain", pk = "PK")]
#[gsi1(name = "GSI1", pk = "GSI1PK")]
struct Plain;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Plain)]
#[pk("D#<id>")]
#[gsi1(pk = "DAY#<day>", as = by_day)]
struct Document {
    id: u32,
    day: Option<String>,
    #[serde(alias = "body")]
    text: Option<String>,
    #[dynamo(created_at)]
    created_at: u64,
    #[dynamo(updated_at)]
    updated_at: u64,
    #[dynamo(version)]
    version: u64,
}

fn document() -> Document {
    Document {
        id: 1,
        day: None,
        text: Some("a".into()),
        created_at: 0,
        updated_at: 0,
        version: 0,
    }
}

/// Finding: "`put` drops attributes that the struct does not declare.": the options of `put`
/// hold for `merge`.
#[tokio::test]
async fn merge_takes_the_options_of_put() -> Outcome {
    let db = support::db::<Plain>().await;
    let at = |seconds| {
        db.direct()
            .clone()
            .with_clock(move || UNIX_EPOCH + Duration::from_secs(seconds))
    };
    let missing = document().merge().must_exist().send(&db).await.unwrap_err();
    assert!(missing.is_not_found());

    let first = document().merge().return_old();
    let first = first.send(&at(1_700_000_000)).await?;
    assert_eq!(first, None);
    let stored = Document::get(1).send(&db).await?.unwrap();
    assert_eq!(
        (stored.version, stored.created_at, stored.updated_at),
        (1, 1_700_000_000, 1_700_000_000)
    );

    let stale = document().merge().send(&db).await.unwrap_err();
    assert!(stale.is_conflict(), "{stale}");
    let refused = stored
        .merge()
        .condition(|it| it.text().eq("b"))
        .send(&db)
        .await
        .unwrap_err();
    assert_eq!(refused.kind(), &ErrorKind::ConditionFailed);
    assert_eq!(refused.item::<Document>()?.unwrap(), stored);

    // The stored time of creation stays if the entity has none.
    let fresh = Document {
        text: None,
        version: 7,
        ..document()
    };
    let new = fresh.merge().any_version().return_new();
    let new = new.send(&at(1_700_000_100)).await?;
    assert_eq!(
        (new.version, new.created_at, new.updated_at),
        (8, 1_700_000_000, 1_700_000_100)
    );
    assert_eq!(new.text, None);
    let old = new.merge().return_old().send(&db).await?.unwrap();
    assert_eq!(old, new);
    Ok(())
}

/// Finding: "`put` drops attributes …": the old name of an attribute would be read beside the
/// new one.
#[tokio::test]
async fn merge_removes_the_attribute_of_an_alias() -> Outcome {
    let db = support::db::<Plain>().await;
    document().put().send(&db).await?;
    let mut item = with_foreign(raw(&db, Document::key(1)).await?.unwrap());
    let text = item.remove("text").unwrap();
    item.insert("body".into(), text);
    support::put::<Plain>(&db, item).await?;
    let document = Document::get(1).send(&db).await?.unwrap();
    document.merge().send(&db).await?;
    let item = raw(&db, Document::key(1)).await?.unwrap();
    assert!(item.contains_key("text") && !item.contains_key("body"));
    assert_foreign(&item);
    assert_eq!(
        Document::get(1).send(&db).await?.unwrap().text,
        document.text
    );
    Ok(())
}

/// Finding: "`put` drops attributes …": in a transaction, too.
#[tokio::test]
async fn merge_in_a_transaction_keeps_undeclared_attributes() -> Outcome {
    let db = support::db::<Merged>().await;
    Plain::create_table(&db).await?;
    let user = user().create().return_new().send(&db).await?;
    let item = with_foreign(raw(&db, User::key("u1")).await?.unwrap());
    support::put::<Merged>(&db, item).await?;
    let document = document().create().return_new().send(&db).await?;
    let item = with_foreign(raw(&db, Document::key(1)).await?.unwrap());
    support::put::<Plain>(&db, item).await?;

    let user = User {
        name: "Bea".into(),
        ..user
    };
    let document = Document {
        day: Some("mon".into()),
        ..document
    };
    let written = Transaction::new()
        .add(user.merge())
        .add(document.merge())
        .send_and_return(&db)
        .await?;
    assert_eq!(written.get(User::key("u1"))?.unwrap().name, "Bea");
    assert_eq!(written.get(Document::key(1))?.unwrap().version, 2);
    assert_foreign(&raw(&db, User::key("u1")).await?.unwrap());
    assert_foreign(&raw(&db, Document::key(1)).await?.unwrap());
    assert_eq!(Document::by_day("mon").all(&db).await?.len(), 1);

    let document = written.get(Document::key(1))?.unwrap();
    let refused = Transaction::new().add(document.merge().condition(|it| it.day().eq("tue")));
    let refused = refused.send(&db).await.unwrap_err();
    assert_eq!(refused.kind(), &ErrorKind::ConditionFailed);
    let stale = Transaction::new()
        .add(user.merge())
        .send(&db)
        .await
        .unwrap_err();
    assert!(stale.is_conflict());
    Ok(())
}

/// Finding: "`None` is stored as NULL": an unset TTL, too.
#[tokio::test]
async fn an_unset_ttl_is_absent() -> Outcome {
    let db = support::db::<Merged>().await;
    let user = User {
        expires: None,
        ..user()
    };
    user.create().send(&db).await?;
    let item = raw(&db, User::key("u1")).await?.unwrap();
    assert_eq!(item.get("expires"), None);
    assert_eq!(User::get("u1").send(&db).await?.unwrap().expires, None);
    Ok(())
}

/// Finding: "`put` drops attributes …": `put` still replaces the whole item, as its
/// documentation says.
#[tokio::test]
async fn put_replaces_the_whole_item() -> Outcome {
    let db = support::db::<Plain>().await;
    let document = document().create().return_new().send(&db).await?;
    let item = with_foreign(raw(&db, Document::key(1)).await?.unwrap());
    support::put::<Plain>(&db, item).await?;
    document.put().send(&db).await?;
    let item = raw(&db, Document::key(1)).await?.unwrap();
    assert!(foreign().iter().all(|(name, _)| !item.contains_key(*name)));
    let key = document.primary_key()?;
    assert!(raw(&db, Ok(key)).await?.is_some());
    Ok(())
}
