//! The writes of the exam document: its optimistic lock, and an answer with its analytics in one
//! transaction.

use crate::support::{self, Db, Outcome, assert_keys_as_put, put_json, raw};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Transaction};
use dynamo_model_examples::exam::{
    AnswerHistory, ExamStudyApp, ExamType, Question, QuestionId, User, WeakAreaAnalytics,
    answer_history, question, user, weak_area_analytics,
};
use serde_json::json;

/// "1. Transaction": the answer, and the update of the user's weak areas.
async fn answer(db: &Dynamo, answer: &AnswerHistory, category: &str) -> Result<(), Error> {
    let analytics = WeakAreaAnalytics::update(&answer.user_id, answer.exam_type, category)
        .add(|area| area.total_answers(), 1_u32)
        .add(|area| area.correct_answers(), u32::from(answer.is_correct));
    Transaction::new()
        .add(answer.create())
        .add(analytics)
        .send(db)
        .await
}

async fn app() -> Outcome<Db> {
    let db = support::db::<ExamStudyApp>().await;
    weak_area_analytics()?.create().send(&db).await?;
    Ok(db)
}

async fn totals(db: &Db) -> Outcome<(u32, u32)> {
    let area = WeakAreaAnalytics::get("u1", ExamType::Fe, "network");
    let area = area.consistent().send(db).await?.unwrap();
    Ok((area.total_answers, area.correct_answers))
}

#[tokio::test]
async fn an_answer_updates_the_analytics() -> Outcome {
    let db = app().await?;
    let right = answer_history()?;
    answer(&db, &right, "network").await?;
    assert_eq!(totals(&db).await?, (9, 3));
    let wrong = AnswerHistory {
        is_correct: false,
        question_id: QuestionId("FE-2023-02".into()),
        ..right.clone()
    };
    answer(&db, &wrong, "network").await?;
    assert_eq!(totals(&db).await?, (10, 3));
    assert_eq!(AnswerHistory::query("u1").all(&db).await?, [right, wrong]);
    let key = WeakAreaAnalytics::key("u1", ExamType::Fe, "network");
    assert_keys_as_put(&db, key).await
}

#[tokio::test]
async fn an_answer_given_twice_counts_once() -> Outcome {
    let db = app().await?;
    answer(&db, &answer_history()?, "network").await?;
    let error = answer(&db, &answer_history()?, "network")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::AlreadyExists);
    assert_eq!(error.entity(), "AnswerHistory");
    assert_eq!(
        error.key_text(),
        Some("USER#u1/ANSWER#2025-06-01T10:00:00Z#FE-2023-01")
    );
    assert_eq!(error.item::<AnswerHistory>()?, Some(answer_history()?));
    assert_eq!(totals(&db).await?, (9, 3));
    Ok(())
}

#[tokio::test]
async fn an_answer_without_analytics_is_not_stored() -> Outcome {
    let db = app().await?;
    let error = answer(&db, &answer_history()?, "security")
        .await
        .unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::NotFound);
    assert_eq!(error.entity(), "WeakAreaAnalytics");
    assert_eq!(error.key_text(), Some("USER#u1/ANALYTICS#FE#security"));
    assert_eq!(AnswerHistory::query("u1").count(&db).await?, 0);
    Ok(())
}

#[tokio::test]
async fn many_answers_at_once_are_all_counted() -> Outcome {
    if support::skip("writes at the same time") {
        return Ok(());
    }
    let db = app().await?;
    let answers: Vec<_> = (0..30)
        .map(|i| {
            let db = db.clone();
            let given = AnswerHistory {
                question_id: QuestionId(format!("FE-2023-{i:02}")),
                is_correct: i % 3 == 0,
                ..answer_history().unwrap()
            };
            tokio::spawn(async move { answer(&db, &given, "network").await.unwrap() })
        })
        .collect();
    for answer in answers {
        answer.await?;
    }
    assert_eq!(totals(&db).await?, (38, 12));
    assert_eq!(AnswerHistory::query("u1").count(&db).await?, 30);
    Ok(())
}

/// "2. Optimistic Locking": `version = :oldVersion`, and `version = :newVersion`.
#[tokio::test]
async fn a_name_change_checks_the_version() -> Outcome {
    let db = app().await?;
    let new = User {
        version: 0,
        ..user()?
    };
    new.create().send(&db).await?;
    let ours = User::get("u1").send(&db).await?.unwrap();
    let theirs = ours.clone();
    assert_eq!(ours.version, 1);
    let now = ours
        .update()
        .set(|user| user.display_name(), "次郎")
        .return_new()
        .send(&db)
        .await?;
    assert_eq!((now.shown_name(), now.version), ("次郎", 2));
    let late = theirs
        .update()
        .set(|user| user.display_name(), "三郎")
        .send(&db)
        .await;
    let error = late.unwrap_err();
    let attribute = "version".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Conflict { attribute });
    assert_eq!(error.item::<User>()?, Some(now));
    Ok(())
}

/// "1. User" has no version: such items begin at 0, and are checked as well.
#[tokio::test]
async fn a_user_without_a_version_can_be_changed() -> Outcome {
    let db = app().await?;
    let item = json!({
        "PK": "USER#old", "SK": "PROFILE", "EntityType": "USER", "userId": "old",
        "email": "old@example.com", "name": "鈴木",
        "createdAt": "2024-01-01T00:00:00Z", "updatedAt": "2024-01-01T00:00:00Z",
    });
    put_json::<ExamStudyApp>(&db, item).await?;
    let old = User::get("old").send(&db).await?.unwrap();
    old.update()
        .set(|user| user.display_name(), "鈴木")
        .send(&db)
        .await?;
    let late = old
        .update()
        .set(|user| user.display_name(), "佐藤")
        .send(&db)
        .await;
    assert!(late.unwrap_err().is_conflict());
    let stored = raw(&db, User::key("old")).await?.unwrap();
    assert_eq!(stored["version"], AttributeValue::N("1".into()));
    assert_eq!(stored["name"], AttributeValue::S("鈴木".into()));
    Ok(())
}

/// A question that moves to another category moves in GSI1, and stays in GSI2.
#[tokio::test]
async fn changing_the_category_of_a_question_updates_its_index() -> Outcome {
    let db = app().await?;
    question()?.create().send(&db).await?;
    let read = Question::get("FE-2023-01").send(&db).await?.unwrap();
    read.update()
        .set(|question| question.category(), "security")
        .send(&db)
        .await?;
    assert_keys_as_put(&db, Question::key("FE-2023-01")).await?;
    assert_eq!(
        Question::by_category(ExamType::Fe, "network")
            .count(&db)
            .await?,
        0
    );
    assert_eq!(
        Question::by_category(ExamType::Fe, "security")
            .count(&db)
            .await?,
        1
    );
    let by_key = Question::update("FE-2023-01");
    let by_key = by_key.set(|question| question.exam_type("security"), ExamType::Ap);
    by_key.send(&db).await?;
    assert_keys_as_put(&db, Question::key("FE-2023-01")).await?;
    assert_eq!(Question::by_exam_type(ExamType::Ap).count(&db).await?, 1);
    Ok(())
}
