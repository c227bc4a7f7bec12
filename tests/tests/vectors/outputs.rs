//! What the outputs say about vector indexes.

use crate::model::Product;
use dynamo_model_tools::{Deployment, Identity, Model, Policy};
use serde_json::json;

fn model() -> Model {
    Model::new("shop").entity::<Product>()
}

#[test]
fn create_table_and_cloud_formation_declare_the_index() {
    let expected = json!({
        "IndexName": "by-meaning",
        "VectorAttribute": { "AttributeName": "meaning" },
        "Dimensions": 3,
        "DistanceFunction": "COSINE",
        "SearchSchema": [
            { "AttributeName": "tenant", "SearchSchemaElementType": "HASH" },
            { "AttributeName": "category", "SearchSchemaElementType": "INLINE_FILTER" },
            { "AttributeName": "year", "SearchSchemaElementType": "INLINE_FILTER" },
        ],
        "Projection": { "ProjectionType": "ALL" },
    });
    let template = model().cloud_formation(&Deployment::new());
    let text = template.to_string();
    let indexes = &template["Resources"]["Shop"]["Properties"]["VectorIndexes"];
    assert_eq!(indexes[0], expected);
    assert_eq!(
        indexes[1]["Projection"],
        json!({ "ProjectionType": "INCLUDE", "NonKeyAttributes": ["title"] })
    );
    // The search schema is defined, and the vector must not be.
    assert!(text.contains(r#"{"AttributeName":"year","AttributeType":"N"}"#));
    assert!(!text.contains(r#"{"AttributeName":"meaning","AttributeType""#));
}

#[test]
fn terraform_says_that_it_lacks_the_indexes() {
    let text = model().terraform(&Deployment::new()).to_string();
    assert!(
        text.contains("without the vector indexes by-meaning, by-look, by-taste"),
        "{text}"
    );
}

#[test]
fn a_policy_allows_a_search_only_where_it_is_asked_for() {
    let policy = model().policy(Policy::new().reads(["Product"])).unwrap();
    assert!(!policy.document.to_string().contains("SearchVectors"));
    let policy = Policy::new().searches(["Product"]);
    let policy = model().policy(policy).unwrap();
    let text = policy.document.to_string();
    assert!(text.contains("dynamodb:SearchVectors"));
    assert!(text.contains("table/Shop/index/by-meaning"));
}

#[test]
fn a_policy_does_not_isolate_searches() {
    let policy = Policy::new()
        .searches(["Product"])
        .isolated_by("tenant", Identity::cognito_identity());
    let policy = model().policy(policy).unwrap();
    assert!(!policy.document.to_string().contains("SearchVectors"));
    assert_eq!(
        policy.refused[0].to_string(),
        "`Product` in the vector index `by-meaning`: DynamoDB does not apply `dynamodb:LeadingKeys` to searches, so the caller could name the hash of others; let a service search for it"
    );
}

#[test]
fn the_lock_and_the_document_have_the_index() {
    let lock = model().lock();
    let key = "meaning, 3 by cosine, hash tenant (S), filter category (S), filter year (N)";
    assert!(lock.contains(key), "{lock}");
    let document = model().markdown();
    let row = "| `by-meaning` | `meaning`, 3 floats | cosine | `tenant` | `category`, `year` | ALL | Product |";
    assert!(document.contains(row), "{document}");
}
