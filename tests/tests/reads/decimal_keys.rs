//! Keys of type N with a fraction: `Number` is the whole sort key of the table, and of an index.

use crate::support::{self, Db, Outcome, put, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::error::KeyErrorKind;
use dynamo_model::value::Number;
use dynamo_model::{BatchGet, DynamoEntity, DynamoTable, Entity, Transaction};
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Offers", pk = "PK", sk = N("price"))]
#[gsi1(name = "ByRating", pk = "shop", sk = N("rating"))]
struct Offers;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Offers)]
#[pk("ITEM#<item>")]
#[sk("<price>")]
#[gsi1(pk = "<shop>", sk = "<rating>", as = by_rating)]
struct Offer {
    item: String,
    price: Number,
    shop: String,
    rating: Option<Number>,
}

const LONG: &str = "1.2345678901234567890123456789012345678";

fn n(text: &str) -> Number {
    text.parse().unwrap()
}

fn offer(price: &str, rating: Option<&str>) -> Offer {
    Offer {
        item: "i".into(),
        price: n(price),
        shop: "s".into(),
        rating: rating.map(n),
    }
}

/// In the order of their prices.
const PRICES: [&str; 8] = ["-12.5", "-0.001", "0", "1e-20", "1.2", LONG, "1.5", "1e30"];

async fn offers() -> Outcome<Db> {
    let db = support::db::<Offers>().await;
    for (at, price) in PRICES.iter().enumerate() {
        let rating = format!("{}.5", 8 - at);
        offer(price, Some(&rating)).put().send(&db).await?;
    }
    Ok(db)
}

fn prices(offers: &[Offer]) -> Vec<Number> {
    offers.iter().map(|offer| offer.price.clone()).collect()
}

/// Finding: "Cannot be declared: … fractional N keys, exact decimals"
#[tokio::test]
async fn a_number_with_a_fraction_is_a_sort_key() -> Outcome {
    let db = offers().await?;
    for price in PRICES {
        let found = Offer::get("i", n(price)).send(&db).await?.unwrap();
        assert_eq!(found.price, n(price));
    }
    assert_eq!(Offer::get("i", n("1.3")).send(&db).await?, None);
    let all = Offer::query("i").all(&db).await?;
    assert_eq!(prices(&all), PRICES.map(n));
    let last = Offer::query("i").descending().first(&db).await?.unwrap();
    assert_eq!(last.price, n("1e30"));
    let stored = raw(&db, Offer::key("i", n("1.50"))).await?.unwrap();
    assert_eq!(stored["price"], AttributeValue::N("1.5".into()));
    assert_eq!(Offer::key("i", n("1.50"))?, Offer::key("i", n("1.5"))?);
    assert_eq!(Offer::key("i", n("1.50"))?.parse()?.price, n("1.5"));
    Ok(())
}

#[tokio::test]
async fn a_range_of_numbers_is_exact_at_both_ends() -> Outcome {
    let db = offers().await?;
    let query = || Offer::query("i");
    let all = PRICES.map(n);
    for (from, low) in all.iter().enumerate() {
        for (to, high) in all.iter().enumerate() {
            let inclusive = query().price_in(low..=high).all(&db).await?;
            assert_eq!(prices(&inclusive), all.get(from..=to).unwrap_or_default());
            let exclusive = query().price_in(low..high).all(&db).await?;
            assert_eq!(prices(&exclusive), all.get(from..to).unwrap_or_default());
        }
        let above = query().price_in(low..).all(&db).await?;
        assert_eq!(prices(&above), all[from..]);
        let below = query().price_in(..low).all(&db).await?;
        assert_eq!(prices(&below), all[..from]);
    }
    let one = query().price(n("1.20")).all(&db).await?;
    assert_eq!(prices(&one), [n("1.2")]);
    Ok(())
}

