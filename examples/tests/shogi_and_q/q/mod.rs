//! Q.: a question a day.

mod answers;
mod items;
mod moderation;
mod ng_words;
mod questions;
mod relations;
mod timelines;
mod username_index;
mod users;
mod withdrawal;

use crate::simulator::{as_service, as_service_with, as_tester};
use crate::support::{Outcome, any_engine, assert_patterns, counting, embedded};
use dynamo_model::{Dynamo, Entity, Table};
use dynamo_model_examples::q::logic::{self, Admin, NgWordCache};
use dynamo_model_examples::q::{
    self, AdminLogs, Answer, AnswerText, Answers, AppId, Blocks, DailyQuestion, DailyQuestions,
    Email, Follow, Follows, NgWords, PushTokens, QError, Question, QuestionText, Questions,
    Reactions, Reports, Reservations, User, UserId, UserQuestionSubmissions, Username, Users,
    daily_question, deployed, fan_out,
};
use dynamo_model_tools::Policy;
use jiff::Timestamp;
use jiff::civil::Date;
use uuid::Builder;

/// The app's tables, and the question of the day, published at 21:00 in Japan.
async fn app() -> Outcome<Dynamo> {
    Ok(as_service("q", &tables().await?, "test-q-"))
}

async fn tables() -> Outcome<Dynamo> {
    let db = deployed(&embedded()?, "test");
    Users::create_table(&db).await?;
    Reservations::create_table(&db).await?;
    DailyQuestions::create_table(&db).await?;
    Questions::create_table(&db).await?;
    Answers::create_table(&db).await?;
    Follows::create_table(&db).await?;
    Blocks::create_table(&db).await?;
    Reactions::create_table(&db).await?;
    Reports::create_table(&db).await?;
    UserQuestionSubmissions::create_table(&db).await?;
    NgWords::create_table(&db).await?;
    PushTokens::create_table(&db).await?;
    AdminLogs::create_table(&db).await?;
    daily_question()?.create().send(&db).await?;
    Ok(db)
}

/// Returns the user of this name, which is in the id; version and variant of the UUID are between
/// its letters.
fn id(name: &str) -> UserId {
    let mut bytes = [0; 16];
    let places = (0..16).filter(|place| ![6, 8].contains(place));
    for (place, letter) in places.zip(name.bytes()) {
        bytes[place] = letter;
    }
    UserId(Builder::from_custom_bytes(bytes).into_uuid())
}

fn user(name: &str) -> User {
    User {
        user_id: id(name),
        app_id: AppId::new(name).unwrap(),
        username: Some(Username::new(name).unwrap()),
        email: Email::new(format!("{name}@example.com")).unwrap(),
        following_count: 0,
        follower_count: 0,
        ..q::user().unwrap()
    }
}

/// Posts an answer, with a scan of the forbidden words.
async fn post_answer(
    db: &Dynamo,
    user: &UserId,
    text: &str,
    now: Timestamp,
) -> Result<Answer, QError> {
    logic::post_answer(
        db,
        &NgWordCache::default(),
        user,
        AnswerText::new(text)?,
        now,
    )
    .await
}

/// Submits a question, with a scan of the forbidden words.
async fn submit_question(
    db: &Dynamo,
    user: &UserId,
    text: &str,
    now: Timestamp,
) -> Result<Question, QError> {
    logic::submit_question(
        db,
        &NgWordCache::default(),
        user,
        QuestionText::new(text)?,
        now,
    )
    .await
}

/// The app, and these users.
async fn app_with(names: &[&str]) -> Outcome<Dynamo> {
    let db = app().await?;
    for name in names {
        logic::register(&db, &user(name)).await?;
    }
    Ok(db)
}

/// Returns the app with the table of copied timelines, whose permissions the service then needs
/// too; and these users.
async fn app_with_fan_out(names: &[&str]) -> Outcome<Dynamo> {
    let db = tables().await?;
    fan_out::Timelines::create_table(&db).await?;
    let policy = fan_out::model().unwrap().policy(
        Policy::new()
            .account("ap-northeast-1", "123456789012")
            .table_prefix("dev-q-")
            .reads(["TimelineEntry"])
            .writes(["TimelineEntry"]),
    )?;
    let db = as_service_with("q", &db, "test-q-", &policy.document);
    for name in names {
        logic::register(&db, &user(name)).await?;
    }
    Ok(db)
}

