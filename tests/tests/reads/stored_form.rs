//! A field has only the conditions that its stored form supports, and times in sortable forms are
//! found by order.

use crate::support::{self, Outcome};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity, KeyPart, Table};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use std::time::{Duration, SystemTime};

#[derive(DynamoTable)]
#[table(name = "Visits", pk = "PK", sk = "SK")]
struct Visits;

/// Hours and minutes, written as four digits.
mod clock_time {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(minutes: &u32, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&format!("{:02}{:02}", minutes / 60, minutes % 60))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u32, D::Error> {
        let text = String::deserialize(from)?;
        let number: u32 = text.parse().map_err(D::Error::custom)?;
        Ok(number / 100 * 60 + number % 100)
    }
}

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Stop {
    #[serde(with = "dynamo_model::format::rfc3339_nanos")]
    at: Timestamp,
}

#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Place(String);

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Visits)]
#[pk("VISITS")]
#[sk("VISIT#<id:03>")]
struct Visit {
    id: u32,
    #[serde(with = "dynamo_model::format::rfc3339_millis")]
    at: Timestamp,
    #[serde(default, with = "dynamo_model::format::epoch_millis")]
    left_at: Option<SystemTime>,
    #[serde(with = "chrono::serde::ts_milliseconds")]
    paid_at: chrono::DateTime<chrono::Utc>,
    /// As serde writes it.
    noted_at: Timestamp,
    #[serde(with = "clock_time")]
    #[dynamo(sorts_as = text)]
    opens: u32,
    /// Declared as a number, but stored as text.
    #[serde(with = "clock_time")]
    #[dynamo(sorts_as = number)]
    closes: u32,
    #[dynamo(nested)]
    stop: Stop,
    stops: Vec<Stop>,
    place: Place,
    day: jiff::civil::Date,
}

fn after(millis: i64) -> Timestamp {
    Timestamp::from_millisecond(1_700_000_000_000 + millis).unwrap()
}

fn visit(id: u32) -> Visit {
    let at = after(i64::from(id) * 250);
    let time = SystemTime::UNIX_EPOCH + Duration::from_millis(u64::from(id) * 250);
    let stop = Stop { at };
    Visit {
        id,
        at,
        left_at: (id != 3).then_some(time),
        paid_at: chrono::DateTime::from_timestamp_millis(at.as_millisecond()).unwrap(),
        noted_at: at,
        opens: id * 60,
        closes: 0,
        stop: stop.clone(),
        stops: vec![stop],
        place: Place(format!("place {id}")),
        day: jiff::civil::date(2024, 1, 1 + i8::try_from(id).unwrap()),
    }
}

async fn stored() -> Outcome<support::Db> {
    let db = support::db::<Visits>().await;
    for id in 0..9 {
        visit(id).put().send(&db).await?;
    }
    Ok(db)
}

/// Finding: "`at.gt(time)` on variable-width time text misses values within the second"
#[tokio::test]
async fn order_finds_every_time_within_the_second() -> Outcome {
    let db = stored().await?;
    // Visits 4 to 8 are later than the first second, three of them within the next one.
    let later = after(999);
    let queries = [
        Visit::query().filter(move |it| it.at().gt(later)),
        Visit::query().filter(move |it| it.stop().at().gt(later)),
        Visit::query().filter(move |it| it.stops().at(0).fields().at().ge(after(1_000))),
        Visit::query().filter(move |it| !it.at().between(after(0), later)),
        Visit::query().filter(|it| {
            let time = SystemTime::UNIX_EPOCH + Duration::from_millis(999);
            it.left_at().gt(time)
        }),
        Visit::query().filter(|it| {
            let time = chrono::DateTime::from_timestamp_millis(after(1_000).as_millisecond());
            it.paid_at().ge(time.unwrap())
        }),
        Visit::query().filter(|it| it.opens().ge(4 * 60)),
        Visit::query().filter(|it| it.place().gt(Place("place 3".into()))),
        Visit::query().filter(|it| it.day().gt(jiff::civil::date(2024, 1, 4))),
    ];
    for query in queries {
        let found = query.all(&db).await?;
        assert_eq!(found, (4..9).map(visit).collect::<Vec<_>>());
    }
    let found = Visit::query().filter(|it| it.opens().begins_with("05"));
    assert_eq!(found.all(&db).await?, [visit(5)]);
    Ok(())
}