/// DynamoDB stores 1.50 as 1.5, and another tool may leave the digits as they are.
#[tokio::test]
async fn another_text_of_the_same_number_is_the_same_key() -> Outcome {
    let db = support::db::<Offers>().await;
    for (price, attribute) in [("1.50", "1.50"), ("2.5e2", "250.0")] {
        let item = [
            ("PK", AttributeValue::S("ITEM#i".into())),
            ("price", AttributeValue::N(price.into())),
            ("item", AttributeValue::S("i".into())),
            ("shop", AttributeValue::S("s".into())),
            ("rating", AttributeValue::N(attribute.into())),
        ];
        let item = item.map(|(name, value)| (name.to_owned(), value)).into();
        put::<Offers>(&db, item).await?;
        let read = Offer::get("i", n(price)).send(&db).await?.unwrap();
        assert_eq!((&read.price, &read.rating), (&n(price), &Some(n(price))));
        let update = read.update().set(|offer| offer.rating(), n("4.25"));
        assert_eq!(
            update.return_new().send(&db).await?.rating,
            Some(n("4.250"))
        );
    }
    let keys = ["1.5", "250", "1.50", "7"].map(|price| Offer::key("i", n(price)));
    let found = BatchGet::new(keys).send(&db).await?;
    let found: Vec<_> = found
        .iter()
        .map(|it| it.as_ref().map(|it| it.price.clone()))
        .collect();
    assert_eq!(
        found,
        [Some(n("1.5")), Some(n("250")), Some(n("1.5")), None]
    );
    let twice = ["1.5", "1.50"].map(|price| offer(price, None));
    let transaction = Transaction::new()
        .add(twice[0].put())
        .add(twice[1].put())
        .send(&db)
        .await;
    assert!(transaction.unwrap_err().to_string().contains("1.5"));
    Ok(())
}

#[tokio::test]
async fn pages_continue_after_a_number() -> Outcome {
    let db = offers().await?;
    for limit in 1..=PRICES.len() {
        let (mut read, mut cursor) = (Vec::new(), None::<String>);
        loop {
            let mut query = Offer::query("i").limit(limit);
            if let Some(cursor) = &cursor {
                query = query.after(cursor);
            }
            let page = query.page(&db).await?;
            read.extend(prices(&page.items));
            match page.next {
                Some(next) => cursor = Some(next.to_string()),
                None => break,
            }
        }
        assert_eq!(read, PRICES.map(n), "{limit} a page");
    }
    Ok(())
}

#[tokio::test]
async fn an_index_key_can_be_a_number_with_a_fraction() -> Outcome {
    let db = offers().await?;
    offer("99", None).put().send(&db).await?;
    let ratings = |offers: Vec<Offer>| -> Vec<String> {
        let ratings = offers.into_iter().filter_map(|offer| offer.rating);
        ratings.map(|rating| rating.to_string()).collect()
    };
    let all = Offer::by_rating("s").all(&db).await?;
    assert_eq!(ratings(all).join(" "), "1.5 2.5 3.5 4.5 5.5 6.5 7.5 8.5");
    let some = Offer::by_rating("s")
        .rating_in(n("2.5")..n("4.5"))
        .all(&db)
        .await?;
    assert_eq!(ratings(some), ["2.5", "3.5"]);
    let best = Offer::get("i", n("-12.5")).send(&db).await?.unwrap();
    best.update()
        .set(|offer| offer.rating(), n("0.25"))
        .send(&db)
        .await?;
    let first = Offer::by_rating("s").first(&db).await?.unwrap();
    assert_eq!(first.price, n("-12.50"));
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Large", pk = N("id"), sk = N("at"))]
struct Large;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Large)]
#[pk("<id>")]
#[sk("<at>")]
struct Counter {
    id: u128,
    at: i128,
}

#[tokio::test]
async fn integer_keys_have_at_most_38_digits() -> Outcome {
    let db = support::db::<Large>().await;
    let large = 10_i128.pow(38) - 1;
    let counter = Counter {
        id: large.unsigned_abs(),
        at: -large,
    };
    counter.put().send(&db).await?;
    assert_eq!(
        Counter::get(counter.id, counter.at).send(&db).await?,
        Some(counter.clone())
    );
    assert_eq!(
        Counter::query(counter.id)
            .at_in(-large..=0)
            .all(&db)
            .await?,
        std::slice::from_ref(&counter)
    );
    let refused = KeyErrorKind::NumberOutOfRange;
    assert_eq!(Counter::key(u128::MAX, 0).unwrap_err().kind(), &refused);
    let query = Counter::query(1_u128).at_in(i128::MIN..);
    let error = query.all(&db).await.unwrap_err();
    let error = std::error::Error::source(&error).unwrap().to_string();
    assert!(
        error.contains("`at` in the key `<at>` is a number that DynamoDB does not store"),
        "{error}"
    );
    // 39 digits of which the last are zeros are fewer to DynamoDB.
    assert!(Counter::key(10_u128.pow(38), 0).is_ok());
    Ok(())
}
