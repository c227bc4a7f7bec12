//! Records, tags, permissions and analyses.

use crate::simulator::{as_service, as_tester};
use crate::support::{
    Outcome, any_engine, assert_patterns, at_once, counting, embedded, item, put_raw, round_trip,
    successes,
};
use dynamo_model::{Dynamo, Entity, Table};
use dynamo_model_examples::shogi::logic::{self, ListBy};
use dynamo_model_examples::shogi::{
    self, AllowedKifu, AllowedUser, Analysis, AnalysisStatus, Kifu, KifuId, KifuTag, ShogiError,
    ShogiProject, SystemSettings, Tag, TagId, UserSettings, Username, allowed_kifu, allowed_user,
    analysis, kifu, kifu_tag, system_settings, tag, user_settings,
};
use jiff::Timestamp;
use std::time::Duration;

async fn project() -> Outcome<Dynamo> {
    Ok(as_service("shogi", &table().await?, ""))
}

async fn table() -> Outcome<Dynamo> {
    let db = embedded()?;
    ShogiProject::create_table(&db).await?;
    Ok(db)
}

fn user(name: &str) -> Username {
    Username(name.into())
}

/// Returns a private record of h-akira.
fn record(id: &str) -> Kifu {
    Kifu {
        kifu_id: KifuId(id.into()),
        share_code: None,
        slug: None,
        public: false,
        share: false,
        ..kifu()
    }
}

fn named_tag(id: &str, name: &str) -> Tag {
    Tag {
        tag_id: TagId(id.into()),
        tag_name: name.into(),
        ..tag()
    }
}

/// Later than all times of the document, and more precise.
fn now() -> Timestamp {
    "2026-03-01T10:20:30.456789Z".parse().unwrap()
}

macro_rules! json {
    ($name:literal) => {
        include_str!(concat!("../../src/shogi/sample/", $name, ".json"))
    };
}

#[tokio::test]
async fn every_item_of_the_document_round_trips() -> Outcome {
    let db = &project().await?;
    round_trip!(db, ShogiProject, Kifu, kifu(), json!("kifu"));
    round_trip!(
        db,
        ShogiProject,
        UserSettings,
        user_settings(),
        json!("user_settings")
    );
    round_trip!(
        db,
        ShogiProject,
        SystemSettings,
        system_settings(),
        json!("system_settings")
    );
    round_trip!(db, ShogiProject, KifuTag, kifu_tag(), json!("kifu_tag"));
    round_trip!(
        db,
        ShogiProject,
        AllowedKifu,
        allowed_kifu(),
        json!("allowed_kifu")
    );
    round_trip!(
        db,
        ShogiProject,
        AllowedUser,
        allowed_user(),
        json!("allowed_user")
    );
    round_trip!(db, ShogiProject, Analysis, analysis(), json!("analysis"));
    Ok(())
}

/// A tag is written with the item that keeps its name unique; its own is the document's.
#[tokio::test]
async fn a_tag_round_trips() -> Outcome {
    let db = project().await?;
    let document = item(json!("tag"));
    put_raw::<ShogiProject>(&db, document.clone()).await?;
    let read = Tag::get("h-akira", "jko2kdl").send(&db).await?;
    assert_eq!(read, Some(tag()));
    tag().delete().send(&db).await?;
    assert_eq!(as_tester(Tag::scan().count(&db)).await?, 0);
    tag().put().send(&db).await?;
    let request = db.client().scan().table_name("ShogiProject");
    let stored = as_tester(request.send()).await?.items.unwrap();
    assert!(stored.contains(&document), "{stored:?}");
    assert_eq!(stored.len(), 2);
    assert_eq!(as_tester(Tag::scan().all(&db)).await?, [tag()]);
    Ok(())
}

#[tokio::test]
async fn every_pattern_has_its_expected_result() -> Outcome {
    let (db, name) = any_engine()?;
    let db = db.with_table_prefix(format!("{name}-"));
    let mut counts = Vec::new();
    shogi::load(&db, &mut counting(&mut counts)).await?;
    assert!(counts.is_sorted());
    assert!(*counts.last().unwrap() > 2_000, "{counts:?}");
    let patterns = shogi::patterns();
    assert!(patterns.len() >= 35, "{}", patterns.len());
    assert_patterns(&db, &patterns).await;
    Ok(())
}

