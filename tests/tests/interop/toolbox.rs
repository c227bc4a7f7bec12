//! dynamodb-toolbox: keys by hand, the entity in `_et`, times in `_ct` and `_md`.

use crate::snapshot::{self, Snapshot, assert_changes, stored};
use crate::support::{Db, Outcome};
use dynamo_model::value::Rest;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "interop-toolbox", pk = "pk", sk = "sk", entity_type = "_et")]
#[table(ttl = "expireAt")]
#[gsi1(name = "gsi1", pk = "gsi1pk", sk = "gsi1sk")]
pub struct Orders;

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Open,
    Shipped,
}

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct Line {
    sku: String,
    quantity: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    gift: Option<bool>,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Orders, entity_type = "Order")]
#[pk("CUSTOMER#<customer_id>")]
#[sk("ORDER#<order_id:06>")]
#[gsi1(pk = "STATUS#<status>", sk = "ORDER#<customer_id>#<order_id:06>", as = by_status)]
pub struct Order {
    customer_id: String,
    order_id: u32,
    status: Status,
    total: f64,
    units: u32,
    paid: bool,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    tags: BTreeSet<String>,
    lines: Vec<Line>,
    #[serde(rename = "_ct", with = "dynamo_model::format::rfc3339_millis")]
    #[dynamo(created_at)]
    created: Timestamp,
    #[serde(rename = "_md", with = "dynamo_model::format::rfc3339_millis")]
    #[dynamo(updated_at)]
    modified: Timestamp,
    #[dynamo(ttl)]
    expire_at: Option<u64>,
    #[dynamo(version)]
    version: u64,
    #[dynamo(rest)]
    rest: Rest,
}

async fn orders() -> Outcome<Db> {
    stored::<Orders>(include_str!("items/toolbox.json")).await
}

/// The changes that dynamodb-toolbox reads afterwards, in `tests/interop/toolbox.mjs`.
pub async fn change(db: &Dynamo) -> Outcome {
    let before = Snapshot::of::<Orders>(db).await?;
    let order = Order::get("c1", 1_u32).send(db).await?.unwrap();
    order
        .update()
        .set(|order| order.status(), Status::Shipped)
        .add(|order| order.units(), 1_u32)
        .add_to_set(|order| order.tags(), ["rust"])
        .send(db)
        .await?;
    let after = Snapshot::of::<Orders>(db).await?;
    let expected = ["_md", "gsi1pk", "status", "tags", "units", "version"];
    assert_changes(&before, &after, &expected);

    let new = Order {
        order_id: 11,
        status: Status::Shipped,
        total: 5.0,
        tags: BTreeSet::new(),
        created: Timestamp::UNIX_EPOCH,
        modified: Timestamp::UNIX_EPOCH,
        version: 0,
        ..order
    };
    new.create().send(db).await?;
    let more = Snapshot::of::<Orders>(db).await?;
    assert_changes(&after, &more, &[r#"+ S "CUSTOMER#c1" S "ORDER#000011""#]);
    assert_eq!(more.attribute("000011", "_et"), Some(r#"S "Order""#));
    merge_and_put(db).await
}

async fn merge_and_put(db: &Dynamo) -> Outcome {
    let order = Order::get("c1", 10_u32).send(db).await?.unwrap();
    let names: Vec<_> = order.rest.keys().map(String::as_str).collect();
    let expected = ["blobs", "coupon", "extra", "labels", "marks", "note"];
    assert_eq!(names, expected);
    snapshot::merge_and_put::<Orders, _>(db, order, &["_md", "version"]).await
}

#[tokio::test]
async fn items_are_found_by_every_key() -> Outcome {
    let db = orders().await?;
    let order = Order::get("c1", 1_u32).send(&db).await?.unwrap();
    assert_eq!((order.total, order.version), (99.95, 1));
    assert_eq!(order.lines.len(), 2);
    let of_customer = Order::query("c1").descending().all(&db).await?;
    assert_eq!(numbers(&of_customer), [10, 2, 1]);
    let open = Order::by_status(Status::Open).all(&db).await?;
    assert_eq!(numbers(&open), [1, 10]);
    Ok(())
}

fn numbers(orders: &[Order]) -> Vec<u32> {
    orders.iter().map(|order| order.order_id).collect()
}

#[tokio::test]
async fn an_update_keeps_undeclared_attributes() -> Outcome {
    let db = orders().await?;
    change(&db).await
}

/// Finding: "`put` drops attributes that the struct does not declare."
#[tokio::test]
async fn merge_and_put_keep_undeclared_attributes() -> Outcome {
    let db = orders().await?;
    merge_and_put(&db).await
}
