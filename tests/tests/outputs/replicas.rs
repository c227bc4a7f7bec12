//! Tables with replicas in other regions.

use dynamo_model::schema::Stream;
use dynamo_model::{DynamoEntity, DynamoTable, Table};
use dynamo_model_tools::{AutoScaling, Deployment, Impact, Model};
use serde_json::{Value, json};

/// On demand, with everything that a replica has for itself.
#[derive(DynamoTable)]
#[table(name = "Users", pk = "PK", encryption = kms, point_in_time_recovery, ttl = "expires")]
#[table(replicas("eu-west-1", "us-west-2"), deletion_protection)]
struct Users;

#[derive(DynamoEntity)]
#[dynamo(table = Users)]
#[pk("USER#<id>")]
#[allow(dead_code)]
struct User {
    id: String,
}

/// Provisioned, with an index.
#[derive(DynamoTable)]
#[table(name = "Orders", pk = "PK", billing = provisioned(read = 5, write = 2))]
#[table(replicas("us-gov-west-1"), encryption = kms("alias/orders"))]
#[gsi1(name = "by-day", pk = "day")]
struct Orders;

#[derive(DynamoEntity)]
#[dynamo(table = Orders)]
#[pk("ORDER#<id>")]
#[gsi1(pk = "<day>", as = by_day)]
#[allow(dead_code)]
struct Order {
    id: String,
    day: String,
}

fn users() -> Model {
    Model::new("app").entity::<User>()
}

fn orders() -> Model {
    Model::new("app").entity::<Order>()
}

#[test]
fn a_table_with_replicas_has_a_stream_of_both_images() {
    assert_eq!(Users::SCHEMA.replicas, ["eu-west-1", "us-west-2"]);
    assert_eq!(Users::SCHEMA.stream, Some(Stream::NewAndOldImages));
    let input = &users().create_table()[0];
    let view = &input["StreamSpecification"]["StreamViewType"];
    assert_eq!(view, "NEW_AND_OLD_IMAGES");
}

#[test]
fn cloud_formation_repeats_the_settings_in_each_region() {
    let template = users().cloud_formation(&Deployment::new());
    let table = &template["Resources"]["Users"];
    assert_eq!(table["Type"], "AWS::DynamoDB::GlobalTable");
    assert_eq!(table["DeletionPolicy"], "Retain");
    let replica = |region: Value| {
        json!({
            "Region": region,
            "DeletionProtectionEnabled": true,
            "PointInTimeRecoverySpecification": { "PointInTimeRecoveryEnabled": true },
        })
    };
    let expected = json!({
        "TableName": "Users",
        "AttributeDefinitions": [{ "AttributeName": "PK", "AttributeType": "S" }],
        "KeySchema": [{ "AttributeName": "PK", "KeyType": "HASH" }],
        "BillingMode": "PAY_PER_REQUEST",
        "StreamSpecification": { "StreamViewType": "NEW_AND_OLD_IMAGES" },
        "SSESpecification": { "SSEEnabled": true, "SSEType": "KMS" },
        "TimeToLiveSpecification": { "AttributeName": "expires", "Enabled": true },
        "Replicas": [
            replica(json!({ "Ref": "AWS::Region" })),
            replica(json!("eu-west-1")),
            replica(json!("us-west-2")),
        ],
    });
    assert_eq!(table["Properties"], expected);
    let arn = json!({ "Fn::GetAtt": ["Users", "StreamArn"] });
    assert_eq!(template["Outputs"]["UsersStreamArn"]["Value"], arn);
    assert_eq!(
        users().sam(&Deployment::new())["Resources"]["Users"],
        *table
    );
}

