//! Every read of the exam document, on its items.

use crate::support::{self, Db, Outcome, put_json};
use dynamo_model_examples::exam::{
    AnswerHistory, Difficulty, ExamStudyApp, ExamType, Question, User, WeakAreaAnalytics,
};
use jiff::Timestamp;
use serde_json::json;

async fn user(db: &Db, id: &str) -> Outcome {
    let item = json!({
        "PK": format!("USER#{id}"),
        "SK": "PROFILE",
        "EntityType": "USER",
        "userId": id,
        "email": format!("{id}@example.com"),
        "displayName": "山田太郎",
        "createdAt": "2025-06-01T09:00:00Z",
        "updatedAt": "2025-06-01T09:00:00Z",
    });
    put_json::<ExamStudyApp>(db, item).await
}

async fn question(db: &Db, id: &str, exam: &str, category: &str) -> Outcome {
    let item = json!({
        "PK": format!("QUESTION#{id}"),
        "SK": "METADATA",
        "EntityType": "QUESTION",
        "questionId": id,
        "examType": exam,
        "category": category,
        "subCategory": "TCP/IP",
        "difficulty": "medium",
        "text": "TCPとUDPの違いはどれか。",
        "choices": ["ア", "イ", "ウ", "エ"],
        "answerIndex": 2,
        "explanation": "UDPはコネクションレスである。",
        "createdAt": "2025-05-01T00:00:00Z",
        "GSI1PK": format!("EXAM#{exam}#CATEGORY#{category}"),
        "GSI1SK": format!("QUESTION#{id}"),
        // The document's `CATEGORY#ALL` finds items only with this key.
        "GSI2PK": format!("EXAM#{exam}#CATEGORY#ALL"),
        "GSI2SK": format!("QUESTION#{id}"),
    });
    put_json::<ExamStudyApp>(db, item).await
}

async fn answer(db: &Db, user: &str, at: &str, question: &str, exam: &str) -> Outcome {
    let item = json!({
        "PK": format!("USER#{user}"),
        "SK": format!("ANSWER#{at}#{question}"),
        "EntityType": "ANSWER",
        "userId": user,
        "questionId": question,
        "selectedIndex": 2,
        "isCorrect": true,
        "answeredAt": at,
        "examType": exam,
        "GSI1PK": format!("QUESTION#{question}"),
        "GSI1SK": format!("USER#{user}#{at}"),
    });
    put_json::<ExamStudyApp>(db, item).await
}

async fn analytics(db: &Db, user: &str, exam: ExamType, category: &str) -> Outcome {
    let partition = WeakAreaAnalytics::by_exam_type_partition_key(exam, user)?;
    let exam = match exam {
        ExamType::Fe => "FE",
        ExamType::Ap => "AP",
    };
    let item = json!({
        "PK": format!("USER#{user}"),
        "SK": format!("ANALYTICS#{exam}#{category}"),
        "EntityType": "ANALYTICS",
        "userId": user,
        "examType": exam,
        "category": category,
        "totalAnswers": 8,
        "correctAnswers": 2,
        "accuracyRate": 0.25,
        "lastUpdatedAt": "2025-06-01T10:00:00Z",
        "GSI1PK": partition.to_string(),
        "GSI1SK": format!("USER#{user}#CATEGORY#{category}"),
    });
    put_json::<ExamStudyApp>(db, item).await
}

/// Users 1 and 10, whose keys have a common prefix, with a few items of each entity.
async fn app() -> Outcome<Db> {
    let db = support::db::<ExamStudyApp>().await;
    for id in ["1", "10"] {
        user(&db, id).await?;
        answer(&db, id, "2025-06-01T10:00:00Z", "FE-2023-01", "FE").await?;
        answer(&db, id, "2025-06-02T10:00:00Z", "AP-2023-01", "AP").await?;
        answer(&db, id, "2025-06-03T10:00:00Z", "FE-2023-02", "FE").await?;
        answer(&db, id, "2025-06-04T10:00:00Z", "FE-2023-01", "FE").await?;
        analytics(&db, id, ExamType::Fe, "network").await?;
        analytics(&db, id, ExamType::Fe, "security").await?;
        analytics(&db, id, ExamType::Ap, "network").await?;
    }
    question(&db, "FE-2023-01", "FE", "network").await?;
    question(&db, "FE-2023-02", "FE", "network").await?;
    question(&db, "FE-2023-03", "FE", "security").await?;
    question(&db, "AP-2023-01", "AP", "network").await?;
    Ok(db)
}

