//! How vectors are stored: as lists of numbers, without loss.

use crate::lacks_vectors;
use crate::model::{Product, product, stocked};
use crate::support::Outcome;
use dynamo_model::{DynamoEntity, DynamoTable, Entity, ErrorKind, Vector};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};

#[derive(DynamoTable)]
#[table(name = "Arrays", pk = "PK")]
#[vector1(name = "by-point", attribute = "point", dimensions = 2, distance = euclidean)]
struct Arrays;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Arrays)]
#[pk("POINT#<id>")]
#[vector1(field = point, as = near)]
struct Point {
    id: u32,
    point: [f32; 2],
}

#[tokio::test]
async fn a_vector_is_a_list_of_the_shortest_numbers() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = stocked().await?;
    let product = product(30, "acme", [0.1, -2.0, 1e-7]);
    product.create().send(&db).await?;
    let table = db.table_name(&<crate::model::Shop as dynamo_model::Table>::SCHEMA);
    let text = |text: &str| aws_sdk_dynamodb::types::AttributeValue::S(text.into());
    let stored = db
        .client()
        .get_item()
        .table_name(table)
        .key("PK", text("PRODUCT#030"));
    let stored = stored.send().await?.item.unwrap();
    let floats = stored["meaning"].as_l().unwrap().iter();
    let numbers: Vec<_> = floats.map(|it| it.as_n().unwrap().as_str()).collect();
    assert_eq!(numbers, ["0.1", "-2", "0.0000001"]);
    assert_eq!(Product::get(30).send(&db).await?, Some(product));
    Ok(())
}

#[tokio::test]
async fn an_array_is_a_vector_too() -> Outcome {
    if lacks_vectors() {
        return Ok(());
    }
    let db = crate::support::db::<Arrays>().await;
    let point = Point {
        id: 1,
        point: [0.5, 2.0],
    };
    point.create().send(&db).await?;
    let found = Point::near(&Vector::try_from([0.5, 2.0])?).all(&db).await?;
    assert_eq!(found[0].item, point);
    let nan = Point {
        id: 2,
        point: [f32::NAN, 0.0],
    };
    let error = nan.create().send(&db).await.unwrap_err();
    let attribute = "point".to_owned();
    assert_eq!(error.kind(), &ErrorKind::Encode { attribute });
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Every float, subnormal ones and both zeros too, keeps its bits.
    #[test]
    fn every_float_survives_the_database(bits in prop::array::uniform3(any::<u32>())) {
        let floats = bits.map(f32::from_bits);
        prop_assume!(floats.iter().all(|it| it.is_finite()));
        if lacks_vectors() {
            return Ok(());
        }
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let read = runtime.block_on(async {
            let db = crate::support::db::<crate::model::Shop>().await;
            let product = product(1, "acme", floats);
            product.create().send(&db).await.unwrap();
            Product::get(1).send(&db).await.unwrap().unwrap()
        });
        // DynamoDB has one zero.
        let same = |(a, b): (&f32, &f32)| a == b;
        prop_assert!(read.meaning.iter().zip(&floats).all(same));
    }
}
