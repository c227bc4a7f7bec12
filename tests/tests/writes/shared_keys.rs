//! Entities that share their keys on purpose: a user and an organisation never have the same name.

use crate::support::{self, Db, Outcome};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::batch::IntoKey;
use dynamo_model::write::Storable;
use dynamo_model::{
    BatchGet, DynamoEntity, DynamoItems, DynamoTable, Entity, Error, ErrorKind, Items, Transaction,
};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Hosting", pk = "PK", sk = "SK", entity_type = "type", items = HostingItem)]
struct Hosting;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Hosting, entity_type = "USER", shares_key_with(Organization))]
#[pk("ACCOUNT#<name:lower>")]
#[sk("ACCOUNT")]
#[unique("EMAIL#<email>")]
struct User {
    name: String,
    email: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Hosting, entity_type = "ORGANIZATION", shares_key_with(self::User))]
#[pk("ACCOUNT#<name:lower>")]
#[sk("ACCOUNT")]
struct Organization {
    name: String,
    members: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Hosting, entity_type = "STAR", check_type)]
#[pk("ACCOUNT#<name:lower>")]
#[sk("STAR#<repository>")]
struct Star {
    name: String,
    repository: String,
    note: String,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = Hosting)]
enum HostingItem {
    User(User),
    Organization(Organization),
    Star(Star),
}

fn user(name: &str) -> User {
    User {
        name: name.into(),
        email: format!("{name}@x"),
    }
}

fn organization(name: &str) -> Organization {
    Organization {
        name: name.into(),
        members: 1,
    }
}

/// `ada` is a user, `acme` an organisation.
async fn accounts() -> Outcome<Db> {
    let db = support::db::<Hosting>().await;
    user("ada").create().send(&db).await?;
    organization("acme").create().send(&db).await?;
    Ok(db)
}

