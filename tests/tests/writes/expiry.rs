//! TTL: only values that DynamoDB expires are stored, and unique values expire with their item.

use crate::support::{self, Outcome, everything, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Transaction};
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

#[derive(DynamoTable)]
#[table(name = "Sessions", pk = "PK", ttl = "expires", items = SessionsItem)]
struct Sessions;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Sessions)]
#[pk("SESSION#<id>")]
struct Session {
    id: u32,
    #[dynamo(ttl)]
    expires: Option<i64>,
}

fn session(expires: i64) -> Session {
    Session {
        id: 1,
        expires: Some(expires),
    }
}

const NOW: i64 = 1_700_000_000;

fn at(seconds: i64) -> AttributeValue {
    AttributeValue::N(seconds.to_string())
}

/// Finding: "TTL in milliseconds, as a duration (3600), or as text through `serde(with)` never
/// expires or expires at once"
#[tokio::test]
async fn a_ttl_that_is_not_a_time_in_seconds_is_refused_before_the_request() {
    // Without a table: no request is sent.
    let db = support::bare();
    let wrong = [
        (NOW * 1_000, "taken for milliseconds"),
        (3_600, "taken for a duration"),
        (0, "taken for a duration"),
        (-NOW, "taken for a duration"),
    ];
    for (expires, reason) in wrong {
        let whole = session(expires);
        let errors = [
            whole.put().send(&db).await.unwrap_err(),
            whole.create().send(&db).await.unwrap_err(),
            BatchWrite::new().put(&whole).send(&db).await.unwrap_err(),
            BatchWrite::new()
                .load([whole.clone()])
                .send(&db)
                .await
                .unwrap_err(),
            Transaction::new()
                .add(whole.put())
                .send(&db)
                .await
                .unwrap_err(),
            update(&db, expires).await,
            upsert(&db, expires).await,
        ];
        for error in errors {
            let attribute = "expires".to_owned();
            assert_eq!(error.kind(), &ErrorKind::Encode { attribute }, "{error}");
            assert!(error.to_string().contains(reason), "{error}");
            assert_eq!(error.key_text(), Some("SESSION#1"));
        }
    }
}

async fn update(db: &Dynamo, expires: i64) -> dynamo_model::Error {
    let update = Session::update(1).set(|session| session.expires(), expires);
    update.send(db).await.unwrap_err()
}

async fn upsert(db: &Dynamo, expires: i64) -> dynamo_model::Error {
    let upsert = Session::upsert(1).set_if_absent(|session| session.expires(), expires);
    upsert.send(db).await.unwrap_err()
}

#[tokio::test]
async fn past_future_and_absent_ttls_are_stored() -> Outcome {
    let db = support::db::<Sessions>().await;
    for expires in [Some(1_000_000_000), Some(NOW), Some(253_402_300_799), None] {
        let session = Session { id: 1, expires };
        session.put().send(&db).await?;
        assert_eq!(Session::get(1).send(&db).await?, Some(session));
    }
    Ok(())
}

mod text {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<S: Serializer>(time: &u64, to: S) -> Result<S::Ok, S::Error> {
        time.to_string().serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Sessions)]
#[pk("TEXT#<id>")]
struct Text {
    id: u32,
    #[dynamo(ttl)]
    #[serde(with = "text")]
    expires: u64,
}

#[tokio::test]
async fn a_ttl_that_serde_writes_as_text_is_refused() {
    let db = support::bare();
    let text = Text {
        id: 1,
        expires: 1_700_000_000,
    };
    let error = text.put().send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "put Text TEXT#1: expires: a TTL is a number of seconds since 1970, and serde writes \
         something else; write `#[serde(with = \"dynamo_model::format::epoch_seconds\")]` on the \
         field"
    );
}

/// An entity for each type of time.
macro_rules! times {
    ($($name:ident, $ty:ty, $with:literal, $time:expr;)*) => {$(
        #[allow(non_snake_case)]
        mod $name {
            use super::*;

            #[derive(DynamoTable)]
            #[table(name = "Timed", pk = "PK", ttl = "expires")]
            struct Table;

            #[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
            #[dynamo(table = Table)]
            #[pk("S#<id>")]
            struct Timed {
                id: u32,
                #[dynamo(ttl)]
                #[serde(default, with = $with)]
                expires: $ty,
            }

            #[tokio::test]
            async fn a_ttl_is_stored_as_seconds_and_read_back() -> Outcome {
                let db = support::db::<Table>().await;
                let timed = Timed { id: 1, expires: $time };
                timed.put().send(&db).await?;
                let stored = raw(&db, Timed::key(1)).await?.unwrap();
                assert_eq!(stored["expires"], at(NOW));
                assert_eq!(Timed::get(1).send(&db).await?, Some(timed.clone()));
                let later = UNIX_EPOCH + Duration::from_secs(1_800_000_000);
                let new = timed.update().expires_at(later).return_new().send(&db).await?;
                assert_ne!(new.expires, timed.expires);
                let stored = raw(&db, Timed::key(1)).await?.unwrap();
                assert_eq!(stored["expires"], at(1_800_000_000));
                Ok(())
            }
        }
    )*};
}

