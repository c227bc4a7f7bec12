//! Users and their devices.

use super::{app_with, assert_refused, id, reserved, user};
use crate::simulator::as_tester;
use crate::support::{Outcome, any_engine, at_once, successes};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Entity, Table};
use dynamo_model_examples::q::logic::{
    change_username, edit_profile, register, register_push_token,
};
use dynamo_model_examples::q::{
    self, AppId, Bio, DeviceType, DisplayName, Email, ImageUrl, PushToken, QError, User, Username,
    Users, VisibilityType,
};

fn name(text: &str) -> Username {
    Username::new(text).unwrap()
}

#[tokio::test]
async fn taken_names_are_refused() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    assert_refused!(
        register(
            &db,
            &User {
                app_id: AppId::new("hanako")?,
                ..user("taro")
            }
        ),
        QError::Taken("appId")
    );
    let email = User {
        email: Email::new("hanako@example.com")?,
        ..user("taro")
    };
    assert_refused!(register(&db, &email), QError::Taken("email"));
    let username = User {
        username: Some(name("hanako")),
        ..user("taro")
    };
    assert_refused!(register(&db, &username), QError::Taken("username"));
    register(&db, &user("taro")).await?;
    assert_refused!(
        change_username(&db, &id("taro"), &name("hanako")),
        QError::Taken("username")
    );
    assert_refused!(
        change_username(&db, &id("nobody"), &name("free")),
        QError::NoSuchUser
    );
    change_username(&db, &id("taro"), &name("Taro_2")).await?;
    change_username(&db, &id("taro"), &name("Taro_2")).await?;
    assert_eq!(
        User::by_username(name("Taro_2")).one(&db).await?.user_id,
        id("taro")
    );
    assert_eq!(User::by_username(name("taro")).count(&db).await?, 0);
    Ok(())
}

#[tokio::test]
async fn a_profile_is_changed() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    let hanako = id("hanako");
    let (name, bio) = (DisplayName::new("花子")?, Bio::new("よろしく")?);
    edit_profile(&db, &hanako, Some(&name), None, VisibilityType::Followers).await?;
    let stored = User::get(hanako).send(&db).await?.unwrap();
    assert_eq!(stored.display_name, Some(name));
    assert_eq!(
        (stored.bio, stored.visibility_type),
        (None, VisibilityType::Followers)
    );
    edit_profile(&db, &hanako, None, Some(&bio), VisibilityType::Mutual).await?;
    let stored = User::get(hanako).send(&db).await?.unwrap();
    assert_eq!((stored.display_name, stored.bio), (None, Some(bio)));
    let nobody = id("nobody");
    assert_refused!(
        edit_profile(&db, &nobody, None, None, VisibilityType::Mutual),
        QError::NoSuchUser
    );
    Ok(())
}

#[tokio::test]
async fn a_repeated_device_is_stored_once() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    register_push_token(&db, &id("hanako"), "t1", DeviceType::Ios).await?;
    let first = PushToken::query(id("hanako")).one(&db).await?;
    let later = db
        .clone()
        .with_clock(|| std::time::SystemTime::now() + std::time::Duration::from_secs(60));
    register_push_token(&later, &id("hanako"), "t1", DeviceType::Ios).await?;
    let second = PushToken::query(id("hanako")).one(&db).await?;
    assert_eq!(second.created_at, first.created_at);
    assert!(second.updated_at > first.updated_at);
    register_push_token(&db, &id("hanako"), "t2", DeviceType::Android).await?;
    assert_eq!(PushToken::query(id("hanako")).count(&db).await?, 2);
    assert_refused!(
        register_push_token(&db, &id("nobody"), "t", DeviceType::Ios),
        QError::NoSuchUser
    );
    Ok(())
}

/// A stored text that breaks a rule is an error of its item, which names the attribute.
#[tokio::test]
async fn a_stored_text_that_breaks_a_rule_cannot_be_read() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    let long = "あ".repeat(51);
    let update = db.client().update_item().table_name("test-q-Users");
    update
        .key("userId", AttributeValue::S(id("hanako").to_string()))
        .update_expression("SET displayName = :long")
        .expression_attribute_values(":long", AttributeValue::S(long))
        .send()
        .await?;
    let error = User::get(id("hanako"))
        .send(&db)
        .await
        .unwrap_err()
        .to_string();
    let expected = [
        "User",
        "displayName",
        "1 to 50 characters",
        &id("hanako").to_string(),
    ];
    for part in expected {
        assert!(error.contains(part), "{part}: {error}");
    }
    Ok(())
}

