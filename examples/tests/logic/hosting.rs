//! The code-hosting service.

use crate::support::{Outcome, as_service, at, at_once, database, without_isolation};
use dynamo_model::{Dynamo, Table};
use dynamo_model_examples::hosting::{
    AccountName, CodeHosting, HostingError, Issue, IssueState, Reaction, ReactionKind, Repository,
    RepositoryName, Role, Star, User, add_member, change_description, close_issue, comment,
    comment_sample, create_repository, found_organization, open_issue, organization, react,
    reaction, reopen_issue, repository, repository_page, sign_up, star, take_back, unstar, user,
};
use std::collections::BTreeSet;

/// Ada, the organisation Analytical, and its repository Engine, without issues and stars.
async fn service() -> Outcome<Dynamo> {
    let db = database()?;
    CodeHosting::create_table(&db).await?;
    sign_up(&db, &user()?).await?;
    found_organization(&db, &organization()?, &name("Ada")).await?;
    let repository = Repository {
        last_issue: 0,
        open_issues: 0,
        stars: 0,
        version: 0,
        ..repository()?
    };
    create_repository(&db, &repository).await?;
    Ok(as_service("hosting", db))
}

fn name(text: &str) -> AccountName {
    AccountName(text.into())
}

fn owner() -> AccountName {
    name("Analytical")
}

fn engine() -> RepositoryName {
    RepositoryName("Engine".into())
}

async fn stored(db: &Dynamo) -> Outcome<Repository> {
    let repository = Repository::get(owner(), engine()).consistent();
    Ok(repository.send(db).await?.unwrap())
}

async fn open(db: &Dynamo, title: &str) -> Result<Issue, HostingError> {
    open_issue(db, &owner(), &engine(), &name("Ada"), title, &[]).await
}

async fn open_numbers(db: &Dynamo) -> Outcome<Vec<u32>> {
    let open = Issue::open(owner(), engine()).all(db).await?;
    Ok(open.iter().map(|issue| issue.number).collect())
}

fn star_of(user: &str) -> Star {
    Star {
        user: name(user),
        owner: owner(),
        repo: engine(),
        starred_at: at("2025-02-01T00:00:00Z"),
    }
}

#[tokio::test]
async fn a_name_is_taken_for_users_and_organisations_in_any_case() -> Outcome {
    let db = service().await?;
    for taken in ["ada", "ADA", "Analytical", "analytical"] {
        let user = User {
            name: name(taken),
            ..user()?
        };
        let refused = sign_up(&db, &user).await.unwrap_err();
        assert_eq!(refused.to_string(), format!("the name {taken} is taken"));
    }
    let mut organization = organization()?;
    organization.name = name("aDA");
    let refused = found_organization(&db, &organization, &name("Ada")).await;
    assert!(matches!(refused, Err(HostingError::NameTaken(_))));
    let ada = User::get(name("aDa")).send(&db).await?.unwrap();
    assert_eq!(ada.name, name("Ada"));
    Ok(())
}

#[tokio::test]
async fn a_member_is_a_user_of_an_organisation_that_exists() -> Outcome {
    let db = service().await?;
    let add = async |organization: &str, user: &str| {
        let (organization, user) = (name(organization), name(user));
        add_member(&db, &organization, &user, Role::Member).await
    };
    let unknown = add("Analytical", "Nemo").await.unwrap_err();
    assert_eq!(unknown.to_string(), "account Nemo does not exist");
    let unknown = add("Nautilus", "Ada").await.unwrap_err();
    assert_eq!(unknown.to_string(), "account Nautilus does not exist");
    // A user is not an organisation.
    let user = add("Ada", "Ada").await.unwrap_err();
    assert!(matches!(user, HostingError::NoSuchAccount(_)), "{user}");
    let again = add("analytical", "ADA").await.unwrap_err();
    assert_eq!(again.to_string(), "ADA is a member already");
    Ok(())
}

#[tokio::test]
async fn a_page_has_the_repository_and_its_newest_issues() -> Outcome {
    let db = service().await?;
    let page = repository_page(&db, &owner(), &engine(), 2).await?;
    assert!(page.is_some_and(|page| page.issues.is_empty()));
    for title in ["one", "two", "three"] {
        open(&db, title).await?;
    }
    let page = repository_page(&db, &name("ANALYTICAL"), &engine(), 2).await?;
    let page = page.unwrap();
    let titles: Vec<_> = page.issues.iter().map(|it| it.title.as_str()).collect();
    assert_eq!(titles, ["three", "two"]);
    assert_eq!(page.repository.open_issues, 3);
    let unknown = RepositoryName("Mill".into());
    assert_eq!(repository_page(&db, &owner(), &unknown, 2).await?, None);
    Ok(())
}

