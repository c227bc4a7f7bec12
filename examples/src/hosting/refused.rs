//! Reasons why the service refuses a request.

use super::{AccountName, RepositoryName};
use dynamo_model::Error;
use std::fmt;

/// Reasons why the service refuses a request.
#[derive(Debug)]
pub enum HostingError {
    /// A user or an organisation has this name.
    NameTaken(AccountName),
    /// The user or organisation does not exist.
    NoSuchAccount(AccountName),
    /// The user is a member already.
    AlreadyMember(AccountName),
    /// The owner has a repository of this name.
    RepositoryExists(RepositoryName),
    /// The repository does not exist.
    NoSuchRepository(RepositoryName),
    /// The issue does not exist.
    NoSuchIssue(u32),
    /// The issue is open, or closed, already.
    NoChange(u32),
    /// The user starred the repository, or reacted in this way, already.
    Already,
    /// The user did not star the repository, or did not react in this way.
    NotYet,
    /// The item was changed after it was read.
    Changed,
    /// The call itself failed.
    Database(Error),
}

impl fmt::Display for HostingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NameTaken(AccountName(name)) => write!(f, "the name {name} is taken"),
            Self::NoSuchAccount(AccountName(name)) => write!(f, "account {name} does not exist"),
            Self::AlreadyMember(AccountName(name)) => write!(f, "{name} is a member already"),
            Self::RepositoryExists(RepositoryName(name)) => {
                write!(f, "there is a repository {name} already")
            }
            Self::NoSuchRepository(RepositoryName(name)) => {
                write!(f, "repository {name} does not exist")
            }
            Self::NoSuchIssue(number) => write!(f, "issue {number} does not exist"),
            Self::NoChange(number) => write!(f, "issue {number} is in this state already"),
            Self::Already => write!(f, "this is done already"),
            Self::NotYet => write!(f, "this was not done yet"),
            Self::Changed => write!(f, "the item was changed meanwhile; read it again"),
            Self::Database(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for HostingError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Database(error) => error.source(),
            _ => None,
        }
    }
}

impl From<Error> for HostingError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}
