//! Reports, words, bans, logs.

use super::{app_with_admin, assert_refused, boss, id, minutes_later, now, tables, today};
use crate::support::Outcome;
use dynamo_model_examples::q::logic::{
    Admin, Target, add_ng_word, ban_user, create_question, delete_ng_word, follow, is_flagged,
    post_answer, report, resolve_report, review_flagged_answer, unban_user,
};
use dynamo_model_examples::q::{
    AdminAction, AdminLog, Answer, NgWord, QError, Question, Report, ReportCategory, ReportStatus,
    ReportTarget, User,
};

const SPAM: (ReportCategory, Option<&str>) = (ReportCategory::Spam, Some("宣伝です"));

#[tokio::test]
async fn a_report_and_its_end() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    let (hanako, taro) = (id("hanako"), id("taro"));
    post_answer(&db, &taro, "買ってください", now()).await?;
    let of_user = report(&db, &hanako, Target::User(&taro), SPAM, now()).await?;
    let of_answer = report(
        &db,
        &hanako,
        Target::Answer(today(), &taro),
        SPAM,
        minutes_later(1),
    )
    .await?;
    assert_eq!(
        (of_user.target_type, of_user.target_id.as_str()),
        (ReportTarget::User, "u-taro")
    );
    assert_eq!(of_answer.target_id, "2026-02-05#u-taro");
    let pending = Report::by_status(ReportStatus::Pending).all(&db).await?;
    assert_eq!(pending, [of_user.clone(), of_answer.clone()]);

    assert_refused!(
        report(&db, &hanako, Target::User(&hanako), SPAM, now()),
        QError::Yourself
    );
    assert_refused!(
        report(&db, &hanako, Target::User(&id("x")), SPAM, now()),
        QError::NoSuchUser
    );
    assert_refused!(
        report(&db, &id("x"), Target::User(&taro), SPAM, now()),
        QError::NoSuchUser
    );
    assert_refused!(
        report(&db, &taro, Target::Answer(today(), &hanako), SPAM, now()),
        QError::NoSuchAnswer
    );

    resolve_report(&db, &boss, &of_user.report_id, true, now()).await?;
    resolve_report(&db, &boss, &of_answer.report_id, false, now()).await?;
    assert_refused!(
        resolve_report(&db, &boss, &of_user.report_id, false, now()),
        QError::NoSuchReport
    );
    assert_refused!(
        resolve_report(&db, &boss, "r-x", false, now()),
        QError::NoSuchReport
    );
    let resolved = Report::by_status(ReportStatus::Resolved).one(&db).await?;
    assert_eq!(
        (resolved.resolved_at, resolved.resolved_by),
        (Some(now()), Some(id("boss")))
    );
    assert_eq!(
        Report::by_status(ReportStatus::Dismissed)
            .count(&db)
            .await?,
        1
    );
    Ok(())
}

#[tokio::test]
async fn forbidden_words() -> Outcome {
    let (db, boss) = app_with_admin(&[]).await?;
    add_ng_word(&db, &boss, "BadWord", now()).await?;
    assert_refused!(
        add_ng_word(&db, &boss, "badword", now()),
        QError::AlreadyThere
    );
    assert_eq!(NgWord::scan().all(&db).await?[0].word, "badword");
    assert!(is_flagged(&db, "a BADWORD!").await?);
    delete_ng_word(&db, &boss, "BADWORD", now()).await?;
    assert_refused!(
        delete_ng_word(&db, &boss, "badword", now()),
        QError::NoSuchWord
    );
    assert!(!is_flagged(&db, "a BADWORD!").await?);
    Ok(())
}

#[tokio::test]
async fn bans() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako"]).await?;
    let hanako = id("hanako");
    ban_user(&db, &boss, &hanako, now()).await?;
    assert!(User::get(&hanako).send(&db).await?.unwrap().is_banned);
    assert_refused!(follow(&db, &hanako, &id("boss"), now()), QError::Banned);
    unban_user(&db, &boss, &hanako, now()).await?;
    follow(&db, &hanako, &id("boss"), now()).await?;
    assert!(!User::get(&hanako).send(&db).await?.unwrap().is_banned);
    assert_refused!(
        ban_user(&db, &boss, &id("nobody"), now()),
        QError::NoSuchUser
    );
    assert_refused!(ban_user(&db, &boss, &id("boss"), now()), QError::Yourself);
    Ok(())
}

