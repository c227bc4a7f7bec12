//! The functions of the application: records and sharing, tags, permissions, analyses.
//!
//! Times are whole seconds, like the document's; fractions are dropped.

use super::{
    AllowedKifu, AllowedUser, Analysis, AnalysisStatus, Kifu, KifuId, KifuTag, ShogiError,
    SystemSettings, Tag, TagId, UserSettings, Username,
};
use crate::whole_seconds;
use dynamo_model::batch::IntoKey;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, BatchWrite, Dynamo, DynamoProjection, Entity, ErrorKind, Transaction,
};
use jiff::Timestamp;
use serde::Deserialize;
use std::time::Duration;

type Result<T, E = ShogiError> = std::result::Result<T, E>;

/// Stores a new record: within `kifu_max`, under a free id, with a free slug.
pub async fn create_kifu(db: &Dynamo, kifu: &Kifu) -> Result<()> {
    let max = limits(db, &kifu.username).await?.kifu_max;
    // The local index is the cheapest to count: its items are small. Two records at once may both
    // pass.
    let all = Kifu::by_created(&kifu.username).consistent();
    if all.count(db).await? >= max as usize {
        return Err(ShogiError::TooManyKifu(max));
    }
    if Kifu::by_kifu_id(&kifu.kifu_id).first(db).await?.is_some() {
        return Err(ShogiError::KifuIdTaken);
    }
    if let Some(slug) = &kifu.slug {
        check_slug(db, &kifu.username, slug).await?;
    }
    if let Some(share_code) = &kifu.share_code {
        check_share_code(db, &kifu.kifu_id, share_code).await?;
    }
    kifu.create().send(db).await?;
    Ok(())
}

/// Returns the limits of a user: their own settings, or else the system's.
async fn limits(db: &Dynamo, username: &Username) -> Result<SystemSettings> {
    let keys = (UserSettings::key(username), SystemSettings::key());
    let (own, system) = TransactGet::new(keys).send(db).await?;
    let own = own.map(
        |UserSettings {
             kifu_max, tag_max, ..
         }| SystemSettings { kifu_max, tag_max },
    );
    let unlimited = SystemSettings {
        kifu_max: u32::MAX,
        tag_max: u32::MAX,
    };
    Ok(own.or(system).unwrap_or(unlimited))
}

/// Two simultaneous records with one slug may both pass: the document has only the index.
async fn check_slug(db: &Dynamo, username: &Username, slug: &str) -> Result<()> {
    let taken = Kifu::by_slug(username).slug(slug).consistent();
    match taken.count(db).await? {
        0 => Ok(()),
        _ => Err(ShogiError::SlugTaken),
    }
}

async fn own_kifu(db: &Dynamo, username: &Username, kifu_id: &KifuId) -> Result<Kifu> {
    let kifu = Kifu::get(username, kifu_id).consistent().send(db).await?;
    kifu.ok_or(ShogiError::NoSuchKifu)
}

/// Gives a record its place under the user's address, or takes it away.
pub async fn set_slug(
    db: &Dynamo,
    (username, kifu_id): (&Username, &KifuId),
    slug: Option<&str>,
    now: Timestamp,
) -> Result<()> {
    let kifu = own_kifu(db, username, kifu_id).await?;
    if kifu.slug.as_deref() == slug {
        return Ok(());
    }
    if let Some(slug) = slug {
        check_slug(db, username, slug).await?;
    }
    kifu.update()
        .set_or_remove(|kifu| kifu.slug(), slug)
        .set(|kifu| kifu.latest_update(), whole_seconds(now))
        .send(db)
        .await?;
    Ok(())
}

async fn check_share_code(db: &Dynamo, kifu_id: &KifuId, share_code: &str) -> Result<()> {
    let found = Kifu::by_share_code(share_code).first(db).await?;
    match found.is_some_and(|kifu| kifu.kifu_id != *kifu_id) {
        true => Err(ShogiError::ShareCodeTaken),
        false => Ok(()),
    }
}

/// Lets everyone with the code see the record; an earlier code no longer works.
pub async fn share(
    db: &Dynamo,
    (username, kifu_id): (&Username, &KifuId),
    share_code: &str,
    now: Timestamp,
) -> Result<()> {
    check_share_code(db, kifu_id, share_code).await?;
    Kifu::update(username, kifu_id)
        .set(|kifu| kifu.share_code(), share_code)
        .set(|kifu| kifu.share(), true)
        .set(|kifu| kifu.latest_update(), whole_seconds(now))
        .send(db)
        .await
        .map_err(no_such_kifu)
}

