//! Users and their devices.

use super::{app, app_with, assert_refused, id, user};
use crate::support::Outcome;
use dynamo_model_examples::q::logic::{
    change_username, edit_profile, register, register_push_token,
};
use dynamo_model_examples::q::{DeviceType, PushToken, QError, User, VisibilityType};

#[tokio::test]
async fn lengths_and_patterns() -> Outcome {
    let db = app().await?;
    let long = "あ".repeat(200);
    let fifty = "あ".repeat(50);
    let fine = [
        User {
            app_id: "a_1".into(),
            ..user("fine1")
        },
        User {
            app_id: "a".repeat(15),
            ..user("fine2")
        },
        User {
            username: Some("A_1".into()),
            ..user("fine3")
        },
        User {
            username: None,
            ..user("fine4")
        },
        User {
            display_name: Some(fifty.clone()),
            ..user("fine5")
        },
        User {
            bio: Some(long.clone()),
            ..user("fine6")
        },
    ];
    for user in fine {
        register(&db, &user).await?;
    }
    let wrong = [
        (
            User {
                app_id: "ab".into(),
                ..user("wrong")
            },
            "appId",
        ),
        (
            User {
                app_id: "a".repeat(16),
                ..user("wrong")
            },
            "appId",
        ),
        (
            User {
                app_id: "Abc".into(),
                ..user("wrong")
            },
            "appId",
        ),
        (
            User {
                username: Some("ab".into()),
                ..user("wrong")
            },
            "username",
        ),
        (
            User {
                username: Some("a-b".into()),
                ..user("wrong")
            },
            "username",
        ),
        (
            User {
                username: Some("a".repeat(21)),
                ..user("wrong")
            },
            "username",
        ),
        (
            User {
                display_name: Some(String::new()),
                ..user("wrong")
            },
            "displayName",
        ),
        (
            User {
                display_name: Some(fifty + "い"),
                ..user("wrong")
            },
            "displayName",
        ),
        (
            User {
                bio: Some(long + "い"),
                ..user("wrong")
            },
            "bio",
        ),
        (
            User {
                email: "Wrong@example.com".into(),
                ..user("wrong")
            },
            "email",
        ),
        (
            User {
                email: "wrong".into(),
                ..user("wrong")
            },
            "email",
        ),
    ];
    for (user, expected) in wrong {
        match register(&db, &user).await {
            Err(QError::Invalid { attribute, .. }) => assert_eq!(attribute, expected),
            other => unreachable!("{expected}: {other:?}"),
        }
    }
    let error = register(
        &db,
        &User {
            app_id: "ab".into(),
            ..user("wrong")
        },
    )
    .await
    .unwrap_err();
    assert_eq!(
        error.to_string(),
        "`appId` must be 3 to 15 of a–z, 0–9 and _"
    );
    Ok(())
}

#[tokio::test]
async fn names_that_are_taken() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    assert_refused!(
        register(
            &db,
            &User {
                app_id: "hanako".into(),
                ..user("taro")
            }
        ),
        QError::Taken("appId")
    );
    let email = User {
        email: "hanako@example.com".into(),
        ..user("taro")
    };
    assert_refused!(register(&db, &email), QError::Taken("email"));
    let username = User {
        username: Some("hanako".into()),
        ..user("taro")
    };
    assert_refused!(register(&db, &username), QError::Taken("username"));
    register(&db, &user("taro")).await?;
    assert_refused!(
        change_username(&db, &id("taro"), "hanako"),
        QError::Taken("username")
    );
    assert_refused!(
        change_username(&db, &id("taro"), "x"),
        QError::Invalid { .. }
    );
    assert_refused!(
        change_username(&db, &id("nobody"), "free"),
        QError::NoSuchUser
    );
    change_username(&db, &id("taro"), "Taro_2").await?;
    change_username(&db, &id("taro"), "Taro_2").await?;
    assert_eq!(
        User::by_username("Taro_2").one(&db).await?.user_id,
        id("taro")
    );
    assert_eq!(User::by_username("taro").count(&db).await?, 0);
    Ok(())
}

#[tokio::test]
async fn a_profile() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    let hanako = id("hanako");
    edit_profile(&db, &hanako, Some("花子"), None, VisibilityType::Followers).await?;
    let stored = User::get(&hanako).send(&db).await?.unwrap();
    assert_eq!(stored.display_name.as_deref(), Some("花子"));
    assert_eq!(
        (stored.bio, stored.visibility_type),
        (None, VisibilityType::Followers)
    );
    edit_profile(&db, &hanako, None, Some("よろしく"), VisibilityType::Mutual).await?;
    let stored = User::get(&hanako).send(&db).await?.unwrap();
    assert_eq!(
        (stored.display_name, stored.bio.as_deref()),
        (None, Some("よろしく"))
    );
    let long = "あ".repeat(51);
    let too_long = edit_profile(&db, &hanako, Some(&long), None, VisibilityType::Mutual);
    assert_refused!(
        too_long,
        QError::Invalid {
            attribute: "displayName",
            ..
        }
    );
    let nobody = id("nobody");
    assert_refused!(
        edit_profile(&db, &nobody, None, None, VisibilityType::Mutual),
        QError::NoSuchUser
    );
    Ok(())
}

#[tokio::test]
async fn a_device_twice_is_one_device() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    register_push_token(&db, &id("hanako"), "t1", DeviceType::Ios).await?;
    let first = PushToken::query("u-hanako").one(&db).await?;
    let later = db
        .clone()
        .with_clock(|| std::time::SystemTime::now() + std::time::Duration::from_secs(60));
    register_push_token(&later, &id("hanako"), "t1", DeviceType::Ios).await?;
    let second = PushToken::query("u-hanako").one(&db).await?;
    assert_eq!(second.created_at, first.created_at);
    assert!(second.updated_at > first.updated_at);
    register_push_token(&db, &id("hanako"), "t2", DeviceType::Android).await?;
    assert_eq!(PushToken::query("u-hanako").count(&db).await?, 2);
    assert_refused!(
        register_push_token(&db, &id("nobody"), "t", DeviceType::Ios),
        QError::NoSuchUser
    );
    Ok(())
}
