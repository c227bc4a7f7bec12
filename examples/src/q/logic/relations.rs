//! Follows and blocks, with the counters of both users: "6.1 What needs a transaction".

use super::{Result, refused};
use crate::q::{Block, Follow, QError, User, UserId};
use dynamo_model::{Dynamo, Transaction};
use jiff::Timestamp;

/// How often a block is tried while others follow and unfollow.
const ATTEMPTS: usize = 8;

/// Follows, counters ×2.
pub async fn follow(
    db: &Dynamo,
    follower: &UserId,
    followee: &UserId,
    now: Timestamp,
) -> Result<()> {
    different(follower, followee)?;
    let follow = Follow {
        follower_id: *follower,
        followee_id: *followee,
        created_at: now,
    };
    let sent = db
        .transaction()
        .check_absent(Block::key(follower, followee))
        .check_absent(Block::key(followee, follower))
        .create(&follow)
        .update(
            User::update(follower)
                .add(|user| user.following_count(), 1_u64)
                .condition(|user| user.is_banned().eq(false)),
        )
        .update(User::update(followee).add(|user| user.follower_count(), 1_u64))
        .send()
        .await;
    sent.map_err(|error| {
        refused(error, |entity, was_there| match (entity, was_there) {
            ("Block", _) => Some(QError::Blocked),
            ("Follow", _) => Some(QError::AlreadyFollowing),
            (_, true) => Some(QError::Banned),
            (_, false) => Some(QError::NoSuchUser),
        })
    })
}

fn different(one: &UserId, other: &UserId) -> Result<()> {
    if one == other {
        return Err(QError::Yourself);
    }
    Ok(())
}

/// Unfollows, counters ×2.
pub async fn unfollow(db: &Dynamo, follower: &UserId, followee: &UserId) -> Result<()> {
    different(follower, followee)?;
    let sent = db
        .transaction()
        .delete(Follow::delete(follower, followee).must_exist())
        .update(User::update(follower).subtract(|user| user.following_count(), 1_u64))
        .update(User::update(followee).subtract(|user| user.follower_count(), 1_u64))
        .send()
        .await;
    sent.map_err(|error| {
        refused(error, |entity, _| match entity {
            "Follow" => Some(QError::NotFollowing),
            _ => Some(QError::NoSuchUser),
        })
    })
}

/// Whether each follows the other, at one moment.
pub async fn is_mutual(db: &Dynamo, one: &UserId, other: &UserId) -> Result<bool> {
    let both = (Follow::key(one, other), Follow::key(other, one));
    let (there, back) = db.transact_get(both).await?;
    Ok(there.is_some() && back.is_some())
}

/// Blocks, and ends whichever of the two follows there is, with its counters.
///
/// Whether there are follows is read first, and must still be so when the block is written.
pub async fn block(db: &Dynamo, blocker: &UserId, blocked: &UserId, now: Timestamp) -> Result<()> {
    different(blocker, blocked)?;
    for _ in 0..ATTEMPTS {
        match try_block(db, blocker, blocked, now).await {
            // Somebody followed or unfollowed meanwhile.
            Err(QError::Dynamo(error)) if error.is_condition_failed() => {}
            done => return done,
        }
    }
    Err(QError::Busy)
}

async fn try_block(db: &Dynamo, blocker: &UserId, blocked: &UserId, now: Timestamp) -> Result<()> {
    let follows = (Follow::key(blocker, blocked), Follow::key(blocked, blocker));
    let (there, back) = db.transact_get(follows).await?;
    let block = Block {
        blocker_id: *blocker,
        blocked_id: *blocked,
        created_at: now,
    };
    let transaction = db.transaction().create(&block);
    let transaction = end_follow(transaction, blocker, blocked, there.is_some());
    let transaction = end_follow(transaction, blocked, blocker, back.is_some());
    let transaction = match (u64::from(there.is_some()), u64::from(back.is_some())) {
        (0, 0) => transaction
            .check_exists(User::key(blocker))
            .check_exists(User::key(blocked)),
        (there, back) => transaction
            .update(
                User::update(blocker)
                    .subtract(|user| user.following_count(), there)
                    .subtract(|user| user.follower_count(), back),
            )
            .update(
                User::update(blocked)
                    .subtract(|user| user.following_count(), back)
                    .subtract(|user| user.follower_count(), there),
            ),
    };
    transaction.send().await.map_err(|error| {
        refused(error, |entity, _| match entity {
            "Block" => Some(QError::AlreadyBlocked),
            "User" => Some(QError::NoSuchUser),
            _ => None,
        })
    })
}

/// Deletes a follow that is there, or makes sure that none comes.
fn end_follow<'t>(
    transaction: Transaction<'t>,
    follower: &UserId,
    followee: &UserId,
    exists: bool,
) -> Transaction<'t> {
    if exists {
        transaction.delete(Follow::delete(follower, followee).must_exist())
    } else {
        transaction.check_absent(Follow::key(follower, followee))
    }
}

/// Ends a block. Follows do not come back.
pub async fn unblock(db: &Dynamo, blocker: &UserId, blocked: &UserId) -> Result<()> {
    let delete = Block::delete(blocker, blocked).must_exist();
    let sent = delete.send(db).await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NotBlocked)))
}
