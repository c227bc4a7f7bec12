//! Events as Lambda has them.

use super::model::{AppItem, Session, User, session, user};
use crate::support::Outcome;
use dynamo_model::read::UnknownItem;
use dynamo_model::schema::Stream;
use dynamo_model::stream::{
    BatchFailures, BatchItemFailure, Change, EventName, StreamEvent, StreamRecord,
};
use dynamo_model::value::Rest;
use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, Error, ErrorKind};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::time::{Duration, UNIX_EPOCH};

/// Returns the image of a user, as the stream has it.
fn image(email: &str) -> Value {
    json!({
        "PK": { "S": "USER#u1" }, "SK": { "S": "PROFILE" }, "type": { "S": "USER" },
        "email": { "S": email }, "secret": { "NULL": true },
    })
}

fn record(name: &str, old: Option<Value>, new: Option<Value>) -> Value {
    let keys = |image: &Value| json!({ "PK": image["PK"], "SK": image["SK"] });
    let mut body = json!({
        "ApproximateCreationDateTime": 1_428_537_600,
        "Keys": old.as_ref().or(new.as_ref()).map(keys),
        "SequenceNumber": "4421584500000000017450439091",
        "SizeBytes": 26,
        "StreamViewType": "NEW_AND_OLD_IMAGES",
    });
    for (name, image) in [("OldImage", old), ("NewImage", new)] {
        if let Some(image) = image {
            body[name] = image;
        }
    }
    json!({
        "eventID": "c4ca4238a0b923820dcc509a6f75849b",
        "eventName": name,
        "eventVersion": "1.1",
        "eventSource": "aws:dynamodb",
        "awsRegion": "us-east-1",
        "dynamodb": body,
        "eventSourceARN": "arn:aws:dynamodb:us-east-1:123456789012:table/prod-app/stream/2015-06-27T00:48:05.899",
    })
}

fn read(json: Value) -> StreamRecord {
    serde_json::from_value(json).unwrap()
}

#[test]
fn created_updated_deleted_and_expired_are_distinguished() -> Outcome {
    let (a, b) = (image("a@x"), image("b@x"));
    let change = |json| Change::<AppItem>::of(&read(json));
    let item = |email| AppItem::User(user("u1", email));

    let inserted = change(record("INSERT", None, Some(a.clone())))?;
    assert_eq!(inserted, Some(Change::Inserted(item("a@x"))));

    let modified = change(record("MODIFY", Some(a.clone()), Some(b.clone())))?;
    let (old, new) = (item("a@x"), item("b@x"));
    assert_eq!(modified, Some(Change::Modified { old, new }));

    let removed = change(record("REMOVE", Some(a.clone()), None))?;
    assert_eq!(removed, Some(Change::Removed(item("a@x"))));

    let mut expired = record("REMOVE", Some(a.clone()), None);
    expired["userIdentity"] = json!({ "type": "Service", "principalId": "dynamodb.amazonaws.com" });
    assert_eq!(change(expired)?, Some(Change::Expired(item("a@x"))));

    // A client with a service role is not the TTL process.
    let mut by_role = record("REMOVE", Some(a.clone()), None);
    by_role["userIdentity"] = json!({ "type": "Service", "principalId": "lambda.amazonaws.com" });
    assert_eq!(change(by_role)?, Some(Change::Removed(item("a@x"))));
    let mut null = record("REMOVE", Some(a), None);
    null["userIdentity"] = Value::Null;
    assert_eq!(change(null)?, Some(Change::Removed(item("a@x"))));
    Ok(())
}