#[tokio::test]
async fn equality_works_in_every_form() -> Outcome {
    let db = stored().await?;
    let two = visit(2);
    let time = two.left_at.unwrap();
    let found = Visit::query()
        .filter(|it| {
            it.at().eq(two.at)
                & it.noted_at().eq(two.noted_at)
                & it.left_at().eq(time)
                & it.left_at().eq(Some(time))
                & it.opens().is_in([two.opens])
                & it.stop().at().eq(two.stop.at)
        })
        .all(&db)
        .await?;
    assert_eq!(found, [two]);
    let absent = Visit::query().filter(|it| it.left_at().not_exists());
    assert_eq!(absent.all(&db).await?, [visit(3)]);
    Ok(())
}

/// The declaration and the function contradict each other, so the order would be that of text.
#[tokio::test]
async fn a_function_that_writes_another_form_than_declared_is_refused() -> Outcome {
    let db = stored().await?;
    let query = Visit::query().filter(|it| it.closes().gt(30));
    let error = query.all(&db).await.unwrap_err().to_string();
    assert!(
        error.contains(
            "closes: the field is declared to sort as number, and its function writes text"
        ),
        "{error}"
    );
    Ok(())
}

/// A type can claim an order that its stored form does not have.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Version(u32, u32);

impl dynamo_model::expr::Ordered for Version {}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Releases)]
#[pk("RELEASE#<id>")]
struct Release {
    id: String,
    version: Version,
}

#[derive(DynamoTable)]
#[table(name = "Releases", pk = "PK")]
struct Releases;

#[tokio::test]
async fn order_of_a_list_is_refused_before_the_request() -> Outcome {
    let db = support::db::<Releases>().await;
    let query = Release::scan().filter(|it| it.version().lt(Version(1, 2)));
    let error = query.all(&db).await.unwrap_err().to_string();
    assert!(
        error.contains(
            "version: only a number, text and bytes have an order, and serde writes a list"
        ),
        "{error}"
    );
    let query = Release::scan().filter(|it| it.version().between(Version(0, 0), Version(1, 2)));
    assert!(query.all(&db).await.is_err());
    Ok(())
}

#[tokio::test]
async fn an_unknown_attribute_type_is_refused_before_the_request() -> Outcome {
    let db = support::db::<Releases>().await;
    let query = Release::scan().filter(|it| it.version().attribute_type("String"));
    let error = query.all(&db).await.unwrap_err().to_string();
    assert!(
        error.contains("version: `String` is not a type of DynamoDB; use one of `S`, `N`"),
        "{error}"
    );
    Ok(())
}

/// Items that serde stored before the function was declared can still be read.
#[tokio::test]
async fn text_of_any_width_is_read() -> Outcome {
    let db = support::db::<Visits>().await;
    let mut item = support::stored(&visit(1))?;
    for text in [
        "2023-11-14T22:13:20Z",
        "2023-11-14T22:13:20.25Z",
        "2023-11-15T07:13:20.250000+09:00",
    ] {
        item.insert("at".into(), AttributeValue::S(text.into()));
        let put = db.client().put_item().set_item(Some(item.clone()));
        put.table_name(db.table_name(&Visits::SCHEMA))
            .send()
            .await?;
        let read = Visit::get(1).send(&db).await?.unwrap();
        assert_eq!(read.at, text.parse::<Timestamp>()?);
    }
    Ok(())
}
