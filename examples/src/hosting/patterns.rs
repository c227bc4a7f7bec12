//! The access patterns of the service, by subject.

use super::sample_data::{FIRST_DAY, ISSUES, is_open, name, ulid_at};
use super::{
    AccountName, Comment, HostingError, HostingItem, Issue, IssueState, Membership, Organization,
    Reaction, ReactionKind, Repository, RepositoryName, Role, Star, User, add_member,
    change_description, close_issue, comment, create_repository, found_organization, issues_page,
    open_issue, pushed, react, reopen_issue, repository_page, sign_up, star, take_back, unstar,
};
use crate::{Failure, Pattern, pattern};
use dynamo_model::{Dynamo, Entity, Transaction};
use jiff::{SignedDuration, Timestamp};

/// Returns all of them.
#[must_use]
pub fn patterns() -> Vec<Pattern> {
    [accounts(), repositories(), issues(), responses(), stars()].concat()
}

fn accounts() -> Vec<Pattern> {
    vec![
        pattern!(
            "1.1", "Sign up",
            |db| sign_up(db, &new_user()?).await?,
            |_done| 1 => taken(sign_up(db, &new_user()?).await)
                && taken(found_organization(db, &same_name()?, &account("Ada")).await),
            "the name taken, for users and for organisations, in any case",
            then leave(db).await?
        ),
        pattern!(
            "1.2", "Found an organisation",
            |db| found_organization(db, &same_name()?, &account("Ada")).await?,
            |_done| 2 => Membership::get(account("GRACE"), account("Ada")).send(db).await?
                .is_some_and(|it| it.role == Role::Owner) && taken(sign_up(db, &new_user()?).await),
            "the organisation with its owner, and no user of its name",
            then dissolve(db).await?
        ),
        pattern!(
            "1.3", "A user by name, in any case",
            |db| User::get(account("ADA")).send(db).await?,
            |user| usize::from(user.is_some()) => user.is_some_and(|it| it.name.0 == "Ada"),
            "Ada, as she wrote it"
        ),
        pattern!(
            "1.4", "Members of an organisation",
            |db| Membership::query(account("Analytical")).all(db).await?,
            |found| found.len() => found.len() == 6 && found[0].user.0 == "Ada",
            "all six, by name"
        ),
        pattern!(
            "1.5", "Organisations of a user",
            |db| Membership::of_user(name(3)).all(db).await?,
            |found| found.len() => found.len() == 1 && found[0].organization.0 == "Analytical",
            "the one"
        ),
        pattern!(
            "1.6", "Add a member",
            |db| add_member(db, &account("Analytical"), &account("Babbage"), Role::Member).await?,
            |_done| 1 => Membership::of_user(account("Babbage")).count(db).await? == 1,
            "one more member",
            then Membership::delete(account("Analytical"), account("Babbage")).send(db).await?
        ),
    ]
}

fn repositories() -> Vec<Pattern> {
    vec![
        pattern!(
            "2.1", "Create a repository",
            |db| create_repository(db, &new_repository()?).await?,
            |_done| 1 => matches!(create_repository(db, &new_repository()?).await, Err(HostingError::RepositoryExists(_))),
            "the name taken",
            then Repository::delete(account("Ada"), repo("Notes")).any_version().send(db).await?
        ),
        pattern!(
            "2.2", "A repository by name",
            |db| Repository::get(account("babbage"), repo("tables")).send(db).await?,
            |found| usize::from(found.is_some()) => found.is_some_and(|it| it.name.0 == "Tables"),
            "the repository"
        ),
        pattern!(
            "2.3", "Repositories of an owner, the last pushed first",
            |db| Repository::by_owner(account("Babbage")).descending().all(db).await?,
            |found| found.len() => found.len() == 5 && found.is_sorted_by(|a, b| a.pushed_at >= b.pushed_at),
            "all five, the last pushed first"
        ),
        pattern!(
            "2.4", "A repository's page: it and its newest issues",
            |db| repository_page(db, &account("Babbage"), &repo("Tables"), 10).await?,
            |page| page.as_ref().map_or(0, |it| 1 + it.issues.len()) => page.is_some_and(|it| {
                it.repository.name.0 == "Tables" && numbers(&it.issues) == down(120, |_| true, 10)
            }),
            "the repository and the ten newest issues, in one query"
        ),
        pattern!(
            "2.5", "Change the settings",
            |db| change_description(db, &tables(db).await?, "Logarithms").await?,
            |changed| 1 => changed.description.as_deref() == Some("Logarithms"),
            "the new description"
        ),
        pattern!(
            "2.6", "A push moves the repository to the top",
            |db| pushed(db, &account("Babbage"), &repo("Plan-03"), later(200)).await?,
            |_done| 1 => Repository::by_owner(account("Babbage")).descending().first(db).await?
                .is_some_and(|it| it.name.0 == "Plan-03"),
            "it on top",
            then pushed(db, &account("Babbage"), &repo("Plan-03"), later(3)).await?
        ),
    ]
}