#[test]
fn a_record_keeps_its_metadata() {
    let record = read(record("INSERT", None, Some(image("a@x"))));
    assert_eq!(record.event_id, "c4ca4238a0b923820dcc509a6f75849b");
    assert_eq!(record.event_name, EventName::Insert);
    assert_eq!(record.sequence_number, "4421584500000000017450439091");
    assert_eq!(record.table_name.as_deref(), Some("prod-app"));
    assert_eq!(record.view, Some(Stream::NewAndOldImages));
    let at = UNIX_EPOCH + Duration::from_secs(1_428_537_600);
    assert_eq!(record.created_at, Some(at));
    let key = record.key_of::<User>().unwrap();
    assert_eq!(key.to_string(), "USER#u1/PROFILE");
    assert_eq!(key.parse().unwrap().id, "u1");
    assert_eq!(record.key_of::<Session>(), None);
    assert!(!format!("{record:?}").contains("a@x"));
}

#[test]
fn a_change_of_one_entity_ignores_other_items() -> Outcome {
    let (user, other) = (image("a@x"), {
        let mut other = image("a@x");
        other["type"] = json!({ "S": "LOGIN" });
        other
    });
    let change = |json| Change::<User>::of(&read(json));
    assert_eq!(change(record("INSERT", None, Some(other.clone())))?, None);
    // For this entity, an item that becomes another entity's is deleted.
    let became = record("MODIFY", Some(user.clone()), Some(other.clone()));
    assert!(matches!(change(became)?, Some(Change::Removed(_))));
    let became = record("MODIFY", Some(other), Some(user));
    assert!(matches!(change(became)?, Some(Change::Inserted(_))));
    Ok(())
}

#[test]
fn an_item_of_an_unknown_entity_is_named_in_the_error() {
    let mut unknown = image("a@x");
    unknown["type"] = json!({ "S": "LOGIN" });
    let unknown = read(record("INSERT", None, Some(unknown)));
    let error = Change::<AppItem>::of(&unknown).unwrap_err();
    assert!(error.is_other_entity());
    let said = error.to_string();
    // `id` is not sensitive, so the key is shown.
    assert!(
        said.contains("LOGIN") && said.contains("USER#u1/PROFILE"),
        "{said}"
    );
}

#[test]
fn an_unreadable_item_is_an_error_with_its_path() {
    let mut broken = image("a@x");
    broken["email"] = json!({ "N": "5" });
    let error = Change::<AppItem>::of(&read(record("INSERT", None, Some(broken)))).unwrap_err();
    assert_eq!(
        error.to_string(),
        "stream AppItem USER#u1/PROFILE: email: expected S, found N; change the item, or the type \
         that reads it"
    );
}

#[test]
fn unique_items_are_ignored() -> Outcome {
    let sentinel = json!({
        "PK": { "S": "EMAIL#a@x" }, "SK": { "S": "EMAIL#a@x" }, "type": { "S": "#unique" },
        "unique_owner": { "L": [{ "S": "USER#u1" }, { "S": "PROFILE" }] },
    });
    let record = read(record("INSERT", None, Some(sentinel)));
    assert_eq!(Change::<AppItem>::of(&record)?, None);
    assert_eq!(Change::<User>::of(&record)?, None);
    Ok(())
}

#[test]
fn a_record_without_the_image_names_the_missing_stream_option() -> Outcome {
    let mut new_only = record("MODIFY", None, Some(image("a@x")));
    new_only["dynamodb"]["StreamViewType"] = json!("NEW_IMAGE");
    let new_only = read(new_only);
    let error = Change::<AppItem>::of(&new_only).unwrap_err();
    let view = Some("NEW_IMAGE");
    assert_eq!(error.kind(), &ErrorKind::NoImage { image: "old", view });
    assert_eq!(
        error.to_string(),
        "stream AppItem USER#u1/PROFILE: the record has no old image, because the stream of table \
         `prod-app` is NEW_IMAGE; declare `#[table(stream = new_and_old_images)]`, or use only the \
         key"
    );
    // The existing image can be read.
    let new: Option<AppItem> = new_only.new_image()?;
    assert_eq!(new, Some(AppItem::User(user("u1", "a@x"))));
    // An insertion has no old image.
    let inserted = read(record("INSERT", None, Some(image("a@x"))));
    assert!(Change::<AppItem>::of(&inserted)?.is_some());
    assert_eq!(inserted.old_image::<AppItem, _>()?, None);

    let mut keys_only = record("REMOVE", Some(image("a@x")), None);
    keys_only["dynamodb"]
        .as_object_mut()
        .unwrap()
        .remove("OldImage");
    let keys_only = read(keys_only);
    assert!(Change::<AppItem>::of(&keys_only).is_err());
    assert!(keys_only.key_of::<User>().is_some());
    Ok(())
}