/// The type of the field is the only one that an update takes, and its constructor checks.
#[tokio::test]
async fn an_update_takes_checked_texts() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    let picture = "https://q-images.s3.ap-northeast-1.amazonaws.com/hanako.png";
    let update = User::update(id("hanako"))
        .set(|user| user.profile_image_url(), ImageUrl::new(picture)?)
        .set(|user| user.bio(), Bio::new("")?);
    update.send(&db).await?;
    let stored = User::get(id("hanako")).send(&db).await?.unwrap();
    let picture_stored = stored.profile_image_url.as_ref().map(ImageUrl::as_str);
    assert_eq!(
        (picture_stored, stored.bio),
        (Some(picture), Some(Bio::new("")?))
    );
    assert!(matches!(
        ImageUrl::new("file:///etc"),
        Err(QError::Invalid { .. })
    ));
    Ok(())
}

/// Fifty people sign up at once with one name; for each of the three attributes that only one user
/// can have.
#[tokio::test(flavor = "multi_thread")]
async fn one_of_fifty_sign_ups_with_one_name_succeeds() -> Outcome {
    for attribute in ["appId", "email", "username"] {
        let db = app_with(&[]).await?;
        let outcomes = at_once(50, |n| {
            let db = db.clone();
            let own = user(&format!("user{n:02}"));
            let same = user("same");
            let user = match attribute {
                "appId" => User {
                    app_id: same.app_id,
                    ..own
                },
                "email" => User {
                    email: same.email,
                    ..own
                },
                _ => User {
                    username: same.username,
                    ..own
                },
            };
            async move { register(&db, &user).await }
        })
        .await;
        assert_eq!(successes(&outcomes), 1, "{attribute}");
        for refused in outcomes.into_iter().filter_map(Result::err) {
            // During two concurrent transactions, DynamoDB may also request a retry.
            let expected = matches!(&refused, QError::Taken(it) if *it == attribute)
                || matches!(&refused, QError::Dynamo(_));
            assert!(expected, "{attribute}: {refused:?}");
        }
        // The refused user left no items.
        assert_eq!(as_tester(User::scan().count(&db)).await?, 1);
        assert_eq!(reserved(&db).await?, 3);
    }
    Ok(())
}

#[tokio::test(flavor = "multi_thread")]
async fn one_of_two_users_gets_a_username() -> Outcome {
    let names = ["hanako", "taro", "jiro", "saburo"];
    let db = app_with(&names).await?;
    let outcomes = at_once(names.len(), |n| {
        let db = db.clone();
        async move { change_username(&db, &id(names[n]), &name("Wanted")).await }
    })
    .await;
    assert_eq!(successes(&outcomes), 1);
    assert_eq!(User::by_username(name("Wanted")).count(&db).await?, 1);
    // The winner's old name is free, and those of the others are not.
    let mut free = 0;
    for (n, old) in names.into_iter().enumerate() {
        let newcomer = User {
            username: Some(name(old)),
            ..user(&format!("new{n}"))
        };
        free += usize::from(register(&db, &newcomer).await.is_ok());
    }
    assert_eq!(free, 1);
    Ok(())
}

/// "`appId`は初回設定後変更不可": an update has no method for it, and a write of the whole user keeps it.
#[tokio::test]
async fn an_app_id_never_changes() -> Outcome {
    let db = app_with(&["hanako"]).await?;
    let stored = User::get(id("hanako")).send(&db).await?.unwrap();
    let renamed = User {
        app_id: AppId::new("another")?,
        ..stored.clone()
    };
    let error = renamed.put().send(&db).await.unwrap_err();
    assert!(error.is_immutable(), "{error}");
    assert!(error.to_string().contains("appId"), "{error}");
    let error = renamed.merge().send(&db).await.unwrap_err();
    assert!(error.is_immutable(), "{error}");
    let kept = User::get(id("hanako")).send(&db).await?.unwrap();
    assert_eq!(kept.app_id, stored.app_id);
    Ok(())
}

/// "7. Backups": every table is backed up before a release, and can be restored. The embedded
/// engine has no backups and returns an error.
#[tokio::test]
async fn every_table_is_backed_up_before_a_release() -> Outcome {
    let (db, name) = any_engine()?;
    let db = q::deployed(&db, &name);
    q::load(&db, &mut |_| {}).await?;
    let made = q::back_up(&db, "before-2.0").await;
    if std::env::var("DYNAMO_ENDPOINT").is_ok() {
        let backups = made?;
        assert_eq!(backups.len(), 13);
        let scratch = q::deployed(&db, &format!("{name}-restored"));
        let restored = Users::test_restore(&db, &backups[0], &scratch).await?;
        assert_eq!(
            restored.items,
            as_tester(User::scan().count(&db)).await? as u64
        );
        assert!(!Users::exists(&scratch).await?);
    } else {
        let error = made.unwrap_err().to_string();
        assert!(error.contains("back up Users"), "{error}");
    }
    Ok(())
}