fn issues() -> Vec<Pattern> {
    vec![
        pattern!(
            "3.1", "Open an issue",
            |db| open_issue(db, &account("Analytical"), &repo("Engine"), &account("Ada"), "Mill", &["bug"]).await?,
            |issue| 1 => Issue::open(account("Analytical"), repo("Engine")).first(db).await?
                .as_ref() == Some(&issue),
            "the issue with the next number, first of the open ones",
            then forget(db, &issue).await?
        ),
        pattern!(
            "3.2", "An issue by number",
            |db| Issue::get(account("Babbage"), repo("Tables"), 7_u32).send(db).await?,
            |found| usize::from(found.is_some()) => found.is_some_and(|it| it.number == 7),
            "the issue"
        ),
        pattern!(
            "3.3", "Issues, newest first, by page",
            |db| issues_page(db, &account("Babbage"), &repo("Tables"), 25, None).await?,
            |page| page.items.len() => numbers(&page.items) == down(120, |_| true, 25) && {
                let next = issues_page(db, &account("Babbage"), &repo("Tables"), 25, page.next).await?;
                numbers(&next.items) == down(95, |_| true, 25)
            },
            "25 from the newest on, and then the next 25"
        ),
        pattern!(
            "3.4", "Open issues, newest first",
            |db| Issue::open(account("Babbage"), repo("Tables")).limit(25).all(db).await?,
            |found| found.len() => numbers(&found) == down(120, is_open, 25)
                && found.iter().all(|it| it.state == IssueState::Open),
            "the newest 25 of the open ones"
        ),
        pattern!(
            "3.5", "Open issues with a label",
            |db| Issue::open(account("Babbage"), repo("Tables"))
                .filter(|issue| issue.labels().contains("bug")).all(db).await?,
            |found| found.len() => found.len() == 8 && found.iter().all(|it| it.labels.contains("bug")),
            "the eight open bugs"
        ),
        pattern!(
            "3.6", "Close an issue",
            |db| close_issue(db, &account("Babbage"), &repo("Tables"), 119).await?,
            |_done| 1 => open_ones(db).await? == down(120, |it| is_open(it) && it != 119, ISSUES)
                && tables(db).await?.open_issues == 79,
            "the issue out of the index, and counted",
            then reopen_issue(db, &account("Babbage"), &repo("Tables"), 119).await?
        ),
        pattern!(
            "3.7", "Reopen an issue",
            |db| reopen_issue(db, &account("Babbage"), &repo("Tables"), 120).await?,
            |_done| 1 => open_ones(db).await? == down(120, |it| is_open(it) || it == 120, ISSUES),
            "the issue in the index again",
            then close_issue(db, &account("Babbage"), &repo("Tables"), 120).await?
        ),
        pattern!(
            "3.8", "Issues of an author, newest first",
            |db| Issue::by_author(name(5)).descending().all(db).await?,
            |found| found.len() => found.len() == 7 && found.iter().all(|it| it.author == name(5))
                && found.is_sorted_by(|a, b| a.created_at >= b.created_at),
            "the author's seven"
        ),
    ]
}

