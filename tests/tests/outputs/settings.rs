//! What outputs say of throughput, table class and tags.

use dynamo_model::{DynamoEntity, DynamoTable};
use dynamo_model_tools::{Deployment, Impact, Model};
use serde_json::json;

#[derive(DynamoTable)]
#[table(name = "Reports", pk = "PK", billing = on_demand(max_read = 400, max_write = 300))]
#[table(warm_throughput(read = 20_000, write = 5_000), table_class = infrequent_access)]
#[table(tags(team = "exam", stage = "it's ${live}"))]
struct Reports;

#[derive(DynamoEntity)]
#[dynamo(table = Reports)]
#[pk("REPORT#<id>")]
#[allow(dead_code)]
struct Report {
    id: String,
}

#[derive(DynamoTable)]
#[table(name = "Reports", pk = "PK", replicas("eu-north-1", "eu-west-1"), multi_region_strong, billing = on_demand(max_read = 400, max_write = 300))]
#[table(warm_throughput(read = 20_000, write = 5_000), table_class = infrequent_access)]
#[table(tags(team = "exam"))]
struct Everywhere;

#[derive(DynamoEntity)]
#[dynamo(table = Everywhere)]
#[pk("REPORT#<id>")]
#[allow(dead_code)]
struct Copied {
    id: String,
}

mod before {
    use dynamo_model::{DynamoEntity, DynamoTable};

    #[derive(DynamoTable)]
    #[table(name = "Reports", pk = "PK")]
    pub struct Reports;

    #[derive(DynamoEntity)]
    #[dynamo(table = Reports)]
    #[pk("REPORT#<id>")]
    #[allow(dead_code)]
    pub struct Report {
        id: String,
    }
}

fn model() -> Model {
    Model::new("app").entity::<Report>()
}

#[test]
fn create_table_and_cloud_formation_have_the_settings() {
    let input = &model().create_table()[0];
    let template = model().cloud_formation(&Deployment::new());
    for table in [input, &template["Resources"]["Reports"]["Properties"]] {
        assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
        assert_eq!(
            table["OnDemandThroughput"],
            json!({ "MaxReadRequestUnits": 400, "MaxWriteRequestUnits": 300 })
        );
        assert_eq!(
            table["WarmThroughput"],
            json!({ "ReadUnitsPerSecond": 20_000, "WriteUnitsPerSecond": 5_000 })
        );
        assert_eq!(table["TableClass"], "STANDARD_INFREQUENT_ACCESS");
        assert_eq!(
            table["Tags"],
            json!([
                { "Key": "team", "Value": "exam" },
                { "Key": "stage", "Value": "it's ${live}" },
            ])
        );
    }
}

#[test]
fn a_global_table_has_them_where_aws_puts_them() {
    let model = Model::new("app").entity::<Copied>();
    let template = model.cloud_formation(&Deployment::new());
    let table = &template["Resources"]["Reports"]["Properties"];
    assert_eq!(table["MultiRegionConsistency"], "STRONG");
    let write = json!({ "MaxWriteRequestUnits": 300 });
    assert_eq!(table["WriteOnDemandThroughputSettings"], write);
    assert_eq!(table["WarmThroughput"]["ReadUnitsPerSecond"], 20_000);
    for name in ["OnDemandThroughput", "TableClass", "Tags"] {
        assert_eq!(table.get(name), None, "{name}");
    }
    for replica in table["Replicas"].as_array().unwrap() {
        let read = json!({ "MaxReadRequestUnits": 400 });
        assert_eq!(replica["ReadOnDemandThroughputSettings"], read);
        assert_eq!(replica["TableClass"], "STANDARD_INFREQUENT_ACCESS");
        assert_eq!(replica["Tags"], json!([{ "Key": "team", "Value": "exam" }]));
    }
}

#[test]
fn terraform_has_the_settings_with_texts_escaped() {
    let terraform = model().terraform(&Deployment::new());
    let table = &terraform["resource"]["aws_dynamodb_table"]["reports"];
    assert_eq!(
        table["on_demand_throughput"],
        json!([{ "max_read_request_units": 400, "max_write_request_units": 300 }])
    );
    assert_eq!(
        table["warm_throughput"],
        json!([{ "read_units_per_second": 20_000, "write_units_per_second": 5_000 }])
    );
    assert_eq!(table["table_class"], "STANDARD_INFREQUENT_ACCESS");
    let tags = json!({ "team": "exam", "stage": "it's $${live}" });
    assert_eq!(table["tags"], tags);
}

#[test]
fn terraform_has_the_consistency_mode_on_each_replica() {
    let model = Model::new("app").entity::<Copied>();
    let terraform = model.terraform(&Deployment::new());
    let table = &terraform["resource"]["aws_dynamodb_table"]["reports"];
    let replicas = table["replica"].as_array().unwrap();
    assert_eq!(replicas.len(), 2);
    for replica in replicas {
        assert_eq!(replica["consistency_mode"], "STRONG");
    }
    assert!(
        model
            .markdown()
            .contains("consistency between regions: strong")
    );
}

#[test]
fn documents_name_the_settings() {
    let markdown = model().markdown();
    for line in [
        "maximum on demand: 400 read and 300 write units a second",
        "warm throughput: 20000 read and 5000 write units a second",
        "table class: infrequent access",
        "tags: `team=exam`, `stage=it's ${live}`",
    ] {
        assert!(markdown.contains(line), "{line}: {markdown}");
    }
}

#[test]
fn the_lock_notes_each_change_as_compatible() {
    let before = Model::new("app").entity::<before::Report>().lock();
    let changes = model().compare_with_lock(&before).unwrap();
    let shown: Vec<_> = changes
        .iter()
        .filter(|it| it.impact == Impact::Compatible)
        .map(ToString::to_string)
        .collect();
    for expected in [
        "Reports, on-demand maximum: new, 400 read and 300 write units",
        "Reports, warm throughput: new, 20000 read and 5000 write units",
        "Reports, table class: new, STANDARD_INFREQUENT_ACCESS",
        "Reports, tags: new, stage=it's ${live}, team=exam",
    ] {
        assert!(
            shown.iter().any(|it| it == expected),
            "{expected}: {shown:#?}"
        );
    }
    let lock = model().lock();
    assert!(model().compare_with_lock(&lock).unwrap().is_empty());
}