/// A write was refused because the item is of another entity.
fn assert_refused<T: std::fmt::Debug>(
    result: Result<T, Error>,
    (entity, holder): (&str, &'static str),
) {
    let error = result.unwrap_err();
    assert!(error.is_other_entity(), "{error}");
    assert!(error.is_condition_failed());
    assert_eq!((error.entity(), error.holder()), (entity, Some(holder)));
    let text = error.to_string();
    let end = format!(
        "the stored item is of entity `{holder}`, not `{entity}`; write it as `{holder}`, or \
         choose another key"
    );
    assert!(text.ends_with(&end), "{text}");
    assert!(text.contains("ACCOUNT#"), "{text}");
}

fn assert_taken<T: std::fmt::Debug>(
    result: Result<T, Error>,
    (entity, holder): (&str, &'static str),
) {
    let error = result.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!((error.entity(), error.holder()), (entity, Some(holder)));
    let text = error.to_string();
    let end = format!("an item of entity `{holder}` already has this key; choose another key");
    assert!(text.ends_with(&end), "{text}");
}

/// Both accounts are as they were.
async fn assert_untouched(db: &Db) -> Outcome {
    assert_eq!(User::get("ada").send(db).await?, Some(user("ada")));
    let acme = Organization::get("acme").send(db).await?;
    assert_eq!(acme, Some(organization("acme")));
    assert_eq!(support::everything::<Hosting>(db).await?.len(), 3);
    Ok(())
}

/// Finding: "two entities that share one key space on purpose (accounts)"
#[tokio::test]
async fn create_fails_on_a_key_of_the_other_entity() -> Outcome {
    let db = accounts().await?;
    assert_taken(
        organization("Ada").create().send(&db).await,
        ("Organization", "User"),
    );
    assert_taken(
        user("acme").create().send(&db).await,
        ("User", "Organization"),
    );
    let error = organization("acme").create().send(&db).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.holder(), None);
    assert!(error.to_string().contains("use `put` to replace it"));
    assert_untouched(&db).await
}

/// Finding: "two entities that share one key space on purpose (accounts)"
#[tokio::test]
async fn put_replaces_only_items_of_its_own_entity() -> Outcome {
    let db = accounts().await?;
    assert_refused(
        organization("ada").put().send(&db).await,
        ("Organization", "User"),
    );
    assert_refused(
        organization("ada").put().must_exist().send(&db).await,
        ("Organization", "User"),
    );
    // Of an entity with a unique value, the item is read first.
    assert_refused(user("acme").put().send(&db).await, ("User", "Organization"));
    assert_untouched(&db).await?;
    let more = Organization {
        members: 7,
        ..organization("acme")
    };
    more.put().send(&db).await?;
    assert_eq!(Organization::get("acme").send(&db).await?, Some(more));
    let mut ada = user("ada");
    ada.email = "new@x".into();
    ada.put().send(&db).await?;
    assert_eq!(User::get("ada").send(&db).await?, Some(ada));
    organization("new").put().send(&db).await?;
    Ok(())
}

/// Finding: "Writes ignore the entity type: `Organization::update("acme")` changes a User with
/// that key"
#[tokio::test]
async fn updates_and_deletions_fail_on_an_item_of_the_other_entity() -> Outcome {
    let db = accounts().await?;
    let update = Organization::update("ada").add(|it| it.members(), 1_u32);
    assert_refused(update.send(&db).await, ("Organization", "User"));
    let upsert = Organization::upsert("ada").add(|it| it.members(), 1_u32);
    assert_refused(upsert.send(&db).await, ("Organization", "User"));
    let stale = organization("ada");
    let update = stale.update().set(|it| it.members(), 3_u32);
    assert_refused(update.send(&db).await, ("Organization", "User"));
    let delete = Organization::delete("ada");
    assert_refused(delete.send(&db).await, ("Organization", "User"));
    assert_refused(stale.delete().send(&db).await, ("Organization", "User"));
    assert_refused(
        User::delete("acme").send(&db).await,
        ("User", "Organization"),
    );
    assert_refused(
        user("acme").delete().send(&db).await,
        ("User", "Organization"),
    );
    let update = user("acme").update().set(|it| it.email(), "new@x");
    assert_refused(update.send(&db).await, ("User", "Organization"));
    assert_untouched(&db).await
}

#[tokio::test]
async fn a_missing_item_is_distinguished_from_one_of_the_other_entity() -> Outcome {
    let db = accounts().await?;
    let update = Organization::update("gone").add(|it| it.members(), 1_u32);
    let error = update.send(&db).await.unwrap_err();
    assert_eq!((error.kind(), error.holder()), (&ErrorKind::NotFound, None));
    Organization::delete("gone").send(&db).await?;
    let error = Organization::delete("gone").must_exist().send(&db).await;
    assert!(error.unwrap_err().is_not_found());
    Organization::upsert("gone")
        .add(|it| it.members(), 1_u32)
        .send(&db)
        .await?;
    Organization::upsert("gone")
        .add(|it| it.members(), 1_u32)
        .send(&db)
        .await?;
    let stored = Organization::get("gone").send(&db).await?.unwrap();
    assert_eq!(stored.members, 2);
    Organization::delete("gone").send(&db).await?;
    assert_untouched(&db).await
}

async fn replaces<E: Storable>(db: &Db, entity: &E) -> Result<(), Error> {
    Transaction::new().add(entity.put()).send(db).await
}

/// Finding: "Writes ignore the entity type", of every operation of a transaction
#[tokio::test]
async fn transactions_check_the_entity_type() -> Outcome {
    let db = accounts().await?;
    let refused = ("Organization", "User");
    let create = Transaction::new().add(organization("ada").create());
    assert_taken(create.send(&db).await, refused);
    assert_refused(replaces(&db, &organization("ada")).await, refused);
    assert_refused(replaces(&db, &user("acme")).await, ("User", "Organization"));
    let update = Organization::update("ada").add(|it| it.members(), 1_u32);
    assert_refused(Transaction::new().add(update).send(&db).await, refused);
    let upsert = Organization::upsert("ada").add(|it| it.members(), 1_u32);
    assert_refused(Transaction::new().add(upsert).send(&db).await, refused);
    let delete = Organization::delete("ada");
    assert_refused(Transaction::new().add(delete).send(&db).await, refused);
    let delete = Transaction::new().add(User::delete("acme"));
    assert_refused(delete.send(&db).await, ("User", "Organization"));
    let check = Transaction::new().add(Organization::key("ada").must_exist());
    assert_refused(check.add(user("x").create()).send(&db).await, refused);
    assert_untouched(&db).await?;
    let present = Transaction::new().add(User::key("ada").must_exist());
    present.add(user("x").create()).send(&db).await?;
    // The key is taken, by either entity.
    let absent = Transaction::new().add(User::key("acme").must_not_exist());
    assert_taken(
        absent.add(user("y").create()).send(&db).await,
        ("User", "Organization"),
    );
    Ok(())
}

/// A read of an entity returns only items of that entity.
#[tokio::test]
async fn reads_return_no_item_of_the_other_entity() -> Outcome {
    let db = accounts().await?;
    assert_eq!(User::get("acme").send(&db).await?, None);
    assert_eq!(Organization::get("ada").send(&db).await?, None);
    assert_eq!(User::query("acme").all(&db).await?, []);
    assert_eq!(User::query("acme").count(&db).await?, 0);
    assert_eq!(Organization::query("acme").count(&db).await?, 1);
    assert_eq!(User::scan().all(&db).await?, [user("ada")]);
    let read = BatchGet::new([User::key("ada"), User::key("acme")])
        .send(&db)
        .await?;
    assert_eq!(read, [Some(user("ada")), None]);
    let items = HostingItem::collection(User::partition_key("acme"))
        .all(&db)
        .await?;
    assert_eq!(items, [HostingItem::Organization(organization("acme"))]);
    let key = ("ACCOUNT#acme".into(), Some("ACCOUNT".into()));
    assert_eq!(HostingItem::entity_of(key.0, key.1)?.entity, "User");
    Ok(())
}

/// Finding: "Writes ignore the entity type", where another program writes the items
#[tokio::test]
async fn check_type_refuses_items_of_other_programs() -> Outcome {
    let db = accounts().await?;
    let star = Star {
        name: "ada".into(),
        repository: "r".into(),
        note: String::new(),
    };
    star.create().send(&db).await?;
    let mut item = support::stored(&star)?;
    for (entity_type, text) in [
        (
            Some("BOOKMARK"),
            "is of type `BOOKMARK`, not `STAR`; correct its type, or choose another key",
        ),
        (None, "has no entity type, where `STAR` is expected"),
    ] {
        match entity_type {
            Some(text) => item.insert("type".into(), AttributeValue::S(text.into())),
            None => item.remove("type"),
        };
        support::put::<Hosting>(&db, item.clone()).await?;
        let writes = [
            star.put().send(&db).await,
            Star::update("ada", "r")
                .set(|it| it.note(), "x")
                .send(&db)
                .await,
            Star::delete("ada", "r").send(&db).await,
        ];
        for error in writes.map(Result::unwrap_err) {
            assert!(error.is_other_entity() && error.holder().is_none());
            assert!(error.to_string().contains(text), "{error}");
        }
        let stored = support::raw(&db, Star::key("ada", "r")).await?;
        assert_eq!(stored, Some(item.clone()));
    }
    Ok(())
}