fn at(text: &str) -> Timestamp {
    text.parse().unwrap()
}

/// `01 03`: the days of June.
fn days(answers: &[AnswerHistory]) -> String {
    let days: Vec<_> = answers
        .iter()
        .map(|answer| answer.answered_at.to_string()[8..10].to_owned())
        .collect();
    days.join(" ")
}

fn ids(questions: &[Question]) -> Vec<&str> {
    questions
        .iter()
        .map(|question| question.question_id.0.as_str())
        .collect()
}

#[tokio::test]
async fn a_user_is_found_by_id() -> Outcome {
    let db = app().await?;
    let user = User::get("10").send(&db).await?.unwrap();
    assert_eq!(user.user_id.0, "10");
    assert_eq!(user.email, "10@example.com");
    assert_eq!(user.shown_name(), "山田太郎");
    assert_eq!(User::get("2").send(&db).await?, None);
    Ok(())
}

/// "Schema changes": an item from before the change has the old name only.
#[tokio::test]
async fn a_user_of_the_first_release_is_read() -> Outcome {
    let db = support::db::<ExamStudyApp>().await;
    let item = json!({
        "PK": "USER#old", "SK": "PROFILE", "EntityType": "USER", "userId": "old",
        "email": "old@example.com", "name": "鈴木", "createdAt": "2024-01-01T00:00:00Z",
        "updatedAt": "2024-01-01T00:00:00Z", "version": 3,
    });
    put_json::<ExamStudyApp>(&db, item).await?;
    let user = User::get("old").send(&db).await?.unwrap();
    assert_eq!((user.shown_name(), user.version), ("鈴木", 3));
    Ok(())
}

#[tokio::test]
async fn a_question_is_found_by_id() -> Outcome {
    let db = app().await?;
    let question = Question::get("FE-2023-01").send(&db).await?.unwrap();
    assert_eq!(question.difficulty, Difficulty::Medium);
    assert_eq!(question.choices, ["ア", "イ", "ウ", "エ"]);
    Ok(())
}