#[tokio::test]
async fn a_flagged_answer_stays_or_goes() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    add_ng_word(&db, &boss, "ばか", now()).await?;
    let (hanako, taro) = (id("hanako"), id("taro"));
    post_answer(&db, &hanako, "ばかではない", now()).await?;
    post_answer(&db, &taro, "ばか", now()).await?;
    review_flagged_answer(&db, &boss, (today(), &hanako), false, now()).await?;
    review_flagged_answer(&db, &boss, (today(), &taro), true, now()).await?;
    let again = review_flagged_answer(&db, &boss, (today(), &taro), true, now());
    assert_refused!(again, QError::NoSuchAnswer);
    let marks = |answer: Option<Answer>| answer.map(|it| (it.is_flagged, it.is_deleted));
    assert_eq!(
        marks(Answer::get(today(), &hanako).send(&db).await?),
        Some((false, false))
    );
    assert_eq!(
        marks(Answer::get(today(), &taro).send(&db).await?),
        Some((false, true))
    );
    Ok(())
}

/// What somebody does who may not, leaves nothing: no effect and no log.
#[tokio::test]
async fn only_administrators() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    let nobody = Admin {
        user_id: id("hanako"),
        ..boss.clone()
    };
    assert_refused!(ban_user(&db, &nobody, &id("taro"), now()), QError::NotAdmin);
    assert_refused!(add_ng_word(&db, &nobody, "x", now()), QError::NotAdmin);
    assert_refused!(
        create_question(&db, &nobody, "x？", now()),
        QError::NotAdmin
    );
    let banned = User::update("u-boss").set(|user| user.is_banned(), true);
    banned.send(&db).await?;
    assert_refused!(add_ng_word(&db, &boss, "x", now()), QError::NotAdmin);
    assert_eq!(AdminLog::query().count(&db).await?, 0);
    assert_eq!(
        NgWord::scan().count(&db).await? + Question::scan().count(&db).await?,
        0
    );
    assert!(!User::get("u-taro").send(&db).await?.unwrap().is_banned);
    Ok(())
}

#[tokio::test]
async fn logs_three_ways_and_their_end() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako"]).await?;
    add_ng_word(&db, &boss, "a", minutes_later(0)).await?;
    ban_user(&db, &boss, &id("hanako"), minutes_later(1)).await?;
    add_ng_word(&db, &boss, "b", minutes_later(2)).await?;
    let targets = |logs: Vec<AdminLog>| -> Vec<String> {
        logs.into_iter().filter_map(|log| log.target_id).collect()
    };
    let all = AdminLog::query().newest_first().all(&db).await?;
    assert_eq!(targets(all.clone()), ["b", "u-hanako", "a"]);
    let words = AdminLog::by_action(AdminAction::AddNgWord).all(&db).await?;
    assert_eq!(targets(words), ["a", "b"]);
    let own = AdminLog::by_admin("u-boss").limit(2).all(&db).await?;
    assert_eq!(targets(own), ["a", "u-hanako"]);
    let log = &all[0];
    assert_eq!(log.admin_email.as_deref(), Some("boss@example.com"));
    assert_eq!(log.ip_address.as_deref(), Some("192.0.2.1"));
    let kept = i64::try_from(log.ttl)? - log.timestamp.as_second();
    assert_eq!(kept, 90 * 24 * 60 * 60);
    Ok(())
}

/// Ninety days after 2001 are long over.
#[tokio::test]
async fn old_logs_are_deleted() -> Outcome {
    let db = tables().await?;
    let boss = boss(&db).await?;
    add_ng_word(&db, &boss, "a", "2001-01-01T00:00:00Z".parse()?).await?;
    add_ng_word(&db, &boss, "b", "2100-01-01T00:00:00Z".parse()?).await?;
    assert_eq!(db.sweep_expired().await?, 1);
    assert_eq!(
        AdminLog::query().one(&db).await?.target_id.as_deref(),
        Some("b")
    );
    Ok(())
}