/// Returns the app, these users and `boss`, who is an administrator.
async fn app_with_admin(names: &[&str]) -> Outcome<(Dynamo, Admin)> {
    let db = app_with(names).await?;
    let admin = boss(&db).await?;
    Ok((db, admin))
}

async fn boss(db: &Dynamo) -> Outcome<Admin> {
    User {
        is_admin: true,
        ..user("boss")
    }
    .create()
    .send(db)
    .await?;
    Ok(Admin {
        user_id: id("boss"),
        email: Some(Email::new("boss@example.com")?),
        ip_address: Some("192.0.2.1".into()),
    })
}

/// When the question came out.
fn now() -> Timestamp {
    "2026-02-05T12:00:00Z".parse().unwrap()
}

fn minutes_later(minutes: i64) -> Timestamp {
    now() + jiff::SignedDuration::from_mins(minutes)
}

fn today() -> Date {
    daily_question().unwrap().date
}

/// How many values are reserved.
async fn reserved(db: &Dynamo) -> Outcome<i32> {
    let scan = db.client().scan().table_name("test-q-Reservations");
    Ok(as_tester(scan.send()).await?.count)
}

/// How many a user follows, and is followed by.
async fn counts(db: &Dynamo, user: &UserId) -> Outcome<(u64, u64)> {
    let user = User::get(user).consistent().send(db).await?.unwrap();
    Ok((user.following_count, user.follower_count))
}

/// Asserts that the counters of a user equal the table of follows.
async fn assert_counts(db: &Dynamo, user: &UserId) -> Outcome {
    let following = Follow::query(user).count(db).await?;
    let followers = Follow::followers(user).count(db).await?;
    assert_eq!(
        counts(db, user).await?,
        (following as u64, followers as u64),
        "{user:?}"
    );
    Ok(())
}

macro_rules! assert_refused {
    ($call:expr, $why:pat) => {{
        let refused = $call.await.map(drop);
        assert!(matches!(refused, Err($why)), "{refused:?}");
    }};
}
use assert_refused;

#[tokio::test]
async fn every_pattern_has_its_expected_result() -> Outcome {
    let (db, environment) = any_engine()?;
    let db = deployed(&db, &environment);
    let mut counts = Vec::new();
    q::load(&db, &mut counting(&mut counts)).await?;
    assert!(counts.is_sorted());
    assert!(*counts.last().unwrap() > 1_500, "{counts:?}");
    let patterns = q::patterns();
    assert!(patterns.len() >= 45, "{}", patterns.len());
    assert_patterns(&db, &patterns).await;
    Ok(())
}

/// "9. Naming": `{environment}-{app}-{table}`.
#[tokio::test]
async fn tables_are_named_after_their_environment() -> Outcome {
    let db = tables().await?;
    let tables = db.client().list_tables().send().await?;
    assert_eq!(tables.table_names().len(), 13);
    assert!(tables.table_names().contains(&"test-q-Users".into()));
    assert!(
        tables
            .table_names()
            .iter()
            .all(|name| name.starts_with("test-q-"))
    );
    Ok(())
}

/// All nineteen of the document's list.
#[test]
fn no_pattern_is_missing() {
    let patterns = q::patterns();
    for number in 1..=19 {
        let number = number.to_string();
        assert!(
            patterns.iter().any(|pattern| pattern.number == number),
            "{number}"
        );
    }
}

/// The day changes in Japan nine hours before it does in UTC.
#[test]
fn days_are_in_japanese_time() {
    let day = |time: &str| logic::day_in_japan(time.parse().unwrap()).to_string();
    assert_eq!(day("2026-02-05T14:59:59Z"), "2026-02-05");
    assert_eq!(day("2026-02-05T15:00:00Z"), "2026-02-06");
}

async fn unpublish(db: &Dynamo) -> Outcome {
    let update = DailyQuestion::update(today()).remove(|question| question.published_at());
    Ok(update.send(db).await?)
}
