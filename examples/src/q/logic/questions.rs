//! From a submitted question to the question of the day.

use super::moderation::{Admin, admin_refused};
use super::{NgWordCache, Result, day_in_japan, refused};
use crate::q::{
    AdminAction, DailyQuestion, PublishTime, QError, Question, QuestionId, QuestionStatus,
    QuestionText, QuestionType, User, UserId, UserQuestionSubmission,
};
use crate::whole_seconds;
use dynamo_model::batch::IntoKey;
use dynamo_model::expr::Loaded;
use dynamo_model::write::Update;
use dynamo_model::{Dynamo, Entity, Error, KeyPart, Transaction};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};

/// The time that a question rests after it was used.
const REST: SignedDuration = SignedDuration::from_hours(30 * 24);

fn question(text: QuestionText, is_flagged: bool, now: Timestamp) -> Question {
    Question {
        question_id: QuestionId::random(),
        text,
        question_type: QuestionType::Admin,
        submitted_by: None,
        status: QuestionStatus::Approved,
        is_flagged,
        last_used_at: None,
        created_at: whole_seconds(now),
        updated_at: whole_seconds(now),
    }
}

/// Submits a user's question for review. A user can submit one a day.
pub async fn submit_question(
    db: &Dynamo,
    words: &NgWordCache,
    user_id: &UserId,
    text: QuestionText,
    now: Timestamp,
) -> Result<Question> {
    let is_flagged = words.is_flagged(db, text.as_str()).await?;
    let question = Question {
        question_type: QuestionType::User,
        submitted_by: Some(*user_id),
        status: QuestionStatus::Pending,
        ..question(text, is_flagged, now)
    };
    let submission = UserQuestionSubmission {
        date: day_in_japan(now),
        user_id: *user_id,
        question_id: question.question_id,
        created_at: whole_seconds(now),
    };
    let sent = Transaction::new()
        .add(User::key(user_id).must_meet(|user| user.is_banned().eq(false)))
        .add(submission.create())
        .add(question.create())
        .send(db)
        .await;
    sent.map_err(|error| {
        refused(error, |entity, was_there| match (entity, was_there) {
            ("UserQuestionSubmission", _) => Some(QError::AlreadySubmitted),
            ("User", true) => Some(QError::Banned),
            ("User", false) => Some(QError::NoSuchUser),
            _ => None,
        })
    })?;
    Ok(question)
}

/// An administrator's question needs no review.
pub async fn create_question(
    db: &Dynamo,
    admin: &Admin,
    text: QuestionText,
    now: Timestamp,
) -> Result<Question> {
    let question = question(text, false, now);
    let log = admin.log(
        AdminAction::CreateQuestion,
        "question",
        question.question_id,
        now,
    );
    let transaction = admin.transaction(&log).add(question.create());
    transaction
        .send(db)
        .await
        .map_err(admin_refused(QError::NoSuchQuestion))?;
    Ok(question)
}

/// Accepts a submission as a question, or rejects it.
pub async fn review_submission(
    db: &Dynamo,
    admin: &Admin,
    question_id: &QuestionId,
    approve: bool,
    now: Timestamp,
) -> Result<()> {
    let status = if approve {
        QuestionStatus::Approved
    } else {
        QuestionStatus::Rejected
    };
    let question = read(db, question_id).await?;
    let update = question
        .update()
        .set(|question| question.status(), status)
        .condition(|question| question.status().eq(QuestionStatus::Pending));
    let log = admin.log(AdminAction::ReviewSubmission, "question", *question_id, now);
    let log = log.detail("approved", approve);
    let transaction = admin.transaction(&log).add(update);
    transaction
        .send(db)
        .await
        .map_err(admin_refused(QError::NoSuchQuestion))
}

/// Archives a question of any author: it is never used again. Fails if it is already archived.
pub async fn archive_question(
    db: &Dynamo,
    admin: &Admin,
    question_id: &QuestionId,
    now: Timestamp,
) -> Result<()> {
    let question = read(db, question_id).await?;
    let before = question.status;
    let update = question
        .update()
        .set(|question| question.status(), QuestionStatus::Archived)
        .condition(|question| question.status().ne(QuestionStatus::Archived));
    let log = admin.log(AdminAction::ArchiveQuestion, "question", *question_id, now);
    let log = log.detail("before", before.to_part().to_string());
    let transaction = admin.transaction(&log).add(update);
    transaction
        .send(db)
        .await
        .map_err(admin_refused(QError::NoSuchQuestion))
}

