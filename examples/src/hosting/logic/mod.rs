//! The functions of the service.

mod accounts;
mod issues;
mod repositories;
mod responses;

pub use accounts::{add_member, found_organization, sign_up};
pub use issues::{close_issue, issues_page, open_issue, reopen_issue};
pub use repositories::{
    RepositoryPage, change_description, create_repository, pushed, repository_page, star, unstar,
};
pub use responses::{comment, react, take_back};

use dynamo_model::{Entity, Error, ErrorKind};

/// Returns whether `create` found an item of this entity.
fn is_there<E: Entity>(error: &Error) -> bool {
    *error.kind() == ErrorKind::AlreadyExists && error.entity() == E::SCHEMA.entity
}

/// Returns whether an item of this entity is missing. One of another entity may have its key.
fn is_missing<E: Entity>(error: &Error) -> bool {
    (error.is_not_found() || error.is_other_entity()) && error.is_of::<E>()
}