#[test]
fn a_modification_with_equal_images_is_no_change() -> Outcome {
    let same = |name| record(name, Some(image("a@x")), Some(image("a@x")));
    assert_eq!(Change::<AppItem>::of(&read(same("MODIFY")))?, None);
    let inserted = Change::<AppItem>::of(&read(same("INSERT")))?;
    assert!(matches!(inserted, Some(Change::Inserted(_))));
    let removed = Change::<AppItem>::of(&read(same("REMOVE")))?;
    assert!(matches!(removed, Some(Change::Removed(_))));
    Ok(())
}

#[test]
fn an_unreadable_item_names_its_entity() {
    let mut broken = image("a@x");
    broken["email"] = json!({ "N": "5" });
    let error = Change::<User>::of(&read(record("INSERT", None, Some(broken)))).unwrap_err();
    assert_eq!(error.entity(), "User");
    assert!(
        error
            .to_string()
            .starts_with("stream User USER#u1/PROFILE: email:")
    );
}

#[test]
fn into_old_and_into_new_return_the_items() {
    let modified = || Change::Modified { old: 1, new: 2 };
    let sides = |change: Change<i32>| (change.clone().into_old(), change.into_new());
    assert_eq!(sides(Change::Inserted(1)), (None, Some(1)));
    assert_eq!(sides(modified()), (Some(1), Some(2)));
    assert_eq!(sides(Change::Removed(1)), (Some(1), None));
    assert_eq!(sides(Change::Expired(1)), (Some(1), None));
    assert_eq!(
        modified().map(|it| it + 1),
        Change::Modified { old: 2, new: 3 }
    );
    assert_eq!(Change::Expired(1).map(|it| it + 1), Change::Expired(2));
    assert_eq!(Change::Removed(1).map(|it| it + 1), Change::Removed(2));
}

#[test]
fn batch_failures_are_empty_without_a_failed_record() {
    assert!(BatchFailures::default().is_empty());
    let record = read(record("INSERT", None, Some(image("a@x"))));
    let failures = BatchFailures {
        batch_item_failures: vec![BatchItemFailure::of(&record)],
    };
    assert!(!failures.is_empty());
}

/// Returns the handled records of three, by their sequence numbers, and the failures.
async fn handled(event: StreamEvent, fail_on: &str) -> (Vec<String>, String) {
    let mut seen = Vec::new();
    let failures = event
        .for_each(|change: Change<AppItem>, record: StreamRecord| {
            seen.push(record.sequence_number.clone());
            let fails = record.sequence_number == fail_on;
            async move {
                assert!(change.into_new().is_some());
                if fails { Err("no") } else { Ok(()) }
            }
        })
        .await;
    (seen, serde_json::to_string(&failures).unwrap())
}

fn three() -> Value {
    let numbered = |number: &str| {
        let mut record = record("INSERT", None, Some(image("a@x")));
        record["dynamodb"]["SequenceNumber"] = json!(number);
        record
    };
    json!({ "Records": [numbered("1"), numbered("2"), numbered("3")] })
}

/// Three records, of which the second cannot be read.
fn three_with_a_bad_one() -> Value {
    let mut event = three();
    event["Records"][1]["dynamodb"]["NewImage"]["email"] = json!({ "N": "5" });
    event
}