#[tokio::test]
async fn the_settings_limit_the_number_of_records() -> Outcome {
    let db = project().await?;
    let settings = |kifu_max| SystemSettings {
        kifu_max,
        ..system_settings()
    };
    settings(1).put().send(&db).await?;
    logic::create_kifu(&db, &record("a")).await?;
    let refused = logic::create_kifu(&db, &record("b")).await;
    assert!(
        matches!(refused, Err(ShogiError::TooManyKifu(1))),
        "{refused:?}"
    );
    // The user's own settings take precedence over the system's.
    UserSettings {
        kifu_max: 2,
        ..user_settings()
    }
    .put()
    .send(&db)
    .await?;
    logic::create_kifu(&db, &record("b")).await?;
    let refused = logic::create_kifu(&db, &record("c")).await.unwrap_err();
    assert_eq!(
        refused.to_string(),
        "no more than 2 records; delete one first"
    );
    logic::delete_kifu(&db, &user("h-akira"), &KifuId("a".into())).await?;
    logic::create_kifu(&db, &record("c")).await?;
    Ok(())
}

#[tokio::test]
async fn a_repeated_id_or_slug_is_refused() -> Outcome {
    let db = project().await?;
    logic::create_kifu(&db, &kifu()).await?;
    let others = Kifu {
        username: user("h-akira2"),
        ..kifu()
    };
    let refused = logic::create_kifu(&db, &others).await;
    assert!(
        matches!(refused, Err(ShogiError::KifuIdTaken)),
        "{refused:?}"
    );
    let same_slug = Kifu {
        slug: kifu().slug,
        ..record("a")
    };
    let refused = logic::create_kifu(&db, &same_slug).await;
    assert!(matches!(refused, Err(ShogiError::SlugTaken)), "{refused:?}");
    // Another user's slugs are their own.
    let others = Kifu {
        username: user("h-akira2"),
        ..same_slug
    };
    logic::create_kifu(&db, &others).await?;
    let same_code = Kifu {
        share_code: kifu().share_code,
        ..record("b")
    };
    let refused = logic::create_kifu(&db, &same_code).await;
    assert!(
        matches!(refused, Err(ShogiError::ShareCodeTaken)),
        "{refused:?}"
    );
    Ok(())
}

#[tokio::test]
async fn a_slug_is_set_and_removed() -> Outcome {
    let db = project().await?;
    logic::create_kifu(&db, &kifu()).await?;
    logic::create_kifu(&db, &record("a")).await?;
    let (akira, id) = (user("h-akira"), KifuId("a".into()));
    let taken = logic::set_slug(&db, (&akira, &id), kifu().slug.as_deref(), now()).await;
    assert!(matches!(taken, Err(ShogiError::SlugTaken)), "{taken:?}");
    logic::set_slug(&db, (&akira, &id), Some("名人戦/1"), now()).await?;
    // Setting the same slug again is no change.
    logic::set_slug(&db, (&akira, &id), Some("名人戦/1"), now()).await?;
    let found = logic::open_by_slug(&db, &akira, (&akira, "名人戦/1"), now()).await?;
    assert_eq!(found.kifu_id, id);
    assert_eq!(found.latest_update.to_string(), "2026-03-01T10:20:30Z");
    logic::set_slug(&db, (&akira, &id), None, now()).await?;
    let gone = logic::open_by_slug(&db, &akira, (&akira, "名人戦/1"), now()).await;
    assert!(matches!(gone, Err(ShogiError::NoSuchKifu)), "{gone:?}");
    let missing = logic::set_slug(&db, (&akira, &KifuId("x".into())), Some("s"), now()).await;
    assert!(
        matches!(missing, Err(ShogiError::NoSuchKifu)),
        "{missing:?}"
    );
    Ok(())
}

