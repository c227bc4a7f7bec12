//! Changes that need no migration: an added field has a default, a renamed one an alias.

use crate::support::{self, Outcome, from_json, put};
use dynamo_model::Entity;
use dynamo_model_examples::exam::migration::{FirstUser, Profile, first_release, profiles};
use dynamo_model_examples::exam::{ExamStudyApp, UserId};
use serde_json::json;

#[tokio::test]
async fn the_next_release_reads_items_of_the_first() -> Outcome {
    let db = support::db::<ExamStudyApp>().await;
    let first = json!({
        "PK": "USER#u1", "SK": "PROFILE", "EntityType": "USER",
        "userId": "u1", "email": "u1@example.com", "name": "山田太郎",
        "createdAt": "2025-06-01T10:00:00Z", "updatedAt": "2025-06-01T10:00:00Z",
    });
    put::<ExamStudyApp>(&db, from_json(first)).await?;
    let user = Profile::get(UserId("u1".into()))
        .send(&db)
        .await?
        .ok_or("no such person")?;
    assert_eq!(
        (user.display_name.as_str(), user.daily_goal, user.version),
        ("山田太郎", 10, 0)
    );

    // Written back, it has the new form, and the migration skips it.
    user.put().send(&db).await?;
    let raw = support::raw(&db, Profile::key(UserId("u1".into())))
        .await?
        .ok_or("no such person")?;
    assert!(raw.contains_key("displayName") && !raw.contains_key("name"));
    let report = profiles().run(&db).await?;
    assert_eq!((report.migrated, report.already), (0, 1));
    Ok(())
}

#[tokio::test]
async fn an_item_that_an_alias_can_read_is_migrated() -> Outcome {
    let db = support::db::<ExamStudyApp>().await;
    let (users, _) = first_release(50);
    support::store(&db, &users).await?;
    let before = Profile::scan().all(&db).await?;
    assert_eq!(before.len(), users.len());
    // `Profile` also reads `name`, so that only the attributes show what is migrated.
    let report = profiles().run(&db).await?;
    assert_eq!((report.migrated, report.already), (40, 0));
    let mut after = Profile::scan().all(&db).await?;
    assert!(after.iter().all(|user| user.version == 1));
    for user in &mut after {
        user.version = 0;
    }
    let key = |user: &Profile| user.email.clone();
    let (mut before, mut after) = (before, after);
    before.sort_by_key(key);
    after.sort_by_key(key);
    assert_eq!(before, after);
    assert!(FirstUser::get(UserId("u1".into())).send(&db).await.is_err());
    Ok(())
}