/// Ends it: the record leaves CommonGSI.
pub async fn unshare(
    db: &Dynamo,
    (username, kifu_id): (&Username, &KifuId),
    now: Timestamp,
) -> Result<()> {
    Kifu::update(username, kifu_id)
        .remove(|kifu| kifu.share_code())
        .set(|kifu| kifu.share(), false)
        .set(|kifu| kifu.latest_update(), whole_seconds(now))
        .send(db)
        .await
        .map_err(no_such_kifu)
}

/// Returns the record with a share code.
pub async fn open_shared(db: &Dynamo, share_code: &str, now: Timestamp) -> Result<Kifu> {
    let found = Kifu::by_share_code(share_code).first(db).await?;
    let kifu = found.filter(|kifu| kifu.share);
    accessed(db, &kifu.ok_or(ShogiError::NoSuchKifu)?, now).await
}

/// Returns the record at a user's address, if the viewer may see it.
pub async fn open_by_slug(
    db: &Dynamo,
    viewer: &Username,
    (username, slug): (&Username, &str),
    now: Timestamp,
) -> Result<Kifu> {
    let found = Kifu::by_slug(username).slug(slug).hydrate(db).await?;
    let kifu = found.into_iter().next().ok_or(ShogiError::NoSuchKifu)?;
    open_if_allowed(db, viewer, &kifu, now).await
}

/// Returns the record with an id, of any user, if the viewer may see it.
pub async fn open(
    db: &Dynamo,
    viewer: &Username,
    kifu_id: &KifuId,
    now: Timestamp,
) -> Result<Kifu> {
    let found = Kifu::by_kifu_id(kifu_id).first(db).await?;
    open_if_allowed(db, viewer, &found.ok_or(ShogiError::NoSuchKifu)?, now).await
}

async fn open_if_allowed(
    db: &Dynamo,
    viewer: &Username,
    kifu: &Kifu,
    now: Timestamp,
) -> Result<Kifu> {
    if may_see(db, viewer, kifu).await? {
        accessed(db, kifu, now).await
    } else {
        Err(ShogiError::NoSuchKifu)
    }
}

/// Allows the owner, everyone if it is public, and users with permission for this record or all of
/// the owner's.
pub async fn may_see(db: &Dynamo, viewer: &Username, kifu: &Kifu) -> Result<bool> {
    if kifu.public || kifu.username == *viewer {
        return Ok(true);
    }
    let allowed = (
        AllowedKifu::key(&kifu.kifu_id, viewer),
        AllowedUser::key(&kifu.username, viewer),
    );
    let (this, all) = TransactGet::new(allowed).send(db).await?;
    Ok(this.is_some() || all.is_some())
}

/// Notes when it was last seen.
async fn accessed(db: &Dynamo, kifu: &Kifu, now: Timestamp) -> Result<Kifu> {
    let update = Kifu::update(&kifu.username, &kifu.kifu_id)
        .set(|kifu| kifu.latest_access(), whole_seconds(now))
        .return_new();
    update.send(db).await.map_err(no_such_kifu)
}

fn no_such_kifu(error: dynamo_model::Error) -> ShogiError {
    match error.kind() {
        ErrorKind::NotFound => ShogiError::NoSuchKifu,
        _ => error.into(),
    }
}

/// Writes the memo of a record.
pub async fn write_memo(
    db: &Dynamo,
    (username, kifu_id): (&Username, &KifuId),
    memo: &str,
    now: Timestamp,
) -> Result<()> {
    Kifu::update(username, kifu_id)
        .set(|kifu| kifu.memo(), memo)
        .set(|kifu| kifu.latest_update(), whole_seconds(now))
        .send(db)
        .await
        .map_err(no_such_kifu)
}

/// Deletes a record, its tags and its permissions.
pub async fn delete_kifu(db: &Dynamo, username: &Username, kifu_id: &KifuId) -> Result<()> {
    // Checks that the record belongs to the user.
    own_kifu(db, username, kifu_id).await?;
    delete_what_belongs_to(db, kifu_id).await?;
    // Last, so that a deletion that was interrupted can be called again.
    Kifu::delete(username, kifu_id).send(db).await?;
    Ok(())
}

/// Deletes the tags and permissions of a record.
pub(super) async fn delete_what_belongs_to(db: &Dynamo, kifu_id: &KifuId) -> Result<()> {
    let tags = KifuTag::query(kifu_id).all(db).await?;
    let allowed = AllowedKifu::query(kifu_id).all(db).await?;
    BatchWrite::new()
        .deletes(tags.iter().map(Entity::primary_key))
        .deletes(allowed.iter().map(Entity::primary_key))
        .send(db)
        .await?;
    Ok(())
}

