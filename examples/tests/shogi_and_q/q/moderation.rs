//! Reports, words, bans, logs.

use super::{
    app_with_admin, assert_refused, boss, id, minutes_later, now, post_answer, submit_question,
    tables, today,
};
use crate::simulator::as_tester;
use crate::support::Outcome;
use dynamo_model::{Entity, Value};
use dynamo_model_examples::q::logic::{
    Admin, Target, add_ng_word, archive_question, ban_user, create_question, delete_ng_word,
    follow, is_flagged, report, resolve_report, review_flagged_answer, review_submission,
    set_daily_question, unban_user,
};
use dynamo_model_examples::q::{
    AdminAction, AdminLog, Answer, Email, NgWord, PublishTime, QError, Question, QuestionText,
    Report, ReportCategory, ReportId, ReportStatus, ReportTarget, User,
};

const SPAM: (ReportCategory, Option<&str>) = (ReportCategory::Spam, Some("宣伝です"));

#[tokio::test]
async fn a_report_is_filed_and_resolved() -> Outcome {
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
        (of_user.target_type, of_user.target_id.clone()),
        (ReportTarget::User, taro.to_string())
    );
    assert_eq!(of_answer.target_id, format!("2026-02-05#{taro}"));
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
        resolve_report(&db, &boss, &ReportId::random(), false, now()),
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
async fn forbidden_words_are_added_and_removed() -> Outcome {
    let (db, boss) = app_with_admin(&[]).await?;
    add_ng_word(&db, &boss, "BadWord", now()).await?;
    assert_refused!(
        add_ng_word(&db, &boss, "badword", now()),
        QError::AlreadyThere
    );
    assert_eq!(
        as_tester(NgWord::scan().all(&db)).await?[0].word.as_str(),
        "badword"
    );
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
async fn a_user_is_banned_and_unbanned() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako"]).await?;
    let hanako = id("hanako");
    ban_user(&db, &boss, &hanako, now()).await?;
    assert!(User::get(hanako).send(&db).await?.unwrap().is_banned);
    assert_refused!(follow(&db, &hanako, &id("boss"), now()), QError::Banned);
    unban_user(&db, &boss, &hanako, now()).await?;
    follow(&db, &hanako, &id("boss"), now()).await?;
    assert!(!User::get(hanako).send(&db).await?.unwrap().is_banned);
    assert_refused!(
        ban_user(&db, &boss, &id("nobody"), now()),
        QError::NoSuchUser
    );
    assert_refused!(ban_user(&db, &boss, &id("boss"), now()), QError::Yourself);
    Ok(())
}

#[tokio::test]
async fn a_flagged_answer_is_kept_or_deleted() -> Outcome {
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
        marks(Answer::get(today(), hanako).send(&db).await?),
        Some((false, false))
    );
    assert_eq!(
        marks(Answer::get(today(), taro).send(&db).await?),
        Some((false, true))
    );
    Ok(())
}

/// An action without permission has no effect and no log.
#[tokio::test]
async fn only_administrators_may_moderate() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    let nobody = Admin {
        user_id: id("hanako"),
        ..boss.clone()
    };
    assert_refused!(ban_user(&db, &nobody, &id("taro"), now()), QError::NotAdmin);
    assert_refused!(add_ng_word(&db, &nobody, "x", now()), QError::NotAdmin);
    assert_refused!(
        create_question(&db, &nobody, QuestionText::new("x？")?, now()),
        QError::NotAdmin
    );
    let banned = User::update(id("boss")).set(|user| user.is_banned(), true);
    banned.send(&db).await?;
    assert_refused!(add_ng_word(&db, &boss, "x", now()), QError::NotAdmin);
    assert_eq!(AdminLog::query().count(&db).await?, 0);
    assert_eq!(
        as_tester(NgWord::scan().count(&db)).await?
            + as_tester(Question::scan().count(&db)).await?,
        0
    );
    assert!(!User::get(id("taro")).send(&db).await?.unwrap().is_banned);
    Ok(())
}

