//! Every access pattern of the document: its four query patterns, those of each index, and its
//! entities by their keys, read and written.
//!
//! Each restores the data, so that all of them can run again.

use super::generated::{self, NOW, PLAYERS, RECORDS, kifu_id, username};
use super::logic::{
    self, ListBy, ListedKifu, allow_kifu, allow_user, analyses_of, create_kifu, create_tag,
    disallow_user, finish_analysis, kifu_with_tag, open, open_by_slug, open_shared,
    request_analysis, set_slug, share, tag_kifu, tags_of, write_memo,
};
use super::{
    AllowedKifu, AllowedUser, Analysis, AnalysisStatus, Kifu, KifuTag, ShogiError, ShogiProject,
    SystemSettings, Tag, TagId, UserSettings, allowed_kifu, allowed_user, analysis, kifu, kifu_tag,
    system_settings, tag, user_settings,
};
use crate::{Pattern, pattern};
use dynamo_model::{BatchWrite, Dynamo, Entity, Error, Table, Transaction};
use jiff::Timestamp;
use std::time::Duration;

/// Creates the table, and loads the document's items and those of a club of players. `progress`
/// receives the number of loaded items.
pub async fn load(db: &Dynamo, progress: &mut (dyn FnMut(usize) + Send)) -> Result<(), Error> {
    ShogiProject::create_table(db).await?;
    let mut loaded = 0;
    macro_rules! load {
        ($items:expr) => {{
            let batch = BatchWrite::new().on_progress(|now| progress(loaded + now.written));
            let items: Vec<_> = $items.collect();
            let count = items.len();
            batch.load(items).send(db).await?;
            loaded += count;
        }};
    }
    for player in 0..PLAYERS.len() {
        load!(generated::records(player));
    }
    load!(generated::kifu_tags());
    load!(generated::allowed_records());
    load!(generated::allowed_users());
    load!(generated::settings());
    load!(generated::analyses());
    // A tag has a unique item, so it needs a transaction.
    let tags: Vec<_> = generated::tags().chain([tag()]).collect();
    for tags in tags.chunks(50) {
        let transaction = tags
            .iter()
            .fold(Transaction::new(), |all, tag| all.add(tag.create()));
        transaction.send(db).await?;
        loaded += tags.len();
        progress(loaded);
    }
    BatchWrite::new()
        .put(&kifu())
        .put(&user_settings())
        .put(&system_settings())
        .put(&kifu_tag())
        .put(&allowed_kifu())
        .put(&allowed_user())
        .put(&analysis())
        .send(db)
        .await?;
    progress(loaded + 7);
    Ok(())
}

/// Returns all of them, in the order of the document.
#[must_use]
pub fn patterns() -> Vec<Pattern> {
    let mut all = queries();
    all.extend(swap_index());
    all.extend(common_indexes());
    all.extend(time_indexes());
    all.extend(kifu_writes());
    all.extend(settings());
    all.extend(tags());
    all.extend(permissions());
    all.extend(analyses());
    all
}

/// "Main query patterns".
fn queries() -> Vec<Pattern> {
    vec![
        pattern!(
            "1", "the records of a user, as they were created",
            |db| Kifu::by_created("h-akira").project::<ListedKifu>().all(db).await?,
            |found| found.len() => ids(&found) == own_ids(|kifu| kifu.created),
                "all 61 records, oldest first"
        ),
        pattern!(
            "2", "a shared record by its code",
            |db| Kifu::by_share_code("lkihofkwif4tF").one(db).await?,
            |found| 1 => found == kifu(), "the document's record, from CommonGSI"
        ),
        pattern!(
            "3", "tags by the beginning of their name",
            |db| Tag::by_name("h-akira").tag_name_prefix("四間飛車").hydrate(db).await?,
            |found| found.len() => names(&found) == ["四間飛車", "四間飛車穴熊"], "四間飛車 and 四間飛車穴熊"
        ),
        pattern!(
            "4", "the analyses of a user",
            |db| Analysis::by_username("h-akira").all(db).await?,
            // The document's own has expired in 2009, so that an engine may have deleted it.
            |found| found.len() => found.iter().filter(|it| it.analysis_id.starts_with("an")).count()
                >= generated::ANALYSES * 4 / 5, "the analyses of h-akira"
        ),
    ]
}