times! {
    // Finding: "V TTL on `DateTime<Utc>` with `ts_seconds`"
    chrono_with_its_own_function, chrono::DateTime<chrono::Utc>, "chrono::serde::ts_seconds",
        chrono::DateTime::from_timestamp(NOW, 0).unwrap();
    chrono_with_ours, Option<chrono::DateTime<chrono::Utc>>, "dynamo_model::format::epoch_seconds",
        chrono::DateTime::from_timestamp(NOW, 0);
    jiff_with_ours, jiff::Timestamp, "dynamo_model::format::epoch_seconds",
        jiff::Timestamp::from_second(NOW).unwrap();
    system_time_with_ours, Option<SystemTime>, "dynamo_model::format::epoch_seconds",
        Some(UNIX_EPOCH + Duration::from_secs(1_700_000_000));
    time_with_ours, Option<time::OffsetDateTime>, "dynamo_model::format::epoch_seconds",
        Some(time::OffsetDateTime::from_unix_timestamp(NOW).unwrap());
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Sessions)]
#[pk("INVITE#<id>")]
#[unique("CODE#<code>")]
struct Invite {
    id: u32,
    code: String,
    text: String,
    #[dynamo(ttl)]
    expires: Option<i64>,
}

fn invite(id: u32, expires: Option<i64>) -> Invite {
    Invite {
        id,
        code: "c".into(),
        text: String::new(),
        expires,
    }
}

/// When the item and its reserved value expire.
async fn expiries(db: &Dynamo) -> Outcome<(Option<AttributeValue>, Option<AttributeValue>)> {
    let items = everything::<Sessions>(db).await?;
    let expires = |reserved: bool| {
        let mut items = items.iter();
        let item = items.find(|item| item.contains_key("unique_owner") == reserved);
        let expires = item.expect("both are stored").get("expires");
        expires.filter(|it| !it.is_null()).cloned()
    };
    assert_eq!(items.len(), 2);
    Ok((expires(false), expires(true)))
}

/// Finding: "with TTL and `#[unique]`, the value stays reserved forever after expiry"
#[tokio::test]
async fn a_unique_value_expires_together_with_its_item() -> Outcome {
    let db = support::db::<Sessions>().await;
    let same = async |expires: Option<i64>| -> Outcome {
        let expires = expires.map(at);
        assert_eq!(expiries(&db).await?, (expires.clone(), expires));
        Ok(())
    };
    let mut stored = invite(1, Some(NOW));
    stored.create().send(&db).await?;
    same(Some(NOW)).await?;
    // A put with another time, with none, and with one again.
    for expires in [Some(NOW + 5), None, Some(NOW + 7)] {
        stored.expires = expires;
        stored.put().send(&db).await?;
        same(expires).await?;
        stored.put().send(&db).await?;
        same(expires).await?;
    }
    // Updates: only the time, only the value, both, and removal of the time.
    let update = stored
        .update()
        .expires_at(UNIX_EPOCH + Duration::from_secs(1_800_000_000));
    stored = update.return_new().send(&db).await?;
    same(Some(1_800_000_000)).await?;
    let update = stored
        .update()
        .set(|invite| invite.code(), "d")
        .return_new();
    stored = update.send(&db).await?;
    same(Some(1_800_000_000)).await?;
    let update = stored.update().set(|invite| invite.code(), "e");
    let update = update.set(|invite| invite.expires(), NOW + 9).return_new();
    stored = update.send(&db).await?;
    same(Some(NOW + 9)).await?;
    let update = stored
        .update()
        .remove(|invite| invite.expires())
        .return_new();
    stored = update.send(&db).await?;
    same(None).await?;
    // A change of neither keeps the unique item.
    stored
        .update()
        .set(|invite| invite.text(), "x")
        .send(&db)
        .await?;
    same(None).await?;
    // It is still unique.
    let other = Invite {
        code: "e".into(),
        ..invite(2, Some(NOW))
    };
    let error = other.create().send(&db).await.unwrap_err();
    assert!(matches!(error.kind(), ErrorKind::NotUnique { .. }));
    stored.delete().send(&db).await?;
    other.create().send(&db).await?;
    same(Some(NOW)).await
}

/// The key alone does not tell which value is reserved, or when it expires.
#[tokio::test]
async fn an_update_by_key_of_the_ttl_requires_the_unique_value() -> Outcome {
    let db = support::db::<Sessions>().await;
    invite(1, Some(NOW)).create().send(&db).await?;
    let update = Invite::update(1).expires_in(Duration::from_secs(60));
    let error = update.send(&db).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "update Invite INVITE#1: the change requires the current value of `code`; read the item, \
         and change it with `item.update()`"
    );
    let update = Invite::update(1).set(|invite| invite.code("c"), "d");
    let error = update.send(&db).await.unwrap_err();
    let attributes = vec!["expires".to_owned()];
    assert_eq!(error.kind(), &ErrorKind::Incomplete { attributes });
    let update = Invite::update(1).set(|invite| invite.code("c"), "d");
    let update = update.set(|invite| invite.expires(), NOW + 1);
    update.send(&db).await?;
    assert_eq!(expiries(&db).await?, (Some(at(NOW + 1)), Some(at(NOW + 1))));
    Ok(())
}

/// A change that was read before another one does not leave the reserved value behind.
#[tokio::test]
async fn an_expiry_that_changed_meanwhile_is_a_conflict() -> Outcome {
    let db = support::db::<Sessions>().await;
    let read = invite(1, Some(NOW));
    read.create().send(&db).await?;
    read.update()
        .set(|invite| invite.expires(), NOW + 1)
        .send(&db)
        .await?;
    let late = read
        .update()
        .set(|invite| invite.code(), "d")
        .send(&db)
        .await;
    assert!(late.unwrap_err().is_conflict());
    Ok(())
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Sessions)]
#[allow(dead_code)]
enum SessionsItem {
    Session(Session),
    Text(Text),
    Invite(Invite),
}
