//! Outputs of indexes whose keys consist of several attributes.

use dynamo_model::{DynamoEntity, DynamoTable};
use dynamo_model_tools::{AttributeType, Deployment, Identity, Model, Policy};
use jiff::Timestamp;
use serde_json::{Value, json};

#[derive(DynamoTable)]
#[table(name = "Matches", pk = "PK")]
#[gsi1(name = "Rounds", pk = (tenant: S, region: S), sk = (round: N, at: N))]
#[gsi2(name = "Tenants", pk = (tenant: S))]
struct Matches;

#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Matches)]
#[pk("MATCH#<id>")]
#[gsi1(pk = (tenant, region), sk = (round, at), as = by_round)]
#[gsi2(pk = (tenant), as = by_tenant)]
#[allow(dead_code)]
struct Match {
    id: String,
    tenant: String,
    region: String,
    round: u32,
    #[serde(with = "dynamo_model::format::epoch_millis")]
    at: Timestamp,
}

fn model() -> Model {
    Model::new("matches").entity::<Match>()
}

#[test]
fn templates_list_the_attributes_partition_key_first() {
    let key = |name: &str, kind: &str| json!({ "AttributeName": name, "KeyType": kind });
    let indexes = &model().create_table()[0]["GlobalSecondaryIndexes"];
    let expected = [
        key("tenant", "HASH"),
        key("region", "HASH"),
        key("round", "RANGE"),
        key("at", "RANGE"),
    ];
    assert_eq!(indexes[0]["KeySchema"], json!(expected));
    assert_eq!(indexes[1]["KeySchema"], json!([key("tenant", "HASH")]));
    let definitions = model().create_table()[0]["AttributeDefinitions"].clone();
    let types: Vec<_> = definitions.as_array().unwrap().iter().collect();
    assert_eq!(types.len(), 5);
    assert!(types.contains(&&json!({ "AttributeName": "at", "AttributeType": "N" })));
}

#[test]
fn terraform_lists_the_attributes_as_blocks() {
    let terraform = model().terraform(&Deployment::new());
    let tables = terraform["resource"]["aws_dynamodb_table"]
        .as_object()
        .unwrap();
    let indexes = &tables.values().next().unwrap()["global_secondary_index"];
    let key = |name: &str, kind: &str| json!({ "attribute_name": name, "key_type": kind });
    let expected = [
        key("tenant", "HASH"),
        key("region", "HASH"),
        key("round", "RANGE"),
        key("at", "RANGE"),
    ];
    assert_eq!(indexes[0]["key_schema"], json!(expected));
    assert_eq!(
        (&indexes[0]["hash_key"], &indexes[0]["range_key"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(indexes[1]["hash_key"], "tenant");
}

#[test]
fn documents_show_each_attribute() {
    let markdown = model().markdown();
    assert!(
        markdown.contains("| `tenant`, `region` | `round`, `at` |"),
        "{markdown}"
    );
    assert!(markdown.contains("| `region` | `<region>` |"), "{markdown}");
    let html = model().html();
    assert!(html.contains("<code>tenant</code>, <code>region</code>"));
    let patterns = model().declared_patterns();
    let by_round = patterns
        .iter()
        .find(|it| it.call.contains("by_round"))
        .unwrap();
    assert!(by_round.call.ends_with("by_round(tenant, region)"));
    assert_eq!(
        by_round.condition,
        "tenant = <tenant> AND region = <region>"
    );
    let model = model();
    let entity = model.find_entity("Match").unwrap();
    let at = entity
        .schema
        .attributes
        .iter()
        .find(|it| it.name == "at")
        .unwrap();
    assert_eq!(entity.attribute_type(at), Some(AttributeType::N));
}

#[test]
fn the_lock_tells_native_keys_from_templates() {
    let lock = model().lock();
    assert!(
        lock.contains("(tenant (S), region (S)) + (round (N), at (N))"),
        "{lock}"
    );
    assert!(lock.contains("\"(tenant (S))\""), "{lock}");
}

/// The format of Workbench has one attribute for each half of a key.
#[test]
fn workbench_has_only_indexes_of_single_attributes() {
    let workbench = model().workbench();
    let indexes = workbench["DataModel"][0]["GlobalSecondaryIndexes"]
        .as_array()
        .unwrap();
    let names: Vec<_> = indexes.iter().map(|index| &index["IndexName"]).collect();
    assert_eq!(names, ["Tenants"]);
}

/// A policy promises no isolation that `dynamodb:LeadingKeys` may not give.
#[test]
fn a_policy_does_not_isolate_callers_in_a_native_key() {
    let identity = Identity::principal_tag("sub").uuid();
    let policy = Policy::new()
        .reads(["Match"])
        .isolated_by("tenant", identity);
    let policy = model().policy(policy).unwrap();
    let refused = policy.refused.iter().map(ToString::to_string);
    let native = refused.filter(|it| it.contains("a list of attributes"));
    assert_eq!(native.count(), 2);
    assert!(!policy.document.to_string().contains("index/"));
}