/// "SwapIndex".
fn swap_index() -> Vec<Pattern> {
    vec![
        pattern!(
            "SwapIndex", "a record by its id, whoever's it is",
            |db| Kifu::by_kifu_id("fdsaj9d9s0").one(db).await?,
            |found| 1 => found == kifu(), "the document's record"
        ),
        pattern!(
            "SwapIndex", "whether an id is taken",
            |db| Kifu::by_kifu_id("fdsaj9d9s0").count(db).await?,
            |found| found => found == 1, "one record, of one user"
        ),
        pattern!(
            "SwapIndex", "the records with a tag",
            |db| KifuTag::by_tag("jko2kdl").all(db).await?,
            |found| found.len() => found.contains(&kifu_tag()) && found.len() == 15,
                "15 records, the document's among them"
        ),
        pattern!(
            "SwapIndex", "what a user may see, record by record",
            |db| AllowedKifu::by_username("h-akira2").all(db).await?,
            |found| found.len() => found.contains(&allowed_kifu()) && found.len() == RECORDS / 10,
                "every tenth of h-akira's records"
        ),
        pattern!(
            "SwapIndex", "whether a user may see a record",
            |db| AllowedKifu::by_username("h-akira2").kifu_id("fdsaj9d9s1").one(db).await?,
            |found| 1 => found == allowed_kifu(), "yes"
        ),
        pattern!(
            "SwapIndex", "whose records a user may see, all of them",
            |db| AllowedUser::by_allowed_username("h-akira2").all(db).await?,
            |found| found.len() => found.contains(&allowed_user()), "h-akira's"
        ),
        pattern!(
            "SwapIndex", "a tag by its id, whoever's it is",
            |db| Tag::by_tag_id("jko2kdl").one(db).await?,
            |found| 1 => found == tag(), "the document's tag"
        ),
        pattern!(
            "SwapIndex", "the settings of a user, by the name alone",
            |db| UserSettings::by_username("h-akira").one(db).await?,
            |found| 1 => found == user_settings(), "3000 records, 50 tags"
        ),
        pattern!(
            "SwapIndex", "the settings of the system",
            |db| SystemSettings::swapped().one(db).await?,
            |found| 1 => found == system_settings(), "3000 records, 50 tags"
        ),
        pattern!(
            "SwapIndex", "an analysis by its id, whoever's it is",
            |db| Analysis::by_analysis_id("an02x00").one(db).await?,
            |found| 1 => found.username == username(2), "the analysis of k-tanaka"
        ),
    ]
}

/// "CommonGSI" and "CommonLSI".
fn common_indexes() -> Vec<Pattern> {
    vec![
        pattern!(
            "CommonGSI", "open a shared record",
            |db| open_shared(db, "lkihofkwif4tF", NOW).await?,
            |found| 1 => restored(db, kifu()).await? && found.latest_access == NOW,
                "the record, and when it was seen"
        ),
        pattern!(
            "CommonGSI", "the analyses of a user that have not expired",
            |db| analyses_of(db, &username(2), NOW).await?,
            |found| found.len() => found.len() == generated::ANALYSES * 4 / 5, "four of every five"
        ),
        pattern!(
            "CommonLSI", "a record by its custom URL",
            |db| Kifu::by_slug("h-akira").slug("社団戦/2025/鈴木").hydrate(db).await?,
            |found| found.len() => found == [kifu()], "the document's record"
        ),
        pattern!(
            "CommonLSI", "records by the beginning of their custom URL",
            |db| Kifu::by_slug("h-akira").slug_prefix("社団戦/2025/").hydrate(db).await?,
            |found| found.len() => found.len() == 11
                && found.is_sorted_by_key(|kifu| kifu.slug.clone()),
                "11 records, in order"
        ),
        pattern!(
            "CommonLSI", "whether a tag name is taken",
            |db| Tag::by_name("h-akira").tag_name("四間飛車").consistent().count(db).await?,
            |found| found => found == 1, "yes, once"
        ),
    ]
}

