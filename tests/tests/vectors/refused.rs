//! Searches that DynamoDB would refuse, and are refused before a request.

use crate::model::Product;
use crate::support::{self, Fault, Outcome};
use aws_sdk_dynamodb::config::retry::RetryConfig;
use dynamo_model::vector::VectorSearch;
use dynamo_model::{Dynamo, ErrorKind, Vector, index};

/// Without a network, so that a request fails as a network error.
fn offline() -> Dynamo {
    let db = support::bare();
    let (offline, _) = db.faulty(RetryConfig::disabled(), |_, _| Fault::NotSent);
    offline
}

async fn reason(search: VectorSearch<Product, index::Vector1>) -> String {
    let error = search.all(&offline()).await.unwrap_err();
    assert_eq!(error.entity(), "Product");
    match error.kind() {
        ErrorKind::VectorSearch { reason } => reason.clone(),
        kind => panic!("{kind:?}"),
    }
}

fn search() -> VectorSearch<Product, index::Vector1> {
    let wanted: Vector<3> = [1.0, 0.0, 0.0].try_into().unwrap();
    Product::similar_to("acme", &wanted)
}

#[tokio::test]
async fn a_number_of_results_that_dynamodb_does_not_return_is_refused() {
    for top_k in [0, 101, usize::MAX] {
        let reason = reason(search().top_k(top_k)).await;
        let expected = format!(
            "`top_k` is {top_k}, and DynamoDB returns 1 to 100 items; pass a number in that range"
        );
        assert_eq!(reason, expected);
    }
}

#[tokio::test]
async fn two_values_of_one_filter_are_refused() {
    let twice = search()
        .filter(|it| it.year().eq(2020))
        .filter(|it| it.year().eq(2021));
    assert_eq!(
        reason(twice).await,
        "the search compares `year` with two values, and DynamoDB takes one of each attribute; search once for each value"
    );
}

#[tokio::test]
async fn a_lost_connection_is_an_error_of_the_search() -> Outcome {
    let error = search().all(&offline()).await.unwrap_err();
    assert_eq!(error.kind(), &ErrorKind::Network);
    assert!(error.to_string().contains("search Product"), "{error}");
    Ok(())
}
