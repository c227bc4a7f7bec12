//! Submissions, their review, the question of the day.

use super::{app_with_admin, assert_refused, id, minutes_later, now, submit_question, today};
use crate::simulator::as_tester;
use crate::support::{Outcome, at_once, successes};
use dynamo_model::Value;
use dynamo_model_examples::q::logic::{
    archive_question, ban_user, create_question, publish, random_approved_question,
    release_used_questions, review_submission, schedule, set_daily_question,
};
use dynamo_model_examples::q::{
    AdminAction, AdminLog, DailyQuestion, PublishTime, QError, Question, QuestionId,
    QuestionStatus, QuestionText, QuestionType, UserQuestionSubmission,
};

fn question(text: &str) -> QuestionText {
    QuestionText::new(text).unwrap()
}

fn at(time: &str) -> PublishTime {
    PublishTime::new(time).unwrap()
}

#[tokio::test]
async fn a_user_submits_one_question_a_day() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    let hanako = id("hanako");
    let submitted = submit_question(&db, &hanako, "好きな駅は？", now()).await?;
    assert_eq!(
        (submitted.question_type, submitted.status),
        (QuestionType::User, QuestionStatus::Pending)
    );
    assert_refused!(
        submit_question(&db, &hanako, "好きな色は？", now()),
        QError::AlreadySubmitted
    );
    // The refused one created no question.
    assert_eq!(as_tester(Question::scan().count(&db)).await?, 1);
    let stored = UserQuestionSubmission::get(today(), hanako)
        .send(&db)
        .await?
        .unwrap();
    assert_eq!(stored.question_id, submitted.question_id);
    // Midnight in Japan.
    submit_question(&db, &hanako, "好きな色は？", minutes_later(3 * 60)).await?;
    let long = "あ".repeat(81);
    assert_refused!(
        submit_question(&db, &id("taro"), &long, now()),
        QError::Invalid { .. }
    );
    assert_refused!(
        submit_question(&db, &id("nobody"), "はい？", now()),
        QError::NoSuchUser
    );
    ban_user(&db, &boss, &id("taro"), now()).await?;
    assert_refused!(
        submit_question(&db, &id("taro"), "はい？", now()),
        QError::Banned
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_fifty_simultaneous_submissions_is_accepted() -> Outcome {
    let (db, _) = app_with_admin(&["hanako"]).await?;
    let outcomes = at_once(50, |n| {
        let db = db.clone();
        async move { submit_question(&db, &id("hanako"), &format!("{n}？"), now()).await }
    })
    .await;
    assert_eq!(successes(&outcomes), 1);
    assert_eq!(
        Question::by_status(QuestionStatus::Pending)
            .count(&db)
            .await?,
        1
    );
    Ok(())
}

#[tokio::test]
async fn a_review_approves_or_rejects_a_question() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    let one = submit_question(&db, &id("hanako"), "好きな駅は？", now())
        .await?
        .question_id;
    let other = submit_question(&db, &id("taro"), "好きな色は？", now())
        .await?
        .question_id;
    review_submission(&db, &boss, &one, true, now()).await?;
    review_submission(&db, &boss, &other, false, now()).await?;
    let approved = Question::by_status(QuestionStatus::Approved)
        .one(&db)
        .await?;
    assert_eq!(approved.question_id, one);
    let rejected = Question::by_status(QuestionStatus::Rejected)
        .one(&db)
        .await?;
    assert_eq!(rejected.question_id, other);
    assert_eq!(
        Question::by_status(QuestionStatus::Pending)
            .count(&db)
            .await?,
        0
    );
    assert_refused!(
        review_submission(&db, &boss, &one, false, now()),
        QError::NoSuchQuestion
    );
    let missing = QuestionId::random();
    assert_refused!(
        review_submission(&db, &boss, &missing, true, now()),
        QError::NoSuchQuestion
    );
    // Both reviews are logged, and those that were refused are not.
    let logs = AdminLog::by_action(AdminAction::ReviewSubmission)
        .all(&db)
        .await?;
    let details: Vec<_> = logs.iter().map(|log| &log.details["approved"]).collect();
    assert_eq!(details.len(), 2);
    assert!(details.contains(&&Value::Bool(true)) && details.contains(&&Value::Bool(false)));
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_simultaneous_reviews_counts() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako"]).await?;
    let question = submit_question(&db, &id("hanako"), "好きな駅は？", now())
        .await?
        .question_id;
    let outcomes = at_once(10, |n| {
        let (db, boss, question) = (db.clone(), boss.clone(), question);
        async move { review_submission(&db, &boss, &question, n % 2 == 0, now()).await }
    })
    .await;
    assert_eq!(successes(&outcomes), 1);
    assert_eq!(AdminLog::query().count(&db).await?, 1);
    Ok(())
}

