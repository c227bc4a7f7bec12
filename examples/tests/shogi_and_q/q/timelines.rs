//! The timeline by fan-out on write: the same answers, another price.

use super::{app_with_fan_out, id, minutes_later, now, post_answer, tables, today, user};
use crate::support::Outcome;
use dynamo_model::{Dynamo, Table};
use dynamo_model_examples::Recorder;
use dynamo_model_examples::q::fan_out::{self, Timelines, refresh, spread};
use dynamo_model_examples::q::logic::{
    block, delete_answer, edit_profile, follow, register, restore_answer, timeline, unblock,
    unfollow,
};
use dynamo_model_examples::q::{Answer, Follow, User, UserId, VisibilityType};
use dynamo_model_tools::Capacity;

const NAMES: [&str; 5] = ["hanako", "taro", "jiro", "saburo", "shiro"];

/// Asserts that both variants show the same to all users; returns the number of answers.
async fn assert_same(db: &Dynamo, step: &str) -> Outcome<usize> {
    let mut seen = 0;
    for name in NAMES {
        let me = id(name);
        let by_steps = timeline(db, &me, today()).await?;
        assert_eq!(
            fan_out::timeline(db, &me, today()).await?,
            by_steps,
            "{name}, {step}"
        );
        seen += by_steps.len();
    }
    Ok(seen)
}

async fn refresh_both(db: &Dynamo, one: &UserId, other: &UserId) -> Outcome {
    refresh(db, one, other, today()).await?;
    Ok(refresh(db, other, one, today()).await?)
}

/// Five users, all pairs: they follow, answer, unfollow, block, and change their visibility, in an
/// order that depends only on the step.
#[tokio::test]
async fn both_timelines_show_the_same_answers() -> Outcome {
    let db = app_with_fan_out(&NAMES).await?;
    for (n, name) in NAMES.into_iter().enumerate() {
        // Three are on time, two are late.
        post_answer(&db, &id(name), name, minutes_later(n as i64 * 11)).await?;
        spread(&db, &id(name), today()).await?;
    }
    let mut seen = 0;
    for step in 0..60 {
        let random = step * 37 % 61;
        let one = id(NAMES[random % 5]);
        let other = id(NAMES[(random + 1 + random / 5 % 4) % 5]);
        // A refused action changes nothing.
        let done = match random % 9 {
            0..=3 => follow(&db, &one, &other, now()).await.is_ok(),
            4 => unfollow(&db, &one, &other).await.is_ok(),
            5 => block(&db, &one, &other, now()).await.is_ok(),
            6 => unblock(&db, &one, &other).await.is_ok(),
            7 => delete_answer(&db, today(), &one, now()).await.is_ok(),
            _ => restore_answer(&db, today(), &one).await.is_ok(),
        };
        match random % 9 {
            0..=6 => refresh_both(&db, &one, &other).await?,
            _ => spread(&db, &one, today()).await?,
        }
        if step % 6 == 5 {
            let visible = [VisibilityType::Mutual, VisibilityType::Followers][step / 6 % 2];
            edit_profile(&db, &other, None, None, visible).await?;
            spread(&db, &other, today()).await?;
        }
        seen += assert_same(&db, &format!("step {step}, {random}, {done}")).await?;
    }
    assert!(seen > 20, "{seen}");
    Ok(())
}

/// hanako follows so many users, half of whom show their answers to followers only.
async fn follow_authors(db: &Dynamo, followed: usize) -> Outcome {
    register(db, &user("hanako")).await?;
    for n in 0..followed {
        let author = format!("author{n}");
        let visibility_type = [VisibilityType::Mutual, VisibilityType::Followers][n % 2];
        let user = User {
            visibility_type,
            ..user(&author)
        };
        register(db, &user).await?;
        follow(db, &id("hanako"), &id(&author), now()).await?;
        follow(db, &id(&author), &id("hanako"), now()).await?;
        post_answer(db, &id(&author), "はい", now()).await?;
        spread(db, &id(&author), today()).await?;
    }
    Ok(())
}

