//! Documents and templates: features that the five schemas do not use.

use dynamo_model::{DynamoEntity, DynamoTable};
use dynamo_model_tools::{AttributeType, Deployment, Model};
use serde_json::json;

/// Text with <markup> & a | in it.
#[derive(DynamoTable)]
#[table(name = "odd-1", pk = N("id"), billing = provisioned(read = 5, write = 2), deletion_protection)]
#[table(encryption = kms("alias/own"))]
#[gsi1(name = "by.name", pk = "name", projection = keys_only)]
struct Odd;

/// An item | with `code` and <tags>.
#[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
#[dynamo(table = Odd)]
#[pk("<id>")]
#[gsi1(pk = "<name>", as = by_name)]
struct Item {
    id: u64,
    name: String,
    /// The <b>secret</b>.
    #[dynamo(sensitive)]
    secret: String,
    list: Vec<u8>,
}

fn model() -> Model {
    let item = Item {
        id: 7,
        name: "<script>alert(1)</script>".into(),
        secret: "hunter2".into(),
        list: vec![1, 2],
    };
    Model::new("odd <app>")
        .entity::<Item>()
        .sample(&item)
        .unwrap()
}

#[test]
fn provisioned_capacity_is_shown_for_each_global_index() {
    let throughput = json!({ "ReadCapacityUnits": 5, "WriteCapacityUnits": 2 });
    let template = model().cloud_formation(&Deployment::new());
    let table = &template["Resources"]["Odd1"]["Properties"];
    assert_eq!(table["BillingMode"], "PROVISIONED");
    assert_eq!(table["ProvisionedThroughput"], throughput);
    assert_eq!(
        table["GlobalSecondaryIndexes"][0]["ProvisionedThroughput"],
        throughput
    );
    assert_eq!(table["SSESpecification"]["KMSMasterKeyId"], "alias/own");
    assert_eq!(table["DeletionProtectionEnabled"], true);
    let usage = &template["Resources"]["Odd1ReadUsage"]["Properties"];
    // The current provisioned capacity, not the declared one, because scaling changes it.
    assert_eq!(usage["Metrics"][2]["Expression"], "100*c/PERIOD(c)/p");
    let provisioned = &usage["Metrics"][1]["MetricStat"];
    assert_eq!(
        provisioned["Metric"]["MetricName"],
        "ProvisionedReadCapacityUnits"
    );
    assert_eq!(provisioned["Stat"], "Average");
    let terraform = model().terraform(&Deployment::new());
    let table = &terraform["resource"]["aws_dynamodb_table"]["odd_1"];
    assert_eq!(
        (
            &table["read_capacity"],
            &table["global_secondary_index"][0]["write_capacity"]
        ),
        (&json!(5), &json!(2))
    );
    assert_eq!(
        model().create_table()[0]["ProvisionedThroughput"],
        throughput
    );
}

#[test]
fn no_document_shows_a_sensitive_value() {
    let model = model();
    let texts = [
        model.html(),
        model.markdown(),
        model.workbench().to_string(),
        serde_json::to_string(&model).unwrap(),
    ];
    assert!(texts.iter().all(|text| !text.contains("hunter2")));
    // Its size still counts.
    assert_eq!(
        model.tables[0].items[0].bytes(),
        2 + 2 + 4 + 25 + 6 + 7 + 4 + (3 + 3 + 3)
    );
}

#[test]
fn html_escapes_every_text() {
    let page = model().html();
    assert!(
        !page.contains("<script") && !page.contains("<tags>") && page.contains("&lt;script&gt;")
    );
    assert!(page.contains("odd &lt;app&gt;") && page.contains("The &lt;b&gt;secret&lt;/b&gt;."));
}

#[test]
fn markdown_escapes_every_cell() {
    let document = model().markdown();
    let rows = document
        .lines()
        .filter(|line| line.starts_with("| `secret`"));
    let rows: Vec<_> = rows.collect();
    assert_eq!(
        rows,
        ["| `secret` | String | yes | The <b>secret</b>. Sensitive. |"]
    );
}

#[test]
fn types_are_found_by_name_by_key_or_by_sample() {
    for (rust, expected) in [
        ("Option<u32>", Some(AttributeType::N)),
        (
            "std::collections::HashMap<String, u8>",
            Some(AttributeType::M),
        ),
        ("Cow<'a, str>", Some(AttributeType::S)),
        ("&'a str", Some(AttributeType::S)),
        ("[u8; 16]", Some(AttributeType::L)),
        ("jiff::Timestamp", Some(AttributeType::S)),
        ("Insurance", None),
        ("Timestamp with epoch::serialize", None),
        ("u9", None),
    ] {
        assert_eq!(AttributeType::of_rust_type(rust), expected, "{rust}");
    }
}

#[test]
fn a_sample_of_an_unknown_table_is_an_error() {
    let error = model()
        .sample_item("nowhere", Default::default())
        .unwrap_err();
    assert!(error.to_string().starts_with("no table `nowhere`"));
    let error = model()
        .sample_item("odd-1", Default::default())
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "an item of `odd-1` has no `id`, which is its key"
    );
}

#[test]
fn facets_have_unique_names_and_their_attributes() {
    let workbench = model().workbench();
    let table = &workbench["DataModel"][0];
    let names: Vec<_> = table["NonKeyAttributes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["AttributeName"])
        .collect();
    for facet in table["TableFacets"].as_array().unwrap() {
        assert!(
            facet["NonKeyAttributes"]
                .as_array()
                .unwrap()
                .iter()
                .all(|name| names.contains(&name))
        );
    }
    assert_eq!(
        table["KeyAttributes"],
        json!({ "PartitionKey": { "AttributeName": "id", "AttributeType": "N" } })
    );
}