async fn read(db: &Dynamo, question_id: &QuestionId) -> Result<Question> {
    let question = Question::get(question_id).consistent().send(db).await?;
    question.ok_or(QError::NoSuchQuestion)
}

/// Makes an approved question the question of a day, to be published at a time (`HH:mm`). It is
/// then used.
pub async fn set_daily_question(
    db: &Dynamo,
    admin: &Admin,
    (date, publish_time): (Date, PublishTime),
    question_id: &QuestionId,
    now: Timestamp,
) -> Result<DailyQuestion> {
    let question = read(db, question_id).await?;
    let daily = daily(date, publish_time, &question, now);
    let log = admin.log(AdminAction::SetDailyQuestion, "question", *question_id, now);
    let transaction = admin.transaction(&log).add(daily.create());
    let sent = transaction.add(used(&question, now)).send(db).await;
    sent.map_err(day_refused)?;
    Ok(daily)
}

/// Runs the midnight job: chooses one of the approved questions for a day, by a random number;
/// without any, a fallback question.
pub async fn schedule(
    db: &Dynamo,
    (date, publish_time): (Date, PublishTime),
    fallback: QuestionText,
    random: usize,
    now: Timestamp,
) -> Result<DailyQuestion> {
    let (daily, transaction) = match random_approved_question(db, random).await {
        Ok(question) => {
            let transaction = Transaction::new().add(used(&question, now));
            (daily(date, publish_time, &question, now), transaction)
        }
        Err(QError::NoSuchQuestion) => {
            let daily = daily(date, publish_time, &question(fallback, false, now), now);
            let is_fallback = true;
            (
                DailyQuestion {
                    is_fallback,
                    ..daily
                },
                Transaction::new(),
            )
        }
        Err(error) => return Err(error),
    };
    let sent = transaction.add(daily.create()).send(db).await;
    sent.map_err(day_refused)?;
    Ok(daily)
}

fn daily(
    date: Date,
    scheduled_publish_time: PublishTime,
    question: &Question,
    now: Timestamp,
) -> DailyQuestion {
    DailyQuestion {
        date,
        question_id: question.question_id,
        question_text: question.text.clone(),
        scheduled_publish_time,
        published_at: None,
        is_fallback: false,
        created_at: whole_seconds(now),
    }
}

fn used(question: &Question, now: Timestamp) -> Update<Question, Loaded> {
    question
        .update()
        .set(|question| question.status(), QuestionStatus::Used)
        .set(|question| question.last_used_at(), whole_seconds(now))
        .condition(|question| question.status().eq(QuestionStatus::Approved))
}

fn day_refused(error: Error) -> QError {
    refused(error, |entity, _| match entity {
        "User" => Some(QError::NotAdmin),
        "DailyQuestion" => Some(QError::DayTaken),
        _ => Some(QError::NoSuchQuestion),
    })
}

/// Publishes the question of the day, once.
pub async fn publish(db: &Dynamo, date: Date, now: Timestamp) -> Result<()> {
    let update = DailyQuestion::update(date)
        .set(|question| question.published_at(), whole_seconds(now))
        .condition(|question| question.published_at().not_exists());
    let sent = update.send(db).await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchQuestion)))
}

/// One of the approved questions, by a random number.
///
/// `GSI2_Approved` has only questions that were used before; unused ones have no `lastUsedAt`.
/// `GSI1_Status` has both.
pub async fn random_approved_question(db: &Dynamo, random: usize) -> Result<Question> {
    let mut approved = Question::by_status(QuestionStatus::Approved)
        .all(db)
        .await?;
    if approved.is_empty() {
        return Err(QError::NoSuchQuestion);
    }
    Ok(approved.swap_remove(random % approved.len()))
}

/// Runs the daily job: releases the questions that were used thirty days ago or earlier. Returns
/// their number. A question that another client changed meanwhile is left for the next day.
pub async fn release_used_questions(db: &Dynamo, now: Timestamp) -> Result<usize> {
    let rested = whole_seconds(now - REST);
    let used = Question::by_last_use(QuestionStatus::Used).last_used_at_in(..=rested);
    let mut released = 0;
    for question in used.all(db).await? {
        let update = question
            .update()
            .set(|question| question.status(), QuestionStatus::Approved)
            .condition(|question| question.status().eq(QuestionStatus::Used));
        match update.send(db).await {
            Ok(()) => released += 1,
            Err(error) if error.is_condition_failed() => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(released)
}