#[tokio::test]
async fn a_record_is_shared_by_a_code() -> Outcome {
    let db = project().await?;
    logic::create_kifu(&db, &record("a")).await?;
    logic::create_kifu(&db, &record("b")).await?;
    let (akira, a, b) = (user("h-akira"), KifuId("a".into()), KifuId("b".into()));
    let unknown = logic::open_shared(&db, "ABC123", now()).await;
    assert!(
        matches!(unknown, Err(ShogiError::NoSuchKifu)),
        "{unknown:?}"
    );
    logic::share(&db, (&akira, &a), "ABC123", now()).await?;
    let taken = logic::share(&db, (&akira, &b), "ABC123", now()).await;
    assert!(
        matches!(taken, Err(ShogiError::ShareCodeTaken)),
        "{taken:?}"
    );
    let opened = logic::open_shared(&db, "ABC123", now()).await?;
    assert_eq!((&opened.kifu_id, opened.share), (&a, true));
    assert_eq!(opened.latest_access.to_string(), "2026-03-01T10:20:30Z");
    // A new code takes the place of the old one.
    logic::share(&db, (&akira, &a), "DEF456", now()).await?;
    assert!(logic::open_shared(&db, "ABC123", now()).await.is_err());
    logic::unshare(&db, (&akira, &a), now()).await?;
    assert!(logic::open_shared(&db, "DEF456", now()).await.is_err());
    let stored = Kifu::get("h-akira", "a").send(&db).await?.unwrap();
    assert_eq!((stored.share, stored.share_code), (false, None));
    let missing = logic::share(&db, (&akira, &KifuId("x".into())), "GHI", now()).await;
    assert!(
        matches!(missing, Err(ShogiError::NoSuchKifu)),
        "{missing:?}"
    );
    Ok(())
}

#[tokio::test]
async fn permissions_decide_who_sees_a_record() -> Outcome {
    let db = project().await?;
    logic::create_kifu(&db, &record("a")).await?;
    let (akira, friend, a) = (user("h-akira"), user("h-akira2"), KifuId("a".into()));
    let opens = async |viewer: &Username| logic::open(&db, viewer, &a, now()).await.is_ok();
    assert!(opens(&akira).await);
    assert!(!opens(&friend).await);
    logic::allow_kifu(&db, (&akira, &a), &friend).await?;
    assert!(opens(&friend).await);
    logic::disallow_kifu(&db, (&akira, &a), &friend).await?;
    assert!(!opens(&friend).await);
    logic::allow_user(&db, &akira, &friend).await?;
    assert!(opens(&friend).await);
    // Not the other way round.
    assert!(
        !logic::may_see(
            &db,
            &akira,
            &Kifu {
                username: friend.clone(),
                ..record("z")
            }
        )
        .await?
    );
    logic::disallow_user(&db, &akira, &friend).await?;
    assert!(!opens(&friend).await);
    // Only the owner gives permissions.
    let stranger = logic::allow_kifu(&db, (&friend, &a), &friend).await;
    assert!(
        matches!(stranger, Err(ShogiError::NoSuchKifu)),
        "{stranger:?}"
    );
    Kifu {
        public: true,
        ..record("a")
    }
    .put()
    .send(&db)
    .await?;
    assert!(opens(&friend).await);
    Ok(())
}

#[tokio::test]
async fn records_are_listed_in_three_orders() -> Outcome {
    let db = project().await?;
    let akira = user("h-akira");
    for (id, created) in [
        ("a", "2025-01-01T00:00:00Z"),
        ("b", "2025-01-02T00:00:00Z"),
        ("c", "2025-01-03T00:00:00Z"),
    ] {
        let created = created.parse()?;
        let times = Kifu {
            created,
            latest_access: created,
            latest_update: created,
            ..record(id)
        };
        logic::create_kifu(&db, &times).await?;
    }
    logic::write_memo(&db, (&akira, &KifuId("a".into())), "良い将棋", now()).await?;
    logic::open(&db, &akira, &KifuId("b".into()), now()).await?;
    let list = async |by| -> Outcome<String> {
        let listed = logic::list(&db, &akira, by, 2).await?;
        let ids: Vec<_> = listed.into_iter().map(|kifu| kifu.kifu_id.0).collect();
        Ok(ids.join(" "))
    };
    assert_eq!(list(ListBy::Created).await?, "c b");
    assert_eq!(list(ListBy::LatestUpdate).await?, "a c");
    assert_eq!(list(ListBy::LatestAccess).await?, "b c");
    Ok(())
}

