//! Fields with a serde function are compared and changed in its form.

use crate::support::{self, Outcome};
use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable, Entity};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashSet};

#[derive(DynamoTable)]
#[table(name = "Posts", pk = "PK")]
struct Posts;

/// A number of cents, stored as text.
mod cents {
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn serialize<S: Serializer>(cents: &u32, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&format!("{cents:06}"))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u32, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(D::Error::custom)
    }
}

#[derive(DynamoNested, Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Offer {
    #[serde(with = "cents")]
    price: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Posts)]
#[pk("POST#<id>")]
struct Post {
    id: String,
    #[serde(with = "serde_dynamo::string_set")]
    tags: HashSet<String>,
    #[serde(with = "serde_dynamo::number_set")]
    scores: BTreeSet<u32>,
    #[serde(with = "cents")]
    #[dynamo(sorts_as = text)]
    price: u32,
    #[dynamo(nested)]
    offer: Offer,
}

fn post() -> Post {
    Post {
        id: "p1".into(),
        tags: HashSet::from(["rust".into(), "dynamodb".into()]),
        scores: BTreeSet::from([1, 2]),
        price: 250,
        offer: Offer { price: 99 },
    }
}

#[tokio::test]
async fn conditions_encode_values_as_the_field_does() -> Outcome {
    let db = support::db::<Posts>().await;
    let post = post();
    post.create().send(&db).await?;
    let found = Post::scan()
        .filter(|it| {
            it.tags().eq(&post.tags)
                & it.tags().contains("rust")
                & it.scores().contains(2)
                & it.price().between(9, 1_000)
                & it.offer().price().eq(99)
        })
        .all(&db)
        .await?;
    assert_eq!(found, [post]);
    Ok(())
}

#[tokio::test]
async fn updates_encode_values_as_the_field_does() -> Outcome {
    let db = support::db::<Posts>().await;
    let mut post = post();
    post.create().send(&db).await?;
    post.tags = HashSet::from(["go".into()]);
    post.price = 300;
    post.offer.price = 5;
    let updated = post
        .update()
        .set(|it| it.tags(), &post.tags)
        .set(|it| it.price(), 300)
        .set(|it| it.offer().price(), 5)
        .add_to_set(|it| it.scores(), [3])
        .return_new()
        .send(&db)
        .await?;
    post.scores.insert(3);
    assert_eq!(updated, post);
    let updated = Post::update("p1")
        .delete_from_set(|it| it.scores(), [1, 2])
        .return_updated_new()
        .send(&db)
        .await?;
    drop(updated);
    let stored = Post::get("p1").send(&db).await?.unwrap();
    assert_eq!(stored.scores, BTreeSet::from([3]));
    Ok(())
}
