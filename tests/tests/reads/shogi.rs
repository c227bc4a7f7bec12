//! Every read of the shogi document, on its sample items and a few others.

use crate::support::{self, Db, Item, Outcome, from_json_text, put};
use dynamo_model_examples::shogi::{
    AllowedKifu, AllowedUser, Analysis, AnalysisStatus, Kifu, KifuTag, ShogiProject,
    SystemSettings, Tag, UserSettings, allowed_kifu, allowed_user, analysis, kifu, kifu_tag,
    system_settings, tag, user_settings,
};
use jiff::Timestamp;

macro_rules! sample {
    ($name:literal) => {
        from_json_text(include_str!(concat!(
            "../../../examples/src/shogi/sample/",
            $name,
            ".json"
        )))
    };
}

/// The document's items, and with them: two more records of the same user, neither shared nor with
/// a slug; a record of another user; a second tag.
async fn project() -> Outcome<Db> {
    let db = support::db::<ShogiProject>().await;
    let samples = [
        sample!("kifu"),
        sample!("user_settings"),
        sample!("system_settings"),
        sample!("tag"),
        sample!("kifu_tag"),
        sample!("allowed_kifu"),
        sample!("allowed_user"),
        sample!("analysis"),
    ];
    for item in samples {
        put::<ShogiProject>(&db, item).await?;
    }
    // Created in one order, accessed in another, updated in a third.
    let others = [
        ("h-akira", "a1", ["2025-01-01", "2025-03-03", "2025-02-02"]),
        ("h-akira", "b2", ["2025-02-02", "2025-01-01", "2025-03-03"]),
        ("h-akira2", "c3", ["2025-01-01", "2025-01-01", "2025-01-01"]),
    ];
    for (user, id, dates) in others {
        put::<ShogiProject>(&db, other_kifu(user, id, dates)).await?;
    }
    let mut second = sample!("tag");
    second.extend(text([("sk", "tid#zzz"), ("clsi_sk", "tname#四間飛車穴熊")]));
    put::<ShogiProject>(&db, second).await?;
    Ok(db)
}

fn text<const N: usize>(pairs: [(&str, &str); N]) -> Item {
    from_json_text(&serde_json::to_string(&std::collections::BTreeMap::from(pairs)).unwrap())
}

fn other_kifu(user: &str, id: &str, [created, access, update]: [&str; 3]) -> Item {
    let mut item = sample!("kifu");
    item.remove("cgsi_pk");
    item.remove("clsi_sk");
    item.extend(text([
        ("pk", &format!("kifu#uname#{user}")),
        ("sk", &format!("kid#{id}")),
        ("created", &format!("{created}T00:00:00Z")),
        ("latest_access", &format!("{access}T00:00:00Z")),
        ("latest_update", &format!("{update}T00:00:00Z")),
    ]));
    item
}

/// `a1 b2`: record ids, from the sort keys of raw items.
fn ids(items: &[Item]) -> String {
    let ids: Vec<_> = items
        .iter()
        .map(|item| item["sk"].as_s().unwrap().trim_start_matches("kid#"))
        .collect();
    ids.join(" ")
}

fn names(item: &Item) -> Vec<&str> {
    let mut names: Vec<_> = item.keys().map(String::as_str).collect();
    names.sort_unstable();
    names
}

#[tokio::test]
async fn items_are_found_by_key() -> Outcome {
    let db = project().await?;
    let found = Kifu::get("h-akira", "fdsaj9d9s0").send(&db).await?;
    assert_eq!(found, Some(kifu()));
    let found = UserSettings::get("h-akira").send(&db).await?;
    assert_eq!(found, Some(user_settings()));
    let found = SystemSettings::get().send(&db).await?;
    assert_eq!(found, Some(system_settings()));
    let found = Tag::get("h-akira", "jko2kdl").send(&db).await?;
    assert_eq!(found, Some(tag()));
    let found = KifuTag::get("fdsaj9d9s1", "jko2kdl").send(&db).await?;
    assert_eq!(found, Some(kifu_tag()));
    let found = AllowedKifu::get("fdsaj9d9s1", "h-akira2").send(&db).await?;
    assert_eq!(found, Some(allowed_kifu()));
    let found = AllowedUser::get("h-akira", "h-akira2").send(&db).await?;
    assert_eq!(found, Some(allowed_user()));
    let found = Analysis::get("fdjsklfadf").send(&db).await?;
    assert_eq!(found, Some(analysis()));
    Ok(())
}

