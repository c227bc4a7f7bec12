//! Answers, reactions, the timeline.

use super::{
    app_with, app_with_admin, assert_refused, id, minutes_later, now, post_answer, today,
    unpublish, user,
};
use crate::support::{Outcome, at_once, successes};
use dynamo_model::{Dynamo, Entity};
use dynamo_model_examples::q::logic::{
    add_ng_word, ban_user, delete_answer, follow, react, register, restore_answer, timeline,
    unreact,
};
use dynamo_model_examples::q::{
    Answer, Block, QError, Reaction, ReactionType, User, UserId, VisibilityType,
};

#[tokio::test]
async fn a_user_posts_one_answer_a_day() -> Outcome {
    let db = app_with(&["hanako", "taro"]).await?;
    let hanako = id("hanako");
    let posted = post_answer(&db, &hanako, "猫が寝言を言った", now()).await?;
    assert_eq!(Answer::get(today(), hanako).send(&db).await?, Some(posted));
    assert_refused!(
        post_answer(&db, &hanako, "犬も", now()),
        QError::AlreadyAnswered
    );
    delete_answer(&db, today(), &hanako, now()).await?;
    assert_refused!(
        delete_answer(&db, today(), &hanako, now()),
        QError::NoSuchAnswer
    );
    assert_refused!(
        post_answer(&db, &hanako, "犬も", now()),
        QError::AlreadyAnswered
    );
    let deleted = Answer::get(today(), hanako).send(&db).await?.unwrap();
    assert_eq!(
        (deleted.is_deleted, deleted.deleted_at),
        (true, Some(now()))
    );
    restore_answer(&db, today(), &hanako).await?;
    assert_refused!(restore_answer(&db, today(), &hanako), QError::NoSuchAnswer);
    let restored = Answer::get(today(), hanako).send(&db).await?.unwrap();
    assert_eq!((restored.is_deleted, restored.deleted_at), (false, None));
    post_answer(&db, &id("taro"), "犬も", now()).await?;
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_fifty_simultaneous_answers_is_posted() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    let outcomes = at_once(50, |n| {
        let db = db.clone();
        async move { post_answer(&db, &id("hanako"), &format!("{n}番"), now()).await }
    })
    .await;
    assert_eq!(successes(&outcomes), 1);
    let posted: Vec<_> = outcomes.into_iter().filter_map(Result::ok).collect();
    assert_eq!(Answer::query(today()).all(&db).await?, posted);
    Ok(())
}

#[tokio::test]
async fn an_answer_within_thirty_minutes_is_on_time() -> Outcome {
    let db = app_with(&[]).await?;
    let second = jiff::SignedDuration::from_secs(1);
    let cases = [
        ("a00", now(), (true, 0)),
        ("a30", minutes_later(30), (true, 0)),
        ("a31", minutes_later(30) + second, (false, 1)),
        ("a45", minutes_later(45), (false, 15)),
        ("a99", minutes_later(179), (false, 149)),
    ];
    for (name, time, expected) in cases {
        register(&db, &user(name)).await?;
        let answer = post_answer(&db, &id(name), "はい", time).await?;
        assert_eq!((answer.is_on_time, answer.late_minutes), expected, "{name}");
    }
    Ok(())
}

#[tokio::test]
async fn an_invalid_answer_is_refused() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    let hanako = id("hanako");
    assert_refused!(
        post_answer(&db, &hanako, "", now()),
        QError::Invalid {
            attribute: "text",
            ..
        }
    );
    let long = "あ".repeat(81);
    assert_refused!(
        post_answer(&db, &hanako, &long, now()),
        QError::Invalid { .. }
    );
    assert_refused!(
        post_answer(&db, &id("nobody"), "はい", now()),
        QError::NoSuchUser
    );
    // No question tomorrow, and none before it is out.
    assert_refused!(
        post_answer(&db, &hanako, "はい", minutes_later(24 * 60)),
        QError::NotPublished
    );
    assert_refused!(
        post_answer(&db, &hanako, "はい", minutes_later(-1)),
        QError::NotPublished
    );
    ban_user(&db, &boss, &id("taro"), now()).await?;
    assert_refused!(post_answer(&db, &id("taro"), "はい", now()), QError::Banned);
    post_answer(&db, &hanako, &long[..80 * "あ".len()], now()).await?;
    unpublish(&db).await?;
    assert_refused!(
        post_answer(&db, &id("boss"), "はい", now()),
        QError::NotPublished
    );
    Ok(())
}

#[tokio::test]
async fn a_forbidden_word_is_flagged() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    add_ng_word(&db, &boss, "Spam", now()).await?;
    assert!(
        post_answer(&db, &id("hanako"), "これはSPAMです", now())
            .await?
            .is_flagged
    );
    assert!(
        !post_answer(&db, &id("taro"), "これは卵です", now())
            .await?
            .is_flagged
    );
    Ok(())
}

