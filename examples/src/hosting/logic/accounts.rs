//! Accounts and memberships.

use super::{is_missing, is_there};
use crate::hosting::{AccountName, HostingError, Membership, Organization, Role, User};
use dynamo_model::batch::IntoKey;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Transaction};
use jiff::Timestamp;

/// A new user. Fails if a user or an organisation has the name, in any case.
pub async fn sign_up(db: &Dynamo, user: &User) -> Result<(), HostingError> {
    let created = user.create().send(db).await;
    created.map_err(|error| taken(error, &user.name))
}

/// A new organisation, and its first owner.
pub async fn found_organization(
    db: &Dynamo,
    organization: &Organization,
    founder: &AccountName,
) -> Result<(), HostingError> {
    let transaction = Transaction::new()
        .add(organization.create())
        .add(User::key(founder).must_exist())
        .add(member(&organization.name, founder, Role::Owner).create());
    match transaction.send(db).await {
        Err(error) if is_missing::<User>(&error) => {
            Err(HostingError::NoSuchAccount(founder.clone()))
        }
        done => done.map_err(|error| taken(error, &organization.name)),
    }
}

/// A user joins an organisation.
pub async fn add_member(
    db: &Dynamo,
    organization: &AccountName,
    user: &AccountName,
    role: Role,
) -> Result<(), HostingError> {
    let transaction = Transaction::new()
        .add(Organization::key(organization).must_exist())
        .add(User::key(user).must_exist())
        .add(member(organization, user, role).create());
    match transaction.send(db).await {
        // One account cannot be both.
        Err(error) if is_missing::<Organization>(&error) || is_same_item(&error) => {
            Err(HostingError::NoSuchAccount(organization.clone()))
        }
        Err(error) if is_missing::<User>(&error) => Err(HostingError::NoSuchAccount(user.clone())),
        Err(error) if is_there::<Membership>(&error) => {
            Err(HostingError::AlreadyMember(user.clone()))
        }
        done => Ok(done?),
    }
}

fn member(organization: &AccountName, user: &AccountName, role: Role) -> Membership {
    Membership {
        organization: organization.clone(),
        user: user.clone(),
        role,
        since: Timestamp::UNIX_EPOCH,
    }
}

/// Two operations of a transaction are on one account.
fn is_same_item(error: &Error) -> bool {
    matches!(error.kind(), ErrorKind::SameItem { .. })
}

/// The name is an account's already: the founder's, if the transaction names it twice.
fn taken(error: Error, name: &AccountName) -> HostingError {
    match error.is_already_exists() || is_same_item(&error) {
        true => HostingError::NameTaken(name.clone()),
        false => error.into(),
    }
}