/// "CreatedIndex", "LatestAccessIndex" and "LatestUpdateIndex".
fn time_indexes() -> Vec<Pattern> {
    vec![
        pattern!(
            "CreatedIndex", "the newest records of a user",
            |db| logic::list(db, &username(0), ListBy::Created, 10).await?,
            |found| found.len() => ids(&found) == newest(|kifu| kifu.created),
                "the 10 newest, newest first"
        ),
        pattern!(
            "CreatedIndex", "the records of a month",
            |db| Kifu::by_created("h-akira").created_in(day(31)..day(59)).project::<ListedKifu>().all(db).await?,
            |found| found.len() => ids(&found) == created_between(31, 59),
                "those of February 2025, oldest first"
        ),
        pattern!(
            "CreatedIndex", "the tags of a user, as they were created",
            |db| Tag::by_created("k-tanaka").hydrate(db).await?,
            |found| found.len() => found.len() == 8 && found.is_sorted_by_key(|tag| tag.created),
                "8 tags, oldest first"
        ),
        pattern!(
            "LatestAccessIndex", "the records that were seen last",
            |db| Kifu::by_latest_access("h-akira").descending().limit(10).project::<ListedKifu>().all(db).await?,
            |found| found.len() => ids(&found) == newest(|kifu| kifu.latest_access),
                "the 10 last seen, last first"
        ),
        pattern!(
            "LatestUpdateIndex", "the records that were changed last",
            |db| Kifu::by_latest_update("h-akira").descending().limit(10).project::<ListedKifu>().all(db).await?,
            |found| found.len() => ids(&found) == newest(|kifu| kifu.latest_update),
                "the 10 last changed, last first"
        ),
        pattern!(
            "CreatedIndex", "the analyses that were requested last",
            |db| Analysis::by_created().created_in(day(0)..day(15)).descending().limit(10).hydrate(db).await?,
            |found| found.len() => found.len() == 10 && found[0].created > day(14)
                && found.is_sorted_by(|a, b| a.created > b.created), "the 10 newest of January 2025, of all users"
        ),
        pattern!(
            "LatestAccessIndex", "the tags that were used last",
            |db| Tag::by_latest_access("k-tanaka").descending().limit(3).hydrate(db).await?,
            |found| found.len() => names(&found) == ["相掛かり", "角換わり", "矢倉"],
                "the 3 last used, last first"
        ),
        pattern!(
            "LatestUpdateIndex", "the tags that were changed last",
            |db| Tag::by_latest_update("k-tanaka").descending().limit(3).hydrate(db).await?,
            |found| found.len() => names(&found) == ["相掛かり", "角換わり", "矢倉"],
                "the 3 last changed, last first"
        ),
    ]
}

/// "1. Kifu", read by its key and written.
fn kifu_writes() -> Vec<Pattern> {
    vec![
        pattern!(
            "entity 1", "a record by its key",
            |db| Kifu::get("h-akira", "fdsaj9d9s0").send(db).await?,
            |found| 1 => found == Some(kifu()), "the document's record"
        ),
        pattern!(
            "entity 1", "create a record",
            |db| create_kifu(db, &new_kifu()).await?,
            |_done| 1 => deleted(db).await? == Some(new_kifu()), "the record, as it was given"
        ),
        pattern!(
            "entity 1", "share a record by a code",
            |db| share(db, (&username(2), &kifu_id(2, 1)), "tourCode", NOW).await?,
            |_done| 1 => shared_as(db, "tourCode").await?, "the code finds the record"
        ),
        pattern!(
            "entity 1", "give a record a custom URL",
            |db| set_slug(db, (&username(2), &kifu_id(2, 1)), Some("棋戦/2025/決勝"), NOW).await?,
            |_done| 1 => found_at(db, "棋戦/2025/決勝").await?, "the URL finds the record"
        ),
        pattern!(
            "entity 1", "change a record",
            |db| write_memo(db, (&username(2), &kifu_id(2, 1)), "終盤が課題", NOW).await?,
            |_done| 1 => changed(db).await?, "it is the first of the last changed"
        ),
        pattern!(
            "entity 1", "open a record by its custom URL",
            |db| open_by_slug(db, &username(0), (&username(0), "社団戦/2025/鈴木"), NOW).await?,
            |found| 1 => restored(db, kifu()).await? && found.latest_access == NOW,
                "the record, and when it was seen"
        ),
    ]
}

/// "2. User settings" and "3. System settings".
fn settings() -> Vec<Pattern> {
    vec![
        pattern!(
            "entity 2", "the settings of a user",
            |db| UserSettings::get("h-akira").send(db).await?,
            |found| 1 => found == Some(user_settings()), "3000 records, 50 tags"
        ),
        pattern!(
            "entity 2", "the settings of all users",
            |db| UserSettings::query().all(db).await?,
            |found| found.len() => found.len() == PLAYERS.len(), "one item a player"
        ),
        pattern!(
            "entity 3", "the settings of the system",
            |db| SystemSettings::get().send(db).await?,
            |found| 1 => found == Some(system_settings()), "3000 records, 50 tags"
        ),
    ]
}

