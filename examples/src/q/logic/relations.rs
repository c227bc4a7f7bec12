//! Follows and blocks, with the counters of both users: "6.1 What needs a transaction".

use super::{Result, refused};
use crate::q::{Block, Follow, QError, User, UserId};
use dynamo_model::batch::IntoKey;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{Dynamo, Entity, Transaction};
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
    let sent = Transaction::new()
        .add(Block::key(follower, followee).must_not_exist())
        .add(Block::key(followee, follower).must_not_exist())
        .add(follow.create())
        .add(
            User::update(follower)
                .add(|user| user.following_count(), 1_u64)
                .condition(|user| user.is_banned().eq(false)),
        )
        .add(User::update(followee).add(|user| user.follower_count(), 1_u64))
        .send(db)
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
    let sent = Transaction::new()
        .add(Follow::delete(follower, followee).must_exist())
        .add(User::update(follower).subtract(|user| user.following_count(), 1_u64))
        .add(User::update(followee).subtract(|user| user.follower_count(), 1_u64))
        .send(db)
        .await;
    sent.map_err(|error| {
        refused(error, |entity, _| match entity {
            "Follow" => Some(QError::NotFollowing),
            _ => Some(QError::NoSuchUser),
        })
    })
}

/// Returns whether each follows the other, at one moment.
pub async fn is_mutual(db: &Dynamo, one: &UserId, other: &UserId) -> Result<bool> {
    let both = (Follow::key(one, other), Follow::key(other, one));
    let (there, back) = TransactGet::new(both).send(db).await?;
    Ok(there.is_some() && back.is_some())
}

/// Blocks, and ends whichever of the two follows there is, with its counters.
///
/// Whether there are follows is read first, and must still be so when the block is written.
pub async fn block(db: &Dynamo, blocker: &UserId, blocked: &UserId, now: Timestamp) -> Result<()> {
    different(blocker, blocked)?;
    for _ in 0..ATTEMPTS {
        match try_block(db, blocker, blocked, now).await {
            // Another client followed or unfollowed meanwhile.
            Err(QError::Dynamo(error)) if error.is_condition_failed() => {}
            done => return done,
        }
    }
    Err(QError::Busy)
}

async fn try_block(db: &Dynamo, blocker: &UserId, blocked: &UserId, now: Timestamp) -> Result<()> {
    let follows = (Follow::key(blocker, blocked), Follow::key(blocked, blocker));
    let (there, back) = TransactGet::new(follows).send(db).await?;
    let block = Block {
        blocker_id: *blocker,
        blocked_id: *blocked,
        created_at: now,
    };
    let transaction = Transaction::new().add(block.create());
    let transaction = end_follow(transaction, blocker, blocked, there.is_some());
    let transaction = end_follow(transaction, blocked, blocker, back.is_some());
    let transaction = match (u64::from(there.is_some()), u64::from(back.is_some())) {
        (0, 0) => transaction
            .add(User::key(blocker).must_exist())
            .add(User::key(blocked).must_exist()),
        (there, back) => transaction
            .add(
                User::update(blocker)
                    .subtract(|user| user.following_count(), there)
                    .subtract(|user| user.follower_count(), back),
            )
            .add(
                User::update(blocked)
                    .subtract(|user| user.following_count(), back)
                    .subtract(|user| user.follower_count(), there),
            ),
    };
    transaction.send(db).await.map_err(|error| {
        refused(error, |entity, _| match entity {
            "Block" => Some(QError::AlreadyBlocked),
            "User" => Some(QError::NoSuchUser),
            _ => None,
        })
    })
}

/// Deletes an existing follow, or requires that none exists.
fn end_follow(
    transaction: Transaction,
    follower: &UserId,
    followee: &UserId,
    exists: bool,
) -> Transaction {
    if exists {
        transaction.add(Follow::delete(follower, followee).must_exist())
    } else {
        transaction.add(Follow::key(follower, followee).must_not_exist())
    }
}

/// Ends a block. Follows are not restored.
pub async fn unblock(db: &Dynamo, blocker: &UserId, blocked: &UserId) -> Result<()> {
    let delete = Block::delete(blocker, blocked).must_exist();
    let sent = delete.send(db).await;
    sent.map_err(|error| refused(error, |_, _| Some(QError::NotBlocked)))
}
