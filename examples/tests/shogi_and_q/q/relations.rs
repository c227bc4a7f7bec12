//! Follows and blocks, and their counters.

use super::{app, app_with, assert_counts, assert_refused, counts, id, now, user};
use crate::simulator::as_tester;
use crate::support::{Outcome, at_once, successes};
use dynamo_model::transaction::TransactGet;
use dynamo_model_examples::q::logic::{block, follow, is_mutual, register, unblock, unfollow};
use dynamo_model_examples::q::{Block, Follow, QError};

#[tokio::test]
async fn follows_are_added_and_removed() -> Outcome {
    let db = app_with(&["hanako", "taro"]).await?;
    let (hanako, taro) = (id("hanako"), id("taro"));
    follow(&db, &hanako, &taro, now()).await?;
    assert_eq!(
        (counts(&db, &hanako).await?, counts(&db, &taro).await?),
        ((1, 0), (0, 1))
    );
    assert!(!is_mutual(&db, &hanako, &taro).await?);
    assert_refused!(follow(&db, &hanako, &taro, now()), QError::AlreadyFollowing);
    follow(&db, &taro, &hanako, now()).await?;
    assert!(is_mutual(&db, &hanako, &taro).await?);
    assert_eq!(
        (counts(&db, &hanako).await?, counts(&db, &taro).await?),
        ((1, 1), (1, 1))
    );
    unfollow(&db, &hanako, &taro).await?;
    assert_refused!(unfollow(&db, &hanako, &taro), QError::NotFollowing);
    assert_eq!(
        (counts(&db, &hanako).await?, counts(&db, &taro).await?),
        ((0, 1), (1, 0))
    );

    assert_refused!(follow(&db, &hanako, &hanako, now()), QError::Yourself);
    // A refused transaction has no effect.
    assert_refused!(
        follow(&db, &hanako, &id("nobody"), now()),
        QError::NoSuchUser
    );
    assert_refused!(
        follow(&db, &id("nobody"), &hanako, now()),
        QError::NoSuchUser
    );
    assert_eq!(as_tester(Follow::scan().count(&db)).await?, 1);
    assert_eq!(counts(&db, &hanako).await?, (0, 1));
    Ok(())
}

/// With none, one or both of the two follows: counters ×0, ×2 and ×4.
#[tokio::test]
async fn a_block_ends_follows_in_both_directions() -> Outcome {
    for (there, back) in [(false, false), (true, false), (false, true), (true, true)] {
        let db = app_with(&["hanako", "taro", "jiro"]).await?;
        let (hanako, taro, jiro) = (id("hanako"), id("taro"), id("jiro"));
        follow(&db, &hanako, &jiro, now()).await?;
        follow(&db, &jiro, &taro, now()).await?;
        if there {
            follow(&db, &hanako, &taro, now()).await?;
        }
        if back {
            follow(&db, &taro, &hanako, now()).await?;
        }
        block(&db, &hanako, &taro, now()).await?;
        // Only those with jiro are left.
        assert_eq!(counts(&db, &hanako).await?, (1, 0));
        assert_eq!(counts(&db, &taro).await?, (0, 1));
        assert_eq!(as_tester(Follow::scan().count(&db)).await?, 2);
        assert_refused!(block(&db, &hanako, &taro, now()), QError::AlreadyBlocked);
        assert_refused!(follow(&db, &hanako, &taro, now()), QError::Blocked);
        assert_refused!(follow(&db, &taro, &hanako, now()), QError::Blocked);
        block(&db, &taro, &hanako, now()).await?;
        unblock(&db, &hanako, &taro).await?;
        assert_refused!(unblock(&db, &hanako, &taro), QError::NotBlocked);
        assert_refused!(follow(&db, &hanako, &taro, now()), QError::Blocked);
        unblock(&db, &taro, &hanako).await?;
        follow(&db, &hanako, &taro, now()).await?;
    }
    Ok(())
}

#[tokio::test]
async fn invalid_blocks_are_refused() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    assert_refused!(
        block(&db, &id("hanako"), &id("hanako"), now()),
        QError::Yourself
    );
    assert_refused!(
        block(&db, &id("hanako"), &id("nobody"), now()),
        QError::NoSuchUser
    );
    assert_eq!(as_tester(Block::scan().count(&db)).await?, 0);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_simultaneous_followers_are_counted() -> Outcome {
    let db = app_with(&["star"]).await?;
    for n in 0..50 {
        register(&db, &user(&format!("fan{n}"))).await?;
    }
    // Each twice: one of the two is refused.
    let outcomes = at_once(100, |n| {
        let db = db.clone();
        async move { follow(&db, &id(&format!("fan{}", n / 2)), &id("star"), now()).await }
    })
    .await;
    assert_eq!(successes(&outcomes), 50);
    assert_eq!(counts(&db, &id("star")).await?, (0, 50));
    // Half of them leave, the other half are blocked, and the star is blocked by some.
    let outcomes = at_once(50, |n| {
        let db = db.clone();
        async move {
            let (fan, star) = (id(&format!("fan{n}")), id("star"));
            match n % 3 {
                0 => unfollow(&db, &fan, &star).await,
                1 => block(&db, &star, &fan, now()).await,
                _ => block(&db, &fan, &star, now()).await,
            }
        }
    })
    .await;
    assert_eq!(successes(&outcomes), 50);
    assert_eq!(counts(&db, &id("star")).await?, (0, 0));
    for n in 0..50 {
        assert_eq!(counts(&db, &id(&format!("fan{n}"))).await?, (0, 0));
    }
    Ok(())
}

/// After fifty concurrent tasks on three users, the counters equal the follows.
#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_follows_and_blocks_stay_consistent() -> Outcome {
    let db = app().await?;
    let names = ["hanako", "taro", "jiro"];
    for name in names {
        register(&db, &user(name)).await?;
    }
    let outcomes = at_once(50, |n| {
        let db = db.clone();
        async move {
            let mut failures = Vec::new();
            for step in 0..10 {
                let random = (n * 31 + step * 17) % 97;
                let (one, other) = (
                    id(names[random % 3]),
                    id(names[(random + 1 + random % 2) % 3]),
                );
                let done = match random % 7 {
                    0..=2 => follow(&db, &one, &other, now()).await,
                    3 | 4 => unfollow(&db, &one, &other).await,
                    5 => block(&db, &one, &other, now()).await,
                    _ => unblock(&db, &one, &other).await,
                };
                failures.extend(done.err());
            }
            failures
        }
    })
    .await;
    for failure in outcomes.into_iter().flatten() {
        let expected = matches!(
            failure,
            QError::AlreadyFollowing
                | QError::NotFollowing
                | QError::Blocked
                | QError::AlreadyBlocked
                | QError::NotBlocked
                | QError::Busy
        );
        assert!(expected, "{failure}");
    }
    for name in names {
        assert_counts(&db, &id(name)).await?;
    }
    // No user follows across a block.
    for blocked in as_tester(Block::scan().all(&db)).await? {
        let (one, other) = (&blocked.blocker_id, &blocked.blocked_id);
        let follows = (Follow::key(one, other), Follow::key(other, one));
        let (there, back) = TransactGet::new(follows).send(&db).await?;
        assert!(there.is_none() && back.is_none());
    }
    Ok(())
}
