//! The functions of the study app.

use super::{AnswerHistory, ExamItem, ExamType, Question, QuestionId, User, UserId};
use super::{WeakAreaAnalytics, refused::ExamError};
use crate::retry::{ATTEMPTS, pause};
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, Error, ErrorKind, Page, Transaction};
use futures_util::TryStreamExt;
use jiff::Timestamp;
use std::collections::HashMap;
use std::pin::pin;

/// "Transactions": stores an answer and counts it in the weak area, both or neither.
///
/// The document's update fails on the first answer of an area, which does not exist yet, and does
/// not update `accuracyRate`. Here the area is read first, and written only if it did not change
/// meanwhile.
pub async fn record_answer(
    db: &Dynamo,
    user_id: &UserId,
    question_id: &QuestionId,
    selected_index: u32,
    answered_at: Timestamp,
) -> Result<AnswerHistory, ExamError> {
    let question = Question::get(question_id).send(db).await?;
    let question = question.ok_or_else(|| ExamError::NoSuchQuestion(question_id.clone()))?;
    let answer = answer(&question, user_id, selected_index, answered_at)?;
    for attempt in 1..=ATTEMPTS {
        match count_answer(db, &answer, &question.category).await {
            Ok(()) => return Ok(answer),
            Err(error) if is_duplicate(&error) => return Err(ExamError::AlreadyAnswered),
            Err(error) if error.is_condition_failed() => pause(attempt).await,
            Err(error) => return Err(error.into()),
        }
    }
    Err(ExamError::Busy)
}

fn answer(
    question: &Question,
    user_id: &UserId,
    selected_index: u32,
    answered_at: Timestamp,
) -> Result<AnswerHistory, ExamError> {
    let choices = question.choices.len();
    if selected_index as usize >= choices {
        return Err(ExamError::NoSuchChoice {
            selected_index,
            choices,
        });
    }
    Ok(AnswerHistory {
        user_id: user_id.clone(),
        question_id: question.question_id.clone(),
        selected_index,
        is_correct: selected_index == question.answer_index,
        answered_at,
        exam_type: question.exam_type,
    })
}

async fn count_answer(db: &Dynamo, answer: &AnswerHistory, category: &str) -> Result<(), Error> {
    let correct = u32::from(answer.is_correct);
    let area = WeakAreaAnalytics::get(&answer.user_id, answer.exam_type, category);
    let transaction = Transaction::new().add(answer.create());
    let transaction = match area.consistent().send(db).await? {
        None => transaction.add(
            WeakAreaAnalytics {
                user_id: answer.user_id.clone(),
                exam_type: answer.exam_type,
                category: category.into(),
                total_answers: 1,
                correct_answers: correct,
                accuracy_rate: f64::from(correct),
                last_updated_at: answer.answered_at,
            }
            .create(),
        ),
        Some(area) => {
            let rate =
                f64::from(area.correct_answers + correct) / f64::from(area.total_answers + 1);
            transaction.add(
                area.update()
                    .add(|area| area.total_answers(), 1_u32)
                    .add(|area| area.correct_answers(), correct)
                    .set(|area| area.accuracy_rate(), rate)
                    .condition(|now| now.total_answers().eq(area.total_answers)),
            )
        }
    };
    transaction.send(db).await
}

/// The answer is there already, and not only the area.
fn is_duplicate(error: &Error) -> bool {
    *error.kind() == ErrorKind::AlreadyExists && error.entity() == AnswerHistory::SCHEMA.entity
}

/// Where a user is weak, the weakest area first.
pub async fn weakest_areas(
    db: &Dynamo,
    user_id: &UserId,
    exam_type: ExamType,
) -> Result<Vec<WeakAreaAnalytics>, Error> {
    let areas = WeakAreaAnalytics::query(user_id).exam_type(exam_type);
    let mut areas = areas.all(db).await?;
    areas.sort_by(|a, b| a.accuracy_rate.total_cmp(&b.accuracy_rate));
    Ok(areas)
}