/// "4. Tag definition" and "5. Kifu to tag".
fn tags() -> Vec<Pattern> {
    vec![
        pattern!(
            "entity 4", "the tags of a user",
            |db| Tag::query("h-akira").all(db).await?,
            |found| found.len() => found.len() == 8 && found.contains(&tag()),
                "8 tags, the document's among them"
        ),
        pattern!(
            "entity 4", "create a tag",
            |db| create_tag(db, &new_tag("右四間飛車")).await?,
            |_done| 1 => tag_deleted(db).await? == Some(new_tag("右四間飛車")),
                "the tag, as it was given"
        ),
        pattern!(
            "entity 4", "a name twice is refused",
            |db| create_tag(db, &new_tag("四間飛車")).await,
            |refused| 0 => matches!(refused, Err(ShogiError::TagNameTaken)), "the name is taken"
        ),
        pattern!(
            "entity 5", "the tags of a record",
            |db| tags_of(db, &username(0), &kifu_id(0, 1)).await?,
            |found| found.len() => found.contains(&tag()) && found.len() == 3,
                "3 tags, the document's among them"
        ),
        pattern!(
            "entity 5", "the records with a tag, whole",
            |db| kifu_with_tag(db, &username(0), &tag().tag_id).await?,
            |found| found.len() => found.len() == 15
                && found.iter().all(|kifu| kifu.username == username(0)),
                "15 records of h-akira"
        ),
        pattern!(
            "entity 5", "tag a record",
            |db| tag_kifu(db, &username(0), &kifu().kifu_id, &tag().tag_id).await?,
            |_done| 1 => untagged(db).await?, "the tag is on the record"
        ),
    ]
}

/// "6. Access to a kifu" and "7. Access to all of a user".
fn permissions() -> Vec<Pattern> {
    vec![
        pattern!(
            "entity 6", "the users who may see a record",
            |db| AllowedKifu::query("fdsaj9d9s1").all(db).await?,
            |found| found.len() => found == [allowed_kifu()], "h-akira2"
        ),
        pattern!(
            "entity 6", "allow a user to see a record",
            |db| allow_kifu(db, (&username(0), &kifu_id(0, 2)), &username(1)).await?,
            |_done| 1 => opened_and_disallowed(db).await?,
                "h-akira2 can open it, and k-tanaka cannot"
        ),
        pattern!(
            "entity 7", "the users who may see all of a user's records",
            |db| AllowedUser::query("h-akira").all(db).await?,
            |found| found.len() => found.contains(&allowed_user()) && found.len() == 2,
                "h-akira2, and one more"
        ),
        pattern!(
            "entity 7", "allow a user to see all records",
            |db| allow_user(db, &username(1), &username(0)).await?,
            |_done| 1 => seen_and_disallowed(db).await?, "h-akira can open h-akira2's records"
        ),
    ]
}