/// `PK = USER#{userId} AND SK begins_with ANSWER#`.
#[tokio::test]
async fn answers_of_a_user_are_found() -> Outcome {
    let db = app().await?;
    let answers = AnswerHistory::query("1").all(&db).await?;
    assert_eq!(days(&answers), "01 02 03 04");
    assert!(answers.iter().all(|answer| answer.user_id.0 == "1"));

    let newest = AnswerHistory::query("1").descending().limit(2);
    assert_eq!(days(&newest.all(&db).await?), "04 03");
    assert!(AnswerHistory::query("nobody").all(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn answers_of_a_user_are_found_by_time() -> Outcome {
    let db = app().await?;
    let (from, to) = (at("2025-06-02T10:00:00Z"), at("2025-06-03T10:00:00Z"));
    let between = AnswerHistory::query("1").answered_at_in(from..=to);
    assert_eq!(days(&between.all(&db).await?), "02 03");
    let before = AnswerHistory::query("1").answered_at_in(from..to);
    assert_eq!(days(&before.all(&db).await?), "02");
    let since = AnswerHistory::query("1")
        .answered_at_in(from..)
        .descending();
    assert_eq!(days(&since.all(&db).await?), "04 03 02");
    let day = AnswerHistory::query("1").answered_at_prefix("2025-06-03");
    assert_eq!(days(&day.all(&db).await?), "03");
    let exact = AnswerHistory::query("1")
        .answered_at(to)
        .question_id("FE-2023-02");
    assert_eq!(days(&[exact.one(&db).await?]), "03");
    Ok(())
}

/// "User + exam type": a filter.
#[tokio::test]
async fn answers_of_a_user_are_found_by_exam_type() -> Outcome {
    let db = app().await?;
    let query = || AnswerHistory::query("1").filter(|answer| answer.exam_type().eq(ExamType::Fe));
    assert_eq!(days(&query().all(&db).await?), "01 03 04");
    let page = query().descending().limit(2).page(&db).await?;
    assert_eq!(days(&page.items), "04 03");
    Ok(())
}

/// GSI1, `EXAM#{examType}#CATEGORY#{category}`.
#[tokio::test]
async fn questions_are_found_by_category() -> Outcome {
    let db = app().await?;
    let questions = Question::by_category(ExamType::Fe, "network")
        .all(&db)
        .await?;
    assert_eq!(ids(&questions), ["FE-2023-01", "FE-2023-02"]);
    let of_2023 = Question::by_category(ExamType::Fe, "network").question_id_prefix("FE-2023-02");
    assert_eq!(ids(&of_2023.all(&db).await?), ["FE-2023-02"]);
    let none = Question::by_category(ExamType::Ap, "security")
        .all(&db)
        .await?;
    assert!(none.is_empty());
    Ok(())
}

/// `EXAM#{examType}#CATEGORY#ALL`, which finds nothing in the document, through a separate index.
#[tokio::test]
async fn questions_are_found_by_exam_type() -> Outcome {
    let db = app().await?;
    let questions = Question::by_exam_type(ExamType::Fe).all(&db).await?;
    assert_eq!(ids(&questions), ["FE-2023-01", "FE-2023-02", "FE-2023-03"]);
    assert_eq!(Question::by_exam_type(ExamType::Ap).count(&db).await?, 1);
    let as_documented = Question::by_category(ExamType::Fe, "ALL");
    assert_eq!(as_documented.count(&db).await?, 0);
    Ok(())
}

/// GSI1, `QUESTION#{questionId}`.
#[tokio::test]
async fn answers_to_a_question_are_found() -> Outcome {
    let db = app().await?;
    let answers = AnswerHistory::by_question("FE-2023-01").all(&db).await?;
    let users: Vec<_> = answers
        .iter()
        .map(|answer| answer.user_id.0.as_str())
        .collect();
    // In the order of the keys: `USER#1#…` before `USER#10#…`.
    assert_eq!(users, ["1", "1", "10", "10"]);
    assert_eq!(days(&answers), "01 04 01 04");
    Ok(())
}

#[tokio::test]
async fn user_1_never_sees_user_10() -> Outcome {
    let db = app().await?;
    let query = || AnswerHistory::by_question("FE-2023-01").user_id("1");
    let answers = query().all(&db).await?;
    assert_eq!(answers.len(), 2);
    assert!(answers.iter().all(|answer| answer.user_id.0 == "1"));
    let since = query().answered_at_in(at("2025-06-02T00:00:00Z")..);
    assert_eq!(days(&since.all(&db).await?), "04");
    // A prefix within the part must be requested by name.
    let both = AnswerHistory::by_question("FE-2023-01").user_id_prefix("1");
    assert_eq!(both.count(&db).await?, 4);
    Ok(())
}

#[tokio::test]
async fn weak_areas_of_a_user_are_found() -> Outcome {
    let db = app().await?;
    let areas = WeakAreaAnalytics::query("1").all(&db).await?;
    let found: Vec<_> = areas
        .iter()
        .map(|area| (area.exam_type, area.category.as_str()))
        .collect();
    let expected = [
        (ExamType::Ap, "network"),
        (ExamType::Fe, "network"),
        (ExamType::Fe, "security"),
    ];
    assert_eq!(found, expected);
    let of_exam = WeakAreaAnalytics::query("1").exam_type(ExamType::Fe);
    assert_eq!(of_exam.count(&db).await?, 2);
    let area = WeakAreaAnalytics::get("1", ExamType::Fe, "network");
    assert_eq!(area.send(&db).await?.unwrap().accuracy_rate, 0.25);
    Ok(())
}

/// GSI1, `ANALYTICS#{examType}`, in shards.
#[tokio::test]
async fn weak_areas_of_an_exam_type_are_found() -> Outcome {
    let db = app().await?;
    let areas = WeakAreaAnalytics::by_exam_type_across(ExamType::Fe)
        .all(&db)
        .await?;
    assert_eq!(areas.len(), 4);
    assert!(areas.iter().all(|area| area.exam_type == ExamType::Fe));
    let of_user = WeakAreaAnalytics::by_exam_type(ExamType::Fe, "1").user_id("1");
    assert_eq!(of_user.count(&db).await?, 2);
    Ok(())
}
