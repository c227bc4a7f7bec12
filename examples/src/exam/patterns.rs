//! Every access pattern of the document, with the numbers of its entities; patterns without a
//! number are named by their section. Its "list of access patterns" repeats six of them.

use super::{
    AnswerHistory, ExamItem, ExamType, Question, QuestionId, User, UserId, WeakAreaAnalytics,
    change_display_name, import_questions, migrate_names, record_answer, review,
    sample_data::old_users, weakest_areas,
};
use crate::{Failure, Pattern, pattern};
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, Transaction};
use jiff::Timestamp;

/// Returns all of them, in the document's order.
#[must_use]
pub fn patterns() -> Vec<Pattern> {
    [reads(), writes(), batches()].concat()
}

fn reads() -> Vec<Pattern> {
    vec![
        pattern!(
            "1.1", "A user by id",
            |db| User::get("u1").send(db).await?,
            |user| usize::from(user.is_some()) => user.is_some_and(|it| it.shown_name() == "山田太郎"),
            "the user of that id"
        ),
        pattern!(
            "2.1", "A question by id",
            |db| Question::get("FE-2023-01").send(db).await?,
            |question| usize::from(question.is_some()) => question.is_some_and(|it| it.answer_index == 2),
            "the question of that id"
        ),
        pattern!(
            "2.2", "Questions of an exam type",
            |db| Question::by_exam_type(ExamType::Fe).all(db).await?,
            |found| found.len() => found.len() == 100 && in_order(&found),
            "all 100 of the exam, in the order of their ids"
        ),
        pattern!(
            "2.3", "Questions of a category",
            |db| Question::by_category(ExamType::Fe, "network").all(db).await?,
            |found| found.len() => found.len() == 20 && in_order(&found)
                && found.iter().all(|it| it.category == "network"),
            "the 20 of the category, in the order of their ids"
        ),
        pattern!(
            "3.1", "A user's answers",
            |db| AnswerHistory::query("u2").descending().limit(10).all(db).await?,
            |found| found.len() => found.len() == 10 && descending(&found)
                && found.iter().all(|it| it.user_id.0 == "u2"),
            "the user's last 10, newest first"
        ),
        pattern!(
            "3.2", "Answers to a question",
            |db| AnswerHistory::by_question("FE-2023-01").all(db).await?,
            |found| found.len() => found.len() > 1
                && found.iter().all(|it| it.question_id.0 == "FE-2023-01")
                && found.is_sorted_by_key(|it| (it.user_id.0.clone(), it.answered_at)),
            "those to that question, by user and time"
        ),
        pattern!(
            "3.3", "A user's answers in an exam type",
            |db| AnswerHistory::query("u2").filter(|it| it.exam_type().eq(ExamType::Fe)).all(db).await?,
            |found| found.len() => found.len() == 12
                && found.iter().all(|it| it.exam_type == ExamType::Fe),
            "the 12 of the user's 25 that are of the exam"
        ),
        pattern!(
            "4.1", "A user's weak areas",
            |db| WeakAreaAnalytics::query("u2").all(db).await?,
            |found| found.len() => found.len() == 10
                && found.is_sorted_by_key(|it| (it.exam_type != ExamType::Ap, it.category.clone())),
            "five areas of each exam, by exam and category"
        ),
        pattern!(
            "4.1", "A user's weak areas: the weakest first",
            |db| weakest_areas(db, &user("u2"), ExamType::Fe).await?,
            |found| found.len() => found.len() == 5
                && found.is_sorted_by(|a, b| a.accuracy_rate <= b.accuracy_rate),
            "all five areas of the exam, the weakest first"
        ),
        pattern!(
            "4.1", "A user's weak areas: questions to review",
            |db| review(db, &user("u1"), ExamType::Fe, "network").await?,
            |found| found.len() => found.len() == 6 && in_order(&found),
            "the six of the area that were answered wrong"
        ),
        pattern!(
            "4.2", "Analytics of an exam type",
            |db| WeakAreaAnalytics::by_exam_type_across(ExamType::Fe).all(db).await?,
            |found| found.len() => found.len() == 196 && found.iter().all(|it| it.exam_type == ExamType::Fe)
                && found.is_sorted_by_key(|it| (it.user_id.0.clone(), it.category.clone())),
            "all areas of all users, from all shards, by user and category"
        ),
    ]
}

