//! Items as the documents show them: stored through the SDK, read through the typed API, written
//! back, and equal attribute by attribute.

use crate::support::{Item, Outcome, database, get_raw, item, put_raw};
use dynamo_model::Entity;
use dynamo_model::Table;
use dynamo_model_examples::{booking, exam, shop};
use jiff::Timestamp;
use serde_json::{Value, json};

/// Reads the item by its key, writes it back as an import, which counts no version up, and
/// compares.
macro_rules! round_trip {
    ($table:ty, $json:expr, $entity:ty, ($($part:expr),*), $at:expr) => {{
        let at: Timestamp = $at;
        let db = database()?.with_clock(move || at.into());
        <$table>::create_table(&db).await?;
        let shown: Item = item($json);
        put_raw::<$table>(&db, shown.clone()).await?;
        let read = <$entity>::get($($part),*).send(&db).await?.unwrap();
        dynamo_model::BatchWrite::new().load([read.clone()]).send(&db).await?;
        assert_eq!(get_raw::<$table>(&db, &shown).await?, shown);
        (db, shown, read)
    }};
}

/// The same, and with `put` as well.
macro_rules! put_trip {
    ($table:ty, $json:expr, $entity:ty, ($($part:expr),*), $at:expr) => {{
        let (db, shown, read) = round_trip!($table, $json, $entity, ($($part),*), $at);
        read.put().any_version().send(&db).await?;
        assert_eq!(get_raw::<$table>(&db, &shown).await?, shown);
        read
    }};
}

macro_rules! document {
    ($name:literal) => {
        serde_json::from_str::<Value>(include_str!(concat!(
            "../../src/booking/sample/",
            $name,
            ".json"
        )))?
    };
}

/// Where the document draws an index key as `"STATUS#pending": "2025-…"`, name and value are the
/// two key attributes of the index.
fn undraw(mut document: Value, indexes: &[(&str, &str)]) -> Value {
    let attributes = document.as_object_mut().unwrap();
    for (prefix, index) in indexes {
        let drawn = attributes
            .keys()
            .find(|name| name.starts_with(prefix))
            .unwrap()
            .clone();
        let sk = attributes.remove(&drawn).unwrap();
        attributes.insert(format!("{index}PK"), drawn.into());
        attributes.insert(format!("{index}SK"), sk);
    }
    document
}

fn never() -> Timestamp {
    Timestamp::UNIX_EPOCH
}

#[tokio::test]
async fn booking_users_round_trip() -> Outcome {
    let expected = booking::user()?;
    let (id, at) = (expected.user_id, expected.updated_at);
    let read = put_trip!(booking::Users, document!("user"), booking::User, (id), at);
    assert_eq!(read, expected);
    Ok(())
}

#[tokio::test]
async fn booking_bookings_round_trip() -> Outcome {
    let expected = booking::booking()?;
    let drawn = [("USER#", "GSI1"), ("STATUS#", "GSI2"), ("DATE#", "GSI3")];
    let mut document = undraw(document!("booking"), &drawn);
    // The index that the document does not have.
    document["GSI4PK"] = "TYPE#temporary".into();
    document["GSI4SK"] = "DEADLINE#2025-06-08T18:00:00Z".into();
    let (id, user, at) = (&expected.booking_id, expected.user_id, expected.updated_at);
    let read = put_trip!(
        booking::Bookings,
        document,
        booking::Booking,
        (id, user),
        at
    );
    assert_eq!(read, expected);
    Ok(())
}

#[tokio::test]
async fn booking_calendar_round_trips() -> Outcome {
    let expected = booking::calendar_slot()?;
    let (start, end) = (expected.start_time, expected.end_time);
    let document = document!("calendar_slot");
    let read = put_trip!(
        booking::Calendar,
        document,
        booking::CalendarSlot,
        (start, end),
        never()
    );
    assert_eq!(read, expected);
    assert_eq!(booking::booking()?.slot(), expected);
    Ok(())
}

#[tokio::test]
async fn booking_options_round_trip() -> Outcome {
    let expected = booking::option_service()?;
    let (document, at) = (document!("option_service"), expected.updated_at);
    let read = put_trip!(
        booking::Options,
        document,
        booking::OptionService,
        ("opt1"),
        at
    );
    assert_eq!(read, expected);
    Ok(())
}

#[tokio::test]
async fn booking_notifications_round_trip() -> Outcome {
    let expected = booking::notification()?;
    let document = undraw(document!("notification"), &[("TYPE#", "GSI1")]);
    let (user, at) = (expected.user_id, expected.created_at);
    let read = put_trip!(
        booking::Notifications,
        document,
        booking::Notification,
        (user, at),
        never()
    );
    assert_eq!(read, expected);
    Ok(())
}

#[tokio::test]
async fn booking_terms_round_trip() -> Outcome {
    let expected = booking::terms()?;
    let (document, at) = (document!("terms"), expected.updated_at);
    let read = put_trip!(
        booking::TermsOfService,
        document,
        booking::Terms,
        ("1.0"),
        at
    );
    assert_eq!(read, expected);
    Ok(())
}

#[tokio::test]
async fn booking_user_agreements_round_trip() -> Outcome {
    let expected = booking::user_agreement()?;
    let document = document!("user_agreement");
    let (user, version) = (expected.user_id, &expected.version);
    let read = put_trip!(
        booking::UserAgreements,
        document,
        booking::UserAgreement,
        (user, version),
        never()
    );
    assert_eq!(read, expected);
    Ok(())
}

