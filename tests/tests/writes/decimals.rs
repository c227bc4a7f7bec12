//! `rust_decimal::Decimal`: stored as N, and never rounded.

use crate::support::{self, Outcome, put, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, ErrorKind};
use rust_decimal::Decimal;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

#[derive(DynamoTable)]
#[table(name = "Ledger", pk = "PK", sk = N("price"))]
#[lsi1(name = "ByFee", sk = N("fee"))]
struct Ledger;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Ledger)]
#[pk("LEDGER#<id>")]
#[sk("<price>")]
#[lsi1(sk = "<fee>", as = by_fee)]
struct Entry {
    id: u32,
    #[serde(with = "dynamo_model::format::decimal")]
    price: Decimal,
    #[serde(with = "dynamo_model::format::decimal")]
    fee: Decimal,
    #[serde(with = "dynamo_model::format::decimal")]
    total: Decimal,
    #[serde(default, with = "dynamo_model::format::decimal")]
    rate: Option<Decimal>,
    #[serde(with = "dynamo_model::format::decimal")]
    steps: Vec<Decimal>,
    #[serde(with = "dynamo_model::format::decimal")]
    shares: BTreeMap<String, Decimal>,
}

fn d(text: &str) -> Decimal {
    text.parse().unwrap()
}

fn entry(price: &str) -> Entry {
    Entry {
        id: 1,
        price: d(price),
        fee: d("0.1") - d(price),
        total: Decimal::MAX,
        rate: None,
        steps: vec![d("0.0000000000000000000000000001"), d("-2.50")],
        shares: [("a".to_owned(), d("0.1"))].into(),
    }
}

fn n(text: &str) -> AttributeValue {
    AttributeValue::N(text.into())
}

/// Finding: "Cannot be declared: … exact decimals"
#[tokio::test]
async fn a_decimal_is_stored_as_a_number_with_all_digits() -> Outcome {
    if support::skip("numbers of over 28 digits") {
        return Ok(());
    }
    let db = support::db::<Ledger>().await;
    for db in [Dynamo::clone(&db), db.typed()] {
        entry("1.50").put().send(&db).await?;
        let stored = raw(&db, Entry::key(1, d("1.5"))).await?.unwrap();
        assert_eq!(stored["price"], n("1.5"));
        assert_eq!(stored["total"], n("79228162514264337593543950335"));
        assert!(matches!(&stored["steps"], AttributeValue::L(all) if all[1] == n("-2.5")));
        assert!(!stored.contains_key("rate"));
        assert_eq!(
            Entry::get(1, d("1.500")).send(&db).await?,
            Some(entry("1.50"))
        );
    }
    Ok(())
}

#[tokio::test]
async fn a_decimal_is_added_and_compared_exactly() -> Outcome {
    let db = support::db::<Ledger>().await;
    entry("1").put().send(&db).await?;
    let update = Entry::update(1, d("1"))
        .condition(|entry| entry.total().eq(Decimal::MAX) & entry.rate().not_exists())
        .subtract(|entry| entry.total(), Decimal::MAX)
        .add(|entry| entry.rate(), d("0.1"))
        .return_new();
    assert_eq!(update.send(&db).await?.rate, Some(d("0.1")));
    let update = Entry::update(1, d("1"))
        .condition(|entry| entry.rate().lt(d("0.10000000001")))
        .add(|entry| entry.rate(), d("0.2"))
        .set(|entry| entry.total(), Decimal::MAX)
        .return_new();
    assert_eq!(update.send(&db).await?.rate, Some(d("0.3")));
    let beyond = Entry::update(1, d("1")).add(|entry| entry.total(), d("0.5"));
    let error = beyond.send(&db).await.unwrap_err();
    assert!(error.is_out_of_range(), "{error}");
    Ok(())
}

#[tokio::test]
async fn a_number_that_no_decimal_holds_is_an_error() -> Outcome {
    let db = support::db::<Ledger>().await;
    let long = "1.2345678901234567890123456789012";
    entry("1").put().send(&db).await?;
    let mut item = raw(&db, Entry::key(1, d("1"))).await?.unwrap();
    item.insert("total".into(), n(long));
    put::<Ledger>(&db, item).await?;
    let error = Entry::get(1, d("1")).send(&db).await.unwrap_err();
    let path = "total".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Decode { path });
    assert_eq!(
        error.to_string(),
        format!(
            "get Entry LEDGER#1/1: total: {long} has more digits than `rust_decimal::Decimal` \
             holds, as a sum of `add` may have: `set` it to a rounded number, or declare the field \
             as `dynamo_model::value::Number`; change the item, or the type that reads it"
        )
    );
    Ok(())
}

/// Finding: "`add` beyond a `u8` is stored; afterwards the item … fail to decode": DynamoDB
/// cannot check how many digits a sum has, so that the error names a way out.
#[tokio::test]
async fn a_sum_with_too_many_digits_can_be_set_to_a_rounded_number() -> Outcome {
    if support::skip("numbers of over 28 digits") {
        return Ok(());
    }
    let db = support::db::<Ledger>().await;
    let rate = Some(d("0.3333333333333333333333333333"));
    Entry { rate, ..entry("1") }.put().send(&db).await?;
    let update = Entry::update(1, d("1")).add(|entry| entry.rate(), d("10"));
    update.send(&db).await?;
    let error = Entry::get(1, d("1")).send(&db).await.unwrap_err();
    let text = error.to_string();
    assert!(
        text.contains("rate: 10.3333333333333333333333333333 has more digits"),
        "{text}"
    );
    assert!(text.contains("`set` it to a rounded number"), "{text}");
    let update = Entry::update(1, d("1")).set(|entry| entry.rate(), d("10.33"));
    update.send(&db).await?;
    let read = Entry::get(1, d("1")).send(&db).await?;
    assert_eq!(read.and_then(|entry| entry.rate), Some(d("10.33")));
    Ok(())
}

#[tokio::test]
async fn a_decimal_is_a_sort_key() -> Outcome {
    let db = support::db::<Ledger>().await;
    let prices = ["-2.5", "0", "0.001", "1.5", "10"];
    for price in prices {
        entry(price).put().send(&db).await?;
    }
    let found = Entry::query(1)
        .price_in(d("-2.50")..d("1.5"))
        .all(&db)
        .await?;
    let found: Vec<_> = found.iter().map(|entry| entry.price).collect();
    assert_eq!(found, ["-2.5", "0", "0.001"].map(d));
    let cheap = Entry::by_fee(1).fee_in(..d("0")).all(&db).await?;
    let cheap: Vec<_> = cheap.iter().map(|entry| entry.price).collect();
    assert_eq!(cheap, ["10", "1.5"].map(d));
    Ok(())
}