#[tokio::test]
async fn tags_and_records_find_each_other() -> Outcome {
    let db = project().await?;
    let (akira, a, b) = (user("h-akira"), KifuId("a".into()), KifuId("b".into()));
    logic::create_kifu(&db, &record("a")).await?;
    logic::create_kifu(&db, &record("b")).await?;
    let (shiken, yagura) = (named_tag("t1", "四間飛車"), named_tag("t2", "矢倉"));
    logic::create_tag(&db, &shiken).await?;
    logic::create_tag(&db, &yagura).await?;
    for (kifu, tag) in [(&a, &shiken), (&a, &yagura), (&b, &yagura)] {
        logic::tag_kifu(&db, &akira, kifu, &tag.tag_id).await?;
    }
    assert_eq!(
        logic::tags_of(&db, &akira, &a).await?,
        [shiken.clone(), yagura.clone()]
    );
    assert_eq!(
        logic::kifu_with_tag(&db, &akira, &yagura.tag_id).await?,
        [record("a"), record("b")]
    );
    logic::untag_kifu(&db, &akira, &a, &yagura.tag_id).await?;
    assert_eq!(
        logic::kifu_with_tag(&db, &akira, &yagura.tag_id).await?,
        [record("b")]
    );

    let missing = logic::tag_kifu(&db, &akira, &KifuId("x".into()), &yagura.tag_id).await;
    assert!(
        matches!(missing, Err(ShogiError::NoSuchKifu)),
        "{missing:?}"
    );
    let missing = logic::tag_kifu(&db, &akira, &a, &TagId("x".into())).await;
    assert!(matches!(missing, Err(ShogiError::NoSuchTag)), "{missing:?}");

    // Deleting the tag or the record deletes their link.
    logic::delete_tag(&db, &akira, &shiken.tag_id).await?;
    assert_eq!(KifuTag::query("a").count(&db).await?, 0);
    logic::allow_kifu(&db, (&akira, &b), &user("h-akira2")).await?;
    logic::delete_kifu(&db, &akira, &b).await?;
    assert_eq!(KifuTag::by_tag("t2").count(&db).await?, 0);
    assert_eq!(AllowedKifu::query("b").count(&db).await?, 0);
    let again = logic::delete_kifu(&db, &akira, &b).await;
    assert!(matches!(again, Err(ShogiError::NoSuchKifu)), "{again:?}");
    Ok(())
}

#[tokio::test]
async fn a_tag_name_is_unique_per_user() -> Outcome {
    let db = project().await?;
    let akira = user("h-akira");
    logic::create_tag(&db, &named_tag("t1", "四間飛車")).await?;
    let refused = logic::create_tag(&db, &named_tag("t2", "四間飛車")).await;
    assert!(
        matches!(refused, Err(ShogiError::TagNameTaken)),
        "{refused:?}"
    );
    let others = Tag {
        username: user("h-akira2"),
        ..named_tag("t3", "四間飛車")
    };
    logic::create_tag(&db, &others).await?;
    let same_id = named_tag("t3", "矢倉");
    let refused = logic::create_tag(&db, &same_id).await;
    assert!(
        matches!(refused, Err(ShogiError::TagIdTaken)),
        "{refused:?}"
    );

    logic::create_tag(&db, &named_tag("t2", "中飛車")).await?;
    let t2 = TagId("t2".into());
    let refused = logic::rename_tag(&db, (&akira, &t2), "四間飛車", now()).await;
    assert!(
        matches!(refused, Err(ShogiError::TagNameTaken)),
        "{refused:?}"
    );
    logic::rename_tag(&db, (&akira, &t2), "矢倉", now()).await?;
    logic::rename_tag(&db, (&akira, &t2), "矢倉", now()).await?;
    // The old name is free again, and so is that of a tag that was deleted.
    logic::create_tag(&db, &named_tag("t4", "中飛車")).await?;
    logic::delete_tag(&db, &akira, &t2).await?;
    logic::create_tag(&db, &named_tag("t5", "矢倉")).await?;
    let missing = logic::rename_tag(&db, (&akira, &t2), "相掛かり", now()).await;
    assert!(matches!(missing, Err(ShogiError::NoSuchTag)), "{missing:?}");
    Ok(())
}

