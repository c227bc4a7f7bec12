//! The resources that a deployment adds: scaling, a dashboard, a bucket for exports.

use dynamo_model::{DynamoEntity, DynamoTable};
use dynamo_model_tools::{Alarms, AutoScaling, Deployment, Model};
use serde_json::{Value, json};
use std::collections::BTreeSet;

#[derive(DynamoTable)]
#[table(name = "Orders", pk = "PK", billing = provisioned(read = 5, write = 2))]
#[table(point_in_time_recovery, encryption = kms)]
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

fn model() -> Model {
    Model::new("app").entity::<Order>().entity::<Session>()
}

fn of_kind<'a>(template: &'a Value, kind: &str) -> Vec<&'a Value> {
    let resources = template["Resources"].as_object().unwrap().values();
    let found = resources.filter(|it| it["Type"] == kind);
    found.map(|it| &it["Properties"]).collect()
}

#[test]
fn only_provisioned_tables_and_indexes_are_scaled() {
    let scaling = AutoScaling {
        max_read: 400,
        max_write: 1,
        target_percent: 60,
    };
    let deployment = Deployment::new().auto_scaling(scaling);
    let template = model().cloud_formation(&deployment);
    let targets = of_kind(&template, "AWS::ApplicationAutoScaling::ScalableTarget");
    let found: BTreeSet<_> = targets
        .iter()
        .map(|it| {
            let text = |value: &Value| value.as_str().unwrap().to_owned();
            let (id, dimension) = (
                text(&it["ResourceId"]["Fn::Sub"]),
                text(&it["ScalableDimension"]),
            );
            (
                id,
                dimension,
                it["MinCapacity"].as_u64(),
                it["MaxCapacity"].as_u64(),
            )
        })
        .collect();
    let (table, index) = ("table/${Orders}", "table/${Orders}/index/by-day");
    // At most one write unit is less than the declared two, so there are two.
    let expected = [
        (table, "dynamodb:table:ReadCapacityUnits", 5, 400),
        (table, "dynamodb:table:WriteCapacityUnits", 2, 2),
        (index, "dynamodb:index:ReadCapacityUnits", 5, 400),
        (index, "dynamodb:index:WriteCapacityUnits", 2, 2),
    ];
    let expected = expected.map(|(id, dimension, min, max)| {
        (id.to_owned(), dimension.to_owned(), Some(min), Some(max))
    });
    assert_eq!(found, BTreeSet::from(expected));

    let policies = of_kind(&template, "AWS::ApplicationAutoScaling::ScalingPolicy");
    assert_eq!(policies.len(), 4);
    for policy in policies {
        let target = policy["ScalingTargetId"]["Ref"].as_str().unwrap();
        let dimension = &template["Resources"][target]["Properties"]["ScalableDimension"];
        let tracking = &policy["TargetTrackingScalingPolicyConfiguration"];
        assert_eq!(tracking["TargetValue"], 60);
        let metric = tracking["PredefinedMetricSpecification"]["PredefinedMetricType"].as_str();
        let reads = dimension.as_str().unwrap().contains("Read");
        assert_eq!(metric.unwrap().contains("Read"), reads);
    }
}

#[test]
fn terraform_scales_the_same_tables_and_ignores_scaled_units() {
    let deployment = Deployment::new().auto_scaling(AutoScaling::default());
    let terraform = model().terraform(&deployment);
    let resources = &terraform["resource"];
    let targets = resources["aws_appautoscaling_target"].as_object().unwrap();
    let policies = resources["aws_appautoscaling_policy"].as_object().unwrap();
    assert_eq!((targets.len(), policies.len()), (4, 4));
    let ignored =
        |table: &str| &resources["aws_dynamodb_table"][table]["lifecycle"][0]["ignore_changes"];
    assert_eq!(
        *ignored("orders"),
        json!(["read_capacity", "write_capacity"])
    );
    assert_eq!(*ignored("sessions"), Value::Null);
}

/// Otherwise the alarm of the capacity in use is raised all the time.
#[test]
fn scaling_aims_below_the_alarm() {
    assert!(AutoScaling::default().target_percent < Alarms::default().usage_percent);
}

#[test]
fn a_deployment_adds_only_requested_resources() {
    let template = model().cloud_formation(&Deployment::new());
    for kind in [
        "AWS::ApplicationAutoScaling::ScalableTarget",
        "AWS::CloudWatch::Dashboard",
        "AWS::S3::Bucket",
    ] {
        assert!(of_kind(&template, kind).is_empty(), "{kind}");
    }
}

/// Returns a dashboard's body, as CloudWatch documents it: a grid of 24 columns, widgets of text
/// and metrics.
fn check_dashboard(body: &str) -> Vec<Value> {
    let body: Value = serde_json::from_str(body).unwrap();
    let widgets = body["widgets"].as_array().unwrap().clone();
    let mut taken = BTreeSet::new();
    for widget in &widgets {
        let number = |name: &str| widget[name].as_u64().unwrap();
        let (x, y, width, height) = (number("x"), number("y"), number("width"), number("height"));
        assert!(width >= 1 && height >= 1 && x + width <= 24, "{widget}");
        for column in x..x + width {
            for row in y..y + height {
                assert!(taken.insert((column, row)), "overlaps: {widget}");
            }
        }
        let properties = &widget["properties"];
        match widget["type"].as_str().unwrap() {
            "text" => assert!(properties["markdown"].is_string()),
            "metric" => {
                assert!(properties["region"].is_string() && properties["period"] == 300);
                let metrics = properties["metrics"].as_array().unwrap();
                assert!(!metrics.is_empty());
                for metric in metrics {
                    let parts = metric.as_array().unwrap();
                    assert!(parts.len() % 2 == 0 && parts.iter().all(Value::is_string));
                    assert_eq!(parts[0], "AWS/DynamoDB");
                }
            }
            other => panic!("{other}"),
        }
    }
    widgets
}