/// Finding: "One item of an undeclared entity or of a newer release fails the whole collection,
/// page or stream batch"
#[tokio::test]
async fn each_passes_an_unreadable_record_to_the_handler() -> Outcome {
    let event = || serde_json::from_value::<StreamEvent>(three_with_a_bad_one());
    let (seen, failures) = handled(event()?, "none").await;
    assert_eq!(seen, ["1"]);
    assert_eq!(
        failures,
        r#"{"batchItemFailures":[{"itemIdentifier":"2"}]}"#
    );

    for (accepts, expected, numbers) in [
        (true, r#"{"batchItemFailures":[]}"#, vec!["1", "2", "3"]),
        (
            false,
            r#"{"batchItemFailures":[{"itemIdentifier":"2"}]}"#,
            vec!["1", "2"],
        ),
    ] {
        let mut seen = Vec::new();
        let failures = event()?
            .each()
            .for_each(
                |change: Result<Change<AppItem>, Error>, record: StreamRecord| {
                    let good = match &change {
                        Ok(change) => matches!(change, Change::Inserted(_)),
                        Err(error) => {
                            assert_eq!(error.key_text(), Some("USER#u1/PROFILE"));
                            assert!(error.is_decode());
                            accepts
                        }
                    };
                    seen.push(record.sequence_number);
                    async move { if good { Ok(()) } else { Err("kept") } }
                },
            )
            .await;
        assert_eq!(serde_json::to_string(&failures)?, expected);
        assert_eq!(seen, numbers);
    }
    Ok(())
}

#[tokio::test]
async fn a_batch_reports_the_first_failed_record() -> Outcome {
    let event = || serde_json::from_value::<StreamEvent>(three());
    let (seen, failures) = handled(event()?, "none").await;
    assert_eq!(seen, ["1", "2", "3"]);
    assert_eq!(failures, r#"{"batchItemFailures":[]}"#);

    let (seen, failures) = handled(event()?, "2").await;
    assert_eq!(seen, ["1", "2"]);
    assert_eq!(
        failures,
        r#"{"batchItemFailures":[{"itemIdentifier":"2"}]}"#
    );
    Ok(())
}

#[tokio::test]
async fn an_unreadable_record_fails_the_batch_unless_it_is_skipped() -> Outcome {
    let mut records = three();
    records["Records"][1]["dynamodb"]["NewImage"]["type"] = json!({ "S": "LOGIN" });
    let event = || serde_json::from_value::<StreamEvent>(records.clone());
    let (seen, failures) = handled(event()?, "none").await;
    assert_eq!(seen, ["1"]);
    assert_eq!(
        failures,
        r#"{"batchItemFailures":[{"itemIdentifier":"2"}]}"#
    );

    let (seen, failures) = handled(event()?.skip_unknown(), "none").await;
    assert_eq!(seen, ["1", "3"]);
    assert_eq!(failures, r#"{"batchItemFailures":[]}"#);

    // Only unknown items are skipped, never damaged ones.
    records["Records"][1] = three()["Records"][1].clone();
    records["Records"][1]["dynamodb"]["NewImage"]["email"] = json!({ "N": "1" });
    let event = serde_json::from_value::<StreamEvent>(records.clone())?;
    let (seen, _) = handled(event.skip_unknown(), "none").await;
    assert_eq!(seen, ["1"]);
    Ok(())
}

#[test]
fn a_record_is_read_by_its_entity_type() -> Outcome {
    let image = json!({
        "PK": { "S": "USER#u1" }, "SK": { "S": "SESSION#0007" }, "type": { "S": "SESSION" },
        "user_id": { "S": "u1" }, "number": { "N": "7" }, "expires": { "N": "99" },
    });
    let change = Change::<AppItem>::of(&read(record("INSERT", None, Some(image))))?;
    let session = AppItem::Session(session("u1", 7, 99));
    assert_eq!(change, Some(Change::Inserted(session)));
    Ok(())
}

/// Finding: "`Change<Device>` on another table's stream acknowledges all records"
#[tokio::test]
async fn a_record_of_another_table_is_an_error() -> Outcome {
    let of = |arn: &str| {
        let mut value = record("INSERT", None, Some(image("a@example.com")));
        let stream = "stream/2015-06-27T00:48:05.899";
        value["eventSourceARN"] =
            format!("arn:aws:dynamodb:us-east-1:123456789012:table/{arn}/{stream}").into();
        serde_json::from_value::<StreamRecord>(value)
    };
    // A prefix and a suffix of the deployment.
    assert!(Change::<Session>::of(&of("dev-app-1")?)?.is_none());
    assert!(Change::<User>::of(&of("dev-app-1")?)?.is_some());
    let mut other = of("devices")?;
    let error = Change::<User>::of(&other).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::OtherTable { declared: "app" });
    assert!(Change::<Session>::of(&other).is_err());
    assert!(Change::<AppItem>::of(&other).is_err());
    let failures = StreamEvent::from(vec![other.clone()])
        .for_each(|_: Change<Session>, _| async { Ok::<_, String>(()) })
        .await;
    assert_eq!(failures.batch_item_failures.len(), 1);
    // Deployed under another name.
    other.table_name = None;
    assert!(Change::<User>::of(&other)?.is_some());
    Ok(())
}

/// Finding: "`Change<Device>` on another table's stream acknowledges all records"
#[test]
fn a_record_with_other_key_attributes_is_an_error() -> Outcome {
    let mut value = record("INSERT", None, Some(image("a@example.com")));
    value["dynamodb"]["Keys"] = json!({ "deviceId": { "S": "d1" } });
    let record: StreamRecord = serde_json::from_value(value)?;
    let error = Change::<Session>::of(&record).unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::OtherTable { declared: "app" });
    Ok(())
}

/// The table of `AppItem`, with a variant for items of a newer release.
#[derive(DynamoTable)]
#[table(name = "app", pk = "PK", sk = "SK", entity_type = "type", items = Tolerant)]
#[table(stream = new_and_old_images)]
struct TolerantApp;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
#[dynamo(table = TolerantApp, entity_type = "USER")]
#[pk("USER#<id>")]
#[sk("PROFILE")]
struct Reader {
    #[dynamo(key_only)]
    id: String,
    email: String,
}

#[derive(DynamoItems, Debug, PartialEq)]
#[items(table = TolerantApp)]
enum Tolerant {
    Reader(Reader),
    #[items(unknown)]
    Unknown(UnknownItem),
}

/// Finding: "One item of an undeclared entity or of a newer release fails the whole collection,
/// page or stream batch"
#[test]
fn a_change_of_an_unknown_item_carries_the_item() -> Outcome {
    let mut login = image("a@x");
    login["type"] = json!({ "S": "LOGIN" });
    let inserted = read(record("INSERT", None, Some(login.clone())));
    let Some(Change::Inserted(Tolerant::Unknown(item))) = Change::of(&inserted)? else {
        panic!("not an unknown item")
    };
    assert_eq!(item.entity_type(), Some("LOGIN"));
    assert_eq!(item.partition_key(), &"USER#u1");
    assert_eq!(item.attributes()["email"].as_str(), Some("a@x"));

    // An item of a declared entity that cannot be read stays an error.
    let mut broken = image("a@x");
    broken["email"] = json!({ "N": "5" });
    let broken = read(record("INSERT", None, Some(broken)));
    assert!(Change::<Tolerant>::of(&broken).unwrap_err().is_decode());

    // An unknown item that changes into a known one is both.
    let became = read(record("MODIFY", Some(login), Some(image("a@x"))));
    let Some(Change::Modified { old, new }) = Change::<Tolerant>::of(&became)? else {
        panic!("not a change")
    };
    assert!(matches!(
        (old, new),
        (Tolerant::Unknown(_), Tolerant::Reader(_))
    ));
    Ok(())
}

#[derive(DynamoTable, Debug)]
#[table(name = "app", pk = "PK", stream = new_and_old_images)]
struct Open;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Open)]
#[pk("NOTE#<id>")]
struct Note {
    id: u32,
    #[dynamo(rest)]
    rest: Rest,
}