/// The attributes of a record in the three time indexes.
#[derive(DynamoProjection, Deserialize, Debug, Clone, PartialEq)]
#[projection(of = Kifu, from(lsi2, lsi3, lsi4))]
#[allow(missing_docs)]
pub struct ListedKifu {
    pub username: Username,
    pub kifu_id: KifuId,
    pub share_code: Option<String>,
    pub slug: Option<String>,
    pub share: bool,
}

/// In which order records are listed, newest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ListBy {
    /// CreatedIndex.
    Created,
    /// LatestAccessIndex.
    LatestAccess,
    /// LatestUpdateIndex.
    LatestUpdate,
}

/// Returns the newest records of a user. Reads only the index.
pub async fn list(
    db: &Dynamo,
    username: &Username,
    by: ListBy,
    limit: usize,
) -> Result<Vec<ListedKifu>> {
    macro_rules! newest {
        ($index:ident) => {
            Kifu::$index(username)
                .descending()
                .limit(limit)
                .project()
                .all(db)
                .await?
        };
    }
    Ok(match by {
        ListBy::Created => newest!(by_created),
        ListBy::LatestAccess => newest!(by_latest_access),
        ListBy::LatestUpdate => newest!(by_latest_update),
    })
}

/// Stores a new tag: within `tag_max`, under a free id, with a name that is unique among the user's
/// tags.
pub async fn create_tag(db: &Dynamo, tag: &Tag) -> Result<()> {
    let max = limits(db, &tag.username).await?.tag_max;
    let all = Tag::by_created(&tag.username).consistent();
    if all.count(db).await? >= max as usize {
        return Err(ShogiError::TooManyTags(max));
    }
    if Tag::by_tag_id(&tag.tag_id).first(db).await?.is_some() {
        return Err(ShogiError::TagIdTaken);
    }
    check_tag_name(db, &tag.username, &tag.tag_name).await?;
    tag.create().send(db).await.map_err(tag_name_taken)
}

/// Only `#[unique]` protects against simultaneous requests; the index has the tags from before it
/// was declared.
async fn check_tag_name(db: &Dynamo, username: &Username, tag_name: &str) -> Result<()> {
    let taken = Tag::by_name(username).tag_name(tag_name).consistent();
    match taken.count(db).await? {
        0 => Ok(()),
        _ => Err(ShogiError::TagNameTaken),
    }
}

fn tag_name_taken(error: dynamo_model::Error) -> ShogiError {
    match error.kind() {
        ErrorKind::NotUnique { .. } => ShogiError::TagNameTaken,
        ErrorKind::NotFound => ShogiError::NoSuchTag,
        _ => error.into(),
    }
}

async fn own_tag(db: &Dynamo, username: &Username, tag_id: &TagId) -> Result<Tag> {
    let tag = Tag::get(username, tag_id).consistent().send(db).await?;
    tag.ok_or(ShogiError::NoSuchTag)
}

/// Gives a tag another name.
pub async fn rename_tag(
    db: &Dynamo,
    (username, tag_id): (&Username, &TagId),
    tag_name: &str,
    now: Timestamp,
) -> Result<()> {
    let tag = own_tag(db, username, tag_id).await?;
    if tag.tag_name == tag_name {
        return Ok(());
    }
    check_tag_name(db, username, tag_name).await?;
    let update = tag
        .update()
        .set(|tag| tag.tag_name(), tag_name)
        .set(|tag| tag.latest_update(), whole_seconds(now));
    update.send(db).await.map_err(tag_name_taken)
}

/// Deletes a tag, and takes it off all records.
pub async fn delete_tag(db: &Dynamo, username: &Username, tag_id: &TagId) -> Result<()> {
    let tag = own_tag(db, username, tag_id).await?;
    let tagged = KifuTag::by_tag(tag_id).all(db).await?;
    let keys = tagged.iter().map(Entity::primary_key);
    BatchWrite::new().deletes(keys).send(db).await?;
    tag.delete().send(db).await?;
    Ok(())
}

/// Puts a tag on a record; both must be the user's.
pub async fn tag_kifu(
    db: &Dynamo,
    username: &Username,
    kifu_id: &KifuId,
    tag_id: &TagId,
) -> Result<()> {
    let tagged = KifuTag {
        kifu_id: kifu_id.clone(),
        tag_id: tag_id.clone(),
    };
    let sent = Transaction::new()
        .add(Kifu::key(username, kifu_id).must_exist())
        .add(Tag::key(username, tag_id).must_exist())
        .add(tagged.put())
        .send(db)
        .await;
    sent.map_err(|error| match (error.kind(), error.entity()) {
        (ErrorKind::NotFound, "Kifu") => ShogiError::NoSuchKifu,
        (ErrorKind::NotFound, _) => ShogiError::NoSuchTag,
        _ => error.into(),
    })
}