fn responses() -> Vec<Pattern> {
    vec![
        pattern!(
            "4.1", "Comment on an issue",
            |db| comment(db, &new_comment()).await?,
            |_done| 1 => Comment::query(account("Babbage"), repo("Tables"), 2_u32).descending().first(db).await?
                .is_some_and(|it| it.id == new_comment().id)
                && matches!(comment(db, &new_comment()).await, Err(HostingError::Already)),
            "the comment last, and once",
            then Comment::delete(account("Babbage"), repo("Tables"), 2_u32, new_comment().id).send(db).await?
        ),
        pattern!(
            "4.2", "Comments on an issue, oldest first",
            |db| Comment::query(account("Babbage"), repo("Tables"), 2_u32).all(db).await?,
            |found| found.len() => found.len() == 30 && found.is_sorted_by_key(|it| it.id),
            "all 30, in the order of time"
        ),
        pattern!(
            "4.3", "Comments since a moment",
            |db| Comment::query(account("Babbage"), repo("Tables"), 2_u32)
                .id_in(ulid_at(later(48) + SignedDuration::from_mins(21), 0)..).all(db).await?,
            |found| found.len() => found.len() == 10,
            "the last ten"
        ),
        pattern!(
            "4.4", "Comments of an author, newest first",
            |db| Comment::by_author(name(5)).descending().all(db).await?,
            |found| found.len() => found.len() == 2 && found.iter().all(|it| it.author == name(5)),
            "the author's two"
        ),
        pattern!(
            "4.5", "React to an issue",
            |db| react(db, &heart()?).await?,
            |_done| 1 => hearts(db).await? == 1 && matches!(react(db, &heart()?).await, Err(HostingError::Already)),
            "the reaction counted once",
            then take_back(db, &heart()?).await?
        ),
        pattern!(
            "4.6", "Take a reaction back",
            |db| take_back(db, &super::reaction()?).await?,
            |_done| 1 => matches!(take_back(db, &super::reaction()?).await, Err(HostingError::NotYet)),
            "the reaction gone, and refused a second time",
            then react(db, &super::reaction()?).await?
        ),
        pattern!(
            "4.7", "Reactions of users, by kind",
            |db| Reaction::query(account("Analytical"), repo("Engine"), 1_u32).kind(ReactionKind::Heart).all(db).await?,
            |found| found.len() => found.len() == 1 && found[0].user.0 == "Ada",
            "the one heart"
        ),
    ]
}

fn stars() -> Vec<Pattern> {
    vec![
        pattern!(
            "5.1", "Star a repository",
            |db| star(db, &new_star()).await?,
            |_done| 1 => tables(db).await?.stars == 20
                && matches!(star(db, &new_star()).await, Err(HostingError::Already)),
            "the star, counted once",
            then unstar(db, &account("Ada"), &account("Babbage"), &repo("Tables")).await?
        ),
        pattern!(
            "5.2", "A star does not conflict with edits of the settings",
            |db| { let read = tables(db).await?; star(db, &new_star()).await?; change_description(db, &read, "Tables").await },
            |edited| 2 => edited.is_ok(),
            "the edit done",
            then unstar(db, &account("Ada"), &account("Babbage"), &repo("Tables")).await?
        ),
        pattern!(
            "5.3", "Has a user starred a repository?",
            |db| Star::get(name(4), account("Babbage"), repo("Tables")).send(db).await?,
            |found| usize::from(found.is_some()) => found.is_some(),
            "the star"
        ),
        pattern!(
            "5.4", "Stargazers, the newest first",
            |db| Star::stargazers(account("Babbage"), repo("Tables")).descending().limit(5).all(db).await?,
            |found| found.len() => found.iter().map(|it| it.user.clone()).eq((15..=19).rev().map(name)),
            "the last five"
        ),
        pattern!(
            "5.5", "What a user starred, the newest first",
            |db| Star::starred(account("Ada")).descending().all(db).await?,
            |found| found.len() => found.len() == 1 && found[0].repo.0 == "Engine",
            "the one repository"
        ),
        pattern!(
            "5.6", "Everything of a user: the account and its stars",
            |db| HostingItem::collection(User::partition_key(name(4))).all(db).await?,
            |found| found.len() => matches!(&found[..], [HostingItem::User(_), HostingItem::Star(_)]),
            "both"
        ),
    ]
}

