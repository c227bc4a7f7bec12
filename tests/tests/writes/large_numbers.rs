//! Numbers of 38 digits survive every write and read; numbers beyond the limits fail before the
//! request.

use crate::support::{self, Outcome, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::stream::{Change, StreamRecord};
use dynamo_model::value::{Number, Rest};
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind, Value};
use serde::{Deserialize, Serialize};
use serde_json::json;

#[derive(DynamoTable)]
#[table(name = "Large", pk = "PK", stream = new_and_old_images)]
struct Large;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Large)]
#[pk("COUNTER#<id>")]
struct Counter {
    id: String,
    signed: i128,
    unsigned: u128,
    exact: Number,
    #[dynamo(rest)]
    rest: Rest,
}

const DIGITS: &str = "98765432109876543210987654321098765432";
const FRACTION: &str = "0.00000000012345678901234567890123456789012345678";

fn counter() -> Counter {
    let mut rest = Rest::default();
    let fraction = FRACTION.parse::<Number>().unwrap();
    rest.insert("more".to_owned(), Value::N(fraction.clone()));
    Counter {
        id: "c".into(),
        signed: -DIGITS.parse::<i128>().unwrap(),
        unsigned: DIGITS.parse().unwrap(),
        exact: fraction,
        rest,
    }
}

#[tokio::test]
async fn numbers_of_38_digits_survive_put_get_update_and_rest() -> Outcome {
    let db = support::db::<Large>().await;
    for db in [Dynamo::clone(&db), db.typed()] {
        counter().put().send(&db).await?;
        let stored = raw(&db, Counter::key("c")).await?.unwrap();
        assert_eq!(stored["unsigned"], AttributeValue::N(DIGITS.into()));
        assert_eq!(stored["more"], stored["exact"]);
        let read = Counter::get("c").send(&db).await?.unwrap();
        assert_eq!(read, counter());
        read.put().send(&db).await?;
        assert_eq!(raw(&db, Counter::key("c")).await?.unwrap(), stored);
        let update = Counter::update("c")
            .condition(|it| it.unsigned().eq(counter().unsigned))
            .add(|it| it.unsigned(), 1_u128)
            .subtract(|it| it.signed(), 1_i128)
            .return_new();
        let new = update.send(&db).await?;
        assert_eq!(new.unsigned, counter().unsigned + 1);
        assert_eq!(new.signed, counter().signed - 1);
        assert_eq!(new.rest, counter().rest);
    }
    Ok(())
}

#[test]
fn numbers_of_38_digits_survive_a_stream() -> Outcome {
    let image = json!({
        "PK": { "S": "COUNTER#c" }, "id": { "S": "c" }, "signed": { "N": format!("-{DIGITS}") },
        "unsigned": { "N": DIGITS }, "exact": { "N": FRACTION }, "more": { "N": FRACTION },
    });
    let record = json!({
        "eventID": "1", "eventName": "INSERT", "eventSource": "aws:dynamodb", "awsRegion": "eu-west-1",
        "dynamodb": {
            "Keys": { "PK": { "S": "COUNTER#c" } }, "NewImage": image,
            "SequenceNumber": "1", "StreamViewType": "NEW_AND_OLD_IMAGES",
        },
        "eventSourceARN": "arn:aws:dynamodb:eu-west-1:123456789012:table/Large/stream/2026-01-01T00:00:00.000",
    });
    let record: StreamRecord = serde_json::from_value(record)?;
    let change = Change::<Counter>::of(&record)?;
    assert_eq!(change, Some(Change::Inserted(counter())));
    Ok(())
}

/// Without a table: a request would fail with another error.
#[tokio::test]
async fn a_number_beyond_the_limits_fails_before_the_request() {
    let db = support::bare();
    let large = Counter {
        unsigned: u128::MAX,
        ..counter()
    };
    let attribute = "unsigned".to_owned();
    let refused = ErrorKind::Encode { attribute };
    assert_eq!(large.put().send(&db).await.unwrap_err().kind(), &refused);
    let update = Counter::update("c").set(|it| it.unsigned(), u128::MAX);
    assert_eq!(update.send(&db).await.unwrap_err().kind(), &refused);
    assert!("1e126".parse::<Number>().is_err() && Number::try_from(u128::MAX).is_err());
}
