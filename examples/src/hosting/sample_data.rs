//! The sample items, and a service around them: 20 users, 6 repositories, 120 issues. The same
//! every time.

use super::{
    AccountName, CodeHosting, Comment, Issue, IssueState, Membership, ReactionKind, Repository,
    RepositoryName, Role, Star, User, samples,
};
use crate::{Failure, loading::Loading};
use dynamo_model::{Dynamo, Table};
use jiff::{SignedDuration, Timestamp};
use ulid::Ulid;

/// How many items [`load`] writes.
pub const LOADED: usize = 8 + USERS + MEMBERS + OTHER_REPOSITORIES + STARS + ISSUES + COMMENTS;

const USERS: usize = 19;
const MEMBERS: usize = 5;
const OTHER_REPOSITORIES: usize = 5;
const STARS: usize = USERS;
/// Of the repository `Babbage/Tables`.
pub(super) const ISSUES: usize = 120;
const COMMENTS: usize = 30;

/// 2025-03-01T00:00:00Z.
pub(super) const FIRST_DAY: Timestamp = Timestamp::constant(1_740_787_200, 0);

/// Creates the table and loads the data; `progress` is called with the number of items so far.
pub async fn load(db: &Dynamo, progress: &mut (dyn FnMut(usize) + Send)) -> Result<(), Failure> {
    CodeHosting::create_table(db).await?;
    let mut loading = Loading::new(db, FIRST_DAY, progress);
    let users = [samples::user()?].into_iter().chain((1..=USERS).map(user));
    let users: Vec<_> = users.collect();
    let organization = samples::organization()?;
    // A batch cannot check whether a name is taken.
    for user in &users {
        loading.create(user).await?;
    }
    loading.create(&organization).await?;
    let members = (1..=MEMBERS).map(member);
    let members = [samples::membership()?].into_iter().chain(members);
    loading.write(|batch| batch.load(members)).await?;
    let repositories = [samples::repository()?].into_iter();
    let repositories = repositories.chain((1..=OTHER_REPOSITORIES).map(repository));
    loading.write(|batch| batch.load(repositories)).await?;
    let stars = (1..=STARS).map(star);
    let stars = [samples::star_sample()?].into_iter().chain(stars);
    loading.write(|batch| batch.load(stars)).await?;
    let issues = (1..=ISSUES).map(issue);
    let issues = [samples::issue()?].into_iter().chain(issues);
    loading.write(|batch| batch.load(issues)).await?;
    let comments = (1..=COMMENTS).map(comment);
    let comments = [samples::comment_sample()?].into_iter().chain(comments);
    loading.write(|batch| batch.load(comments)).await?;
    let reaction = samples::reaction()?;
    loading.write(|batch| batch.put(&reaction)).await?;
    Ok(())
}

pub(super) fn name(number: usize) -> AccountName {
    AccountName(format!("User{number:02}"))
}

fn babbage() -> AccountName {
    AccountName("Babbage".into())
}

fn tables() -> RepositoryName {
    RepositoryName("Tables".into())
}

fn after(hours: usize) -> Timestamp {
    FIRST_DAY + SignedDuration::from_hours(hours as i64)
}

/// The first is Babbage.
fn user(number: usize) -> User {
    let name = if number == 1 { babbage() } else { name(number) };
    User {
        email: format!("{}@example.com", name.0.to_lowercase()),
        name,
        bio: None,
        created_at: FIRST_DAY,
        updated_at: FIRST_DAY,
    }
}

/// Of the organisation that Ada founded.
fn member(number: usize) -> Membership {
    Membership {
        organization: AccountName("Analytical".into()),
        user: name(number + 1),
        role: Role::Member,
        since: FIRST_DAY,
    }
}

/// All are Babbage's; the first has the issues and the stars.
fn repository(number: usize) -> Repository {
    let name = match number {
        1 => tables(),
        _ => RepositoryName(format!("Plan-{number:02}")),
    };
    let (issues, stars) = if number == 1 { (ISSUES, STARS) } else { (0, 0) };
    Repository {
        owner: babbage(),
        name,
        description: None,
        last_issue: issues as u32,
        open_issues: (1..=issues).filter(|number| is_open(*number)).count() as u32,
        stars: stars as u32,
        pushed_at: after(number),
        created_at: FIRST_DAY,
        updated_at: FIRST_DAY,
        version: 1,
    }
}

/// Returns a star of each user for `Babbage/Tables`, an hour after the one before.
fn star(number: usize) -> Star {
    Star {
        user: user(number).name,
        owner: babbage(),
        repo: tables(),
        starred_at: after(number),
    }
}

/// Every third is closed.
pub(super) fn is_open(number: usize) -> bool {
    !number.is_multiple_of(3)
}

/// Every tenth is a bug.
fn issue(number: usize) -> Issue {
    let open = is_open(number);
    let labels = match number % 10 {
        0 => ["bug".to_owned()].into(),
        _ => [].into(),
    };
    let comments = if number == 2 { COMMENTS as u32 } else { 0 };
    Issue {
        owner: babbage(),
        repo: tables(),
        number: number as u32,
        author: user(number % USERS + 1).name,
        title: format!("Table {number} has an error"),
        body: "See the errata.".into(),
        state: if open {
            IssueState::Open
        } else {
            IssueState::Closed
        },
        labels,
        comments,
        reactions: [(ReactionKind::ThumbsUp, 0)].into(),
        created_at: after(number),
        updated_at: after(number),
        version: 1,
    }
}

/// Returns comments on the second issue, a minute apart.
fn comment(number: usize) -> Comment {
    let at = after(48) + SignedDuration::from_mins(number as i64);
    Comment {
        owner: babbage(),
        repo: tables(),
        number: 2,
        id: ulid_at(at, number as u128),
        author: user(number % USERS + 1).name,
        body: format!("Comment {number}"),
        updated_at: at,
    }
}

/// Returns the id of a comment written at that time.
pub(super) fn ulid_at(at: Timestamp, random: u128) -> Ulid {
    Ulid::from_parts(at.as_millisecond() as u64, random)
}
