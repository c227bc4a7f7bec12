//! The answer of the day, reactions to it, and the timeline.

use super::{NgWordCache, Result, day_in_japan, refused};
use crate::q::{
    Answer, AnswerText, Block, DailyQuestion, Follow, QError, Reaction, ReactionType, User, UserId,
    VisibilityType,
};
use crate::whole_seconds;
use dynamo_model::batch::IntoKey;
use dynamo_model::{BatchGet, Dynamo, Entity, Transaction};
use jiff::civil::Date;
use jiff::{SignedDuration, Timestamp};
use std::collections::HashSet;

/// "On time" is within so many minutes after the question came out.
const ON_TIME_MINUTES: i64 = 30;

/// Answers today's question. There is one answer a user and day: a second one is refused, even if
/// the first was deleted. One with a forbidden word is flagged.
pub async fn post_answer(
    db: &Dynamo,
    words: &NgWordCache,
    user_id: &UserId,
    text: AnswerText,
    now: Timestamp,
) -> Result<Answer> {
    let date = day_in_japan(now);
    let question = DailyQuestion::get(date).send(db).await?;
    let question = question.ok_or(QError::NotPublished)?;
    let published = question.published_at.filter(|published| *published <= now);
    let late_minutes = late_minutes(now.duration_since(published.ok_or(QError::NotPublished)?));
    let answer = Answer {
        date,
        user_id: *user_id,
        question_id: question.question_id,
        is_flagged: words.is_flagged(db, text.as_str()).await?,
        text,
        is_on_time: late_minutes == 0,
        late_minutes,
        is_deleted: false,
        created_at: whole_seconds(now),
        deleted_at: None,
    };
    let sent = Transaction::new()
        .add(User::key(user_id).must_meet(|user| user.is_banned().eq(false)))
        .add(answer.create())
        .send(db)
        .await;
    sent.map_err(|error| {
        refused(error, |entity, was_there| match (entity, was_there) {
            ("Answer", _) => Some(QError::AlreadyAnswered),
            (_, true) => Some(QError::Banned),
            (_, false) => Some(QError::NoSuchUser),
        })
    })?;
    Ok(answer)
}

/// Minutes after the thirty, each one begun; 0 is on time.
fn late_minutes(since: SignedDuration) -> u32 {
    let late = since.as_secs() - ON_TIME_MINUTES * 60;
    u32::try_from(late.max(0).unsigned_abs().div_ceil(60)).unwrap_or(u32::MAX)
}

/// Deletes an answer: it stays, marked, and so keeps its place.
pub async fn delete_answer(
    db: &Dynamo,
    date: Date,
    user_id: &UserId,
    now: Timestamp,
) -> Result<()> {
    let update = Answer::update(date, user_id)
        .set(|answer| answer.is_deleted(), true)
        .set(|answer| answer.deleted_at(), whole_seconds(now))
        .condition(|answer| answer.is_deleted().eq(false));
    let sent = update.send(db).await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchAnswer)))
}

/// Brings a deleted answer back.
pub async fn restore_answer(db: &Dynamo, date: Date, user_id: &UserId) -> Result<()> {
    let update = Answer::update(date, user_id)
        .set(|answer| answer.is_deleted(), false)
        .remove(|answer| answer.deleted_at())
        .condition(|answer| answer.is_deleted().eq(true));
    let sent = update.send(db).await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchAnswer)))
}

/// Reacts to an answer. There is one reaction a user: another one takes its place.
pub async fn react(
    db: &Dynamo,
    (date, author): (Date, &UserId),
    reactor: &UserId,
    reaction_type: ReactionType,
) -> Result<()> {
    let reaction = Reaction::upsert(date, author, reactor)
        .set(|reaction| reaction.reaction_type(), reaction_type);
    let sent = Transaction::new()
        .add(Answer::key(date, author).must_meet(|answer| answer.is_deleted().eq(false)))
        .add(User::key(reactor).must_meet(|user| user.is_banned().eq(false)))
        .add(reaction)
        .send(db)
        .await;
    sent.map_err(|error| {
        refused(error, |entity, was_there| match (entity, was_there) {
            ("Answer", _) => Some(QError::NoSuchAnswer),
            (_, true) => Some(QError::Banned),
            (_, false) => Some(QError::NoSuchUser),
        })
    })
}

/// Takes a reaction back.
pub async fn unreact(db: &Dynamo, (date, author): (Date, &UserId), reactor: &UserId) -> Result<()> {
    let delete = Reaction::delete(date, author, reactor).must_exist();
    let sent = delete.send(db).await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NoSuchReaction)))
}

/// "5. Timeline": returns today's answers of a user's followees, in the document's five steps.
pub async fn timeline(db: &Dynamo, me: &UserId, today: Date) -> Result<Vec<Answer>> {
    let followed = followed(db, me).await?;
    let visible = visible(db, me, followed).await?;
    let visible = without_blocked(db, me, visible).await?;
    let mut answers = answers_of(db, today, &visible).await?;
    // Step 5: those on time first, then the earlier before the later.
    answers.sort_by_key(|answer| (!answer.is_on_time, answer.created_at));
    Ok(answers)
}

/// Step 1: the followees.
async fn followed(db: &Dynamo, me: &UserId) -> Result<Vec<UserId>> {
    let follows = Follow::query(me).all(db).await?;
    Ok(follows
        .into_iter()
        .map(|follow| follow.followee_id)
        .collect())
}

/// Step 2: those whose answers are visible: to all their followers, or only to those whom they
/// follow back.
async fn visible(db: &Dynamo, me: &UserId, followed: Vec<UserId>) -> Result<Vec<UserId>> {
    let users = BatchGet::new(followed.iter().map(User::key))
        .send(db)
        .await?;
    let users: Vec<User> = users.into_iter().flatten().collect();
    let back = users.iter().map(|user| Follow::key(user.user_id, me));
    let back = BatchGet::new(back).send(db).await?;
    let both = users.into_iter().zip(back);
    let visible = both.filter(|(user, back)| match user.visibility_type {
        VisibilityType::Mutual => back.is_some(),
        VisibilityType::Followers => true,
    });
    Ok(visible.map(|(user, _)| user.user_id).collect())
}

/// Step 3: removes blocked users, and users who have blocked the reader.
pub(in crate::q) async fn without_blocked(
    db: &Dynamo,
    me: &UserId,
    mut visible: Vec<UserId>,
) -> Result<Vec<UserId>> {
    let mine = Block::query(me).all(db).await?;
    let theirs = Block::blocked_by(me).all(db).await?;
    let mine = mine.into_iter().map(|block| block.blocked_id);
    let blocked: HashSet<_> = mine
        .chain(theirs.into_iter().map(|block| block.blocker_id))
        .collect();
    visible.retain(|user| !blocked.contains(user));
    Ok(visible)
}

/// Step 4: their answers. The document queries the whole day and filters by `userId`, which is the
/// sort key: DynamoDB refuses that in a filter (and it does not compile here). Reading by key reads
/// only these answers.
async fn answers_of(db: &Dynamo, today: Date, users: &[UserId]) -> Result<Vec<Answer>> {
    let keys = users.iter().map(|user| Answer::key(today, user));
    let answers = BatchGet::new(keys).send(db).await?.into_iter().flatten();
    Ok(answers.filter(|answer| !answer.is_deleted).collect())
}
