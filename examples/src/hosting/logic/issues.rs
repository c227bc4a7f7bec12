//! Issues.

use super::repositories::{counted, gone};
use crate::hosting::{AccountName, HostingError, Issue, IssueState, RepositoryName};
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Page, Transaction};
use jiff::Timestamp;
use std::collections::{BTreeMap, BTreeSet};

/// Opens an issue with the repository's next number. A crash between the two writes leaves a number
/// unused.
pub async fn open_issue(
    db: &Dynamo,
    owner: &AccountName,
    repo: &RepositoryName,
    author: &AccountName,
    title: &str,
    labels: &[&str],
) -> Result<Issue, HostingError> {
    let next = counted(owner, repo).add(|repo| repo.last_issue(), 1_u32);
    let repository = next.return_new().send(db).await;
    let repository = repository.map_err(|error| gone(error, repo))?;
    let number = repository.last_issue;
    let issue = Issue {
        owner: repository.owner,
        repo: repository.name,
        number,
        author: author.clone(),
        title: title.into(),
        body: String::new(),
        state: IssueState::Open,
        labels: labels
            .iter()
            .map(ToString::to_string)
            .collect::<BTreeSet<_>>(),
        comments: 0,
        reactions: BTreeMap::new(),
        created_at: Timestamp::UNIX_EPOCH,
        updated_at: Timestamp::UNIX_EPOCH,
        version: 0,
    };
    let repository = counted(owner, repo).add(|repo| repo.open_issues(), 1_u32);
    Transaction::new()
        .add(issue.create())
        .add(repository)
        .send(db)
        .await?;
    let stored = Issue::get(owner, repo, number)
        .consistent()
        .send(db)
        .await?;
    stored.ok_or(HostingError::NoSuchIssue(number))
}

/// Closes an open issue: it leaves the index of the open ones.
pub async fn close_issue(
    db: &Dynamo,
    owner: &AccountName,
    repo: &RepositoryName,
    number: u32,
) -> Result<(), HostingError> {
    let issue = Issue::update(owner, repo, number)
        .set(|issue| issue.state(), IssueState::Closed)
        .condition(|issue| issue.state().eq(IssueState::Open));
    let repository = counted(owner, repo).subtract(|repo| repo.open_issues(), 1_u32);
    let transaction = Transaction::new().add(issue).add(repository);
    transaction
        .send(db)
        .await
        .map_err(|error| unchanged(error, number))
}

/// Opens a closed issue again.
pub async fn reopen_issue(
    db: &Dynamo,
    owner: &AccountName,
    repo: &RepositoryName,
    number: u32,
) -> Result<(), HostingError> {
    let issue = Issue::update(owner, repo, number)
        .set(|issue| issue.state(), IssueState::Open)
        .condition(|issue| issue.state().eq(IssueState::Closed));
    let repository = counted(owner, repo).add(|repo| repo.open_issues(), 1_u32);
    let transaction = Transaction::new().add(issue).add(repository);
    transaction
        .send(db)
        .await
        .map_err(|error| unchanged(error, number))
}

fn unchanged(error: Error, number: u32) -> HostingError {
    match error.kind() {
        ErrorKind::NotFound => HostingError::NoSuchIssue(number),
        ErrorKind::ConditionFailed => HostingError::NoChange(number),
        _ => error.into(),
    }
}

/// Returns the issues of a repository, newest first, a page at a time.
pub async fn issues_page(
    db: &Dynamo,
    owner: &AccountName,
    repo: &RepositoryName,
    limit: usize,
    cursor: Option<String>,
) -> Result<Page<Issue>, Error> {
    let issues = Issue::query(owner, repo).descending().limit(limit);
    issues.after(cursor).page(db).await
}
