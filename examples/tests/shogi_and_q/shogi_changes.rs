//! Changes of the records' table: partitions by the hash of the user, a version of the schema in
//! each item, and its stream.

use crate::simulator::{as_role, as_service, as_tester};
use crate::support::{Outcome, cut_off_after, embedded, item, put_raw};
use dynamo_model::stream::{StreamEvent, StreamRecord};
use dynamo_model::{BatchWrite, Dynamo, Entity, Table};
use dynamo_model_examples::shogi::logic::ListBy;
use dynamo_model_examples::shogi::spread::{
    NextItem, NextProject, SHARDS, SpreadAnalysis, SpreadUserSettings, all_settings,
    analysis as analysis_of, settings_of, spread_analyses, spread_settings,
};
use dynamo_model_examples::shogi::versions::{
    KifuFormat, VersionedKifu, load, save, to_version_2, versions,
};
use dynamo_model_examples::shogi::{
    AllowedKifu, Analysis, Kifu, KifuId, KifuTag, ShogiItem, ShogiProject, UserSettings, Username,
    analysis, kifu, kifu_tag, logic, on_records, user_settings,
};
use dynamo_model_examples::{Recorder, SCHEMAS};
use dynamo_model_tools::{Capacity, Model, Rate, Request};
use std::collections::{BTreeMap, BTreeSet};

/// The table; the same with the rights of the service, and with those of a migration.
async fn table() -> Outcome<(Dynamo, Dynamo, Dynamo)> {
    let engine = embedded()?;
    ShogiProject::create_table(&engine).await?;
    let service = as_service("shogi", &engine, "");
    let operator = as_role("shogi", "migration-policy.json", &engine, "");
    Ok((engine, service, operator))
}

fn user(name: &str) -> Username {
    Username(name.into())
}

fn settings(number: u32) -> UserSettings {
    UserSettings {
        username: user(&format!("user-{number:03}")),
        kifu_max: number,
        tag_max: 50,
    }
}

fn asked(number: u32) -> Analysis {
    Analysis {
        analysis_id: format!("an{number:03}"),
        username: user(&format!("user-{:03}", number % 40)),
        expired: 4_102_444_800,
        ..analysis()
    }
}

fn record(number: u32, text: &str) -> Kifu {
    Kifu {
        kifu_id: KifuId(format!("k{number:03}")),
        share_code: None,
        slug: None,
        kifu: text.into(),
        ..kifu()
    }
}

/// The partition keys of all items, and how many items each has.
async fn partitions(engine: &Dynamo, prefix: &str) -> Outcome<BTreeMap<String, usize>> {
    let request = engine.client().scan().table_name("ShogiProject");
    let mut counts = BTreeMap::new();
    for item in request.send().await?.items.unwrap() {
        let pk = item["pk"].as_s().unwrap().clone();
        if pk.starts_with(prefix) {
            *counts.entry(pk).or_default() += 1;
        }
    }
    Ok(counts)
}

async fn spread(operator: &Dynamo) -> Result<(u64, u64), dynamo_model::Error> {
    let settings = spread_settings().page_size(20).run(operator).await?;
    let analyses = spread_analyses().page_size(20).run(operator).await?;
    Ok((settings.migrated, analyses.migrated))
}

