//! The studio's functions on its streams: records that the tables wrote, handled with the rights of
//! the service's role.

use crate::support::{Outcome, as_service, at, at_once, database, endpoint};
use dynamo_model::stream::{HasStream, StreamEvent, StreamRecord};
use dynamo_model::{Dynamo, Entity, Table};
use dynamo_model_examples::Failure;
use dynamo_model_examples::booking::{
    Booking, BookingStatus, BookingType, Bookings, Calendar, Channel, Message, Messenger,
    Notification, Notifications, UnreadCount, User, UserId, Users, approve, booking, cancel,
    confirm, count_unread, count_usage, create_booking, find_booking, mark_read, notification,
    on_bookings, on_notifications, on_users, unread, unread_count, user,
};
use jiff::Timestamp;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Duration;
use uuid::Uuid;

const DAY: Duration = Duration::from_secs(24 * 3600);

/// A mail service that remembers ids, and that may fail for a while.
#[derive(Default)]
struct Outbox {
    sent: Mutex<BTreeMap<String, Message>>,
    failures: Mutex<u32>,
}

impl Outbox {
    fn sent(&self) -> Vec<Message> {
        self.sent.lock().unwrap().values().cloned().collect()
    }
}

impl Messenger for Outbox {
    async fn send(&self, message: Message) -> Result<(), Failure> {
        let mut failures = self.failures.lock().unwrap();
        if *failures > 0 {
            *failures -= 1;
            return Err("the mail service is down".into());
        }
        let mut sent = self.sent.lock().unwrap();
        sent.insert(message.id.clone(), message);
        Ok(())
    }
}

/// The tables, and the same with the rights of the service.
async fn studio() -> Outcome<(Dynamo, Dynamo)> {
    let engine = database()?;
    Users::create_table(&engine).await?;
    Bookings::create_table(&engine).await?;
    Calendar::create_table(&engine).await?;
    Notifications::create_table(&engine).await?;
    let service = as_service("booking", engine.clone());
    Ok((engine, service))
}

/// Returns all records of a table's stream.
async fn records<T: HasStream>(engine: &Dynamo) -> Outcome<Vec<StreamRecord>> {
    let client = match (engine.embedded_streams(), endpoint()) {
        (Some(client), _) => client,
        (None, url) => Dynamo::endpoint_streams(url.unwrap()),
    };
    Ok(engine.read_stream::<T>(&client).read_available().await?)
}

fn admin() -> UserId {
    UserId(Uuid::from_u128(1))
}

async fn titles(db: &Dynamo, user_id: UserId) -> Outcome<Vec<String>> {
    let unread = unread(db, user_id).await?.into_iter();
    Ok(unread.map(|notification| notification.title).collect())
}