/// Units of a day, as the model computes them: read, written.
fn units(capacity: &Capacity) -> Outcome<(f64, f64)> {
    let report = fan_out::model().unwrap().capacity(capacity)?;
    let of_day = report.patterns.iter().map(|pattern| {
        let runs = pattern.per_second.unwrap_or_default() * 86_400.0;
        (pattern.read_units * runs, pattern.write_units * runs)
    });
    let (read, written) = of_day.fold((0.0, 0.0), |all, of| (all.0 + of.0, all.1 + of.1));
    Ok((round(read), round(written)))
}

fn round(units: f64) -> f64 {
    (units * 10.0).round() / 10.0
}

/// Returns dollars a month for a million users who each answer once a day.
fn month(capacity: &Capacity) -> Outcome<f64> {
    let report = fan_out::model().unwrap().capacity(capacity)?;
    Ok((report.month() * 1e6).round())
}

/// The figures of the README: eighty followed, on demand in us-east-1. Fan-out pays for each
/// follower once, and reading for each followed user at every look: from the fourth look a day on,
/// fan-out costs less.
#[test]
fn fan_out_costs_less_from_the_fourth_view_a_day() -> Outcome {
    assert_eq!(units(&fan_out::read_time(80, 1.0))?, (122.5, 0.0));
    assert_eq!(units(&fan_out::fan_out(80, 1.0))?, (8.5, 80.0));
    let mut cheaper = Vec::new();
    for views in 1..=10 {
        let views = f64::from(views);
        let read_time = month(&fan_out::read_time(80, views))?;
        cheaper.push(month(&fan_out::fan_out(80, views))? < read_time);
    }
    assert_eq!(cheaper.iter().position(|it| *it), Some(3));
    assert!(cheaper[3..].iter().all(|it| *it));
    assert_eq!(month(&fan_out::read_time(80, 1.0))?, 466.0);
    assert_eq!(month(&fan_out::fan_out(80, 1.0))?, 1_553.0);
    assert_eq!(month(&fan_out::read_time(80, 10.0))?, 4_658.0);
    assert_eq!(month(&fan_out::fan_out(80, 10.0))?, 1_673.0);
    Ok(())
}

/// The model's figures equal the engine's.
#[tokio::test]
async fn the_engine_consumes_the_computed_capacity() -> Outcome {
    const FOLLOWED: usize = 40;
    let db = app_with_fan_out(&[]).await?;
    follow_authors(&db, FOLLOWED).await?;
    let recorder = Recorder::default();
    let recorded = recorder.record(&db).with_table_prefix("test-q-");
    let hanako = id("hanako");

    let by_steps = timeline(&recorded, &hanako, today()).await?;
    let (sent, consumed) = recorder.take();
    assert_eq!((by_steps.len(), sent.len()), (FOLLOWED, 6));
    let (read, _) = units(&fan_out::read_time(FOLLOWED, 1.0))?;
    assert!((consumed - read).abs() <= 1.0, "{consumed} and {read}");

    let copied = fan_out::timeline(&recorded, &hanako, today()).await?;
    let (sent, consumed) = recorder.take();
    assert_eq!((copied, sent.len()), (by_steps, 1));
    assert!(consumed < 3.0, "{consumed}");
    Ok(())
}

/// An entry expires by its TTL, and the answer stays.
#[tokio::test]
async fn entries_expire_after_two_days() -> Outcome {
    let db = tables().await?;
    Timelines::create_table(&db).await?;
    follow_authors(&db, 1).await?;
    let later = || std::time::SystemTime::now() + std::time::Duration::from_secs(3 * 86_400);
    assert_eq!(db.clone().with_clock(later).sweep_expired().await?, 1);
    assert!(
        fan_out::timeline(&db, &id("hanako"), today())
            .await?
            .is_empty()
    );
    assert_eq!(Answer::query(today()).count(&db).await?, 1);
    assert_eq!(Follow::query(id("hanako")).count(&db).await?, 1);
    Ok(())
}
