//! Repositories and stars.

use super::{is_missing, is_there};
use crate::hosting::{
    AccountName, HostingError, HostingItem, Issue, Repository, RepositoryName, Star,
};
use dynamo_model::expr::ByKey;
use dynamo_model::write::Update;
use dynamo_model::{Dynamo, Entity, Error, Transaction};
use jiff::Timestamp;

/// A repository and its newest issues, as its page shows them.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub struct RepositoryPage {
    pub repository: Repository,
    pub issues: Vec<Issue>,
}

/// A new repository.
pub async fn create_repository(db: &Dynamo, repository: &Repository) -> Result<(), HostingError> {
    match repository.create().send(db).await {
        Err(error) if is_there::<Repository>(&error) => {
            Err(HostingError::RepositoryExists(repository.name.clone()))
        }
        done => Ok(done?),
    }
}

/// Returns the repository and its newest issues: one query, backwards over their partition.
pub async fn repository_page(
    db: &Dynamo,
    owner: &AccountName,
    name: &RepositoryName,
    issues: usize,
) -> Result<Option<RepositoryPage>, Error> {
    let partition = Repository::partition_key(owner, name);
    let newest = HostingItem::collection(partition).descending();
    let mut items = newest.limit(1 + issues).all(db).await?.into_iter();
    let Some(HostingItem::Repository(repository)) = items.next() else {
        return Ok(None);
    };
    let issues = items.filter_map(|item| match item {
        HostingItem::Issue(issue) => Some(issue),
        _ => None,
    });
    Ok(Some(RepositoryPage {
        repository,
        issues: issues.collect(),
    }))
}

/// Moves the repository to the top of its owner's list; its settings stay.
pub async fn pushed(
    db: &Dynamo,
    owner: &AccountName,
    name: &RepositoryName,
    at: Timestamp,
) -> Result<(), HostingError> {
    let update = counted(owner, name).set(|repo| repo.pushed_at(), at);
    update.send(db).await.map_err(|error| gone(error, name))
}

/// Changes the settings of a loaded repository. Fails if the settings changed since.
pub async fn change_description(
    db: &Dynamo,
    repository: &Repository,
    description: &str,
) -> Result<Repository, HostingError> {
    let update = repository
        .update()
        .set(|repo| repo.description(), description);
    match update.return_new().send(db).await {
        Err(error) if error.is_conflict() => Err(HostingError::Changed),
        changed => Ok(changed?),
    }
}

/// A user stars a repository; each star counts once.
pub async fn star(db: &Dynamo, star: &Star) -> Result<(), HostingError> {
    let counted = counted(&star.owner, &star.repo).add(|repo| repo.stars(), 1_u32);
    let transaction = Transaction::new().add(star.create()).add(counted);
    match transaction.send(db).await {
        Err(error) if is_there::<Star>(&error) => Err(HostingError::Already),
        done => done.map_err(|error| gone(error, &star.repo)),
    }
}

/// Takes a star back.
pub async fn unstar(
    db: &Dynamo,
    user: &AccountName,
    owner: &AccountName,
    repo: &RepositoryName,
) -> Result<(), HostingError> {
    let counted = counted(owner, repo).subtract(|repo| repo.stars(), 1_u32);
    let star = Star::delete(user, owner, repo).must_exist();
    let transaction = Transaction::new().add(star).add(counted);
    match transaction.send(db).await {
        Err(error) if is_missing::<Star>(&error) => Err(HostingError::NotYet),
        done => done.map_err(|error| gone(error, repo)),
    }
}

/// Returns an update of counters, which does not conflict with edits of the settings.
pub(super) fn counted(owner: &AccountName, name: &RepositoryName) -> Update<Repository, ByKey> {
    let update = Repository::update(owner, name);
    update.keep_version().keep_updated_at()
}

pub(super) fn gone(error: Error, repo: &RepositoryName) -> HostingError {
    match is_missing::<Repository>(&error) {
        true => HostingError::NoSuchRepository(repo.clone()),
        false => error.into(),
    }
}