#[tokio::test]
async fn records_of_a_user_are_found() -> Outcome {
    let db = project().await?;
    let records = Kifu::query("h-akira").all(&db).await?;
    let ids: Vec<_> = records.iter().map(|kifu| kifu.kifu_id.0.as_str()).collect();
    assert_eq!(ids, ["a1", "b2", "fdsaj9d9s0"]);
    assert_eq!((&records[0].share_code, &records[0].slug), (&None, &None));
    assert_eq!(Kifu::query("h-akira2").count(&db).await?, 1);
    Ok(())
}

// The four local indexes project a few attributes each, so whole entities cannot be read from them;
// their typed projections are tested with the projections.

#[tokio::test]
async fn records_are_found_by_time() -> Outcome {
    let db = project().await?;
    let created = Kifu::by_created("h-akira")
        .query()
        .into_sdk(&db)?
        .send()
        .await?;
    assert_eq!(ids(created.items()), "a1 b2 fdsaj9d9s0");
    let newest = Kifu::by_created("h-akira")
        .descending()
        .into_sdk(&db)?
        .send()
        .await?;
    assert_eq!(ids(newest.items()), "fdsaj9d9s0 b2 a1");
    let accessed = Kifu::by_latest_access("h-akira")
        .query()
        .into_sdk(&db)?
        .send()
        .await?;
    assert_eq!(ids(accessed.items()), "b2 a1 fdsaj9d9s0");
    let updated = Kifu::by_latest_update("h-akira")
        .query()
        .into_sdk(&db)?
        .send()
        .await?;
    assert_eq!(ids(updated.items()), "a1 b2 fdsaj9d9s0");
    assert_eq!(names(&created.items()[0]), ["created", "pk", "share", "sk"]);
    let shared = ["cgsi_pk", "clsi_sk", "latest_access", "pk", "share", "sk"];
    assert_eq!(names(&accessed.items()[2]), shared);
    Ok(())
}

#[tokio::test]
async fn records_since_a_time_are_found() -> Outcome {
    let db = project().await?;
    let since: Timestamp = "2025-02-02T00:00:00Z".parse()?;
    assert_eq!(
        Kifu::by_created("h-akira")
            .created_in(since..)
            .count(&db)
            .await?,
        2
    );
    assert_eq!(
        Kifu::by_created("h-akira")
            .created_in(..since)
            .count(&db)
            .await?,
        1
    );
    assert_eq!(
        Kifu::by_created("h-akira")
            .created(since)
            .count(&db)
            .await?,
        1
    );
    let consistent = Kifu::by_latest_access("h-akira")
        .latest_access_in(..=since)
        .consistent();
    assert_eq!(consistent.count(&db).await?, 1);
    assert_eq!(Tag::by_created("h-akira").count(&db).await?, 2);
    assert_eq!(Tag::by_latest_access("h-akira").count(&db).await?, 2);
    assert_eq!(Tag::by_latest_update("h-akira").count(&db).await?, 2);
    assert_eq!(Analysis::by_created().count(&db).await?, 1);
    Ok(())
}

/// CommonLSI: a record by its slug, or by the beginning of it.
#[tokio::test]
async fn a_record_is_found_by_slug() -> Outcome {
    let db = project().await?;
    let exact = Kifu::by_slug("h-akira").slug("社団戦/2025/鈴木");
    let found = exact.query().into_sdk(&db)?.send().await?;
    assert_eq!(ids(found.items()), "fdsaj9d9s0");
    assert_eq!(names(&found.items()[0]), ["cgsi_pk", "clsi_sk", "pk", "sk"]);
    assert_eq!(
        Kifu::by_slug("h-akira")
            .slug_prefix("社団戦/")
            .count(&db)
            .await?,
        1
    );
    // Records without a slug are not in the index.
    assert_eq!(Kifu::by_slug("h-akira").count(&db).await?, 1);
    Ok(())
}

