//! "将来的には…ファンアウト方式への変更を検討": the timeline by fan-out on write, beside the one that is read step by
//! step ([`timeline`](super::logic::timeline)). Both show the same answers in the same order.
//!
//! An answer is copied to each user who may see it, and a timeline is one query. Its table is not
//! one of the document's twelve, and is not deployed with them; [`read_time`] and [`fan_out`]
//! return the consumption of both variants.

use super::logic::without_blocked;
use super::{Answer, Block, Follow, QError, User, UserId, VisibilityType};
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchWrite, Dynamo, DynamoEntity, DynamoTable, Entity};
use dynamo_model_tools::{Capacity, Model, Rate};
use jiff::Timestamp;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::time::Duration;

/// Entries are of today; the day before may still be on a screen.
const KEEP: Duration = Duration::from_secs(2 * 24 * 60 * 60);

/// The copies: a partition for each reader and day.
#[derive(DynamoTable, Debug)]
#[table(name = "Timelines", pk = "readerDay", sk = "place", ttl = "expiresAt")]
#[table(point_in_time_recovery, billing = on_demand)]
pub struct Timelines;

/// An answer in a timeline. The sort key is the document's order: first those on time, then by
/// time.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Timelines)]
#[pk("<reader_id>#<date>")]
#[sk("<is_late>#<created_at:s>#<author_id>")]
pub struct TimelineEntry {
    /// The owner of the timeline.
    #[dynamo(key_only)]
    pub reader_id: UserId,
    /// The day of the answer.
    #[dynamo(key_only)]
    pub date: Date,
    /// Whether the answer was not on time.
    #[dynamo(key_only)]
    pub is_late: bool,
    /// When it was posted.
    #[dynamo(key_only)]
    pub created_at: Timestamp,
    /// The author of the answer.
    #[dynamo(key_only)]
    pub author_id: UserId,
    /// The whole answer, so that a timeline reads no other items.
    pub answer: Answer,
    /// Two days after it was copied.
    #[dynamo(ttl)]
    pub expires_at: u64,
}

impl TimelineEntry {
    fn new(db: &Dynamo, reader: &UserId, answer: &Answer) -> Self {
        Self {
            reader_id: *reader,
            date: answer.date,
            is_late: !answer.is_on_time,
            created_at: answer.created_at,
            author_id: answer.user_id,
            answer: answer.clone(),
            expires_at: db.expires_in(KEEP),
        }
    }
}

/// Returns a user's timeline of a day: one query.
pub async fn timeline(db: &Dynamo, me: &UserId, today: Date) -> Result<Vec<Answer>, QError> {
    let entries = TimelineEntry::query(me, today).all(db).await?;
    Ok(entries.into_iter().map(|entry| entry.answer).collect())
}

/// Copies an answer to the users who may see it, and removes it from all other followers. Call it
/// after an answer was posted, deleted, restored or reviewed, and after its author changed
/// `visibilityType`.
pub async fn spread(db: &Dynamo, author: &UserId, day: Date) -> Result<(), QError> {
    let Some(answer) = Answer::get(day, author).consistent().send(db).await? else {
        return Ok(());
    };
    let followers = Follow::followers(author).all(db).await?;
    let followers: Vec<_> = followers.into_iter().map(|it| it.follower_id).collect();
    let readers = match answer.is_deleted {
        true => Vec::new(),
        false => readers(db, author, followers.clone()).await?,
    };
    let (readers, others): (Vec<_>, Vec<_>) = followers
        .iter()
        .map(|follower| TimelineEntry::new(db, follower, &answer))
        .partition(|entry| readers.contains(&entry.reader_id));
    let batch = BatchWrite::new().puts(&readers);
    let batch = batch.deletes(others.iter().map(Entity::primary_key));
    Ok(batch.send(db).await?)
}