/// The exam document lists attributes; these are items of them.
#[tokio::test]
async fn exam_items_round_trip() -> Outcome {
    let user = json!({
        "PK": "USER#u1", "SK": "PROFILE", "EntityType": "USER", "userId": "u1", "version": 1,
        "email": "user@example.com", "displayName": "山田太郎",
        "createdAt": "2025-06-01T09:00:00Z", "updatedAt": "2025-06-01T09:00:00Z",
    });
    let expected = exam::user()?;
    let at = expected.updated_at;
    let (_, _, read) = round_trip!(exam::ExamStudyApp, user, exam::User, ("u1"), at);
    assert_eq!(read, expected);

    let question = json!({
        "PK": "QUESTION#FE-2023-01", "SK": "METADATA", "EntityType": "QUESTION",
        "questionId": "FE-2023-01", "examType": "FE", "category": "network", "subCategory": "TCP/IP",
        "difficulty": "medium", "text": "TCPとUDPの違いはどれか。", "choices": ["ア", "イ", "ウ", "エ"],
        "answerIndex": 2, "explanation": "UDPはコネクションレスである。", "createdAt": "2025-05-01T00:00:00Z",
        "GSI1PK": "EXAM#FE#CATEGORY#network", "GSI1SK": "QUESTION#FE-2023-01",
        "GSI2PK": "EXAM#FE#CATEGORY#ALL", "GSI2SK": "QUESTION#FE-2023-01",
    });
    let read = put_trip!(
        exam::ExamStudyApp,
        question,
        exam::Question,
        ("FE-2023-01"),
        never()
    );
    assert_eq!(read, exam::question()?);

    let answer = json!({
        "PK": "USER#u1", "SK": "ANSWER#2025-06-01T10:00:00Z#FE-2023-01", "EntityType": "ANSWER",
        "userId": "u1", "questionId": "FE-2023-01", "selectedIndex": 2, "isCorrect": true,
        "answeredAt": "2025-06-01T10:00:00Z", "examType": "FE",
        "GSI1PK": "QUESTION#FE-2023-01", "GSI1SK": "USER#u1#2025-06-01T10:00:00Z",
    });
    let expected = exam::answer_history()?;
    let at = expected.answered_at;
    let read = put_trip!(
        exam::ExamStudyApp,
        answer,
        exam::AnswerHistory,
        ("u1", at, "FE-2023-01"),
        never()
    );
    assert_eq!(read, expected);

    let area = json!({
        "PK": "USER#u1", "SK": "ANALYTICS#FE#network", "EntityType": "ANALYTICS", "userId": "u1",
        "examType": "FE", "category": "network", "totalAnswers": 8, "correctAnswers": 2,
        "accuracyRate": 0.25, "lastUpdatedAt": "2025-06-01T10:00:00Z",
        "GSI1PK": "ANALYTICS#FE#1", "GSI1SK": "USER#u1#CATEGORY#network",
    });
    let fe = exam::ExamType::Fe;
    let read = put_trip!(
        exam::ExamStudyApp,
        area,
        exam::WeakAreaAnalytics,
        ("u1", fe, "network"),
        at
    );
    assert_eq!(read, exam::weak_area_analytics()?);
    Ok(())
}

/// The items of the shop document's two transactions: nanoseconds in the key, seconds in
/// `CreatedAt` and `UpdatedAt`.
#[tokio::test]
async fn shop_items_round_trip() -> Outcome {
    const CHANGED: &str = "2024-01-15T10:30:00.123456789Z";
    const SECOND: &str = "2024-01-15T10:30:00Z";
    let at: Timestamp = CHANGED.parse()?;
    let fraction = shop::Fraction::of(at);
    let price = json!({
        "PK": "PRODUCT#p001", "SK": format!("PRICE#{CHANGED}"), "EntityType": "PRICE_HISTORY",
        "ProductId": "p001", "Price": 1200, "ChangedBy": "admin", "CreatedAt": SECOND,
    });
    let read = put_trip!(
        shop::DynamoDbShop,
        price,
        shop::PriceHistory,
        ("p001", at, &fraction),
        never()
    );
    assert_eq!(read, shop::price_history()?);
    assert_eq!(read.changed_at(), at);

    let log = json!({
        "PK": "PRODUCT#p001", "SK": format!("INVLOG#{CHANGED}"), "EntityType": "INVENTORY_LOG",
        "ChangeType": "OUT", "Quantity": -10, "PreviousStock": 100, "NewStock": 90, "Reason": "注文",
        "OrderId": "o001", "CreatedAt": SECOND,
    });
    let read = put_trip!(
        shop::DynamoDbShop,
        log,
        shop::InventoryLog,
        ("p001", at, &fraction),
        never()
    );
    assert_eq!(read, shop::inventory_log()?);
    assert_eq!(read.changed_at(), at);

    let product = json!({
        "PK": "PRODUCT#p001", "SK": "METADATA", "EntityType": "PRODUCT", "Price": 1200, "Stock": 90,
        "UpdatedAt": SECOND,
    });
    let read = put_trip!(shop::DynamoDbShop, product, shop::Product, ("p001"), at);
    assert_eq!(read, shop::product()?);
    Ok(())
}