/// "Analytics of an exam type": the areas of all users, by user and category. One query a shard.
pub async fn analytics_of_exam(
    db: &Dynamo,
    exam_type: ExamType,
) -> Result<Vec<WeakAreaAnalytics>, Error> {
    let areas = WeakAreaAnalytics::by_exam_type_across(exam_type);
    areas.all(db).await
}

/// Returns the questions of an area that a user got wrong the last time, in the order of their ids.
pub async fn review(
    db: &Dynamo,
    user_id: &UserId,
    exam_type: ExamType,
    category: &str,
) -> Result<Vec<Question>, Error> {
    let mut last = HashMap::new();
    let answers = AnswerHistory::query(user_id).filter(|answer| answer.exam_type().eq(exam_type));
    for answer in answers.all(db).await? {
        last.insert(answer.question_id, answer.is_correct);
    }
    let questions = Question::by_category(exam_type, category).all(db).await?;
    let wrong = |question: &Question| last.get(&question.question_id) == Some(&false);
    Ok(questions.into_iter().filter(wrong).collect())
}

/// "Optimistic locking": a new name, for the version of the user that was read.
pub async fn change_display_name(
    db: &Dynamo,
    user: &User,
    display_name: &str,
) -> Result<User, ExamError> {
    let update = user
        .update()
        .set(|user| user.display_name(), display_name)
        .return_new();
    match update.send(db).await {
        Err(error) if error.is_conflict() => Err(ExamError::Changed),
        user => Ok(user?),
    }
}

/// "Batch get": returns questions by their ids, in that order, without missing ones.
pub async fn questions(db: &Dynamo, ids: &[QuestionId]) -> Result<Vec<Question>, Error> {
    let found = BatchGet::new(ids.iter().map(Question::key))
        .send(db)
        .await?;
    Ok(found.into_iter().flatten().collect())
}

/// "Batch write": any number of questions, 25 a request.
pub async fn import_questions(db: &Dynamo, questions: &[Question]) -> Result<(), ExamError> {
    let no_answer = |it: &&Question| it.answer_index as usize >= it.choices.len();
    if let Some(wrong) = questions.iter().find(no_answer) {
        return Err(ExamError::NoSuchChoice {
            selected_index: wrong.answer_index,
            choices: wrong.choices.len(),
        });
    }
    Ok(BatchWrite::new().puts(questions).send(db).await?)
}

/// "Pagination": returns all items of a user's partition, 100 items a request.
pub async fn everything_of(db: &Dynamo, user_id: &UserId) -> Result<Vec<ExamItem>, Error> {
    let everything = ExamItem::collection(User::partition_key(user_id));
    everything.page_size(100).all(db).await
}

/// Returns a user's answers, newest first, a page at a time.
pub async fn answers_page(
    db: &Dynamo,
    user_id: &UserId,
    limit: usize,
    cursor: Option<String>,
) -> Result<Page<AnswerHistory>, Error> {
    let answers = AnswerHistory::query(user_id).descending().limit(limit);
    answers.after(cursor).page(db).await
}

/// "Batch migration" of `name` to `displayName`; returns the number of changed users. `name` stays,
/// so that older code continues to work; [`User::shown_name`] reads both.
pub async fn migrate_names(db: &Dynamo) -> Result<usize, Error> {
    let old = User::scan().filter(|user| user.display_name().not_exists() & user.name().exists());
    let mut old = pin!(old.stream(db));
    let mut migrated = 0;
    while let Some(user) = old.try_next().await? {
        migrated += usize::from(migrate_name(db, &user).await?);
    }
    Ok(migrated)
}

/// Not over a name that the user has chosen meanwhile.
async fn migrate_name(db: &Dynamo, user: &User) -> Result<bool, Error> {
    let update = User::update(&user.user_id)
        .set(|now| now.display_name(), user.shown_name())
        .condition(|now| now.display_name().not_exists());
    match update.send(db).await {
        Ok(()) => Ok(true),
        Err(error) if error.is_condition_failed() => Ok(false),
        Err(error) => Err(error),
    }
}