fn account(name: &str) -> AccountName {
    AccountName(name.into())
}

fn repo(name: &str) -> RepositoryName {
    RepositoryName(name.into())
}

fn later(hours: i64) -> Timestamp {
    FIRST_DAY + SignedDuration::from_hours(hours)
}

fn numbers(issues: &[Issue]) -> Vec<usize> {
    issues.iter().map(|issue| issue.number as usize).collect()
}

/// Returns the numbers from this one down that pass, at most `count`.
fn down(from: usize, passes: impl Fn(usize) -> bool, count: usize) -> Vec<usize> {
    (1..=from)
        .rev()
        .filter(|it| passes(*it))
        .take(count)
        .collect()
}

fn taken(result: Result<(), HostingError>) -> bool {
    matches!(result, Err(HostingError::NameTaken(_)))
}

fn new_user() -> Result<User, Failure> {
    Ok(User {
        name: account("Grace"),
        ..super::user()?
    })
}

/// Only in its case it differs from the new user's.
fn same_name() -> Result<Organization, Failure> {
    Ok(Organization {
        name: account("GRACE"),
        ..super::organization()?
    })
}

async fn leave(db: &Dynamo) -> Result<(), Failure> {
    User::delete(account("Grace")).send(db).await?;
    Ok(())
}

async fn dissolve(db: &Dynamo) -> Result<(), Failure> {
    Membership::delete(account("GRACE"), account("Ada"))
        .send(db)
        .await?;
    Organization::delete(account("GRACE")).send(db).await?;
    Ok(())
}

fn new_repository() -> Result<Repository, Failure> {
    Ok(Repository {
        owner: account("Ada"),
        name: repo("Notes"),
        version: 0,
        ..super::repository()?
    })
}

async fn tables(db: &Dynamo) -> Result<Repository, Failure> {
    let tables = Repository::get(account("Babbage"), repo("Tables"));
    Ok(tables.consistent().send(db).await?.ok_or("no repository")?)
}

async fn open_ones(db: &Dynamo) -> Result<Vec<usize>, Failure> {
    let open = Issue::open(account("Babbage"), repo("Tables"));
    Ok(numbers(&open.all(db).await?))
}

/// As if it had not been opened.
async fn forget(db: &Dynamo, issue: &Issue) -> Result<(), Failure> {
    let repository = Repository::update(&issue.owner, &issue.repo)
        .subtract(|repo| repo.open_issues(), 1_u32)
        .subtract(|repo| repo.last_issue(), 1_u32);
    Transaction::new()
        .add(issue.delete())
        .add(repository)
        .send(db)
        .await?;
    Ok(())
}

fn new_comment() -> Comment {
    Comment {
        owner: account("Babbage"),
        repo: repo("Tables"),
        number: 2,
        id: ulid_at(later(100), 1),
        author: account("Ada"),
        body: "Fixed in print.".into(),
        updated_at: later(100),
    }
}

fn heart() -> Result<Reaction, Failure> {
    Ok(Reaction {
        owner: account("Babbage"),
        repo: repo("Tables"),
        number: 2,
        ..super::reaction()?
    })
}

async fn hearts(db: &Dynamo) -> Result<u32, Failure> {
    let issue = Issue::get(account("Babbage"), repo("Tables"), 2_u32);
    let issue = issue.consistent().send(db).await?;
    let reactions = issue.map(|it| it.reactions).unwrap_or_default();
    Ok(reactions.get(&ReactionKind::Heart).copied().unwrap_or(0))
}

fn new_star() -> Star {
    Star {
        user: account("Ada"),
        owner: account("Babbage"),
        repo: repo("Tables"),
        starred_at: later(100),
    }
}
