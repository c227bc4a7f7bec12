//! Every spec, on every kind of field that takes it.

use dynamo_model::{DynamoEntity, DynamoTable, KeyError};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("A<<B><text>#<text:lower>#<text:raw>#<text:shard(10)>")]
#[sk("<small:03>#<large:039>#<signed:010>#<flag>#<small>")]
struct Plain {
    text: String,
    small: u8,
    large: u128,
    signed: i64,
    flag: bool,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("<jiff:s>#<jiff:ms>#<jiff:us>#<jiff:ns>#<jiff>")]
#[sk("<jiff:%Y-%m-%d>#<jiff:%j>#<jiff:%H%M%S>#<jiff:%3f.%6f.%9f>#<jiff:%FT%T%%>#<jiff:shard(2)>")]
struct Times {
    jiff: jiff::Timestamp,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("DAY#<chrono:%F>")]
#[sk("<chrono:ms>#<time:s>#<day>#<day:%Y-%m>#<uuid>#<ulid>")]
struct Others {
    chrono: chrono::DateTime<chrono::Utc>,
    time: time::OffsetDateTime,
    day: jiff::civil::Date,
    uuid: uuid::Uuid,
    ulid: ulid::Ulid,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    Plain(Plain),
    Times(Times),
    Others(Others),
}

fn main() -> Result<(), KeyError> {
    assert!(
        Plain::key("Ab", 1, 2, -3, true)?
            .to_string()
            .starts_with("A<B>Ab#ab#Ab#")
    );
    let key = Times::key(jiff::Timestamp::UNIX_EPOCH)?;
    assert!(
        key.to_string()
            .starts_with("1970-01-01T00:00:00Z#1970-01-01T00:00:00.000Z#")
    );
    let key = Others::key(
        chrono::DateTime::UNIX_EPOCH,
        time::OffsetDateTime::UNIX_EPOCH,
        jiff::civil::date(2025, 6, 1),
        uuid::Uuid::nil(),
        ulid::Ulid::nil(),
    )?;
    assert_eq!(key.pk(), &"DAY#1970-01-01");
    Ok(())
}
