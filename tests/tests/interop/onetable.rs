//! OneTable: the model in `_type`, keys like `User#ada`, ISO times, NULLs, unique values as items.

use crate::snapshot::{self, Snapshot, assert_changes, stored};
use crate::support::{Db, Outcome};
use dynamo_model::value::Rest;
use dynamo_model::{Dynamo, DynamoEntity, DynamoItems, DynamoTable, Entity, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "interop-onetable", pk = "pk", sk = "sk", entity_type = "_type")]
#[table(ttl = "expires", items = AccountItem)]
#[gsi1(name = "gs1", pk = "gs1pk", sk = "gs1sk")]
pub struct Accounts;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Accounts, entity_type = "Account")]
#[pk("Account#<id>")]
#[sk("Account#")]
pub struct Account {
    id: String,
    name: String,
    #[serde(with = "dynamo_model::format::rfc3339_millis")]
    #[dynamo(created_at)]
    created: Timestamp,
    #[serde(with = "dynamo_model::format::rfc3339_millis")]
    #[dynamo(updated_at)]
    updated: Timestamp,
    #[dynamo(rest)]
    rest: Rest,
}

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Active,
    Idle,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Accounts, entity_type = "User")]
#[pk("Account#<account_id>")]
#[sk("User#<id>")]
#[gsi1(pk = "User#<status>", sk = "User#<joined>", as = by_status)]
pub struct User {
    account_id: String,
    id: String,
    email: String,
    status: Status,
    joined: String,
    #[dynamo(null)]
    nickname: Option<String>,
    visits: u32,
    groups: BTreeSet<String>,
    #[dynamo(ttl)]
    expires: Option<u64>,
    #[serde(with = "dynamo_model::format::rfc3339_millis")]
    #[dynamo(created_at)]
    created: Timestamp,
    #[serde(with = "dynamo_model::format::rfc3339_millis")]
    #[dynamo(updated_at)]
    updated: Timestamp,
    #[dynamo(rest)]
    rest: Rest,
}

#[derive(DynamoItems, Debug)]
#[items(table = Accounts)]
pub enum AccountItem {
    Account(Account),
    User(User),
}

async fn accounts() -> Outcome<Db> {
    stored::<Accounts>(include_str!("items/onetable.json")).await
}

/// The changes that OneTable reads afterwards, in `tests/interop/onetable.mjs`.
pub async fn change(db: &Dynamo) -> Outcome {
    let before = Snapshot::of::<Accounts>(db).await?;
    let ada = User::get("a1", "ada").send(db).await?.unwrap();
    ada.update()
        .set(|user| user.status(), Status::Idle)
        .add(|user| user.visits(), 1_u32)
        .add_to_set(|user| user.groups(), ["rust"])
        .send(db)
        .await?;
    let after = Snapshot::of::<Accounts>(db).await?;
    let expected = ["groups", "gs1pk", "status", "updated", "visits"];
    assert_changes(&before, &after, &expected);

    Account::update("a1")
        .set(|account| account.name(), "Analytical Engines")
        .send(db)
        .await?;
    let renamed = Snapshot::of::<Accounts>(db).await?;
    assert_changes(&after, &renamed, &["name", "updated"]);
    merge_and_put(db).await
}

async fn merge_and_put(db: &Dynamo) -> Outcome {
    let user = User::get("a1", "babbage").send(db).await?.unwrap();
    let names: Vec<_> = user.rest.keys().map(String::as_str).collect();
    assert_eq!(names, ["address", "admin", "avatar", "lastSeen"]);
    snapshot::merge_and_put::<Accounts, _>(db, user, &["updated"]).await
}

#[tokio::test]
async fn items_are_found_by_every_key() -> Outcome {
    let db = accounts().await?;
    let ada = User::get("a1", "ada").send(&db).await?.unwrap();
    assert_eq!(
        (ada.status, ada.nickname.as_deref()),
        (Status::Active, None)
    );
    assert_eq!(ada.groups, ["beta", "staff"].map(String::from).into());
    assert_eq!(ada.expires, Some(4_102_444_800));
    let active = User::by_status(Status::Active).all(&db).await?;
    let active: Vec<_> = active.iter().map(|user| user.id.as_str()).collect();
    assert_eq!(active, ["babbage", "ada"]);
    let all = AccountItem::collection(Account::partition_key("a1"))
        .all(&db)
        .await?;
    assert!(matches!(all[0], AccountItem::Account(_)) && all.len() == 4);
    // The values that OneTable keeps unique are not users.
    assert_eq!(User::scan().count(&db).await?, 3);
    Ok(())
}

#[tokio::test]
async fn an_update_keeps_undeclared_attributes() -> Outcome {
    let db = accounts().await?;
    change(&db).await
}

/// Finding: "`put` drops attributes that the struct does not declare."
#[tokio::test]
async fn merge_and_put_keep_undeclared_attributes() -> Outcome {
    let db = accounts().await?;
    merge_and_put(&db).await
}
