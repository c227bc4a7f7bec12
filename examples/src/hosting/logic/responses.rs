//! Comments and reactions.

use super::{is_missing, is_there};
use crate::hosting::{AccountName, Comment, HostingError, Issue, Reaction, RepositoryName};
use dynamo_model::expr::ByKey;
use dynamo_model::write::Update;
use dynamo_model::{Dynamo, Entity, Error, Transaction};

/// Adds a comment. The caller chooses its id, so that a repeated request creates one comment.
pub async fn comment(db: &Dynamo, comment: &Comment) -> Result<(), HostingError> {
    let (owner, repo, number) = (&comment.owner, &comment.repo, comment.number);
    let issue = counted(owner, repo, number).add(|issue| issue.comments(), 1_u32);
    let transaction = Transaction::new().add(comment.create()).add(issue);
    match transaction.send(db).await {
        Err(error) if is_there::<Comment>(&error) => Err(HostingError::Already),
        done => done.map_err(|error| gone(error, number)),
    }
}

/// Reacts to an issue; each user's reaction of a kind counts once.
pub async fn react(db: &Dynamo, reaction: &Reaction) -> Result<(), HostingError> {
    let (owner, repo, number) = (&reaction.owner, &reaction.repo, reaction.number);
    let issue =
        counted(owner, repo, number).add(|issue| issue.reactions().entry(reaction.kind), 1_u32);
    let transaction = Transaction::new().add(reaction.create()).add(issue);
    match transaction.send(db).await {
        Err(error) if is_there::<Reaction>(&error) => Err(HostingError::Already),
        done => done.map_err(|error| gone(error, number)),
    }
}

/// Takes a reaction back.
pub async fn take_back(db: &Dynamo, reaction: &Reaction) -> Result<(), HostingError> {
    let (owner, repo, number) = (&reaction.owner, &reaction.repo, reaction.number);
    let issue = counted(owner, repo, number)
        .subtract(|issue| issue.reactions().entry(reaction.kind), 1_u32);
    let own = Reaction::delete(owner, repo, number, reaction.kind, &reaction.user).must_exist();
    let transaction = Transaction::new().add(own).add(issue);
    match transaction.send(db).await {
        Err(error) if is_missing::<Reaction>(&error) => Err(HostingError::NotYet),
        done => done.map_err(|error| gone(error, number)),
    }
}

/// Returns an update of counters, which does not conflict with edits of the issue.
fn counted(owner: &AccountName, repo: &RepositoryName, number: u32) -> Update<Issue, ByKey> {
    let update = Issue::update(owner, repo, number);
    update.keep_version().keep_updated_at()
}

fn gone(error: Error, number: u32) -> HostingError {
    match is_missing::<Issue>(&error) {
        true => HostingError::NoSuchIssue(number),
        false => error.into(),
    }
}