/// A tag older than the constraint has no unique item; the index shows its name.
#[tokio::test]
async fn the_name_of_a_tag_without_reservation_is_taken() -> Outcome {
    let db = project().await?;
    put_raw::<ShogiProject>(&db, item(json!("tag"))).await?;
    let refused = logic::create_tag(&db, &named_tag("t2", "四間飛車")).await;
    assert!(
        matches!(refused, Err(ShogiError::TagNameTaken)),
        "{refused:?}"
    );
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_fifty_simultaneous_tags_is_created() -> Outcome {
    let db = project().await?;
    let outcomes = at_once(50, |n| {
        let db = db.clone();
        async move { logic::create_tag(&db, &named_tag(&format!("t{n}"), "四間飛車")).await }
    })
    .await;
    assert_eq!(successes(&outcomes), 1);
    assert_eq!(Tag::query("h-akira").count(&db).await?, 1);
    for refused in outcomes.into_iter().filter_map(Result::err) {
        assert!(matches!(refused, ShogiError::TagNameTaken), "{refused}");
    }
    Ok(())
}

#[tokio::test]
async fn the_settings_limit_the_number_of_tags() -> Outcome {
    let db = project().await?;
    SystemSettings {
        tag_max: 1,
        ..system_settings()
    }
    .put()
    .send(&db)
    .await?;
    logic::create_tag(&db, &named_tag("t1", "四間飛車")).await?;
    let refused = logic::create_tag(&db, &named_tag("t2", "矢倉")).await;
    assert!(
        matches!(refused, Err(ShogiError::TooManyTags(1))),
        "{refused:?}"
    );
    Ok(())
}

#[tokio::test]
async fn an_analysis_is_stored_and_expires() -> Outcome {
    let db = project().await?;
    let akira = user("h-akira");
    let day = Duration::from_secs(24 * 60 * 60);
    let asked = logic::request_analysis(&db, &akira, "an1", now(), day).await?;
    logic::request_analysis(&db, &akira, "an2", now(), day).await?;
    assert_eq!(
        (asked.status, &asked.response),
        (AnalysisStatus::Waiting, &None)
    );
    assert!(
        logic::request_analysis(&db, &akira, "an1", now(), day)
            .await
            .is_err()
    );

    logic::finish_analysis(&db, "an1", Ok(r#"{"moves": []}"#)).await?;
    logic::finish_analysis(&db, "an2", Err("engine stopped")).await?;
    let again = logic::finish_analysis(&db, "an1", Ok("{}")).await;
    assert!(
        matches!(again, Err(ShogiError::NoSuchAnalysis)),
        "{again:?}"
    );
    let missing = logic::finish_analysis(&db, "an3", Ok("{}")).await;
    assert!(
        matches!(missing, Err(ShogiError::NoSuchAnalysis)),
        "{missing:?}"
    );

    let found = logic::analyses_of(&db, &akira, now()).await?;
    let found: Vec<_> = found
        .iter()
        .map(|it| (it.status, it.response.as_deref()))
        .collect();
    let expected = [
        (AnalysisStatus::Succeeded, Some(r#"{"moves": []}"#)),
        (AnalysisStatus::Error, Some("engine stopped")),
    ];
    assert_eq!(found, expected);
    // A day later they are over, although they are not deleted yet.
    let later = now() + jiff::SignedDuration::from_hours(24);
    assert_eq!(logic::analyses_of(&db, &akira, later).await?, []);
    assert_eq!(Analysis::by_username("h-akira").count(&db).await?, 2);
    Ok(())
}

/// The embedded engine expires items on demand, as DynamoDB does on its own.
#[tokio::test]
async fn expired_items_are_deleted() -> Outcome {
    let db = table().await?;
    put_raw::<ShogiProject>(&db, item(json!("analysis"))).await?;
    let long = Duration::from_secs(3_000_000_000);
    logic::request_analysis(&db, &user("h-akira"), "an1", now(), long).await?;
    assert_eq!(db.sweep_expired().await?, 1);
    let kept = Analysis::by_username("h-akira").one(&db).await?;
    assert_eq!(kept.analysis_id, "an1");
    Ok(())
}