#[tokio::test]
async fn a_new_user_gets_a_welcome_mail() -> Outcome {
    let (engine, db) = studio().await?;
    let outbox = Outbox::default();
    user()?.create().send(&db).await?;
    let all = records::<Users>(&engine).await?;
    // A record can be repeated.
    for _ in 0..3 {
        let failures = on_users(&db, &outbox, StreamEvent::from(all.clone())).await;
        assert!(failures.is_empty(), "{failures:?}");
    }
    let sent = outbox.sent();
    assert_eq!(sent.len(), 1, "{sent:?}");
    assert_eq!(sent[0].channel, Channel::Mail("user@example.com".into()));
    assert_eq!(sent[0].content, "山田太郎様、ご登録ありがとうございます。");
    assert!(unread(&db, user()?.user_id).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_changed_profile_notifies_the_old_address() -> Outcome {
    let (engine, db) = studio().await?;
    let outbox = Outbox::default();
    let user = user()?;
    user.create().send(&db).await?;
    // Counting bookings changes no profile.
    count_usage(&db, &booking()?, false).await?;
    User::update(user.user_id)
        .set(|user| user.email(), "thief@example.com")
        .set(|user| user.hashed_password(), "another-hash")
        .send(&db)
        .await?;
    let all = records::<Users>(&engine).await?;
    for _ in 0..2 {
        let failures = on_users(&db, &outbox, StreamEvent::from(all.clone())).await;
        assert!(failures.is_empty(), "{failures:?}");
    }
    let sent = outbox.sent();
    let notice: Vec<_> = sent
        .iter()
        .filter(|it| it.title == "プロフィールが変更されました")
        .collect();
    assert_eq!((sent.len(), notice.len()), (2, 1), "{sent:?}");
    assert_eq!(notice[0].channel, Channel::Mail("user@example.com".into()));
    assert!(
        notice[0].content.contains("メールアドレス、パスワード。"),
        "{}",
        notice[0].content
    );
    assert!(!format!("{sent:?}").contains("another-hash"));
    let told = unread(&db, user.user_id).await?;
    assert_eq!(told.len(), 1);
    assert_eq!(told[0].notification_type, "security");
    assert!(told[0].expires_at.is_some());
    Ok(())
}

#[tokio::test]
async fn an_unsent_mail_is_delivered_again() -> Outcome {
    let (engine, db) = studio().await?;
    let outbox = Outbox::default();
    user()?.create().send(&db).await?;
    let second = User {
        user_id: admin(),
        email: "admin@example.com".into(),
        ..user()?
    };
    second.create().send(&db).await?;
    let all = records::<Users>(&engine).await?;
    *outbox.failures.lock().unwrap() = 1;
    let failures = on_users(&db, &outbox, StreamEvent::from(all.clone())).await;
    let expected = format!(r#"[{{"itemIdentifier":"{}"}}]"#, all[0].sequence_number);
    let found = serde_json::to_value(&failures)?;
    assert_eq!(found["batchItemFailures"].to_string(), expected);
    assert!(outbox.sent().is_empty());

    let failures = on_users(&db, &outbox, StreamEvent::from(all)).await;
    assert!(failures.is_empty(), "{failures:?}");
    assert_eq!(outbox.sent().len(), 2);
    Ok(())
}

#[tokio::test]
async fn unread_notifications_are_counted() -> Outcome {
    let (engine, db) = studio().await?;
    let outbox = Outbox::default();
    let user_id = user()?.user_id;
    let expired: Timestamp = Timestamp::now() - jiff::SignedDuration::from_hours(48);
    let long_ago = db.clone().with_clock(move || expired.into());
    for content in ["first", "second", "third"] {
        let told = Notification {
            content: content.into(),
            ..notification()?
        };
        let clock = if content == "third" { &long_ago } else { &db };
        dynamo_model_examples::booking::notify(clock, told, DAY).await?;
    }
    assert_eq!(unread_count(&db, user_id).await?, 0);
    let handle = async || -> Outcome<u32> {
        let event = StreamEvent::from(records::<Notifications>(&engine).await?);
        let failures = on_notifications(&db, &outbox, event).await;
        assert!(failures.is_empty(), "{failures:?}");
        Ok(unread_count(&db, user_id).await?)
    };
    assert_eq!(handle().await?, 3);
    // Each is pushed once, even if its record is repeated.
    assert_eq!(handle().await?, 3);
    let pushed = outbox.sent();
    assert_eq!(pushed.len(), 3);
    assert!(pushed.iter().all(|it| it.channel == Channel::Push(user_id)));

    let found = unread(&db, user_id).await?;
    mark_read(&db, &found[0], at("2025-06-02T00:00:00Z")).await?;
    assert_eq!(handle().await?, 2);
    found[1].delete().send(&db).await?;
    assert_eq!(handle().await?, 1);
    assert_eq!(outbox.sent().len(), 3);
    let count = UnreadCount::get(user_id).send(&db).await?.unwrap();
    assert_eq!(count.unread, 1);
    Ok(())
}

/// TTL deletes unread notifications; only the embedded engine does so on demand.
#[tokio::test]
async fn an_expired_notification_is_not_unread() -> Outcome {
    if endpoint().is_some() {
        eprintln!("skipped: only the embedded engine deletes expired items at once");
        return Ok(());
    }
    let (engine, db) = studio().await?;
    let outbox = Outbox::default();
    let old = Timestamp::now() - jiff::SignedDuration::from_hours(48);
    let long_ago = db.clone().with_clock(move || old.into());
    dynamo_model_examples::booking::notify(&long_ago, notification()?, DAY).await?;
    assert_eq!(count_unread(&db, user()?.user_id).await?, 1);
    assert_eq!(engine.sweep_expired().await?, 1);
    let event = StreamEvent::from(records::<Notifications>(&engine).await?);
    assert!(on_notifications(&db, &outbox, event).await.is_empty());
    assert_eq!(unread_count(&db, user()?.user_id).await?, 0);
    Ok(())
}

/// The last count includes all notifications.
#[tokio::test(flavor = "multi_thread")]
async fn concurrent_functions_count_correctly() -> Outcome {
    let (_, db) = studio().await?;
    let user_id = user()?.user_id;
    let results = at_once(12, |number| {
        let db = db.clone();
        async move {
            let told = Notification {
                content: format!("{number}"),
                ..notification().unwrap()
            };
            dynamo_model_examples::booking::notify(&db, told, DAY).await?;
            count_unread(&db, user_id).await
        }
    });
    for result in results.await {
        result.unwrap();
    }
    assert_eq!(unread_count(&db, user_id).await?, 12);
    Ok(())
}

/// A real booking, a temporary one, and one that lapses: the notifications of the administrator and
/// the user, and the counts.
#[tokio::test]
async fn every_state_of_a_booking_is_notified_once() -> Outcome {
    let (engine, db) = studio().await?;
    user()?.create().send(&db).await?;
    let real = Booking {
        booking_type: BookingType::Confirmed,
        confirmation_deadline: None,
        ..booking()?
    };
    let temporary = Booking {
        booking_id: dynamo_model_examples::booking::BookingId("temporary".into()),
        start_time: at("2025-06-16T13:00:00Z"),
        end_time: at("2025-06-16T17:00:00Z"),
        ..booking()?
    };
    let read = async |of: &Booking| find_booking(&db, &of.booking_id, of.user_id).await;
    let now = at("2025-06-05T00:00:00Z");
    create_booking(&db, &real).await?;
    create_booking(&db, &temporary).await?;
    approve(&db, &read(&real).await?, admin(), now).await?;
    approve(&db, &read(&temporary).await?, admin(), now).await?;
    confirm(&db, &read(&temporary).await?, admin(), 30, now).await?;
    cancel(&db, &read(&real).await?).await?;

    let all = records::<Bookings>(&engine).await?;
    for _ in 0..2 {
        let failures = on_bookings(&db, admin(), StreamEvent::from(all.clone())).await;
        assert!(failures.is_empty(), "{failures:?}");
    }
    assert_eq!(titles(&db, admin()).await?, ["新しい予約申請があります"; 2]);
    let mut told = titles(&db, user()?.user_id).await?;
    told.sort_unstable();
    assert_eq!(
        told,
        [
            "予約が確定しました",
            "予約をキャンセルしました",
            "予約申請を承認しました",
            "予約申請を承認しました",
        ]
    );
    // Two new ones, one taken back.
    let counted = User::get(user()?.user_id).send(&db).await?.unwrap();
    assert_eq!(counted.booking_count, user()?.booking_count + 1);
    let pending = Booking::by_status(BookingStatus::Pending);
    assert_eq!(pending.count(&db).await?, 0);
    Ok(())
}
