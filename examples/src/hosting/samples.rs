//! One item an entity.

use super::{
    AccountName, Comment, Issue, IssueState, Membership, Organization, Reaction, ReactionKind,
    Repository, RepositoryName, Role, Star, User,
};
use crate::{Result, Sample};
use dynamo_model::index::{Gsi1, Gsi2};
use jiff::Timestamp;

fn name(text: &str) -> AccountName {
    AccountName(text.into())
}

fn engine() -> RepositoryName {
    RepositoryName("Engine".into())
}

fn at(text: &str) -> Result<Timestamp> {
    Ok(text.parse()?)
}

/// Ada, the founder of Analytical.
pub fn user() -> Result<User> {
    Ok(User {
        name: name("Ada"),
        email: "ada@example.com".into(),
        bio: Some("The engine weaves algebraic patterns.".into()),
        created_at: at("2025-01-10T09:00:00Z")?,
        updated_at: at("2025-01-10T09:00:00Z")?,
    })
}

/// Analytical, an organisation.
pub fn organization() -> Result<Organization> {
    Ok(Organization {
        name: name("Analytical"),
        billing_email: "billing@example.com".into(),
        website: Some("analytical.example".into()),
        created_at: at("2025-01-11T09:00:00Z")?,
        updated_at: at("2025-01-11T09:00:00Z")?,
    })
}

/// Ada owns Analytical.
pub fn membership() -> Result<Membership> {
    Ok(Membership {
        organization: name("Analytical"),
        user: name("Ada"),
        role: Role::Owner,
        since: at("2025-01-11T09:00:00Z")?,
    })
}

/// `Analytical/Engine`.
pub fn repository() -> Result<Repository> {
    Ok(Repository {
        owner: name("Analytical"),
        name: engine(),
        description: Some("A general-purpose machine".into()),
        last_issue: 1,
        open_issues: 1,
        stars: 1,
        pushed_at: at("2025-02-01T12:00:00Z")?,
        created_at: at("2025-01-12T09:00:00Z")?,
        updated_at: at("2025-02-01T12:00:00Z")?,
        version: 1,
    })
}

/// Returns its first issue.
pub fn issue() -> Result<Issue> {
    Ok(Issue {
        owner: name("Analytical"),
        repo: engine(),
        number: 1,
        author: name("Ada"),
        title: "Note G: Bernoulli numbers".into(),
        body: "Compute B7 without working out by head.".into(),
        state: IssueState::Open,
        labels: ["program".into()].into(),
        comments: 1,
        reactions: [(ReactionKind::Heart, 1)].into(),
        created_at: at("2025-01-13T10:00:00Z")?,
        updated_at: at("2025-01-13T10:00:00Z")?,
        version: 1,
    })
}

/// Returns a comment on it.
pub fn comment_sample() -> Result<Comment> {
    Ok(Comment {
        owner: name("Analytical"),
        repo: engine(),
        number: 1,
        id: "01JHGCF5M0ADA0000000000001".parse()?,
        author: name("Ada"),
        body: "The operation of V21 is to be repeated.".into(),
        updated_at: at("2025-01-13T11:00:00Z")?,
    })
}

/// Returns a reaction to it.
pub fn reaction() -> Result<Reaction> {
    Ok(Reaction {
        owner: name("Analytical"),
        repo: engine(),
        number: 1,
        kind: ReactionKind::Heart,
        user: name("Ada"),
        at: at("2025-01-13T12:00:00Z")?,
    })
}

/// Ada's star.
pub fn star_sample() -> Result<Star> {
    Ok(Star {
        user: name("Ada"),
        owner: name("Analytical"),
        repo: engine(),
        starred_at: at("2025-01-12T09:30:00Z")?,
    })
}

/// One item an entity, with all its keys.
pub fn samples() -> Result<Vec<Sample>> {
    Ok(vec![
        Sample::of(&user()?, |key| User::key(key.name)).done(),
        Sample::of(&organization()?, |key| Organization::key(key.name)).done(),
        Sample::of(&membership()?, |key| {
            Membership::key(key.organization, key.user)
        })
        .index::<Gsi1>(|key| Membership::of_user_key(key.user, key.organization))
        .done(),
        Sample::of(&repository()?, |key| Repository::key(key.owner, key.name))
            .index::<Gsi1>(|key| Repository::by_owner_key(key.owner, key.pushed_at))
            .done(),
        Sample::of(&issue()?, |key| Issue::key(key.owner, key.repo, key.number))
            .index::<Gsi1>(|key| Issue::open_key(key.owner, key.repo, key.number))
            .index::<Gsi2>(|key| Issue::by_author_key(key.author, key.created_at))
            .done(),
        Sample::of(&comment_sample()?, |key| {
            Comment::key(key.owner, key.repo, key.number, key.id)
        })
        .index::<Gsi2>(|key| Comment::by_author_key(key.author, key.id))
        .done(),
        Sample::of(&reaction()?, |key| {
            Reaction::key(key.owner, key.repo, key.number, key.kind, key.user)
        })
        .done(),
        Sample::of(&star_sample()?, |key| {
            Star::key(key.user, key.owner, key.repo)
        })
        .index::<Gsi1>(|key| Star::stargazers_key(key.owner, key.repo, key.starred_at, key.user))
        .index::<Gsi2>(|key| Star::starred_key(key.user, key.starred_at))
        .done(),
    ])
}
