//! Vector indexes of a deployed table: created, compared, added and removed.

use crate::lacks_vectors;
use crate::model::Shop;
use crate::support::{self, Outcome};
use dynamo_model::schema::plan::PlanStep;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Table, Vector};
use serde::{Deserialize, Serialize};

mod before {
    use super::*;

    #[derive(DynamoTable)]
    #[table(name = "Shop", pk = "PK")]
    #[vector1(name = "by-colour", attribute = "colour", dimensions = 3, distance = cosine)]
    pub struct Shop;
}

#[derive(DynamoTable)]
#[table(name = "Shop", pk = "PK")]
#[vector1(
    name = "by-meaning", attribute = "meaning", dimensions = 2, distance = cosine,
    filters("category"),
)]
struct After;

#[derive(DynamoEntity, Serialize, Deserialize)]
#[dynamo(table = After)]
#[pk("PRODUCT#<id>")]
#[vector1(field = meaning, filters(category))]
struct Product {
    id: u32,
    category: String,
    meaning: Vector<2>,
}

#[tokio::test]
async fn a_created_table_has_the_declared_indexes() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = support::db::<Shop>().await;
    Shop::verify(&db).await?;
    assert!(Shop::plan(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_missing_index_and_another_configuration_are_differences() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = support::db::<before::Shop>().await;
    // An index that is not declared is none, unless asked.
    let error = After::verify(&db).await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert_eq!(
        source,
        "index by-meaning: declared vectors meaning, 2 by COSINE, INLINE_FILTER category (S), ALL, deployed none"
    );
    let error = After::verify_exactly(&db).await.unwrap_err();
    let source = std::error::Error::source(&error).unwrap().to_string();
    assert!(
        source
            .contains("index by-colour: declared none, deployed vectors colour, 3 by COSINE, ALL"),
        "{source}"
    );
    Ok(())
}

#[tokio::test]
async fn a_changed_index_is_removed_by_consent_and_added_again() -> Outcome {
    #[derive(DynamoTable)]
    #[table(name = "Shop", pk = "PK")]
    #[vector1(name = "by-colour", attribute = "colour", dimensions = 3, distance = euclidean)]
    struct Changed;

    if lacks_vectors() {
        return Ok(());
    }
    let db = support::db::<before::Shop>().await;
    let plan = Changed::plan(&db).await?;
    let removal = PlanStep::RemoveVectorIndex {
        index: "by-colour".into(),
        is_replaced: true,
    };
    let addition = PlanStep::AddVectorIndex { index: "by-colour" };
    assert_eq!(plan.steps(), [removal.clone(), addition]);
    assert!(removal.needs_consent());
    let error = plan.apply(&db).await.unwrap_err();
    let ErrorKind::Plan { reason } = error.kind() else {
        panic!("{error}");
    };
    assert!(
        reason.contains("`.allow_index_removal(\"by-colour\")`"),
        "{reason}"
    );
    before::Shop::verify(&db).await?;
    Ok(())
}

/// The engine takes fifteen seconds to fill an index, and searches it after thirty, as DynamoDB
/// takes minutes.
#[tokio::test]
async fn an_apply_waits_for_the_new_index_and_keeps_the_other() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = support::db::<before::Shop>().await;
    let meaning = Vector::try_from([1.0, 0.0])?;
    let product = Product {
        id: 1,
        category: "shoes".into(),
        meaning,
    };
    product.create().send(&db).await?;
    let applied = After::plan(&db).await?.apply(&db).await?;
    assert_eq!(
        applied.steps,
        [PlanStep::AddVectorIndex {
            index: "by-meaning"
        }]
    );
    let skipped = PlanStep::RemoveVectorIndex {
        index: "by-colour".into(),
        is_replaced: false,
    };
    assert_eq!(applied.skipped, [skipped]);
    After::verify(&db).await?;

    // DynamoDB has reported that the index is active, and does not search it yet.
    let search = Product::similar_to(&product.meaning).all(&db).await;
    match search {
        Err(error) => {
            let status = "index by-meaning is being filled".to_owned();
            assert_eq!(error.kind(), &ErrorKind::NotReady { status });
        }
        Ok(found) => assert_eq!(found[0].item.id, 1),
    }
    let plan = After::plan(&db).await?.allow_index_removal("by-colour");
    assert_eq!(plan.apply(&db).await?.steps.len(), 1);
    assert!(After::plan(&db).await?.is_empty());
    Ok(())
}
