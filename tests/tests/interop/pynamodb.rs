//! PynamoDB: plain attributes as keys, the class in `cls`, times with `+0000`, a version, JSON as
//! text.

use crate::snapshot::{self, Snapshot, assert_changes, stored};
use crate::support::{Db, Outcome};
use dynamo_model::value::Rest;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, KeyPart};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "interop-pynamodb", pk = "user_id", sk = N("doc_id"), entity_type = "cls")]
#[table(ttl = "expires")]
#[gsi1(name = "status-index", pk = "status", sk = "created_at")]
pub struct Documents;

/// `UTCDateTimeAttribute`: always six digits, and `+0000`, so that it sorts.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq)]
pub struct UtcDateTime(String);

/// The same, where it is in no key.
mod utc_date_time {
    use jiff::Timestamp;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    const FORMAT: &str = "%Y-%m-%dT%H:%M:%S.%6f+0000";

    pub fn serialize<S: Serializer>(time: &Timestamp, serializer: S) -> Result<S::Ok, S::Error> {
        time.strftime(FORMAT).to_string().serialize(serializer)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Timestamp, D::Error> {
        let text = String::deserialize(from)?;
        Timestamp::strptime("%Y-%m-%dT%H:%M:%S%.f%z", text).map_err(D::Error::custom)
    }
}

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    Draft,
    Final,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Documents, entity_type = "Article")]
#[pk("<user_id>")]
#[sk("<doc_id>")]
#[gsi1(pk = "<status>", sk = "<created_at>", as = by_status)]
pub struct Article {
    user_id: String,
    doc_id: u32,
    status: Status,
    created_at: UtcDateTime,
    #[serde(with = "utc_date_time")]
    #[dynamo(updated_at)]
    updated_at: Timestamp,
    title: String,
    summary: Option<String>,
    pages: u32,
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    tags: BTreeSet<String>,
    #[dynamo(ttl)]
    expires: Option<u64>,
    #[dynamo(version)]
    version: u64,
    #[dynamo(rest)]
    rest: Rest,
}

async fn documents() -> Outcome<Db> {
    stored::<Documents>(include_str!("items/pynamodb.json")).await
}

/// The changes that PynamoDB reads afterwards, in `tests/interop/pynamodb_items.py`.
pub async fn change(db: &Dynamo) -> Outcome {
    let before = Snapshot::of::<Documents>(db).await?;
    let article = Article::get("ada", 1_u32).send(db).await?.unwrap();
    article
        .update()
        .set(|article| article.status(), Status::Final)
        .add(|article| article.pages(), 1_u32)
        .add_to_set(|article| article.tags(), ["rust"])
        .send(db)
        .await?;
    let after = Snapshot::of::<Documents>(db).await?;
    let expected = ["pages", "status", "tags", "updated_at", "version"];
    assert_changes(&before, &after, &expected);
    let updated = after.attribute(r#""ada" N 1"#, "updated_at").unwrap();
    assert!(updated.ends_with(r#"+0000""#), "{updated}");

    let new = Article {
        doc_id: 4,
        status: Status::Final,
        created_at: UtcDateTime("2025-07-05T10:20:30.456789+0000".into()),
        title: "Document 4".into(),
        tags: BTreeSet::new(),
        version: 0,
        ..article
    };
    new.create().send(db).await?;
    let more = Snapshot::of::<Documents>(db).await?;
    assert_changes(&after, &more, &[r#"+ S "ada" N 4"#]);
    assert_eq!(more.attribute(r#"N 4"#, "cls"), Some(r#"S "Article""#));
    merge_and_put(db).await
}

async fn merge_and_put(db: &Dynamo) -> Outcome {
    let article = Article::get("ada", 2_u32).send(db).await?.unwrap();
    let names: Vec<_> = article.rest.keys().map(String::as_str).collect();
    let expected = [
        "address",
        "history",
        "marks",
        "price",
        "published",
        "raw",
        "settings",
    ];
    assert_eq!(names, expected);
    snapshot::merge_and_put::<Documents, _>(db, article, &["updated_at", "version"]).await
}

#[tokio::test]
async fn items_are_found_by_every_key() -> Outcome {
    let db = documents().await?;
    let article = Article::get("ada", 1_u32).send(&db).await?.unwrap();
    assert_eq!(article.summary.as_deref(), Some("On engines"));
    assert_eq!(article.updated_at, "2025-07-02T10:20:30.456789Z".parse()?);
    assert_eq!((article.version, article.pages), (1, 7));
    let finals = Article::by_status(Status::Final).all(&db).await?;
    let finals: Vec<_> = finals.iter().map(|it| it.doc_id).collect();
    assert_eq!(finals, [2]);
    Ok(())
}

#[tokio::test]
async fn an_update_keeps_undeclared_attributes() -> Outcome {
    let db = documents().await?;
    change(&db).await
}

/// Finding: "`put` drops attributes that the struct does not declare."
#[tokio::test]
async fn merge_and_put_keep_undeclared_attributes() -> Outcome {
    let db = documents().await?;
    merge_and_put(&db).await
}