#[test]
fn a_dashboard_has_a_row_for_each_table_and_index() {
    let deployment = Deployment::new().dashboard();
    let template = model().cloud_formation(&deployment);
    let dashboard = of_kind(&template, "AWS::CloudWatch::Dashboard")[0];
    let widgets = check_dashboard(dashboard["DashboardBody"]["Fn::Sub"].as_str().unwrap());
    let titles = |y: u64| {
        let row = widgets.iter().filter(|it| it["y"] == y);
        let titles = row.filter_map(|it| it["properties"]["title"].as_str());
        titles.collect::<Vec<_>>()
    };
    let of_table = ["Throttled requests", "Latency (ms)", "Errors"];
    assert_eq!(
        titles(1)[..2],
        ["Table: capacity", "Table: provisioned capacity"]
    );
    assert_eq!(titles(1)[2..], of_table);
    assert_eq!(
        titles(7),
        [
            "by-day: capacity",
            "by-day: provisioned capacity",
            "by-day: throttled requests"
        ]
    );
    // An on-demand table has no provisioned capacity.
    assert_eq!(titles(14)[0], "Table: capacity");
    assert_eq!(titles(14)[1..], of_table);
    let provisioned = &widgets[2]["properties"];
    assert_eq!(provisioned["stat"], "Average");
    assert_eq!(provisioned["metrics"][0][1], "ProvisionedReadCapacityUnits");
    let throttled = widgets[3]["properties"]["metrics"].as_array().unwrap();
    let by_operation = throttled.iter().filter(|it| it[1] == "ThrottledRequests");
    assert_eq!((throttled.len(), by_operation.count()), (12, 10));
    let latency = &widgets[4]["properties"]["metrics"];
    assert_eq!(latency.as_array().unwrap().len(), 10);
    assert_eq!(latency[0][3], "${Orders}");

    let terraform = model().terraform(&deployment);
    let body = &terraform["resource"]["aws_cloudwatch_dashboard"]["tables"]["dashboard_body"];
    check_dashboard(body.as_str().unwrap());
    assert!(
        body.as_str()
            .unwrap()
            .contains("${aws_dynamodb_table.orders.name}")
    );
}

/// Only tables with point-in-time recovery can be exported. DynamoDB writes with the caller's
/// permissions, so the policy has the bucket and the key too.
#[test]
fn an_archive_has_a_private_bucket_and_a_policy_for_exports() {
    let deployment = Deployment::new().archive(90).customer_key();
    let template = model().cloud_formation(&deployment);
    let bucket = of_kind(&template, "AWS::S3::Bucket")[0];
    let access = bucket["PublicAccessBlockConfiguration"]
        .as_object()
        .unwrap();
    assert!(access.len() == 4 && access.values().all(|it| *it == true));
    let rule = &bucket["LifecycleConfiguration"]["Rules"][0]["Transitions"][0];
    assert_eq!(rule["TransitionInDays"], 90);
    let document = &of_kind(&template, "AWS::IAM::ManagedPolicy")[0]["PolicyDocument"];
    let statements = document["Statement"].as_array().unwrap();
    let of_action = |action: &str| {
        let all = |it: &&Value| it["Action"].as_array().unwrap().contains(&action.into());
        statements.iter().find(all).unwrap()
    };
    let export = of_action("dynamodb:ExportTableToPointInTime");
    assert_eq!(
        export["Resource"],
        json!([{ "Fn::GetAtt": ["Orders", "Arn"] }])
    );
    assert_eq!(
        of_action("s3:PutObject")["Resource"]["Fn::Sub"],
        "${ArchiveBucket.Arn}/*"
    );
    assert_eq!(
        of_action("kms:Decrypt")["Resource"],
        json!({ "Fn::GetAtt": ["TableKey", "Arn"] })
    );
    assert!(!document.to_string().contains("dynamodb:*"));

    let terraform = model().terraform(&deployment);
    let policy = &terraform["resource"]["aws_iam_policy"]["archive"]["policy"];
    let policy: Value = serde_json::from_str(policy.as_str().unwrap()).unwrap();
    assert_eq!(
        policy["Statement"].as_array().unwrap().len(),
        statements.len()
    );
}

/// A backup is of use only if its role can restore it.
#[test]
fn the_role_of_backups_may_make_and_restore_them() {
    let deployment = Deployment::new().daily_backups(30);
    let expected = [
        "AWSBackupServiceRolePolicyForBackup",
        "AWSBackupServiceRolePolicyForRestores",
    ];
    let name = |arn: &str| arn.rsplit('/').next().unwrap().to_owned();

    let template = model().cloud_formation(&deployment);
    let role = &template["Resources"]["BackupRole"]["Properties"];
    let arns = role["ManagedPolicyArns"].as_array().unwrap().iter();
    let names: Vec<_> = arns
        .map(|it| name(it["Fn::Sub"].as_str().unwrap()))
        .collect();
    assert_eq!(names, expected);

    let terraform = model().terraform(&deployment);
    let attachments = &terraform["resource"]["aws_iam_role_policy_attachment"];
    let attachments = attachments.as_object().unwrap().values();
    let names: BTreeSet<_> = attachments
        .map(|it| {
            assert_eq!(it["role"], "${aws_iam_role.tables.name}");
            name(it["policy_arn"].as_str().unwrap())
        })
        .collect();
    assert_eq!(names, expected.map(str::to_owned).into());
}
