//! Enums with serde's names, newtypes of every kind, and a manual implementation.

use dynamo_model::key::{PartError, PartValue, kind};
use dynamo_model::{DynamoEntity, DynamoTable, KeyError, KeyPart};
use std::sync::Arc;

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK")]
struct App;

#[derive(KeyPart, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Status {
    InProgress,
    #[serde(rename = "ok", alias = "fine")]
    Done,
    Failed = 7,
}

#[derive(KeyPart)]
struct UserId {
    inner: Arc<str>,
}

#[derive(KeyPart)]
struct Number(u32);

#[derive(KeyPart)]
struct Outer(UserId);

#[derive(KeyPart)]
struct At(jiff::Timestamp);

struct Grade(char);

impl KeyPart for Grade {
    type Kind = kind::Text;

    fn to_part(&self) -> PartValue<'_> {
        PartValue::Text(match self.0 {
            'a' => "A",
            _ => "B",
        })
    }

    fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
        match value {
            PartValue::Text("A") => Ok(Grade('a')),
            PartValue::Text("B") => Ok(Grade('b')),
            _ => Err(PartError::expected("a grade")),
        }
    }
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("<user>#<outer>#<status>")]
#[sk("<number:04>#<at:ms>#<grade>")]
struct Exam {
    user: UserId,
    outer: Outer,
    status: Status,
    number: Number,
    at: At,
    grade: Grade,
}

fn main() -> Result<(), KeyError> {
    let user = || UserId { inner: "u1".into() };
    let at = At(jiff::Timestamp::UNIX_EPOCH);
    let key = Exam::key(
        "u1",
        Outer(user()),
        Status::InProgress,
        Number(7),
        at,
        Grade('a'),
    )?;
    assert_eq!(
        key.to_string(),
        "u1#u1#IN_PROGRESS/0007#1970-01-01T00:00:00.000Z#A"
    );
    assert!(matches!(key.parse()?.status, Status::InProgress));
    assert_eq!(Status::Done.to_part().to_string(), "ok");
    assert_eq!(Status::Failed.to_part().to_string(), "FAILED");
    Ok(())
}