#[tokio::test]
async fn users_are_spread_over_partitions_by_hash() -> Outcome {
    let (engine, db, operator) = table().await?;
    let all: Vec<_> = (0..80).map(settings).collect();
    let analyses: Vec<_> = (0..80).map(asked).collect();
    BatchWrite::new()
        .puts(&all)
        .puts(&analyses)
        .put(&kifu())
        .send(&db)
        .await?;
    NextProject::verify(&engine).await?;
    let before = partitions(&engine, "users").await?;
    assert_eq!(before, BTreeMap::from([("users".to_owned(), 80)]));

    let preview = spread_settings().dry_run(&operator).await?;
    assert_eq!((preview.migrated, preview.problems.len()), (80, 0));
    assert_eq!(spread(&operator).await?, (80, 80));

    for prefix in ["users", "analysis"] {
        let after = partitions(&engine, prefix).await?;
        assert_eq!(after.values().sum::<usize>(), 80, "{after:?}");
        assert!(!after.contains_key(prefix), "{after:?}");
        let shards = after.keys().map(|pk| {
            let shard = pk.rsplit('#').next().unwrap();
            shard.parse::<u32>().unwrap()
        });
        assert!(shards.max() < Some(SHARDS));
        // All analyses of a user are in one of them, so 40 users may miss some.
        assert!(after.len() > 10, "{after:?}");
    }

    // Every query of the settings and the analyses, in the new partitions. Sorted by name, although
    // they come from sixteen partitions.
    let expected: Vec<_> = all.into_iter().map(SpreadUserSettings::from).collect();
    assert_eq!(all_settings(&db).await?, expected);
    let one = SpreadUserSettings::by_username("user-007").one(&db).await?;
    assert_eq!(one, expected[7]);
    let found = SpreadAnalysis::by_analysis_id("an047").one(&db).await?;
    assert_eq!(found, SpreadAnalysis::from(asked(47)));
    let of_user = SpreadAnalysis::by_username("user-007").all(&db).await?;
    assert_eq!(of_user, [asked(7), asked(47)].map(SpreadAnalysis::from));
    let created = SpreadAnalysis::by_created("user-007").count(&db).await?;
    assert!(created >= 2, "{created}");
    // No other item was changed, and none is left to migrate.
    assert_eq!(as_tester(Kifu::scan().all(&db)).await?, [kifu()]);
    assert_eq!(spread(&operator).await?, (0, 0));
    Ok(())
}

#[tokio::test]
async fn items_are_found_while_they_move_and_after_a_crash() -> Outcome {
    let (engine, db, operator) = table().await?;
    let all: Vec<_> = (0..60).map(settings).collect();
    let analyses: Vec<_> = (0..20).map(asked).collect();
    BatchWrite::new()
        .puts(&all)
        .puts(&analyses)
        .send(&db)
        .await?;
    let mut crashes = 0;
    // Each run gets a little further, then its connection breaks.
    while spread(&cut_off_after(&engine, 12 + crashes)).await.is_err() {
        crashes += 1;
        assert!(crashes < 100);
        for number in [0, 29, 59] {
            let expected = SpreadUserSettings::from(settings(number));
            let found = settings_of(&db, &expected.username).await?;
            assert_eq!(found, Some(expected));
        }
        let expected = SpreadAnalysis::from(asked(7));
        let found = analysis_of(&db, &expected.username, "an007").await?;
        assert_eq!(found, Some(expected));
    }
    assert!(crashes > 2, "{crashes}");
    assert_eq!(all_settings(&db).await?.len(), 60);
    assert_eq!(UserSettings::query().count(&db).await?, 0);
    // The old release writes on for a while; a last run takes that along.
    user_settings().put().send(&db).await?;
    assert_eq!(spread(&operator).await?, (1, 0));
    let moved = settings_of(&db, &user("h-akira")).await?;
    assert_eq!(moved, Some(SpreadUserSettings::from(user_settings())));
    Ok(())
}

/// The capacity report: settings are written too often for one partition, and analyses are too
/// large for one.
#[test]
fn spreading_cures_the_hot_partition() -> Outcome {
    let hot = |model: Model, entity: &str, bytes, rate| -> Outcome<Vec<(String, u32)>> {
        let call = format!("{entity}::put");
        let capacity = Capacity::new().size(entity, bytes);
        let report = model.capacity(&capacity.rate(call, Rate::per_second(rate)))?;
        let of_table = report.hot.into_iter().filter(|it| it.index.is_none());
        Ok(of_table.map(|it| (it.template, it.shards)).collect())
    };
    for (before, after, bytes, rate, expected) in [
        (
            "UserSettings",
            "SpreadUserSettings",
            200,
            3_000.0,
            ("users", 3),
        ),
        ("Analysis", "SpreadAnalysis", 40_000, 30.0, ("analysis", 2)),
    ] {
        let one = Model::new("shogi").items::<ShogiItem>();
        let spread = Model::new("spread").items::<NextItem>();
        let (partition, shards) = expected;
        let expected = [(partition.to_owned(), shards)];
        assert_eq!(hot(one, before, bytes, rate)?, expected);
        assert_eq!(hot(spread, after, bytes, rate)?, []);
    }
    Ok(())
}

