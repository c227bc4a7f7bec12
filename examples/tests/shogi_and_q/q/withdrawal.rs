//! Withdrawal, whole and cut off.

use super::{app_with, assert_counts, id, minutes_later, now, today, user};
use crate::support::{Outcome, cut_off_after};
use dynamo_model::Dynamo;
use dynamo_model_examples::q::logic::{
    Stage, Target, block, follow, post_answer, react, register, register_push_token, report,
    submit_question, withdraw,
};
use dynamo_model_examples::q::{
    Answer, Block, DeviceType, Follow, PushToken, Question, Reaction, ReactionType, Report,
    ReportCategory, User, UserQuestionSubmission, deployed,
};

/// hanako, who has left something everywhere; and as much of others.
async fn busy_app() -> Outcome<Dynamo> {
    let db = app_with(&["hanako", "taro", "jiro", "saburo"]).await?;
    for n in 0..12 {
        let fan = format!("fan{n:02}");
        register(&db, &user(&fan)).await?;
        follow(&db, &id(&fan), &id("hanako"), now()).await?;
        follow(&db, &id(&fan), &id("taro"), now()).await?;
    }
    for name in ["taro", "jiro"] {
        follow(&db, &id("hanako"), &id(name), now()).await?;
    }
    follow(&db, &id("taro"), &id("hanako"), now()).await?;
    block(&db, &id("hanako"), &id("saburo"), now()).await?;
    block(&db, &id("jiro"), &id("saburo"), now()).await?;
    for name in ["hanako", "taro", "jiro"] {
        let (me, other) = (
            id(name),
            if name == "taro" {
                id("jiro")
            } else {
                id("taro")
            },
        );
        post_answer(&db, &me, "はい", now()).await?;
        submit_question(&db, &me, &format!("{name}の質問"), now()).await?;
        register_push_token(&db, &me, name, DeviceType::Ios).await?;
        report(
            &db,
            &me,
            Target::User(&other),
            (ReportCategory::Other, None),
            now(),
        )
        .await?;
    }
    for (author, reactor) in [("hanako", "taro"), ("taro", "hanako"), ("taro", "jiro")] {
        react(
            &db,
            (today(), &id(author)),
            &id(reactor),
            ReactionType::Heart,
        )
        .await?;
    }
    submit_question(&db, &id("hanako"), "明日の質問", minutes_later(24 * 60)).await?;
    Ok(db)
}

/// Nothing of hanako, and all of the others.
async fn assert_gone(db: &Dynamo) -> Outcome {
    assert_eq!(User::scan().count(db).await?, 15);
    assert_eq!(User::get("u-hanako").send(db).await?, None);
    assert_eq!(Follow::scan().count(db).await?, 12);
    for name in ["taro", "jiro", "saburo", "fan00", "fan11"] {
        assert_counts(db, &id(name)).await?;
    }
    assert_eq!(Block::scan().count(db).await?, 1);
    assert_eq!(Answer::scan().count(db).await?, 2);
    let reactions = Reaction::scan().all(db).await?;
    assert_eq!(reactions.len(), 1);
    assert_eq!(reactions[0].reactor_id, id("jiro"));
    assert_eq!(UserQuestionSubmission::scan().count(db).await?, 2);
    let questions = Question::scan().all(db).await?;
    let nobodys = questions
        .iter()
        .filter(|question| question.submitted_by.is_none());
    assert_eq!((questions.len(), nobodys.count()), (4, 2));
    assert_eq!(Report::scan().count(db).await?, 2);
    assert_eq!(PushToken::scan().count(db).await?, 2);
    Ok(())
}

fn end() -> jiff::Timestamp {
    minutes_later(2 * 24 * 60)
}

#[tokio::test]
async fn everything_of_a_user_goes() -> Outcome {
    let db = busy_app().await?;
    withdraw(&db, &id("hanako"), Stage::Close, end()).await?;
    assert_gone(&db).await?;
    // Again, there is nothing to do.
    withdraw(&db, &id("hanako"), Stage::Close, end()).await?;
    assert_gone(&db).await
}

/// Each stage can be the last before a crash, and the next or the first the one to go on from.
#[tokio::test]
async fn cut_off_after_each_stage() -> Outcome {
    for (at, stage) in Stage::ALL.into_iter().enumerate() {
        let db = busy_app().await?;
        for done in &Stage::ALL[..=at] {
            done.run(&db, &id("hanako"), end()).await?;
        }
        let from = match at % 2 {
            0 => stage,
            _ => Stage::Close,
        };
        withdraw(&db, &id("hanako"), from, end()).await?;
        assert_gone(&db).await?;
    }
    Ok(())
}

/// Cut off before its first request, its second, and so on, and begun again each time, until it is through.
#[tokio::test]
async fn cut_off_before_each_request() -> Outcome {
    let db = busy_app().await?;
    let hanako = id("hanako");
    let mut requests = 0;
    loop {
        let broken = deployed(&cut_off_after(&db, requests), "test");
        if withdraw(&broken, &hanako, Stage::Close, end())
            .await
            .is_ok()
        {
            break;
        }
        for name in ["taro", "jiro", "fan00", "fan05", "fan11"] {
            assert_counts(&db, &id(name)).await?;
        }
        requests += 1;
    }
    assert!(requests > 10, "{requests}");
    assert_gone(&db).await
}

/// Who follows after the first stage is not left with a count of nobody.
#[tokio::test]
async fn a_follower_at_the_last_moment() -> Outcome {
    let db = busy_app().await?;
    Stage::Follows.run(&db, &id("hanako"), end()).await?;
    follow(&db, &id("fan03"), &id("hanako"), now()).await?;
    withdraw(&db, &id("hanako"), Stage::Blocks, end()).await?;
    assert_gone(&db).await?;
    assert_counts(&db, &id("fan03")).await
}