#[test]
fn a_key_of_the_template_is_in_one_region_and_others_are_parameters() {
    let deployment = Deployment::new().customer_key();
    let template = users().cloud_formation(&deployment);
    let replicas = &template["Resources"]["Users"]["Properties"]["Replicas"];
    let keys = replicas.as_array().unwrap().iter();
    let keys: Vec<_> = keys
        .map(|it| it["ReplicaSSESpecification"]["KMSMasterKeyId"]["Ref"].as_str())
        .collect();
    let expected = ["TableKey", "TableKeyEuWest1", "TableKeyUsWest2"];
    assert_eq!(keys, expected.map(Some));
    for key in &expected[1..] {
        assert_eq!(template["Parameters"][key]["Type"], "String", "{key}");
    }

    let terraform = users().terraform(&deployment);
    let table = &terraform["resource"]["aws_dynamodb_table"]["users"];
    assert_eq!(
        table["replica"][1]["kms_key_arn"],
        "${var.table_key_us_west_2}"
    );
    assert_eq!(
        terraform["variable"]["table_key_us_west_2"]["type"],
        "string"
    );
}

#[test]
fn a_provisioned_table_with_replicas_is_scaled_by_dynamodb() {
    let scaling = AutoScaling {
        max_read: 400,
        max_write: 300,
        target_percent: 60,
    };
    let template = orders().cloud_formation(&Deployment::new().auto_scaling(scaling));
    let table = &template["Resources"]["Orders"]["Properties"];
    let settings = |what: &str, (min, max, percent): (u32, u32, u32)| {
        json!({ format!("{what}CapacityAutoScalingSettings"): {
            "MinCapacity": min,
            "MaxCapacity": max,
            "TargetTrackingScalingPolicyConfiguration": { "TargetValue": percent },
        } })
    };
    assert_eq!(table["BillingMode"], "PROVISIONED");
    let write = settings("Write", (2, 300, 60));
    assert_eq!(table["WriteProvisionedThroughputSettings"], write);
    let index = &table["GlobalSecondaryIndexes"][0];
    assert_eq!(index["WriteProvisionedThroughputSettings"], write);
    for fixed in [table, index] {
        assert_eq!(fixed.get("ProvisionedThroughput"), None, "{fixed:#}");
    }
    let read = settings("Read", (5, 400, 60));
    let expected = json!({
        "Region": "us-gov-west-1",
        "DeletionProtectionEnabled": false,
        "PointInTimeRecoverySpecification": { "PointInTimeRecoveryEnabled": false },
        "ReplicaSSESpecification": { "KMSMasterKeyId": "alias/orders" },
        "ReadProvisionedThroughputSettings": read,
        "GlobalSecondaryIndexes": [
            { "IndexName": "by-day", "ReadProvisionedThroughputSettings": read },
        ],
    });
    assert_eq!(table["Replicas"][1], expected);
    let resources = template["Resources"].as_object().unwrap().values();
    let scaled = resources.filter(|it| it["Type"] == "AWS::ApplicationAutoScaling::ScalableTarget");
    assert_eq!(scaled.count(), 0);

    // Without a choice of the deployment, the default: DynamoDB takes no fixed number of write
    // units.
    let template = orders().cloud_formation(&Deployment::new());
    let table = &template["Resources"]["Orders"]["Properties"];
    let write = settings("Write", (2, 1_000, 70));
    assert_eq!(table["WriteProvisionedThroughputSettings"], write);
}

#[test]
fn terraform_has_replicas_as_blocks_or_after_scaling_as_resources() {
    let terraform = users().terraform(&Deployment::new());
    let table = &terraform["resource"]["aws_dynamodb_table"]["users"];
    let expected = json!({
        "region_name": "eu-west-1",
        "point_in_time_recovery": true,
        "deletion_protection_enabled": true,
        "propagate_tags": true,
    });
    assert_eq!(table["replica"][0], expected);
    assert_eq!(table["stream_view_type"], "NEW_AND_OLD_IMAGES");
    let provider = &terraform["terraform"]["required_providers"]["aws"];
    assert_eq!(provider["version"], ">= 6.0");

    let terraform = orders().terraform(&Deployment::new());
    let resources = &terraform["resource"];
    let table = &resources["aws_dynamodb_table"]["orders"];
    assert_eq!(table.get("replica"), None);
    let ignored = ["read_capacity", "write_capacity", "replica"];
    assert_eq!(table["lifecycle"][0]["ignore_changes"], json!(ignored));
    let replica = &resources["aws_dynamodb_table_replica"]["orders_us_gov_west_1"];
    assert_eq!(replica["provider"], "aws.us_gov_west_1");
    assert_eq!(
        replica["global_table_arn"],
        "${aws_dynamodb_table.orders.arn}"
    );
    assert_eq!(replica["kms_key_arn"], "alias/orders");
    let policies = replica["depends_on"].as_array().unwrap();
    let policies: Vec<_> = policies.iter().map(|it| it.as_str().unwrap()).collect();
    assert_eq!(policies.len(), 4, "{policies:?}");
    for policy in policies {
        let name = policy.strip_prefix("aws_appautoscaling_policy.").unwrap();
        let found = &resources["aws_appautoscaling_policy"][name];
        assert!(found.is_object(), "{name}");
    }
    let provider = json!([{ "alias": "us_gov_west_1", "region": "us-gov-west-1" }]);
    assert_eq!(terraform["provider"]["aws"], provider);
}