#[tokio::test]
async fn only_open_issues_are_in_their_index() -> Outcome {
    let db = service().await?;
    for title in ["one", "two", "three"] {
        open(&db, title).await?;
    }
    close_issue(&db, &owner(), &engine(), 2).await?;
    assert_eq!(open_numbers(&db).await?, [3, 1]);
    let again = close_issue(&db, &owner(), &engine(), 2).await.unwrap_err();
    assert_eq!(again.to_string(), "issue 2 is in this state already");
    assert_eq!(stored(&db).await?.open_issues, 2);
    let closed = Issue::get(owner(), engine(), 2_u32).send(&db).await?;
    assert_eq!(closed.map(|it| it.state), Some(IssueState::Closed));

    reopen_issue(&db, &owner(), &engine(), 2).await?;
    assert_eq!(open_numbers(&db).await?, [3, 2, 1]);
    assert_eq!(stored(&db).await?.open_issues, 3);
    let unknown = close_issue(&db, &owner(), &engine(), 9).await.unwrap_err();
    assert_eq!(unknown.to_string(), "issue 9 does not exist");
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn issues_opened_at_once_have_different_numbers() -> Outcome {
    if without_isolation() {
        return Ok(());
    }
    let db = service().await?;
    let issues = at_once(20, |number| {
        let db = db.clone();
        async move { open(&db, &format!("issue {number}")).await }
    });
    let numbers: BTreeSet<_> = issues
        .await
        .into_iter()
        .map(|it| it.unwrap().number)
        .collect();
    assert_eq!(numbers, (1..=20).collect());
    assert_eq!(stored(&db).await?.open_issues, 20);
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn simultaneous_stars_are_all_counted() -> Outcome {
    if without_isolation() {
        return Ok(());
    }
    let db = service().await?;
    let stars = at_once(20, |number| {
        let db = db.clone();
        // Each user tries twice.
        async move { star(&db, &star_of(&format!("user-{}", number / 2))).await }
    });
    let given = stars.await.into_iter().filter(Result::is_ok).count();
    assert_eq!(given, 10);
    assert_eq!(stored(&db).await?.stars, 10);
    assert_eq!(Star::stargazers(owner(), engine()).count(&db).await?, 10);
    Ok(())
}

#[tokio::test]
async fn a_star_is_removed_only_once() -> Outcome {
    let db = service().await?;
    star(&db, &star_of("Ada")).await?;
    let again = star(&db, &star_of("ADA")).await.unwrap_err();
    assert!(matches!(again, HostingError::Already), "{again}");
    unstar(&db, &name("ada"), &owner(), &engine()).await?;
    let again = unstar(&db, &name("ada"), &owner(), &engine()).await;
    assert!(matches!(again, Err(HostingError::NotYet)));
    assert_eq!(stored(&db).await?.stars, 0);
    Ok(())
}

#[tokio::test]
async fn changing_settings_checks_the_version() -> Outcome {
    let db = service().await?;
    let read = stored(&db).await?;
    let changed = change_description(&db, &read, "A mill and a store").await?;
    assert_eq!(changed.version, read.version + 1);
    let late = change_description(&db, &read, "A loom").await.unwrap_err();
    assert!(matches!(late, HostingError::Changed), "{late}");

    // Counting conflicts with no edit.
    star(&db, &star_of("Ada")).await?;
    open(&db, "one").await?;
    let again = change_description(&db, &changed, "A loom").await?;
    assert_eq!((again.stars, again.open_issues), (1, 1));
    Ok(())
}

#[tokio::test]
async fn comments_and_reactions_are_counted_once() -> Outcome {
    let db = service().await?;
    let missing = comment(&db, &comment_sample()?).await.unwrap_err();
    assert_eq!(missing.to_string(), "issue 1 does not exist");
    open(&db, "one").await?;
    comment(&db, &comment_sample()?).await?;
    let twice = comment(&db, &comment_sample()?).await.unwrap_err();
    assert!(matches!(twice, HostingError::Already), "{twice}");

    for kind in [ReactionKind::Heart, ReactionKind::Rocket] {
        let reaction = Reaction {
            kind,
            ..reaction()?
        };
        react(&db, &reaction).await?;
        let twice = react(&db, &reaction).await.unwrap_err();
        assert!(matches!(twice, HostingError::Already), "{twice}");
    }
    take_back(&db, &reaction()?).await?;
    let stored = Issue::get(owner(), engine(), 1_u32)
        .send(&db)
        .await?
        .unwrap();
    assert_eq!(stored.comments, 1);
    let counts = [(ReactionKind::Heart, 0), (ReactionKind::Rocket, 1)];
    assert_eq!(stored.reactions, counts.into());
    Ok(())
}
