//! A field that is stored only in a key loses no precision.

use dynamo_model::error::KeyErrorKind;
use dynamo_model::{DynamoEntity, DynamoTable, Entity};
use jiff::Timestamp;

#[derive(DynamoTable)]
#[table(name = "Log", pk = "PK", sk = "SK")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "at")]
struct Log;

#[derive(DynamoEntity)]
#[dynamo(table = Log)]
#[pk("LOG#<name>")]
#[sk("AT#<seen:s>#<name>")]
#[gsi1(pk = "ALL", sk = "<at:ms>")]
struct Entry {
    name: String,
    #[dynamo(key_only)]
    seen: Timestamp,
    at: Timestamp,
}

fn entry(seen: &str, at: &str) -> Entry {
    Entry {
        name: "n".into(),
        seen: seen.parse().unwrap(),
        at: at.parse().unwrap(),
    }
}

#[test]
fn a_time_finer_than_its_key_is_refused() {
    let coarse = entry("2025-06-01T10:00:00Z", "2025-06-01T10:00:00.123Z");
    assert!(coarse.key_attributes().is_ok());

    let error = entry("2025-06-01T10:00:00.5Z", "2025-06-01T10:00:00Z").primary_key();
    let error = error.unwrap_err();
    assert_eq!(
        (error.field(), error.kind()),
        (Some("seen"), &KeyErrorKind::TooPrecise)
    );

    let error = entry("2025-06-01T10:00:00Z", "2025-06-01T10:00:00.1234Z").key_attributes();
    assert_eq!(error.unwrap_err().field(), Some("at"));
}