#[test]
fn a_table_without_replicas_stays_as_it_was() {
    #[derive(DynamoTable)]
    #[table(name = "Sessions", pk = "PK")]
    struct Sessions;

    #[derive(DynamoEntity)]
    #[dynamo(table = Sessions)]
    #[pk("SESSION#<id>")]
    #[allow(dead_code)]
    struct Session {
        id: String,
    }

    let model = Model::new("app").entity::<Session>();
    let template = model.cloud_formation(&Deployment::new());
    assert_eq!(
        template["Resources"]["Sessions"]["Type"],
        "AWS::DynamoDB::Table"
    );
    let terraform = model.terraform(&Deployment::new());
    assert_eq!(terraform.get("provider"), None);
    let table = &terraform["resource"]["aws_dynamodb_table"]["sessions"];
    assert_eq!(table.get("replica"), None);
    let json = serde_json::to_value(&model).unwrap();
    assert_eq!(json["tables"][0].get("replicas"), None);
}

#[test]
fn documents_name_the_regions() {
    let markdown = users().markdown();
    let line = "- replicas: `eu-west-1`, `us-west-2`\n";
    assert!(markdown.contains(line), "{markdown}");
    let page = users().html();
    let line = "<li>replicas: <code>eu-west-1</code>, <code>us-west-2</code></li>";
    assert!(page.contains(line), "{page}");
    let json = serde_json::to_value(users()).unwrap();
    assert_eq!(
        json["tables"][0]["replicas"],
        json!(["eu-west-1", "us-west-2"])
    );
}

#[test]
fn the_lock_refuses_a_replica_that_goes() {
    let lock = users().lock();
    let replaced = |from: &str, to: &str| {
        let changed = lock.replace(from, to);
        assert_ne!(changed, lock);
        let changes = users().compare_with_lock(&changed).unwrap();
        let [change] = changes.as_slice() else {
            panic!("{changes:#?}");
        };
        (change.impact, change.to_string())
    };
    let (impact, shown) = replaced("us-west-2", "us-west-9");
    assert_eq!(impact, Impact::Breaking);
    assert_eq!(
        shown,
        "Users, replicas: was eu-west-1, us-west-9, is eu-west-1, us-west-2\n  needs: the programs \
         of these regions moved to another one first; DynamoDB deletes the replicas"
    );
    let (impact, shown) = replaced(",\n          \"us-west-2\"", "");
    assert_eq!(
        (impact, shown.as_str()),
        (
            Impact::Compatible,
            "Users, replicas: was eu-west-1, is eu-west-1, us-west-2"
        )
    );
    let mut first: Value = serde_json::from_str(&lock).unwrap();
    let settings = &mut first["tables"]["Users"]["settings"];
    settings
        .as_object_mut()
        .unwrap()
        .remove("replicas")
        .unwrap();
    let changes = users().compare_with_lock(&first.to_string()).unwrap();
    assert_eq!(changes[0].impact, Impact::Unclear);
    assert!(
        changes[0]
            .to_string()
            .contains("AWS::DynamoDB::GlobalTable"),
        "{}",
        changes[0]
    );
}
