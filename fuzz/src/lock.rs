//! The reader of `schema.lock`: a file that is merged by hand, and may contain anything. A lock
//! that is read and written again is the same lock.

use dynamo_model::{DynamoEntity, DynamoTable};
use dynamo_model_tools::Model;
use serde::{Deserialize, Serialize};

/// Pieces of locks.
pub const WORDS: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    ",",
    ":",
    "\"",
    "\\",
    "\\u",
    "null",
    "true",
    "false",
    "1",
    "4294967296",
    "-1",
    "{\"version\":1,\"tables\":{",
    "\"version\":1",
    "\"version\":2",
    "\"tables\":{",
    "\"App\":{",
    "\"key\":\"PK (S) + SK (S)\"",
    "\"entity_type\":\"type\"",
    "\"ttl\":\"expires\"",
    "\"indexes\":{",
    "\"GSI1\":{",
    "\"kind\":\"local\"",
    "\"kind\":\"global\"",
    "\"kind\":\"text\"",
    "\"projection\":\"ALL\"",
    "\"entities\":{",
    "\"User\":{",
    "\"other_types\":[\"USER\"]",
    "\"pk\":{\"template\":\"USER#<id>\"}",
    "\"sk\":{\"template\":\"PROFILE\"}",
    "\"when\":\"state = open\"",
    "\"plain\":true",
    "\"uniques\":{",
    "\"attributes\":{",
    "\"email\":{\"field\":\"email\",\"rust_type\":\"String\",\"type\":\"S\",\"required\":true}",
    "\"constants\":{\"shape\":\"2\"}",
    "\"values\":[\"a\",\"b\"]",
    "\"fields\":{\"id\":{\"kind\":\"text\"}}",
    "\u{0}",
    "`",
    "\n",
    "山",
];

/// The table.
#[derive(DynamoTable, Debug)]
#[table(name = "App", pk = "PK", sk = "SK", entity_type = "type", ttl = "expires", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[lsi1(name = "LSI1", sk = "LSI1SK")]
pub struct App;

/// An entity that uses every feature of a lock.
#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = App, entity_type = "USER", constant("shape" = 2))]
#[pk("USER#<id>")]
#[sk("PROFILE#<number:08>")]
#[gsi1(pk = "STATE#<state>", sk = "<number:08+desc>")]
#[unique("EMAIL#<email>")]
pub struct User {
    id: String,
    number: u32,
    state: State,
    email: Option<String>,
    #[serde(default)]
    tags: Vec<String>,
}

#[derive(dynamo_model::KeyPart, Serialize, Deserialize, Debug, Clone, Copy)]
enum State {
    Open,
    Closed,
}

/// A second one.
#[derive(DynamoEntity, Serialize, Deserialize, Debug)]
#[dynamo(table = App, entity_type = "NOTE")]
#[pk("USER#<id>")]
#[sk("NOTE#<text>")]
pub struct Note {
    id: String,
    text: String,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    User(User),
    Note(Note),
}

/// Returns the model that locks are compared with.
#[must_use]
pub fn model() -> Model {
    Model::new("app").entity::<User>().entity::<Note>()
}

/// A lock.
pub fn check(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let model = model();
    let own = model.lock();
    assert_eq!(model.compare_with_lock(&own).ok(), Some(vec![]));
    let changes = match model.compare_with_lock(&text) {
        Ok(changes) => changes,
        Err(error) => {
            assert!(
                !error.to_string().is_empty() && dynamo_model_tools::rewritten(&text).is_none()
            );
            return;
        }
    };
    for change in &changes {
        assert!(
            !change.place.is_empty() && change.was != change.is,
            "{change:?}"
        );
        assert!(change.to_string().starts_with(&change.place));
    }
    let (written, with_itself) = dynamo_model_tools::rewritten(&text).unwrap_or_default();
    assert_eq!(with_itself, [], "a lock differs from itself");
    let again = dynamo_model_tools::rewritten(&written).map(|(again, _)| again);
    assert_eq!(again.as_deref(), Some(&*written));
    assert_eq!(model.compare_with_lock(&written).ok(), Some(changes));
}