#[tokio::test]
async fn a_user_has_one_reaction_to_an_answer() -> Outcome {
    let db = app_with(&["hanako", "taro", "jiro"]).await?;
    let (hanako, taro) = (id("hanako"), id("taro"));
    let answer = (today(), &hanako);
    assert_refused!(
        react(&db, answer, &taro, ReactionType::Fire),
        QError::NoSuchAnswer
    );
    post_answer(&db, &hanako, "猫", now()).await?;
    react(&db, answer, &taro, ReactionType::Fire).await?;
    let first = Reaction::get(today(), hanako, taro)
        .send(&db)
        .await?
        .unwrap();
    let later = db
        .clone()
        .with_clock(|| std::time::SystemTime::now() + std::time::Duration::from_secs(60));
    react(&later, answer, &taro, ReactionType::Heart).await?;
    let second = Reaction::query(today(), hanako).one(&db).await?;
    assert_eq!(second.reaction_type, ReactionType::Heart);
    assert_eq!(second.created_at, first.created_at);
    assert!(second.updated_at > first.updated_at);
    react(&db, answer, &id("jiro"), ReactionType::Eyes).await?;
    assert_eq!(Reaction::query(today(), hanako).count(&db).await?, 2);
    unreact(&db, answer, &taro).await?;
    assert_refused!(unreact(&db, answer, &taro), QError::NoSuchReaction);
    assert_refused!(
        react(&db, answer, &id("nobody"), ReactionType::Eyes),
        QError::NoSuchUser
    );
    delete_answer(&db, today(), &hanako, now()).await?;
    assert_refused!(
        react(&db, answer, &taro, ReactionType::Fire),
        QError::NoSuchAnswer
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_simultaneous_reactions_of_a_user_count_once() -> Outcome {
    let db = app_with(&["hanako", "taro"]).await?;
    post_answer(&db, &id("hanako"), "猫", now()).await?;
    let outcomes = at_once(50, |n| {
        let db = db.clone();
        let reaction = [ReactionType::Thinking, ReactionType::Laughing][n % 2];
        async move { react(&db, (today(), &id("hanako")), &id("taro"), reaction).await }
    })
    .await;
    assert_eq!(successes(&outcomes), 50);
    assert_eq!(Reaction::query(today(), id("hanako")).count(&db).await?, 1);
    Ok(())
}

async fn seen(db: &Dynamo, me: &UserId) -> Outcome<String> {
    let answers = timeline(db, me, today()).await?;
    let all = ["hanako", "mutual", "oneway", "stranger", "open"];
    let name = |answer: &Answer| all.into_iter().find(|name| id(name) == answer.user_id);
    let names: Vec<_> = answers.iter().filter_map(name).collect();
    Ok(names.join(" "))
}

#[tokio::test]
async fn the_timeline_is_read_in_five_steps() -> Outcome {
    let db = app_with(&["hanako", "mutual", "oneway", "stranger"]).await?;
    let open = User {
        visibility_type: VisibilityType::Followers,
        ..user("open")
    };
    register(&db, &open).await?;
    let hanako = id("hanako");
    let posts = [
        ("open", 50),
        ("mutual", 40),
        ("oneway", 1),
        ("stranger", 2),
        ("hanako", 3),
    ];
    for (name, minute) in posts {
        post_answer(&db, &id(name), "はい", minutes_later(minute)).await?;
    }
    assert_eq!(seen(&db, &hanako).await?, "");
    // 1 and 2: only followees; of those with mutual visibility, only followers.
    for name in ["open", "mutual", "oneway"] {
        follow(&db, &hanako, &id(name), now()).await?;
    }
    follow(&db, &id("mutual"), &hanako, now()).await?;
    // 5: both are late, and mutual was earlier.
    assert_eq!(seen(&db, &hanako).await?, "mutual open");
    follow(&db, &id("oneway"), &hanako, now()).await?;
    assert_eq!(seen(&db, &hanako).await?, "oneway mutual open");
    // A deleted answer is not shown.
    delete_answer(&db, today(), &id("oneway"), now()).await?;
    assert_eq!(seen(&db, &hanako).await?, "mutual open");
    // 3: blocks, either way; written past the logic, which would end the follow too.
    let block = |blocker: &str, blocked: &str| Block {
        blocker_id: id(blocker),
        blocked_id: id(blocked),
        created_at: now(),
    };
    block("open", "hanako").put().send(&db).await?;
    assert_eq!(seen(&db, &hanako).await?, "mutual");
    block("hanako", "mutual").put().send(&db).await?;
    assert_eq!(seen(&db, &hanako).await?, "");
    // 4: of that day only.
    assert!(
        timeline(&db, &hanako, today().tomorrow()?)
            .await?
            .is_empty()
    );
    Ok(())
}

/// More than the hundred values that an `IN` could have.
#[tokio::test]
async fn a_timeline_of_many_followees_is_complete() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    for n in 0..130 {
        let name = format!("open{n}");
        User {
            visibility_type: VisibilityType::Followers,
            ..user(&name)
        }
        .create()
        .send(&db)
        .await?;
        follow(&db, &id("hanako"), &id(&name), now()).await?;
        post_answer(&db, &id(&name), "はい", minutes_later(n % 60)).await?;
    }
    let answers = timeline(&db, &id("hanako"), today()).await?;
    assert_eq!(answers.len(), 130);
    assert!(answers.is_sorted_by_key(|it| (!it.is_on_time, it.created_at)));
    Ok(())
}
