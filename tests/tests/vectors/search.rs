//! Searches: what they find, in which order, and how.

use crate::lacks_vectors;
use crate::model::{Label, Product, ids, product, stocked};
use crate::support::Outcome;
use dynamo_model::schema::Distance;
use dynamo_model::vector::Scored;
use dynamo_model::{Entity, Vector};

fn vector<const N: usize>(floats: [f32; N]) -> Vector<N> {
    floats.try_into().unwrap()
}

#[tokio::test]
async fn a_search_finds_the_closest_items_of_its_tenant_in_order() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let wanted = vector([4.0, 0.0, 0.25]);
    let found = Product::similar_to("acme", &wanted).all(&db).await?;
    assert_eq!(ids(&found), [0, 1, 2, 3, 4]);
    // The same vector has no distance.
    assert!(found[0].score.abs() < 1e-6, "{}", found[0].score);
    assert!(found.is_sorted_by(Scored::is_closer_than));
    assert_eq!(found[0].item, product(0, "acme", [4.0, 0.0, 0.25]));

    let other = Product::similar_to(String::from("other"), &wanted);
    assert_eq!(ids(&other.top_k(2).all(&db).await?), [5, 6]);
    let nobody = Product::similar_to("nobody", &wanted).all(&db).await?;
    assert!(nobody.is_empty());
    Ok(())
}

#[tokio::test]
async fn filters_choose_before_the_closest_are_counted() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let wanted = vector([4.0, 0.0, 0.25]);
    let search = Product::similar_to("acme", &wanted).top_k(2);
    let hats = search.clone().filter(|it| it.category().eq("hats"));
    assert_eq!(ids(&hats.all(&db).await?), [1, 3]);
    let both = search
        .clone()
        .filter(|it| it.category().eq("hats") & it.year().eq(2020));
    assert_eq!(ids(&both.all(&db).await?), [3]);
    let one_by_one = search
        .filter(|it| it.category().eq("hats"))
        .filter(|it| it.year().eq(2020));
    assert_eq!(ids(&one_by_one.all(&db).await?), [3]);
    Ok(())
}

#[tokio::test]
async fn first_is_the_closest_item_or_none() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let wanted = vector([0.0, 4.0, 0.25]);
    let first = Product::similar_to("acme", &wanted).first(&db).await?;
    assert_eq!(first.map(|it| it.item.id), Some(4));
    let none = Product::similar_to("nobody", &wanted).first(&db).await?;
    assert_eq!(none, None);
    Ok(())
}

#[tokio::test]
async fn closer_follows_the_distance_of_the_index() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let wanted = vector([3.0, 0.5]);
    // Euclidean: the length of the difference.
    let near = Product::similar_look(&wanted).top_k(3).hydrate(&db).await?;
    assert_eq!((near[0].item.id, near[0].score), (3, 0.0));
    assert_eq!(near[0].distance, Distance::Euclidean);
    assert_eq!(near[1].score, 1.0);
    assert!(near[0].is_closer_than(&near[1]) && near[0].score < near[1].score);
    // A product: the greatest first.
    let alike = Product::similar_taste(&wanted)
        .top_k(3)
        .hydrate(&db)
        .await?;
    assert_eq!(ids(&alike), [7, 6, 5]);
    assert_eq!(alike[0].distance, Distance::DotProduct);
    assert!(alike[0].is_closer_than(&alike[1]) && alike[0].score > alike[1].score);
    let closest = alike.into_iter().min_by(Scored::by_closeness);
    assert_eq!(closest.map(|it| it.item.id), Some(7));
    Ok(())
}

#[tokio::test]
async fn an_index_with_a_part_gives_projections_and_hydrates() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let wanted = vector([6.0, 0.5]);
    let labels = Product::similar_look(&wanted).top_k(1).project::<Label>();
    let labels = labels.all(&db).await?;
    let expected = Label {
        id: 6,
        title: "Product 6".into(),
    };
    assert_eq!((&labels[0].item, labels[0].score), (&expected, 0.0));
    let whole = Product::similar_look(&wanted).top_k(1).hydrate(&db).await?;
    assert_eq!(whole[0].item.title, "Product 6");
    assert_eq!(whole[0].score, 0.0);
    Ok(())
}