#[tokio::test]
async fn the_question_of_tomorrow_is_chosen_once() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako"]).await?;
    let tomorrow = today().tomorrow()?;
    let question = create_question(&db, &boss, question("好きな駅は？"), now()).await?;
    let id = &question.question_id;
    assert_refused!(
        set_daily_question(&db, &boss, (today(), at("21:00")), id, now()),
        QError::DayTaken
    );
    set_daily_question(&db, &boss, (tomorrow, at("21:00")), id, now()).await?;
    let daily = DailyQuestion::get(tomorrow).send(&db).await?.unwrap();
    assert_eq!(
        (daily.question_text.as_str(), daily.published_at),
        ("好きな駅は？", None)
    );
    let used = Question::by_last_use(QuestionStatus::Used).one(&db).await?;
    assert_eq!((&used.question_id, used.last_used_at), (id, Some(now())));
    // Used, it is not for the day after.
    let later = tomorrow.tomorrow()?;
    assert_refused!(
        set_daily_question(&db, &boss, (later, at("21:00")), id, now()),
        QError::NoSuchQuestion
    );
    publish(&db, tomorrow, minutes_later(24 * 60)).await?;
    assert_refused!(
        publish(&db, tomorrow, minutes_later(24 * 60)),
        QError::NoSuchQuestion
    );
    assert_refused!(publish(&db, later, now()), QError::NoSuchQuestion);
    Ok(())
}

#[tokio::test]
async fn the_midnight_job_schedules_a_question() -> Outcome {
    let (db, boss) = app_with_admin(&[]).await?;
    let days = [today().tomorrow()?, today().tomorrow()?.tomorrow()?];
    let own = create_question(&db, &boss, question("好きな駅は？"), now()).await?;
    let schedule = async |day| {
        schedule(
            &db,
            (day, at("21:00")),
            question("今日の気分は？"),
            7,
            now(),
        )
        .await
    };
    assert_refused!(schedule(today()), QError::DayTaken);
    let first = schedule(days[0]).await?;
    assert_eq!(
        (&first.question_id, first.is_fallback),
        (&own.question_id, false)
    );
    // None is left for the day after.
    let second = schedule(days[1]).await?;
    assert_eq!(
        (second.question_text.as_str(), second.is_fallback),
        ("今日の気分は？", true)
    );
    assert_eq!(DailyQuestion::get(days[1]).send(&db).await?, Some(second));
    let used = Question::get(own.question_id).send(&db).await?.unwrap();
    assert_eq!(used.status, QuestionStatus::Used);
    Ok(())
}

#[tokio::test]
async fn a_question_rests_for_thirty_days() -> Outcome {
    let (db, boss) = app_with_admin(&[]).await?;
    let tomorrow = today().tomorrow()?;
    assert_refused!(random_approved_question(&db, 0), QError::NoSuchQuestion);
    let question = create_question(&db, &boss, question("好きな駅は？"), now()).await?;
    // An unused question is not in GSI2_Approved, but is found.
    assert_eq!(
        Question::by_last_use(QuestionStatus::Approved)
            .count(&db)
            .await?,
        0
    );
    assert_eq!(
        random_approved_question(&db, 5).await?.question_id,
        question.question_id
    );
    set_daily_question(
        &db,
        &boss,
        (tomorrow, at("21:00")),
        &question.question_id,
        now(),
    )
    .await?;
    assert_refused!(random_approved_question(&db, 5), QError::NoSuchQuestion);
    let days = |days: i64| minutes_later(days * 24 * 60);
    assert_eq!(
        release_used_questions(&db, days(30) - jiff::SignedDuration::from_secs(1)).await?,
        0
    );
    assert_eq!(release_used_questions(&db, days(30)).await?, 1);
    assert_eq!(release_used_questions(&db, days(30)).await?, 0);
    assert_eq!(
        Question::by_last_use(QuestionStatus::Approved)
            .count(&db)
            .await?,
        1
    );
    assert_eq!(
        random_approved_question(&db, 5).await?.last_used_at,
        Some(now())
    );
    Ok(())
}

#[tokio::test]
async fn every_approved_question_can_be_chosen() -> Outcome {
    let (db, boss) = app_with_admin(&[]).await?;
    for n in 0..3 {
        create_question(&db, &boss, question(&format!("{n}？")), minutes_later(n)).await?;
    }
    let mut found = Vec::new();
    for random in 0..3 {
        found.push(random_approved_question(&db, random).await?.text);
    }
    found.sort();
    assert_eq!(found, ["0？", "1？", "2？"].map(question));
    Ok(())
}

/// "アーカイブ（運営お題の無効化等）": an archived question is not used any more.
#[tokio::test]
async fn an_archived_question_is_never_chosen() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako"]).await?;
    let own = create_question(&db, &boss, question("好きな駅は？"), now()).await?;
    let submitted = submit_question(&db, &id("hanako"), "好きな色は？", now()).await?;
    for id in [&own.question_id, &submitted.question_id] {
        archive_question(&db, &boss, id, now()).await?;
        let again = archive_question(&db, &boss, id, now());
        assert_refused!(again, QError::NoSuchQuestion);
    }
    assert_refused!(random_approved_question(&db, 0), QError::NoSuchQuestion);
    let review = review_submission(&db, &boss, &submitted.question_id, true, now());
    assert_refused!(review, QError::NoSuchQuestion);
    let tomorrow = (today().tomorrow()?, at("21:00"));
    let ask = set_daily_question(&db, &boss, tomorrow, &own.question_id, now());
    assert_refused!(ask, QError::NoSuchQuestion);
    let archived = Question::by_status(QuestionStatus::Archived)
        .count(&db)
        .await?;
    assert_eq!(archived, 2);
    let logs = AdminLog::by_action(AdminAction::ArchiveQuestion)
        .all(&db)
        .await?;
    let before: Vec<_> = logs.iter().map(|log| &log.details["before"]).collect();
    assert_eq!(before.len(), 2);
    assert!(
        before.contains(&&Value::from("approved")) && before.contains(&&Value::from("pending"))
    );
    Ok(())
}
