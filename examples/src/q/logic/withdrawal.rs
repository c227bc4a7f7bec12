//! Withdrawal: deletes all items of a user, in stages, like the state machine of "6.2".
//!
//! Each stage deletes the items that it finds, so it can be interrupted at any point and run again;
//! the user is deleted last, so that the withdrawal can be resumed. A follow is deleted together
//! with its counts.

use super::{Result, day_in_japan, relations};
use crate::q::{
    Answer, Block, Follow, PushToken, QError, Question, Reaction, Report, ReportStatus, User,
    UserId, UserQuestionSubmission,
};
use dynamo_model::index::Gsi1;
use dynamo_model::read::Query;
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, ErrorKind};
use futures_util::TryStreamExt;
use jiff::Timestamp;

/// How often the last stage begins again while others follow the user.
const ATTEMPTS: usize = 8;

/// The stages, in order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Bans the user, so that no new items are created meanwhile.
    Close,
    /// Follows, both ways, with the counters of the other users.
    Follows,
    /// Blocks, both ways.
    Blocks,
    /// Reactions to the answers of others.
    Reactions,
    /// Answers, and the reactions to them.
    Answers,
    /// Submissions; their questions stay, without an author.
    Submissions,
    /// The reports by the user and about the user.
    Reports,
    /// Devices.
    PushTokens,
    /// The user, and the names that only the user could have.
    User,
}

impl Stage {
    /// All stages. Logs of administrators do not belong to the user, and expire.
    pub const ALL: [Self; 9] = [
        Self::Close,
        Self::Follows,
        Self::Blocks,
        Self::Reactions,
        Self::Answers,
        Self::Submissions,
        Self::Reports,
        Self::PushTokens,
        Self::User,
    ];

    /// Runs one stage; a repeated stage changes nothing.
    pub async fn run(self, db: &Dynamo, user_id: &UserId, now: Timestamp) -> Result<()> {
        match self {
            Self::Close => close(db, user_id).await,
            Self::Follows => end_follows(db, user_id).await,
            Self::Blocks => end_blocks(db, user_id).await,
            Self::Reactions => delete_reactions(db, user_id).await,
            Self::Answers => delete_answers(db, user_id).await,
            Self::Submissions => delete_submissions(db, user_id, now).await,
            Self::Reports => delete_reports(db, user_id).await,
            Self::PushTokens => delete_push_tokens(db, user_id).await,
            Self::User => delete_user(db, user_id).await,
        }
    }
}

/// Runs all stages from one on: first [`Stage::Close`], later the interrupted one. A missing user
/// has withdrawn.
pub async fn withdraw(db: &Dynamo, user_id: &UserId, from: Stage, now: Timestamp) -> Result<()> {
    let stages = Stage::ALL.into_iter().skip_while(|stage| *stage != from);
    for stage in stages {
        stage.run(db, user_id, now).await?;
    }
    Ok(())
}

async fn close(db: &Dynamo, user_id: &UserId) -> Result<()> {
    let update = User::update(user_id).set(|user| user.is_banned(), true);
    match update.send(db).await {
        Err(error) if *error.kind() == ErrorKind::NotFound => Ok(()),
        done => Ok(done?),
    }
}

async fn end_follows(db: &Dynamo, user_id: &UserId) -> Result<()> {
    let following = Follow::query(user_id).consistent().all(db).await?;
    let followers = Follow::followers(user_id).all(db).await?;
    for Follow {
        follower_id,
        followee_id,
        ..
    } in following.into_iter().chain(followers)
    {
        match relations::unfollow(db, &follower_id, &followee_id).await {
            // Another client was faster.
            Ok(()) | Err(QError::NotFollowing) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

async fn end_blocks(db: &Dynamo, user_id: &UserId) -> Result<()> {
    let blocks = Block::query(user_id).all(db).await?;
    let blocked_by = Block::blocked_by(user_id).all(db).await?;
    let keys = blocks.iter().chain(&blocked_by).map(Entity::primary_key);
    Ok(BatchWrite::new().deletes(keys).send(db).await?)
}

/// No index has the reactions of a user, so deleting all of them, as the document requires, takes a
/// scan.
async fn delete_reactions(db: &Dynamo, user_id: &UserId) -> Result<()> {
    let own = Reaction::scan().filter(|reaction| reaction.reactor_id().eq(user_id));
    let own: Vec<_> = own.stream(db).try_collect().await?;
    let keys = own.iter().map(Entity::primary_key);
    Ok(BatchWrite::new().deletes(keys).send(db).await?)
}

async fn delete_answers(db: &Dynamo, user_id: &UserId) -> Result<()> {
    for answer in Answer::by_user(user_id).all(db).await? {
        let reactions = Reaction::query(answer.date, user_id).all(db).await?;
        let keys = reactions.iter().map(Entity::primary_key);
        BatchWrite::new().deletes(keys).send(db).await?;
        answer.delete().send(db).await?;
    }
    Ok(())
}

/// No index has the submissions of a user; but there is at most one a day.
async fn delete_submissions(db: &Dynamo, user_id: &UserId, now: Timestamp) -> Result<()> {
    let Some(user) = User::get(user_id).send(db).await? else {
        return Ok(());
    };
    let last = day_in_japan(now);
    let days = day_in_japan(user.created_at).series(jiff::Span::new().days(1));
    let days = days.take_while(|day| *day <= last);
    let keys = days.map(|day| UserQuestionSubmission::key(day, user_id));
    let submissions = BatchGet::new(keys).send(db).await?;
    for submission in submissions.into_iter().flatten() {
        let nobodys =
            Question::update(submission.question_id).remove(|question| question.submitted_by());
        match nobodys.send(db).await {
            Err(error) if *error.kind() != ErrorKind::NotFound => return Err(error.into()),
            _ => submission.delete().send(db).await?,
        }
    }
    Ok(())
}

/// Returns the reports by a user, about the user, and about the user's answers, whose ids end with
/// the user's.
pub(super) fn reports_of(status: ReportStatus, user_id: &UserId) -> Query<Report, Gsi1> {
    let about = user_id.to_string();
    Report::by_status(status)
        .filter(|report| report.reporter_id().eq(user_id) | report.target_id().contains(about))
        .query()
}

/// The index is by status, so that it reads all reports.
async fn delete_reports(db: &Dynamo, user_id: &UserId) -> Result<()> {
    for status in [
        ReportStatus::Pending,
        ReportStatus::Resolved,
        ReportStatus::Dismissed,
    ] {
        let found = reports_of(status, user_id).all(db).await?;
        let keys = found.iter().map(Entity::primary_key);
        BatchWrite::new().deletes(keys).send(db).await?;
    }
    Ok(())
}

async fn delete_push_tokens(db: &Dynamo, user_id: &UserId) -> Result<()> {
    let tokens = PushToken::query(user_id).all(db).await?;
    let keys = tokens.iter().map(Entity::primary_key);
    Ok(BatchWrite::new().deletes(keys).send(db).await?)
}

/// Only without follows: a follower since the first stage would keep a count of a missing user.
async fn delete_user(db: &Dynamo, user_id: &UserId) -> Result<()> {
    for _ in 0..ATTEMPTS {
        let Some(user) = User::get(user_id).consistent().send(db).await? else {
            return Ok(());
        };
        let delete = user.delete().condition(|stored| {
            stored.following_count().eq(0_u64) & stored.follower_count().eq(0_u64)
        });
        match delete.send(db).await {
            Err(error) if error.is_condition_failed() => end_follows(db, user_id).await?,
            done => return Ok(done?),
        }
    }
    Err(QError::Busy)
}
