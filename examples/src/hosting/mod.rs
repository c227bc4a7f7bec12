//! A code-hosting service in one table, `CodeHosting`: accounts, repositories, issues, comments,
//! reactions, stars.
//!
//! It has no document: this page is the design. [`patterns`] lists its access patterns.
//!
//! | partition | items, in the order of their sort keys |
//! | --- | --- |
//! | `ACCOUNT#<name>` | the account, a user or an organisation; the members of an organisation; what a user starred |
//! | `REPO#<owner>#<name>` | issues by number, then the repository: read backwards, the repository and its newest issues |
//! | `COMMENTS#<owner>#<repo>#<number>` | comments by their ULIDs, which sort by time |
//! | `REACTIONS#<owner>#<repo>#<number>` | who reacted to an issue, and how |
//!
//! Names are unique in any case, as `rust-lang` and `Rust-Lang`: keys have them in lower case,
//! attributes as written.

mod accounts;
mod issues;
mod logic;
mod patterns;
mod refused;
mod repositories;
mod sample_data;
mod samples;

pub use accounts::{Membership, Organization, Role, User};
pub use issues::{Comment, Issue, IssueState, Reaction, ReactionKind};
pub use logic::{
    RepositoryPage, add_member, change_description, close_issue, comment, create_repository,
    found_organization, issues_page, open_issue, pushed, react, reopen_issue, repository_page,
    sign_up, star, take_back, unstar,
};
pub use patterns::patterns;
pub use refused::HostingError;
pub use repositories::{Repository, Star};
pub use sample_data::{LOADED, load};
pub use samples::{
    comment_sample, issue, membership, organization, reaction, repository, samples, star_sample,
    user,
};

use dynamo_model::{DynamoItems, DynamoTable, KeyPart};
use serde::{Deserialize, Serialize};

/// The table.
#[derive(DynamoTable, Debug)]
#[table(name = "CodeHosting", pk = "PK", sk = "SK", entity_type = "type", items = HostingItem)]
#[table(encryption = kms, point_in_time_recovery, billing = provisioned(read = 10, write = 10))]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
#[gsi2(name = "GSI2", pk = "GSI2PK", sk = "GSI2SK")]
pub struct CodeHosting;

/// The name of a user or an organisation.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct AccountName(pub String);

/// The name of a repository, without its owner.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, PartialEq, Eq, Hash)]
pub struct RepositoryName(pub String);

/// Every kind of item in the table.
#[derive(DynamoItems, Debug, Clone, PartialEq)]
#[items(table = CodeHosting)]
#[allow(missing_docs)]
pub enum HostingItem {
    User(User),
    Organization(Organization),
    Membership(Membership),
    Repository(Repository),
    Issue(Issue),
    Comment(Comment),
    Reaction(Reaction),
    Star(Star),
}