/// CommonLSI: `begins_with('tname#四間飛車')`, and the check that a name is not taken.
#[tokio::test]
async fn tags_are_found_by_name() -> Outcome {
    let db = project().await?;
    assert_eq!(
        Tag::by_name("h-akira")
            .tag_name_prefix("四間飛車")
            .count(&db)
            .await?,
        2
    );
    assert_eq!(
        Tag::by_name("h-akira")
            .tag_name("四間飛車")
            .count(&db)
            .await?,
        1
    );
    assert_eq!(
        Tag::by_name("h-akira")
            .tag_name("中飛車")
            .count(&db)
            .await?,
        0
    );
    let explained = Tag::by_name("h-akira")
        .tag_name_prefix("四間飛車")
        .explain(&db)?;
    assert_eq!(explained.index, Some("CommonLSI"));
    let shown = explained.to_string();
    let condition = r#"key: pk = "tag#uname#h-akira" AND begins_with(clsi_sk, "tname#四間飛車")"#;
    assert!(shown.contains(condition), "{shown}");
    Ok(())
}

/// SwapIndex, from the sort key back to the partition.
#[tokio::test]
async fn items_are_found_on_the_inverted_index() -> Outcome {
    let db = project().await?;
    let owner = Kifu::by_kifu_id("fdsaj9d9s0").one(&db).await?;
    assert_eq!(owner, kifu());
    let own = Kifu::by_kifu_id("fdsaj9d9s0").username("h-akira2");
    assert_eq!(own.first(&db).await?, None);
    assert_eq!(KifuTag::by_tag("jko2kdl").all(&db).await?, [kifu_tag()]);
    assert_eq!(Tag::by_tag_id("jko2kdl").all(&db).await?, [tag()]);
    assert_eq!(
        SystemSettings::swapped().all(&db).await?,
        [system_settings()]
    );
    assert_eq!(
        Analysis::by_analysis_id("fdjsklfadf").one(&db).await?,
        analysis()
    );
    Ok(())
}

/// One partition of SwapIndex holds three kinds of items of a user; each query finds its own.
#[tokio::test]
async fn permissions_of_a_user_are_found() -> Outcome {
    let db = project().await?;
    let records = AllowedKifu::by_username("h-akira2").all(&db).await?;
    assert_eq!(records, [allowed_kifu()]);
    let users = AllowedUser::by_allowed_username("h-akira2")
        .all(&db)
        .await?;
    assert_eq!(users, [allowed_user()]);
    let may = AllowedKifu::by_username("h-akira2").kifu_id("fdsaj9d9s1");
    assert_eq!(may.count(&db).await?, 1);
    assert_eq!(
        UserSettings::by_username("h-akira").one(&db).await?,
        user_settings()
    );
    // And from the record's side.
    assert_eq!(
        AllowedKifu::query("fdsaj9d9s1").all(&db).await?,
        [allowed_kifu()]
    );
    assert_eq!(
        AllowedUser::query("h-akira").all(&db).await?,
        [allowed_user()]
    );
    assert_eq!(KifuTag::query("fdsaj9d9s1").all(&db).await?, [kifu_tag()]);
    assert_eq!(UserSettings::query().all(&db).await?, [user_settings()]);
    Ok(())
}

/// CommonGSI, and not SwapIndex as the document has it.
#[tokio::test]
async fn a_record_is_found_by_share_code() -> Outcome {
    let db = project().await?;
    let shared = Kifu::by_share_code("lkihofkwif4tF").one(&db).await?;
    assert_eq!(shared, kifu());
    assert_eq!(Kifu::by_share_code("ABC123").first(&db).await?, None);
    // Sparse: of five items with a record or an analysis, the two with `cgsi_pk` are in the index.
    let table = db.table_name(&<ShogiProject as dynamo_model::Table>::SCHEMA);
    let request = db.client().scan().table_name(table).index_name("CommonGSI");
    assert_eq!(request.send().await?.count, 2);
    Ok(())
}

#[tokio::test]
async fn analyses_of_a_user_are_found() -> Outcome {
    let db = project().await?;
    let all = Analysis::by_username("h-akira").all(&db).await?;
    assert_eq!(all, [analysis()]);
    let waiting = Analysis::by_username("h-akira")
        .filter(|analysis| analysis.status().eq(AnalysisStatus::Waiting));
    assert_eq!(waiting.count(&db).await?, 0);
    assert_eq!(Analysis::by_username("h-akira2").count(&db).await?, 0);
    assert_eq!(Analysis::query().count(&db).await?, 1);
    Ok(())
}