/// Finding: "There is no lossless catch-all": images of a stream have undeclared attributes
/// too.
#[test]
fn a_change_carries_undeclared_attributes() -> Outcome {
    let mut record = record("INSERT", None, Some(json!({ "PK": { "S": "NOTE#1" } })));
    record["dynamodb"]["Keys"] = json!({ "PK": { "S": "NOTE#1" } });
    record["dynamodb"]["NewImage"] = json!({
        "PK": { "S": "NOTE#1" }, "id": { "N": "1" },
        "color": { "S": "red" }, "sizes": { "NS": ["1.50", "2"] },
    });
    let Some(Change::Inserted(note)) = Change::<Note>::of(&read(record))? else {
        return Err("not an insert".into());
    };
    assert_eq!(note.rest.len(), 2);
    assert_eq!(note.rest["color"].as_str(), Some("red"));
    assert_eq!(
        note.rest["sizes"].as_number_set().map(BTreeSet::len),
        Some(2)
    );
    Ok(())
}

/// Tables without an entity type, where unique items are recognised by their attributes.
macro_rules! untyped {
    ($name:ident, $table:literal, [$($key:tt)*], [$($sk:tt)*], $keys:tt) => {
        mod $name {
            use super::*;

            #[derive(DynamoTable)]
            #[table(name = $table, pk = "PK" $($key)*, items = UntypedItem, stream = new_and_old_images)]
            struct Untyped;

            #[derive(DynamoItems, Debug, PartialEq)]
            #[items(table = Untyped)]
            enum UntypedItem {
                Person(Person),
            }

            #[derive(DynamoEntity, Serialize, Deserialize, Debug, PartialEq)]
            #[dynamo(table = Untyped)]
            #[pk("PERSON#<id>")]
            $($sk)*
            #[unique("NAME#<name>")]
            struct Person {
                id: u32,
                name: String,
            }

            fn change(keys: &[&str], more: Value) -> Result<Option<Change<UntypedItem>>, Error> {
                let mut image = json!({ "unique_owner": { "L": [{ "S": "PERSON#1" }] } });
                for key in keys {
                    image[key] = json!({ "S": "NAME#a" });
                }
                for (name, value) in more.as_object().unwrap() {
                    image[name] = value.clone();
                }
                let keys = keys.iter().map(|key| (key.to_string(), image[key].clone()));
                let keys: serde_json::Map<_, _> = keys.collect();
                let record: StreamRecord = serde_json::from_value(json!({
                    "eventName": "INSERT",
                    "dynamodb": { "Keys": keys, "NewImage": image, "SequenceNumber": "1" },
                }))
                .unwrap();
                Change::of(&record)
            }

            #[test]
            fn only_unique_items_are_ignored_without_entity_types() {
                let (keys, ttl): (&[&str], bool) = $keys;
                assert_eq!(change(keys, json!({})).unwrap(), None);
                let expires = json!({ "expires": { "N": "5" } });
                assert_eq!(change(keys, expires).is_ok(), ttl);
                let more = json!({ "name": { "S": "a" } });
                assert!(change(keys, more).is_err(), "the item of another entity");
            }
        }
    };
}

untyped!(without_sort_key, "one", [], [], (&["PK"], false));
untyped!(with_ttl, "two", [, ttl = "expires"], [], (&["PK"], true));
untyped!(with_sort_key, "three", [, sk = "SK"], [#[sk("PERSON")]], (&["PK", "SK"], false));
untyped!(with_both, "four", [, sk = "SK", ttl = "expires"], [#[sk("PERSON")]], (&["PK", "SK"], true));