const KIF: &str = "手合割：平手\n手数----指手\n   1 ７六歩(77)";
const KI2: &str = "手合割：平手\n▲７六歩 △３四歩";

#[tokio::test]
async fn the_record_of_the_document_is_read_as_version_1() -> Outcome {
    let (_, db, operator) = table().await?;
    let document = item(include_str!("../../src/shogi/sample/kifu.json"));
    put_raw::<ShogiProject>(&db, document).await?;
    assert_eq!(versions(&operator).await?, BTreeMap::from([(1, 1)]));
    let (akira, id) = (kifu().username, kifu().kifu_id);
    let stored = VersionedKifu::get(&akira, &id).send(&db).await?.unwrap();
    assert_eq!((stored.schema_version, stored.format), (1, None));
    let read = load(&db, &akira, &id).await?.unwrap();
    assert_eq!(
        (read.schema_version, read.format),
        (2, Some(KifuFormat::Kif))
    );
    // Reading does not write.
    assert_eq!(versions(&operator).await?, BTreeMap::from([(1, 1)]));

    assert_eq!(to_version_2().run(&operator).await?.migrated, 1);
    assert_eq!(versions(&operator).await?, BTreeMap::from([(2, 1)]));
    // The old release still reads it, with all of its keys.
    assert_eq!(Kifu::by_share_code("lkihofkwif4tF").one(&db).await?, kifu());
    Ok(())
}

#[tokio::test]
async fn both_releases_write_side_by_side() -> Outcome {
    let (_, db, operator) = table().await?;
    let (akira, old, new) = (kifu().username, record(1, KIF), record(2, KI2));
    old.create().send(&db).await?;
    let saved = save(&db, VersionedKifu::from(new.clone())).await?;
    assert_eq!(saved.format, Some(KifuFormat::Ki2));
    assert_eq!(versions(&operator).await?, BTreeMap::from([(1, 1), (2, 1)]));

    // The old release updates an item of the new one, and keeps the unknown attribute.
    let now = "2026-03-01T10:20:30Z".parse()?;
    logic::write_memo(&db, (&akira, &new.kifu_id), "名局", now).await?;
    let read = load(&db, &akira, &new.kifu_id).await?.unwrap();
    assert_eq!(
        (read.memo.as_str(), read.format, read.schema_version),
        ("名局", Some(KifuFormat::Ki2), 2)
    );
    // Replaced as a whole, it is version 1 again, without stale attributes.
    record(2, KIF).put().send(&db).await?;
    assert_eq!(versions(&operator).await?, BTreeMap::from([(1, 2)]));

    assert_eq!(to_version_2().run(&operator).await?.migrated, 2);
    assert_eq!(versions(&operator).await?, BTreeMap::from([(2, 2)]));
    let read = load(&db, &akira, &new.kifu_id).await?.unwrap();
    assert_eq!(read.format, Some(KifuFormat::Kif));
    assert_eq!(to_version_2().run(&operator).await?.migrated, 0);
    Ok(())
}

#[tokio::test]
async fn interrupted_runs_reach_the_new_version() -> Outcome {
    let (engine, db, operator) = table().await?;
    let records: Vec<_> = (0..60)
        .map(|number| record(number, if number % 3 == 0 { KI2 } else { KIF }))
        .collect();
    BatchWrite::new().puts(&records).send(&db).await?;
    let mut crashes = 0;
    let migrate = async |db: &Dynamo| to_version_2().page_size(10).run(db).await;
    while migrate(&cut_off_after(&engine, 10 + crashes))
        .await
        .is_err()
    {
        crashes += 1;
        assert!(crashes < 100);
        let counts = versions(&operator).await?;
        assert_eq!(counts.values().sum::<usize>(), 60, "{counts:?}");
    }
    assert!(crashes > 1, "{crashes}");
    assert_eq!(versions(&operator).await?, BTreeMap::from([(2, 60)]));
    let formats = as_tester(VersionedKifu::scan().all(&db)).await?;
    let ki2 = formats
        .iter()
        .filter(|it| it.format == Some(KifuFormat::Ki2));
    assert_eq!(ki2.count(), 20);
    Ok(())
}

