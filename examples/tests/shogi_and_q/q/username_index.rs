//! `username-index`, which the document plans for later: the application works without it, and it
//! can be added.

use super::{id, user};
use crate::support::{Outcome, embedded};
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType, Projection,
    ProjectionType, ScalarAttributeType,
};
use dynamo_model::{Dynamo, Table};
use dynamo_model_examples::q::logic::register;
use dynamo_model_examples::q::{QError, User, Username, Users, add_username_index, deployed};

fn key(name: &str) -> KeySchemaElement {
    let key = KeySchemaElement::builder().attribute_name(name);
    key.key_type(KeyType::Hash).build().unwrap()
}

fn index(name: &str, attribute: &str) -> GlobalSecondaryIndex {
    let all = Projection::builder().projection_type(ProjectionType::All);
    let index = GlobalSecondaryIndex::builder().index_name(name);
    let index = index.key_schema(key(attribute)).projection(all.build());
    index.build().unwrap()
}

/// The table as the document's team has deployed it: "GSI1_AppId ✅, email-index ✅, username-index
/// ❌".
async fn create_without_username_index(db: &Dynamo) -> Outcome {
    let text = |name: &str| {
        let attribute = AttributeDefinition::builder().attribute_name(name);
        attribute
            .attribute_type(ScalarAttributeType::S)
            .build()
            .unwrap()
    };
    let request = db.client().create_table();
    request
        .table_name("test-q-Users")
        .attribute_definitions(text("userId"))
        .attribute_definitions(text("appId"))
        .attribute_definitions(text("email"))
        .key_schema(key("userId"))
        .global_secondary_indexes(index("GSI1_AppId", "appId"))
        .global_secondary_indexes(index("email-index", "email"))
        .billing_mode(BillingMode::PayPerRequest)
        .send()
        .await?;
    Ok(())
}

#[tokio::test]
async fn the_username_index_can_be_added_later() -> Outcome {
    let db = deployed(&embedded()?, "test");
    create_without_username_index(&db).await?;
    super::Reservations::create_table(&db).await?;
    for name in ["hanako", "taro"] {
        register(&db, &user(name)).await?;
    }
    // A username is taken or not, without the index.
    let twin = User {
        username: Some(Username::new("hanako")?),
        ..user("jiro")
    };
    let refused = register(&db, &twin).await;
    assert!(
        matches!(refused, Err(QError::Taken("username"))),
        "{refused:?}"
    );
    let error = Users::verify(&db).await.unwrap_err();
    let missing = std::error::Error::source(&error).unwrap().to_string();
    assert!(missing.contains("username-index"), "{missing}");

    for _ in 0..2 {
        add_username_index(&db).await.unwrap();
        Users::verify(&db).await?;
        // The users were there before the index.
        let found = User::by_username(Username::new("taro")?).one(&db).await?;
        assert_eq!(found.user_id, id("taro"));
    }
    Ok(())
}