fn writes() -> Vec<Pattern> {
    vec![
        pattern!(
            "integrity 1", "Transaction: an answer and its analytics",
            |db| record_answer(db, &user("u1"), &question("FE-2023-01"), 0, at("2025-07-01T10:00:00Z")?).await?,
            |answer| 2 => !answer.is_correct && network_of_u1(db).await? == Some((9, 2)),
            "a wrong answer, counted as the ninth",
            then undo_answer(db, &answer).await?
        ),
        pattern!(
            "integrity 2", "Optimistic locking",
            |db| change_display_name(db, &u1(db).await?, "山田花子").await?,
            |user| 1 => user.shown_name() == "山田花子" && is_refused(db, user.version - 1).await?,
            "the new name, and a change of the version before it refused",
            then change_display_name(db, &user, "山田太郎").await?
        ),
    ]
}

fn batches() -> Vec<Pattern> {
    vec![
        pattern!(
            "performance 3", "Batch get",
            |db| BatchGet::new(["FE-2023-01", "FE-2023-02"].map(Question::key)).send(db).await?,
            |found| found.len() => found.len() == 2 && found.iter().all(Option::is_some),
            "both questions"
        ),
        pattern!(
            "performance 3", "Batch write",
            |db| import_questions(db, &new_questions(60)).await?,
            |_done| 60 => Question::by_category(ExamType::Ap, "新分野").count(db).await? == 60,
            "60 items, in three requests",
            then BatchWrite::new().deletes(new_questions(60).iter().map(Entity::primary_key)).send(db).await?
        ),
        pattern!(
            "performance 4", "Pagination",
            |db| ExamItem::collection(User::partition_key("u2")).page_size(100).all(db).await?,
            |found| found.len() => found.len() == 36,
            "the profile, 25 answers and 10 areas"
        ),
        pattern!(
            "migration 1", "Old and new items side by side",
            |db| User::scan().all(db).await?,
            |found| found.len() => found.len() == 40 && found.iter().all(|it| it.shown_name() != "Unknown")
                && found.iter().any(|it| it.display_name.is_none()),
            "a name for every user, old or new"
        ),
        pattern!(
            "migration 2", "Batch migration",
            |db| migrate_names(db).await?,
            |migrated| migrated => migrated == old_users().count() && migrate_names(db).await? == 0,
            "every old user migrated, and nothing left to do",
            then BatchWrite::new().load(old_users().collect::<Vec<_>>()).send(db).await?
        ),
    ]
}

fn user(id: &str) -> UserId {
    UserId(id.into())
}

fn question(id: &str) -> QuestionId {
    QuestionId(id.into())
}

fn at(text: &str) -> Result<Timestamp, Failure> {
    Ok(text.parse()?)
}

fn in_order(questions: &[Question]) -> bool {
    questions.is_sorted_by_key(|question| &question.question_id.0)
}

fn descending(answers: &[AnswerHistory]) -> bool {
    answers.is_sorted_by(|a, b| a.answered_at >= b.answered_at)
}

fn new_questions(count: usize) -> Vec<Question> {
    let Ok(sample) = super::question() else {
        return Vec::new();
    };
    let new = (0..count).map(|number| Question {
        question_id: question(&format!("AP-2026-{number:02}")),
        exam_type: ExamType::Ap,
        category: "新分野".into(),
        ..sample.clone()
    });
    new.collect()
}

async fn u1(db: &Dynamo) -> Result<User, Failure> {
    let user = User::get("u1").consistent().send(db).await?;
    Ok(user.ok_or("no user u1")?)
}

/// As in the document's update: by key, with a given version.
async fn is_refused(db: &Dynamo, version: u64) -> Result<bool, Failure> {
    let update = User::update("u1").set(|user| user.display_name(), "山田次郎");
    let late = update.expect_version(version).send(db).await;
    Ok(late.is_err_and(|error| error.is_conflict()))
}

/// Answers, and how many of them are right.
async fn network_of_u1(db: &Dynamo) -> Result<Option<(u32, u32)>, Failure> {
    let area = WeakAreaAnalytics::get("u1", ExamType::Fe, "network");
    let area = area.consistent().send(db).await?;
    Ok(area.map(|area| (area.total_answers, area.correct_answers)))
}

async fn undo_answer(db: &Dynamo, answer: &AnswerHistory) -> Result<(), Failure> {
    Transaction::new()
        .add(answer.delete())
        .add(super::weak_area_analytics()?.put())
        .send(db)
        .await?;
    Ok(())
}