#[tokio::test]
async fn items_without_the_vector_or_the_hash_are_not_found() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let mut bare = product(20, "acme", [1.0, 1.0, 1.0]);
    bare.look = None;
    bare.category = None;
    bare.create().send(&db).await?;
    let looks = Product::similar_look(&vector([0.0, 0.0])).top_k(100);
    assert_eq!(looks.hydrate(&db).await?.len(), 8);
    let meanings = Product::similar_to("acme", &bare.meaning).all(&db).await?;
    assert_eq!(meanings[0].item, bare);
    Ok(())
}

#[tokio::test]
async fn an_updated_vector_is_found_at_its_new_place() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let moved = vector([0.0, 0.0, 1.0]);
    Product::update(2)
        .set(|it| it.meaning(), moved.clone())
        .send(&db)
        .await?;
    let found = Product::similar_to("acme", &moved)
        .top_k(1)
        .all(&db)
        .await?;
    assert_eq!(ids(&found), [2]);
    assert_eq!(found[0].item.meaning, moved);
    Product::delete(2).send(&db).await?;
    let found = Product::similar_to("acme", &moved)
        .top_k(1)
        .all(&db)
        .await?;
    assert_ne!(ids(&found), [2]);
    Ok(())
}

#[tokio::test]
async fn expired_items_are_hidden_where_the_entity_hides_them() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let mut gone = product(0, "acme", [4.0, 0.0, 0.25]);
    gone.expires = Some(1_600_000_000);
    gone.put().send(&db).await?;
    let found = Product::similar_to("acme", &gone.meaning)
        .top_k(2)
        .all(&db)
        .await?;
    assert_eq!(ids(&found), [1]);
    let looks = Product::similar_look(gone.look.as_ref().unwrap()).top_k(2);
    assert_eq!(ids(&looks.hydrate(&db).await?), [1]);
    Ok(())
}

#[tokio::test]
async fn one_unreadable_item_does_not_hide_the_others_of_each() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let text = |text: &str| aws_sdk_dynamodb::types::AttributeValue::S(text.into());
    let update = db
        .client()
        .update_item()
        .table_name(db.table_name(&<crate::model::Shop as dynamo_model::Table>::SCHEMA));
    update
        .key("PK", text("PRODUCT#000"))
        .update_expression("REMOVE title")
        .send()
        .await?;
    let wanted = vector([4.0, 0.0, 0.25]);
    let error = Product::similar_to("acme", &wanted)
        .all(&db)
        .await
        .unwrap_err();
    assert_eq!(error.key_text(), Some("PRODUCT#000"));
    let each = Product::similar_to("acme", &wanted).top_k(2).each();
    let each = each.all(&db).await?;
    assert_eq!(
        each[0].item.as_ref().unwrap_err().attribute(),
        Some("title")
    );
    assert_eq!(each[1].item.as_ref().unwrap().id, 1);
    Ok(())
}

/// Interceptors of the user's own see the SDK's typed input and output.
#[tokio::test]
async fn a_client_with_interceptors_searches_with_typed_inputs() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let typed = db.typed();
    let wanted = vector([4.0, 0.0, 0.25]);
    let search = || {
        let search = Product::similar_to("acme", &wanted).top_k(3);
        search.filter(|it| it.year().eq(2020))
    };
    assert_eq!(search().all(&typed).await?, search().all(&db).await?);
    Ok(())
}

#[tokio::test]
async fn explain_shows_the_request_without_the_floats() -> Outcome {
    let db = dynamo_model::Dynamo::embedded()?;
    let wanted = vector([4.0, 0.0, 0.25]);
    let search = Product::similar_to("acme", &wanted).top_k(5);
    let search = search.filter(|it| it.category().eq("hats"));
    assert_eq!(
        search.explain(&db)?.to_string(),
        "SearchVectors Shop index by-meaning\n  \
         filter: (tenant = \"acme\" AND category = \"hats\")\n  \
         projection: PK, category, expires, id, look, meaning, tenant, title, year\n  \
         the 5 closest to a vector of 3 dimensions, by cosine"
    );
    let labels = Product::similar_look(&vector([0.0, 1.0])).project::<Label>();
    assert_eq!(
        labels.explain(&db)?.to_string(),
        "SearchVectors Shop index by-look\n  \
         projection: PK, title\n  \
         the 10 closest to a vector of 2 dimensions, by euclidean"
    );
    Ok(())
}