/// Takes a tag off a record of the user.
pub async fn untag_kifu(
    db: &Dynamo,
    username: &Username,
    kifu_id: &KifuId,
    tag_id: &TagId,
) -> Result<()> {
    let transaction = Transaction::new()
        .add(Kifu::key(username, kifu_id).must_exist())
        .add(KifuTag::delete(kifu_id, tag_id));
    transaction.send(db).await.map_err(no_such_kifu)
}

/// Returns the tags of a user's record.
pub async fn tags_of(db: &Dynamo, username: &Username, kifu_id: &KifuId) -> Result<Vec<Tag>> {
    let tagged = KifuTag::query(kifu_id).all(db).await?;
    let keys = tagged.iter().map(|it| Tag::key(username, &it.tag_id));
    let tags = BatchGet::new(keys).send(db).await?;
    Ok(tags.into_iter().flatten().collect())
}

/// Returns a user's records with a tag.
pub async fn kifu_with_tag(db: &Dynamo, username: &Username, tag_id: &TagId) -> Result<Vec<Kifu>> {
    let tagged = KifuTag::by_tag(tag_id).all(db).await?;
    let keys = tagged.iter().map(|it| Kifu::key(username, &it.kifu_id));
    let records = BatchGet::new(keys).send(db).await?;
    Ok(records.into_iter().flatten().collect())
}

/// Lets a user see a record; only its owner can.
pub async fn allow_kifu(
    db: &Dynamo,
    (owner, kifu_id): (&Username, &KifuId),
    username: &Username,
) -> Result<()> {
    let allowed = AllowedKifu {
        kifu_id: kifu_id.clone(),
        username: username.clone(),
    };
    let transaction = Transaction::new()
        .add(Kifu::key(owner, kifu_id).must_exist())
        .add(allowed.put());
    transaction.send(db).await.map_err(no_such_kifu)
}

/// And no longer.
pub async fn disallow_kifu(
    db: &Dynamo,
    (owner, kifu_id): (&Username, &KifuId),
    username: &Username,
) -> Result<()> {
    let transaction = Transaction::new()
        .add(Kifu::key(owner, kifu_id).must_exist())
        .add(AllowedKifu::delete(kifu_id, username));
    transaction.send(db).await.map_err(no_such_kifu)
}

/// Lets a user see all records of another.
pub async fn allow_user(db: &Dynamo, owner: &Username, username: &Username) -> Result<()> {
    let allowed = AllowedUser {
        username: owner.clone(),
        allowed_username: username.clone(),
    };
    Ok(allowed.put().send(db).await?)
}

/// And no longer.
pub async fn disallow_user(db: &Dynamo, owner: &Username, username: &Username) -> Result<()> {
    Ok(AllowedUser::delete(owner, username).send(db).await?)
}

/// Requests an analysis, which is kept for the given time. The document does not define it.
pub async fn request_analysis(
    db: &Dynamo,
    username: &Username,
    analysis_id: &str,
    now: Timestamp,
    keep: Duration,
) -> Result<Analysis> {
    let analysis = Analysis {
        analysis_id: analysis_id.into(),
        username: username.clone(),
        created: whole_seconds(now),
        status: AnalysisStatus::Waiting,
        response: None,
        expired: seconds(now) + keep.as_secs(),
    };
    analysis.create().send(db).await?;
    Ok(analysis)
}

/// Stores the result or error of the engine. Fails if the analysis is not waiting.
pub async fn finish_analysis(
    db: &Dynamo,
    analysis_id: &str,
    outcome: Result<&str, &str>,
) -> Result<()> {
    let (status, response) = match outcome {
        Ok(response) => (AnalysisStatus::Succeeded, response),
        Err(response) => (AnalysisStatus::Error, response),
    };
    let update = Analysis::update(analysis_id)
        .set(|analysis| analysis.status(), status)
        .set(|analysis| analysis.response(), response)
        .condition(|analysis| analysis.status().eq(AnalysisStatus::Waiting));
    update.send(db).await.map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::ConditionFailed => ShogiError::NoSuchAnalysis,
        _ => error.into(),
    })
}

/// Returns the analyses of a user, without those that have expired: DynamoDB may take days to
/// delete them.
pub async fn analyses_of(
    db: &Dynamo,
    username: &Username,
    now: Timestamp,
) -> Result<Vec<Analysis>> {
    let analyses =
        Analysis::by_username(username).filter(|analysis| analysis.expired().gt(seconds(now)));
    Ok(analyses.all(db).await?)
}

fn seconds(time: Timestamp) -> u64 {
    u64::try_from(time.as_second()).unwrap_or_default()
}