/// "8. Analysis".
fn analyses() -> Vec<Pattern> {
    vec![
        pattern!(
            "entity 8", "an analysis by its id",
            |db| Analysis::get("an02x00").send(db).await?,
            |found| 1 => found.is_some_and(|it| it.username == username(2)),
                "the analysis of k-tanaka"
        ),
        pattern!(
            "entity 8", "ask for an analysis, with expiry",
            |db| request_analysis(db, &username(2), "tour", NOW, KEEP).await?,
            |found| 1 => Analysis::delete("tour").return_old().send(db).await?.is_some_and(|it| it == found)
                && found.expired == 1_767_225_600 + KEEP.as_secs(), "it waits, and expires a week later"
        ),
        pattern!(
            "entity 8", "the result of an analysis",
            |db| finish_analysis(db, "an02x01", Ok(r#"{"moves": ["7g7f"]}"#)).await?,
            |_done| 1 => finished(db).await?, "it has succeeded"
        ),
    ]
}

const KEEP: Duration = Duration::from_secs(7 * 24 * 60 * 60);

fn ids(listed: &[ListedKifu]) -> Vec<String> {
    listed.iter().map(|kifu| kifu.kifu_id.0.clone()).collect()
}

fn names(tags: &[Tag]) -> Vec<&str> {
    tags.iter().map(|tag| tag.tag_name.as_str()).collect()
}

/// Returns the ids of h-akira's records, in the order of a time.
fn own_ids(time: fn(&Kifu) -> Timestamp) -> Vec<String> {
    let mut own: Vec<_> = generated::records(0).chain([kifu()]).collect();
    own.sort_by_key(time);
    own.into_iter().map(|kifu| kifu.kifu_id.0).collect()
}

fn newest(time: fn(&Kifu) -> Timestamp) -> Vec<String> {
    own_ids(time).into_iter().rev().take(10).collect()
}

/// Returns the beginning of a day of 2025, counted from 0.
fn day(day: i64) -> Timestamp {
    Timestamp::from_second(1_735_689_600 + day * 86_400).unwrap_or_default()
}

fn created_between(from: i64, to: i64) -> Vec<String> {
    let mut own: Vec<_> = generated::records(0).collect();
    own.retain(|kifu| (day(from)..day(to)).contains(&kifu.created));
    own.sort_by_key(|kifu| kifu.created);
    own.into_iter().map(|kifu| kifu.kifu_id.0).collect()
}

fn new_kifu() -> Kifu {
    Kifu {
        kifu_id: kifu_id(2, 99),
        share_code: None,
        share: false,
        slug: Some("棋戦/2025/準決勝".into()),
        ..generated::kifu(2, 1)
    }
}

fn new_tag(name: &str) -> Tag {
    Tag {
        tag_id: TagId("tour".into()),
        tag_name: name.into(),
        ..generated::generated_tag(2, 0)
    }
}

async fn restored(db: &Dynamo, kifu: Kifu) -> Result<bool, Error> {
    kifu.put().send(db).await?;
    Ok(true)
}

async fn deleted(db: &Dynamo) -> Result<Option<Kifu>, ShogiError> {
    let new = new_kifu();
    let found = Kifu::get(&new.username, &new.kifu_id).send(db).await?;
    logic::delete_kifu(db, &new.username, &new.kifu_id).await?;
    Ok(found)
}

async fn shared_as(db: &Dynamo, code: &str) -> Result<bool, Error> {
    let found = Kifu::by_share_code(code).one(db).await?;
    restored(db, generated::kifu(2, 1)).await?;
    Ok(found.share && found.kifu_id == kifu_id(2, 1))
}

async fn found_at(db: &Dynamo, slug: &str) -> Result<bool, Error> {
    let found = Kifu::by_slug("k-tanaka").slug(slug).hydrate(db).await?;
    restored(db, generated::kifu(2, 1)).await?;
    Ok(found.len() == 1 && found[0].kifu_id == kifu_id(2, 1))
}

async fn changed(db: &Dynamo) -> Result<bool, ShogiError> {
    let last = logic::list(db, &username(2), ListBy::LatestUpdate, 1).await?;
    restored(db, generated::kifu(2, 1)).await?;
    Ok(last.len() == 1 && last[0].kifu_id == kifu_id(2, 1))
}

async fn tag_deleted(db: &Dynamo) -> Result<Option<Tag>, ShogiError> {
    let found = Tag::get("k-tanaka", "tour").send(db).await?;
    logic::delete_tag(db, &username(2), &TagId("tour".into())).await?;
    Ok(found)
}

async fn untagged(db: &Dynamo) -> Result<bool, ShogiError> {
    let tags = tags_of(db, &username(0), &kifu().kifu_id).await?;
    logic::untag_kifu(db, &username(0), &kifu().kifu_id, &tag().tag_id).await?;
    Ok(tags == [tag()])
}

async fn opened_and_disallowed(db: &Dynamo) -> Result<bool, ShogiError> {
    let seen = open(db, &username(1), &kifu_id(0, 2), NOW).await.is_ok();
    let hidden = open(db, &username(2), &kifu_id(0, 2), NOW).await.is_err();
    logic::disallow_kifu(db, (&username(0), &kifu_id(0, 2)), &username(1)).await?;
    restored(db, generated::kifu(0, 2)).await?;
    Ok(seen && hidden)
}

async fn seen_and_disallowed(db: &Dynamo) -> Result<bool, ShogiError> {
    let seen = open(db, &username(0), &kifu_id(1, 2), NOW).await.is_ok();
    disallow_user(db, &username(1), &username(0)).await?;
    restored(db, generated::kifu(1, 2)).await?;
    Ok(seen)
}

async fn finished(db: &Dynamo) -> Result<bool, Error> {
    let found = Analysis::get("an02x01").send(db).await?;
    let waiting = generated::analyses().filter(|it| it.analysis_id == "an02x01");
    BatchWrite::new().load(waiting).send(db).await?;
    Ok(found.is_some_and(|it| it.status == AnalysisStatus::Succeeded))
}