/// Returns the followers of an author who may see the answers: steps 2 and 3 of the document, from
/// the other side.
async fn readers(
    db: &Dynamo,
    author: &UserId,
    mut followers: Vec<UserId>,
) -> Result<Vec<UserId>, QError> {
    let user = User::get(author).send(db).await?;
    match user.map(|user| user.visibility_type) {
        None => return Ok(Vec::new()),
        Some(VisibilityType::Followers) => {}
        Some(VisibilityType::Mutual) => {
            let followed = Follow::query(author).all(db).await?;
            let followed: HashSet<_> = followed.into_iter().map(|it| it.followee_id).collect();
            followers.retain(|follower| followed.contains(follower));
        }
    }
    without_blocked(db, author, followers).await
}

/// Copies an author's answer of a day to one reader, or takes it away. Call it for both directions
/// after one of the two followed, unfollowed, blocked or unblocked the other.
pub async fn refresh(
    db: &Dynamo,
    reader: &UserId,
    author: &UserId,
    day: Date,
) -> Result<(), QError> {
    let Some(answer) = Answer::get(day, author).consistent().send(db).await? else {
        return Ok(());
    };
    let entry = TimelineEntry::new(db, reader, &answer);
    match !answer.is_deleted && may_see(db, reader, author).await? {
        true => entry.put().send(db).await?,
        false => entry.delete().send(db).await?,
    }
    Ok(())
}

async fn may_see(db: &Dynamo, reader: &UserId, author: &UserId) -> Result<bool, QError> {
    let related = (
        User::key(author),
        Follow::key(reader, author),
        Follow::key(author, reader),
        Block::key(reader, author),
        Block::key(author, reader),
    );
    let (user, there, back, mine, theirs) = TransactGet::new(related).send(db).await?;
    let is_open = user.is_some_and(|user| match user.visibility_type {
        VisibilityType::Mutual => back.is_some(),
        VisibilityType::Followers => true,
    });
    Ok(is_open && there.is_some() && mine.is_none() && theirs.is_none())
}

/// Returns the model of both variants, with a sample of each item for its size.
pub fn model() -> crate::Result<Model> {
    let answer = super::answer()?;
    let entry = TimelineEntry {
        reader_id: super::taro(),
        date: answer.date,
        is_late: !answer.is_on_time,
        created_at: answer.created_at,
        author_id: answer.user_id,
        expires_at: 1_770_465_600,
        answer: answer.clone(),
    };
    let model = Model::new("q-timeline")
        .entity::<User>()
        .entity::<Follow>()
        .entity::<Block>()
        .entity::<Answer>()
        .entity::<TimelineEntry>();
    let model = model
        .sample(&super::user()?)?
        .sample(&super::follow())?
        .sample(&super::block())?
        .sample(&answer)?
        .sample(&entry)?;
    Ok(model)
}

/// Returns the daily consumption of a user who follows so many users, and views the timeline so
/// often: read step by step.
#[must_use]
pub fn read_time(followed: usize, views: f64) -> Capacity {
    let each = views * followed as f64;
    relations(followed, views)
        .rate("User::get", Rate::per_day(each))
        .rate("Follow::get", Rate::per_day(each))
        .rate("Answer::get", Rate::per_day(each))
}

/// Returns the same by fan-out: the user answers once, and has as many followers as they follow.
#[must_use]
pub fn fan_out(followed: usize, views: f64) -> Capacity {
    relations(followed, 1.0)
        .rate("Answer::get", Rate::per_day(1.0))
        .rate("User::get", Rate::per_day(1.0))
        .rate("Follow::followers", Rate::per_day(1.0).items(followed))
        .rate("TimelineEntry::put", Rate::per_day(followed as f64))
        .rate("TimelineEntry::query", Rate::per_day(views).items(followed))
}

/// Returns the followees of a user, and the blocks in both directions.
fn relations(followed: usize, times: f64) -> Capacity {
    Capacity::new()
        .rate("Follow::query", Rate::per_day(times).items(followed))
        .rate("Block::query", Rate::per_day(times))
        .rate("Block::blocked_by", Rate::per_day(times))
}
