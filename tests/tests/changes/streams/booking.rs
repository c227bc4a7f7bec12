//! The studio hears of its bookings through the table's stream.

use super::readers::streams;
use crate::support::{self, Db, Outcome};
use dynamo_model::stream::{StreamEvent, StreamRecord};
use dynamo_model::{Entity, Table};
use dynamo_model_examples::booking::{
    Bookings, Calendar, Notification, Notifications, User, UserId, Users, booking, cancel, confirm,
    create_booking, find_booking, on_bookings, unread, user,
};
use jiff::Timestamp;
use uuid::Uuid;

async fn studio() -> Outcome<Db> {
    let db = support::db::<Bookings>().await;
    Calendar::create_table(&db).await?;
    Notifications::create_table(&db).await?;
    Users::create_table(&db).await?;
    user()?.create().send(&db).await?;
    Ok(db)
}

fn admin() -> UserId {
    UserId(Uuid::from_u128(1))
}

async fn handle(db: &Db, records: Vec<StreamRecord>) {
    let failures = on_bookings(db, admin(), StreamEvent::from(records)).await;
    assert!(failures.is_empty(), "{failures:?}");
}

async fn titles(db: &Db, user_id: UserId) -> Outcome<Vec<String>> {
    let unread = unread(db, user_id).await?.into_iter();
    Ok(unread.map(|notification| notification.title).collect())
}

async fn count(db: &Db, user_id: UserId) -> Outcome<u32> {
    let user = User::get(user_id).send(db).await?;
    Ok(user.ok_or("no user")?.booking_count)
}

#[tokio::test]
async fn a_confirmed_booking_creates_the_notification_of_the_document() -> Outcome {
    let db = studio().await?;
    let booking = booking()?;
    let before = count(&db, booking.user_id).await?;
    let client = streams(&db);
    let mut reader = db.read_stream::<Bookings>(&client);

    create_booking(&db, &booking).await?;
    handle(&db, reader.read_available().await?).await;
    assert_eq!(titles(&db, admin()).await?, ["新しい予約申請があります"]);
    assert_eq!(count(&db, booking.user_id).await?, before + 1);
    assert!(titles(&db, booking.user_id).await?.is_empty());

    let now: Timestamp = "2025-06-01T10:30:00Z".parse()?;
    confirm(&db, &booking, admin(), 30, now).await?;
    handle(&db, reader.read_available().await?).await;
    let told = unread(&db, booking.user_id).await?;
    let sample = dynamo_model_examples::booking::notification()?;
    assert_eq!(told.len(), 1);
    let expected = Notification {
        created_at: told[0].created_at,
        expires_at: told[0].expires_at,
        ..sample
    };
    assert_eq!(told[0], expected);
    Ok(())
}

#[tokio::test]
async fn a_repeated_record_changes_nothing() -> Outcome {
    let db = studio().await?;
    let booking = booking()?;
    let before = count(&db, booking.user_id).await?;
    let client = streams(&db);
    create_booking(&db, &booking).await?;
    let stored = find_booking(&db, &booking.booking_id, booking.user_id).await?;
    cancel(&db, &stored).await?;

    let all = db.read_stream::<Bookings>(&client).read_available().await?;
    for _ in 0..3 {
        handle(&db, all.clone()).await;
        // One by one, as after a failure.
        for record in &all {
            handle(&db, vec![record.clone()]).await;
        }
    }
    assert_eq!(titles(&db, admin()).await?, ["新しい予約申請があります"]);
    assert_eq!(
        titles(&db, booking.user_id).await?,
        ["予約をキャンセルしました"]
    );
    assert_eq!(count(&db, booking.user_id).await?, before);
    Ok(())
}