/// Deleting a record deletes its tags and permissions, for any client and any number of repeated
/// stream records.
#[tokio::test]
async fn deleting_a_record_deletes_its_tags_and_permissions() -> Outcome {
    let (engine, db, _) = table().await?;
    let kept = KifuTag {
        kifu_id: KifuId("k002".into()),
        ..kifu_tag()
    };
    let gone = KifuTag {
        kifu_id: KifuId("k001".into()),
        ..kifu_tag()
    };
    let allowed = AllowedKifu {
        kifu_id: KifuId("k001".into()),
        username: user("h-akira2"),
    };
    BatchWrite::new()
        .put(&record(1, KIF))
        .put(&record(2, KIF))
        .put(&kept)
        .put(&gone)
        .put(&allowed)
        .send(&db)
        .await?;
    // Not by `delete_kifu`.
    Kifu::delete("h-akira", "k001").send(&db).await?;
    let client = engine.embedded_streams().unwrap();
    let mut reader = engine.read_stream::<ShogiProject>(&client);
    let records: Vec<StreamRecord> = reader.read_available().await?;
    for _ in 0..2 {
        let failures = on_records(&db, StreamEvent::from(records.clone())).await;
        assert!(failures.is_empty(), "{failures:?}");
    }
    assert_eq!(as_tester(KifuTag::scan().all(&db)).await?, [kept]);
    assert_eq!(as_tester(AllowedKifu::scan().count(&db)).await?, 0);
    assert_eq!(as_tester(Kifu::scan().count(&db)).await?, 1);
    Ok(())
}

/// Strongly consistent are only reads on which a write depends: whether a name is free, how many
/// records there are.
#[tokio::test]
async fn lists_and_searches_are_eventually_consistent() -> Outcome {
    let engine = embedded()?;
    ShogiProject::create_table(&engine).await?;
    let recorder = Recorder::default();
    let db = recorder.record(&engine);
    let consistent = |sent: Vec<Request>| {
        let read = |it: &Request| it.body["ConsistentRead"] == true;
        (sent.iter().filter(|it| read(it)).count(), sent.len())
    };
    logic::create_kifu(&db, &kifu()).await?;
    let (strong, _) = consistent(recorder.take().0);
    assert_eq!(
        strong, 2,
        "the number of records, and whether the slug is free"
    );

    let akira = kifu().username;
    let now = "2026-03-01T10:20:30Z".parse()?;
    for by in [ListBy::Created, ListBy::LatestAccess, ListBy::LatestUpdate] {
        logic::list(&db, &akira, by, 10).await?;
    }
    logic::open_shared(&db, "lkihofkwif4tF", now).await?;
    logic::kifu_with_tag(&db, &akira, &kifu_tag().tag_id).await?;
    logic::tags_of(&db, &akira, &kifu().kifu_id).await?;
    logic::analyses_of(&db, &akira, now).await?;
    let (strong, all) = consistent(recorder.take().0);
    assert!(strong == 0 && all >= 7, "{strong} of {all}");
    Ok(())
}

/// Each index that an entity declares is queried by an access pattern.
#[test]
fn every_declared_index_has_a_query() {
    let schema = SCHEMAS.into_iter().find(|it| it.name == "shogi").unwrap();
    let calls: BTreeSet<_> = (schema.patterns)()
        .iter()
        .map(|pattern| pattern.call_line().replace(' ', ""))
        .collect();
    for sample in (schema.samples)().unwrap() {
        for index in sample.entity.indexes {
            let call = format!("{}::{}(", sample.entity.entity, index.method);
            assert!(calls.iter().any(|it| it.contains(&call)), "{call}");
        }
    }
}