#[tokio::test]
async fn logs_are_found_by_time_administrator_and_target_and_expire() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako"]).await?;
    add_ng_word(&db, &boss, "a", minutes_later(0)).await?;
    ban_user(&db, &boss, &id("hanako"), minutes_later(1)).await?;
    add_ng_word(&db, &boss, "b", minutes_later(2)).await?;
    let targets = |logs: Vec<AdminLog>| -> Vec<String> {
        logs.into_iter().filter_map(|log| log.target_id).collect()
    };
    let all = AdminLog::query().descending().all(&db).await?;
    assert_eq!(
        targets(all.clone()),
        ["b".to_owned(), id("hanako").to_string(), "a".to_owned()]
    );
    let words = AdminLog::by_action(AdminAction::AddNgWord).all(&db).await?;
    assert_eq!(targets(words), ["a", "b"]);
    let own = AdminLog::by_admin(id("boss")).limit(2).all(&db).await?;
    assert_eq!(targets(own), ["a".to_owned(), id("hanako").to_string()]);
    let log = &all[0];
    assert_eq!(
        log.admin_email.as_ref().map(Email::as_str),
        Some("boss@example.com")
    );
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

/// One of each, and the logs that they leave.
#[tokio::test]
async fn every_action_of_an_administrator_is_logged() -> Outcome {
    let (db, boss) = app_with_admin(&["hanako", "taro"]).await?;
    let (hanako, taro) = (id("hanako"), id("taro"));
    add_ng_word(&db, &boss, "ばか", now()).await?;
    let own = create_question(&db, &boss, QuestionText::new("好きな駅は？")?, now()).await?;
    let tomorrow = (today().tomorrow()?, PublishTime::new("21:00")?);
    set_daily_question(&db, &boss, tomorrow, &own.question_id, now()).await?;
    let submitted = submit_question(&db, &hanako, "好きな色は？", now()).await?;
    review_submission(&db, &boss, &submitted.question_id, true, now()).await?;
    archive_question(&db, &boss, &submitted.question_id, now()).await?;
    post_answer(&db, &taro, "ばか", now()).await?;
    review_flagged_answer(&db, &boss, (today(), &taro), false, now()).await?;
    let of_user = report(&db, &hanako, Target::User(&taro), SPAM, now()).await?;
    resolve_report(&db, &boss, &of_user.report_id, true, now()).await?;
    ban_user(&db, &boss, &taro, now()).await?;
    unban_user(&db, &boss, &taro, now()).await?;
    delete_ng_word(&db, &boss, "ばか", now()).await?;
    let expected = [
        (AdminAction::AddNgWord, "ngWord", "ばか".to_owned()),
        (AdminAction::DeleteNgWord, "ngWord", "ばか".to_owned()),
        (
            AdminAction::CreateQuestion,
            "question",
            own.question_id.to_string(),
        ),
        (
            AdminAction::SetDailyQuestion,
            "question",
            own.question_id.to_string(),
        ),
        (
            AdminAction::UpdateReport,
            "report",
            of_user.report_id.to_string(),
        ),
        (
            AdminAction::ReviewSubmission,
            "question",
            submitted.question_id.to_string(),
        ),
        (AdminAction::BanUser, "user", taro.to_string()),
        (AdminAction::UnbanUser, "user", taro.to_string()),
        (
            AdminAction::ReviewFlaggedPost,
            "answer",
            format!("2026-02-05#{taro}"),
        ),
        (
            AdminAction::ArchiveQuestion,
            "question",
            submitted.question_id.to_string(),
        ),
    ];
    for (action, target_type, target_id) in expected {
        let log = AdminLog::by_action(action).one(&db).await?;
        assert_eq!(log.target_type.as_deref(), Some(target_type), "{action:?}");
        assert_eq!(log.target_id, Some(target_id), "{action:?}");
        assert_eq!((log.admin_id, log.timestamp), (id("boss"), now()));
    }
    assert_eq!(AdminLog::query().count(&db).await?, 10);
    Ok(())
}

/// "details: Map": numbers with all of their digits, sets, bytes, and nested maps round-trip.
#[tokio::test]
async fn details_of_a_log_hold_any_value() -> Outcome {
    let (db, boss) = app_with_admin(&[]).await?;
    let number = |text: &str| text.parse().map(Value::N);
    let before = [
        (
            "price".to_owned(),
            number("12345678901234567890.123456789")?,
        ),
        ("none".to_owned(), Value::Null),
    ];
    let mut log = boss.log(AdminAction::UpdateReport, "report", "r", now());
    log.details = [
        ("before".to_owned(), Value::M(before.into())),
        (
            "words".to_owned(),
            Value::Ss(["ばか".to_owned(), "あほ".to_owned()].into()),
        ),
        (
            "list".to_owned(),
            Value::L(vec![true.into(), "text".into()]),
        ),
        ("bytes".to_owned(), Value::B(vec![0, 255])),
    ]
    .into();
    log.create().send(&db).await?;
    assert_eq!(AdminLog::query().one(&db).await?, log);
    Ok(())
}
