//! The documents' requirements for operations, in the generated templates and policies: alarms, the
//! key, backups.
#![allow(clippy::panic, clippy::unwrap_used)]

#[allow(unused_imports)]
mod simulator;

use dynamo_model_examples::SCHEMAS;
use dynamo_model_examples::booking::Phase;
use dynamo_model_examples::outputs::find;
use serde_json::{Value, json};
use simulator::{
    PartitionKeys, TableKey, allows_user, generated, refused, refused_of_key, table_key,
};
use std::collections::BTreeSet;

const NAMES: [&str; 6] = ["exam", "shop", "booking", "shogi", "q", "hosting"];

const POLICIES: [&str; 3] = [
    "service-policy.json",
    "migration-policy.json",
    "user-policy.json",
];

fn resources(schema: &str) -> Value {
    generated(schema, "cloudformation.json")["Resources"].take()
}

fn of_kind<'a>(resources: &'a Value, kind: &str) -> Vec<&'a Value> {
    let all = resources.as_object().unwrap().values();
    all.filter(|it| it["Type"] == kind)
        .map(|it| &it["Properties"])
        .collect()
}

/// Returns an alarm by its name, its threshold, comparison, and the periods and statistics of its
/// metrics.
fn alarm(resources: &Value, name: &str) -> (u64, String, Vec<(u64, String)>) {
    let alarms = of_kind(resources, "AWS::CloudWatch::Alarm");
    let alarm = alarms.into_iter().find(|it| it["AlarmName"] == name);
    let alarm = alarm.unwrap();
    let metrics = alarm["Metrics"].as_array().unwrap().iter();
    let metrics = metrics.filter_map(|metric| {
        let stat = &metric["MetricStat"];
        let period = stat["Period"].as_u64()?;
        Some((period, stat["Stat"].as_str()?.to_owned()))
    });
    let comparison = alarm["ComparisonOperator"].as_str().unwrap().to_owned();
    (
        alarm["Threshold"].as_u64().unwrap(),
        comparison,
        metrics.collect(),
    )
}

/// exam, "Alerts": `AlarmName: DynamoDB-SystemErrors`, `Sum`, 300 seconds, more than 5.
#[test]
fn the_alarm_of_system_errors_is_the_documents() {
    let (threshold, comparison, metrics) = alarm(&resources("exam"), "DynamoDB-SystemErrors");
    assert_eq!(
        (threshold, comparison.as_str()),
        (5, "GreaterThanThreshold")
    );
    assert!(!metrics.is_empty() && metrics.iter().all(|it| *it == (300, "Sum".to_owned())));
}

/// exam, "Metrics": `UserErrors`. CloudWatch counts them for the account, so the alarm has no
/// table.
#[test]
fn invalid_requests_raise_an_alarm() {
    let resources = resources("exam");
    let (threshold, _, metrics) = alarm(&resources, "DynamoDB-UserErrors");
    assert_eq!((threshold, metrics), (5, vec![(300, "Sum".to_owned())]));
    let metric = &resources["UserErrors"]["Properties"]["Metrics"][0]["MetricStat"]["Metric"];
    assert_eq!(metric["Dimensions"], Value::Array(Vec::new()));
}

/// booking, "10.2": 5 throttled requests in 5 minutes, 80 % of the capacity for 5 minutes, 95 % of
/// a minute's requests, 200 ms on average.
#[test]
fn the_thresholds_of_the_booking_document_are_kept() {
    let resources = resources("booking");
    let alarms = of_kind(&resources, "AWS::CloudWatch::Alarm");
    let of = |name: &str| {
        let prefix = format!("DynamoDB-{name}-${{");
        let name = alarms.iter().filter(|it| {
            it["AlarmName"]["Fn::Sub"]
                .as_str()
                .is_some_and(|it| it.starts_with(&prefix))
        });
        name.map(|it| {
            let stat = &it["Metrics"][0]["MetricStat"];
            (
                it["Threshold"].as_u64().unwrap(),
                stat["Period"].as_u64().unwrap(),
            )
        })
        .collect::<Vec<_>>()
    };
    for (name, threshold, period) in [
        ("Throttles", 5, 300),
        ("ReadUsage", 80, 300),
        ("WriteUsage", 80, 300),
        ("ReadSuccessRate", 95, 60),
        ("WriteSuccessRate", 95, 60),
        ("Latency", 200, 300),
    ] {
        let found = of(name);
        assert!(!found.is_empty(), "{name}");
        assert!(
            found.iter().all(|it| *it == (threshold, period)),
            "{name}: {found:?}"
        );
    }
}

/// The ten operations on items, transactional reads included.
const OPERATIONS: [&str; 10] = [
    "BatchGetItem",
    "BatchWriteItem",
    "DeleteItem",
    "GetItem",
    "PutItem",
    "Query",
    "Scan",
    "TransactGetItems",
    "TransactWriteItems",
    "UpdateItem",
];

/// Returns the operations that the alarms of one kind count, of all tables.
fn counted(schema: &str, alarms: &[&str]) -> BTreeSet<String> {
    let resources = resources(schema);
    let resources = resources.as_object().unwrap().iter();
    let of_kind = resources.filter(|(id, _)| alarms.iter().any(|it| id.ends_with(it)));
    let metrics =
        of_kind.flat_map(|(_, it)| it["Properties"]["Metrics"].as_array().unwrap().clone());
    let dimensions = metrics.flat_map(|metric| {
        let dimensions = metric["MetricStat"]["Metric"]["Dimensions"].as_array();
        dimensions.cloned().unwrap_or_default()
    });
    let operations = dimensions.filter(|it| it["Name"] == "Operation");
    operations
        .map(|it| it["Value"].as_str().unwrap().to_owned())
        .collect()
}

/// CloudWatch takes ten metrics an alarm; every operation on items is in one of the alarms of each
/// kind.
#[test]
fn alarms_count_every_operation() {
    for schema in NAMES {
        let all = BTreeSet::from(OPERATIONS.map(str::to_owned));
        assert_eq!(counted(schema, &["SystemErrors"]), all, "{schema}");
        assert_eq!(counted(schema, &["Latency"]), all, "{schema}");
        let rates = ["ReadSuccessRate", "WriteSuccessRate"];
        assert_eq!(counted(schema, &rates), all, "{schema}");
        let resources = resources(schema);
        for alarm in of_kind(&resources, "AWS::CloudWatch::Alarm") {
            let metrics = alarm["Metrics"].as_array().unwrap();
            let stored = metrics.iter().filter(|it| it["MetricStat"].is_object());
            assert!(stored.count() <= 10, "{schema}: {}", alarm["AlarmName"]);
        }
    }
}

/// exam: AWS Backup every day; recovery to any point of the last 35 days is DynamoDB's. booking,
/// "9.1": kept for 30 days.
#[test]
fn daily_backups_are_kept_as_long_as_the_documents_say() {
    for (schema, days) in [("exam", 35), ("booking", 30)] {
        let resources = resources(schema);
        let plan = of_kind(&resources, "AWS::Backup::BackupPlan")[0];
        let rule = &plan["BackupPlan"]["BackupPlanRule"][0];
        assert_eq!(rule["Lifecycle"]["DeleteAfterDays"], days, "{schema}");
    }
}

/// CloudWatch cannot publish to a topic that `alias/aws/sns` encrypts, because that key's policy
/// cannot be changed.
#[test]
fn alarms_can_publish_to_their_topic() {
    for schema in NAMES {
        let resources = resources(schema);
        let topic = of_kind(&resources, "AWS::SNS::Topic")[0];
        match topic.get("KmsMasterKeyId") {
            None => {}
            Some(key) => {
                assert_eq!(key["Ref"], "TableKey", "{schema}");
                let policy = &of_kind(&resources, "AWS::KMS::Key")[0]["KeyPolicy"];
                let statements = policy["Statement"].as_array().unwrap();
                let of_alarms = statements
                    .iter()
                    .find(|it| it["Principal"]["Service"] == "cloudwatch.amazonaws.com");
                let actions = &of_alarms.unwrap()["Action"];
                assert_eq!(*actions, json!(["kms:Decrypt", "kms:GenerateDataKey*"]));
            }
        }
        assert_eq!(
            of_kind(&resources, "AWS::SNS::Subscription").len(),
            1,
            "{schema}"
        );
        let outputs = &generated(schema, "cloudformation.json")["Outputs"];
        assert_eq!(outputs["AlarmTopicArn"]["Value"]["Ref"], "AlarmTopic");
    }
}

/// A user of a table with a customer-managed key needs the key too: every generated role may use
/// it, through DynamoDB, and no other key.
#[test]
fn every_role_may_use_the_key_of_its_tables() {
    for schema in NAMES {
        let key = table_key(schema);
        for file in POLICIES {
            let policy = generated(schema, file);
            let refused = key.iter().flat_map(|key| refused_of_key(&policy, key));
            assert_eq!(refused.collect::<Vec<_>>(), [""; 0], "{schema}/{file}");
            let other = TableKey {
                alias: "alias/other".into(),
                tables: BTreeSet::new(),
            };
            assert_eq!(refused_of_key(&policy, &other).len(), 5, "{schema}/{file}");
        }
    }
}

/// Returns each request that an access pattern sends: its operation and body.
fn requests(schema: &str) -> Vec<(String, Value)> {
    let model = generated(schema, "model.json");
    let patterns = model["patterns"].as_array().unwrap().iter();
    let requests = patterns.flat_map(|it| it["requests"].as_array().unwrap());
    let prefix = if schema == "q" { "dev-q-" } else { "" };
    let requests = requests.map(|it| {
        let mut body = it["body"].clone();
        deployed(&mut body, prefix);
        (it["operation"].as_str().unwrap().to_owned(), body)
    });
    requests.collect()
}

/// Puts the prefix before the names of tables.
fn deployed(body: &mut Value, prefix: &str) {
    match body {
        Value::Array(all) => all.iter_mut().for_each(|it| deployed(it, prefix)),
        Value::Object(fields) => {
            if let Some(Value::Object(tables)) = fields.get_mut("RequestItems") {
                let named = std::mem::take(tables).into_iter();
                *tables = named
                    .map(|(name, it)| (format!("{prefix}{name}"), it))
                    .collect();
            }
            for (name, value) in fields {
                match value {
                    Value::String(table) if name == "TableName" => table.insert_str(0, prefix),
                    other => deployed(other, prefix),
                }
            }
        }
        _ => {}
    }
}

/// Every request of the access patterns that are listed for the role, with the key that its tables
/// need. Without the key, or with another role's policy, it is refused.
#[test]
fn the_service_role_allows_only_the_requests_of_its_patterns() {
    for schema in NAMES {
        let policy = generated(schema, "service-policy.json");
        let key = table_key(schema).map(|key| TableKey {
            tables: key.tables.iter().cloned().collect(),
            ..key
        });
        let own = requests(schema);
        assert!(own.len() > 10, "{schema}");
        for (operation, body) in &own {
            // The document's migration has a separate role.
            let refused = refused(&policy, key.as_ref(), operation, body);
            let is_migration = schema == "exam" && operation == "Scan";
            assert!(refused.is_empty() || is_migration, "{schema}: {refused:?}");
            // None of this is allowed in another schema's tables.
            let others = NAMES.into_iter().filter(|other| *other != schema);
            for other in others {
                let policy = generated(other, "service-policy.json");
                let refused = crate::simulator::refused(&policy, None, operation, body);
                assert!(!refused.is_empty(), "{other} may {operation} in {schema}");
            }
        }
        let tables = [
            ("DeleteTable", "x"),
            ("UpdateTable", "x"),
            ("CreateTable", "x"),
        ];
        let name = own
            .iter()
            .find_map(|(_, body)| body["TableName"].as_str())
            .unwrap();
        for (operation, _) in tables {
            let body = json!({ "TableName": name });
            assert_eq!(
                refused(&policy, None, operation, &body).len(),
                1,
                "{schema}"
            );
        }
        if let Some(key) = &key {
            let mut without = policy.clone();
            let statements = without["Statement"].as_array_mut().unwrap();
            statements.retain(|it| !it["Resource"].as_str().unwrap().contains(":kms:"));
            let (operation, body) = &own[0];
            assert_eq!(
                refused(&without, Some(key), operation, body).len(),
                5,
                "{schema}"
            );
        }
    }
}

/// A user's policy over every request of the access patterns: users named in its partition keys may
/// send it, and no others.
#[test]
fn a_user_reaches_no_partition_of_another() {
    for (schema, prefix) in [
        ("exam", ""),
        ("shop", ""),
        ("booking", ""),
        ("shogi", ""),
        ("q", "dev-q-"),
        ("hosting", ""),
    ] {
        let policy = generated(schema, "user-policy.json");
        let keys = PartitionKeys::new(&generated(schema, "create-table.json"), prefix);
        let requests = requests(schema);
        // The users named in a key of any request.
        let texts = requests.iter().map(|(_, body)| body.to_string());
        let texts: Vec<_> = texts.collect();
        let words = texts.iter().flat_map(|it| it.split(['"', '#']));
        let users: BTreeSet<_> = words.filter(|it| !it.is_empty()).collect();
        let mut allowed = 0;
        for (operation, body) in &requests {
            let of = |user: &&&str| allows_user(&policy, &keys, user, operation, body);
            let may: Vec<_> = users.iter().filter(of).collect();
            assert!(may.len() <= 1, "{schema}: {may:?} may {operation} {body}");
            if let [user] = may.as_slice() {
                let text = body.to_string();
                assert!(text.contains(**user), "{schema}: {user}, {text}");
                allowed += 1;
            }
            assert!(!allows_user(&policy, &keys, "nobody-else", operation, body));
        }
        assert!(allowed > 0, "{schema}: a user may send nothing");
    }
}

fn capacity(schema: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/generated");
    std::fs::read_to_string(format!("{folder}/{schema}/capacity.md")).unwrap()
}

/// Asserts that the report has the consumption of each access pattern. A pattern that refuses a
/// write also reads.
fn assert_capacity_is_known(schema: &str) {
    let report = capacity(schema);
    let of = SCHEMAS.into_iter().find(|it| it.name == schema).unwrap();
    for pattern in (of.patterns)() {
        let start = format!("| {} | {} | ", pattern.number, pattern.name);
        let row = report.lines().find_map(|line| line.strip_prefix(&start));
        let mut cells = row.unwrap_or_else(|| panic!("no row {start}")).split(" | ");
        let units: Vec<f64> = cells
            .by_ref()
            .take(2)
            .map(|it| it.parse().unwrap())
            .collect();
        assert!(units.iter().sum::<f64>() > 0.0, "{start}");
    }
}

/// booking, "1." and "5.2": throughput and cost follow from the patterns.
#[test]
fn capacity_of_the_booking_patterns_is_known() {
    assert_capacity_is_known("booking");
}

/// shogi, "Why a single table": the cost of each pattern.
#[test]
fn capacity_of_the_shogi_patterns_is_known() {
    assert_capacity_is_known("shogi");
}

/// booking, "1.": at the declared rates no partition exceeds its limits.
#[test]
fn no_partition_of_the_booking_tables_is_hot() {
    assert!(capacity("booking").contains("### Hot partitions\n\nNone:"));
}

/// shogi, "Scalability": all analyses are in one partition, and the report names the required
/// number of shards.
#[test]
fn the_hot_partition_of_the_shogi_table_is_reported() {
    let report = capacity("shogi");
    let (_, hot) = report.split_once("### Hot partitions\n\n").unwrap();
    let lines: Vec<_> = hot.lines().collect();
    assert_eq!(lines.len(), 1, "{hot}");
    assert!(
        lines[0].starts_with("- `analysis` in ShogiProject"),
        "{hot}"
    );
    assert!(lines[0].contains("2 shards cure it"), "{hot}");
}

/// Q., "7" to "9": tables that can be restored, on demand, only in Tokyo, with names of
/// `{environment}-{app}-{table}`.
#[test]
fn the_tables_of_q_are_deployed_as_the_document_says() {
    let resources = resources("q");
    let tables = of_kind(&resources, "AWS::DynamoDB::Table");
    // The document's twelve, and the reservations.
    assert_eq!(tables.len(), 13);
    for table in tables {
        let name = table["TableName"]["Fn::Sub"].as_str().unwrap();
        assert!(name.starts_with("${TablePrefix}"), "{name}");
        assert_eq!(table["BillingMode"], "PAY_PER_REQUEST", "{name}");
        let recovery = &table["PointInTimeRecoverySpecification"];
        assert_eq!(recovery["PointInTimeRecoveryEnabled"], true, "{name}");
        let indexes = table["GlobalSecondaryIndexes"].as_array();
        let indexes = indexes.into_iter().flatten();
        let throughput = indexes.filter(|index| index.get("ProvisionedThroughput").is_some());
        assert_eq!(throughput.count(), 0, "{name}");
    }
    assert!(of_kind(&resources, "AWS::DynamoDB::GlobalTable").is_empty());
    let parameters = generated("q", "cloudformation.json")["Parameters"].take();
    assert_eq!(parameters["TablePrefix"]["Default"], "dev-q-");
    for file in ["service-policy.json", "user-policy.json"] {
        let policy = generated("q", file);
        for statement in policy["Statement"].as_array().unwrap() {
            let resource = statement["Resource"].to_string();
            assert!(
                resource.contains(":ap-northeast-1:123456789012:table/dev-q-"),
                "{resource}"
            );
        }
    }
}

/// A user with write access to their own item could become an administrator, and one who could
/// write follows would falsify counts.
#[test]
fn a_user_of_q_may_write_only_push_tokens() {
    let policy = generated("q", "user-policy.json");
    for statement in policy["Statement"].as_array().unwrap() {
        let actions = statement["Action"].to_string();
        let writes = ["Put", "Update", "Delete", "BatchWrite"]
            .iter()
            .any(|it| actions.contains(it));
        let resource = statement["Resource"].to_string();
        assert_eq!(
            writes,
            resource.contains("PushTokens"),
            "{actions} on {resource}"
        );
    }
}

/// exam, "Encryption" and "PITR": the template has the document's properties, with a key of the
/// template's own.
#[test]
fn the_exam_table_is_encrypted_and_recoverable() {
    let resources = resources("exam");
    let table = of_kind(&resources, "AWS::DynamoDB::Table")[0];
    assert_eq!(
        table["SSESpecification"],
        json!({ "SSEEnabled": true, "SSEType": "KMS", "KMSMasterKeyId": { "Ref": "TableKey" } })
    );
    assert_eq!(
        table["PointInTimeRecoverySpecification"],
        json!({ "PointInTimeRecoveryEnabled": true })
    );
    assert_eq!(table["BillingMode"], "PAY_PER_REQUEST");
}

/// Returns the actions on data and the resources of a policy.
fn rights(schema: &str, file: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let policy = generated(schema, file);
    let statements = policy["Statement"].as_array().unwrap().iter();
    let of_data = statements.filter(|it| it["Resource"].as_str().unwrap().contains(":dynamodb:"));
    let (mut actions, mut resources) = (BTreeSet::new(), BTreeSet::new());
    for statement in of_data {
        let names = statement["Action"].as_array().unwrap().iter();
        actions.extend(names.map(|it| it.as_str().unwrap().replace("dynamodb:", "")));
        let resource = statement["Resource"].as_str().unwrap();
        resources.insert(resource.rsplit(':').next().unwrap().to_owned());
    }
    (actions, resources)
}

fn names(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|it| (*it).to_owned()).collect()
}

/// exam, "IAM policy": the four actions of the document and its two batches; the table and its
/// indexes; no more.
#[test]
fn the_exam_service_has_only_the_permissions_of_the_document() {
    let (actions, resources) = rights("exam", "service-policy.json");
    let documented = [
        "Query",
        "GetItem",
        "PutItem",
        "UpdateItem",
        "BatchGetItem",
        "BatchWriteItem",
    ];
    assert_eq!(actions, names(&documented));
    let table = "table/ExamStudyApp";
    let indexes = ["GSI1", "GSI2"].map(|index| format!("{table}/index/{index}"));
    assert_eq!(resources, names(&[table, &indexes[0], &indexes[1]]));
}

/// exam: a migration scans and deletes, which the service may not. The role that may reads no
/// index.
#[test]
fn exam_migrations_have_a_separate_role() {
    let (actions, resources) = rights("exam", "migration-policy.json");
    assert!(actions.is_superset(&names(&["Scan", "PutItem", "UpdateItem", "DeleteItem"])));
    assert!(!actions.contains("Query"));
    assert_eq!(resources, names(&["table/ExamStudyApp"]));
}

/// exam, "Metrics": both consumed capacities, of the table.
#[test]
fn consumed_capacity_of_the_exam_table_is_watched() {
    let resources = resources("exam");
    for (name, metric) in [
        ("DynamoDB-ReadUsage", "ConsumedReadCapacityUnits"),
        ("DynamoDB-WriteUsage", "ConsumedWriteCapacityUnits"),
    ] {
        let alarms = of_kind(&resources, "AWS::CloudWatch::Alarm");
        let alarm = alarms
            .into_iter()
            .find(|it| it["AlarmName"] == name)
            .unwrap();
        let watched = &alarm["Metrics"][0]["MetricStat"]["Metric"];
        assert_eq!(
            (&watched["MetricName"], &watched["Namespace"]),
            (&json!(metric), &json!("AWS/DynamoDB"))
        );
        assert_eq!(watched["Dimensions"][0]["Name"], "TableName", "{name}");
    }
}

/// exam, "Alerts": `EvaluationPeriods: 1`, and the metric of the namespace `AWS/DynamoDB`, in all
/// operations.
#[test]
fn one_period_of_system_errors_is_enough() {
    let resources = resources("exam");
    let alarms = of_kind(&resources, "AWS::CloudWatch::Alarm");
    let alarm = alarms
        .into_iter()
        .find(|it| it["AlarmName"] == "DynamoDB-SystemErrors")
        .unwrap();
    assert_eq!(alarm["EvaluationPeriods"], 1);
    let metrics = alarm["Metrics"].as_array().unwrap().iter();
    let metrics: Vec<_> = metrics
        .map(|it| &it["MetricStat"]["Metric"])
        .filter(|it| it.is_object())
        .collect();
    assert!(!metrics.is_empty());
    assert!(
        metrics
            .iter()
            .all(|it| it["MetricName"] == "SystemErrors" && it["Namespace"] == "AWS/DynamoDB")
    );
}

/// exam: with these shards, no partition exceeds its limits; without them one does, as
/// `documents/exam` shows.
#[test]
fn no_partition_of_the_exam_table_is_hot() {
    let report = capacity("exam");
    assert!(report.contains("### Hot partitions\n\nNone:"), "{report}");
    let row = "| `ANALYTICS#<exam_type>#<user_id:shard(4)>` in ExamStudyApp GSI1 | 4 |";
    assert!(report.contains(row), "{report}");
}

/// exam, "separation of users' data": each statement on items has the caller's partition, and no
/// request without one.
#[test]
fn a_user_of_the_study_app_reaches_only_own_items() {
    let policy = generated("exam", "user-policy.json");
    let statements = policy["Statement"].as_array().unwrap().iter();
    let of_data = statements.filter(|it| it["Resource"].as_str().unwrap().contains(":dynamodb:"));
    let conditions: Vec<_> = of_data.map(|it| &it["Condition"]).collect();
    let own = json!({
        "ForAllValues:StringEquals": { "dynamodb:LeadingKeys": ["USER#${aws:PrincipalTag/sub}"] },
        "Null": { "dynamodb:LeadingKeys": "false" },
    });
    assert_eq!(conditions, [&own]);
}

/// shop, "Hot partitions": a popular product's activity is too much for one partition, also of a
/// day, and not for ten.
#[test]
fn shards_cure_the_hot_partition_of_a_popular_product() {
    let report = capacity("shop");
    let (_, hot) = report.split_once("### Hot partitions\n\n").unwrap();
    let (hot, cured) = hot
        .split_once("\n\n### Partitions that shards have cured\n")
        .unwrap();
    let row = "| `PRODUCT#<product_id>#<user_id:shard(10)>` in DynamoDBShop | 10 | 0 read, 1800 \
               write | 0 read, 180 write |";
    assert!(cured.contains(row), "{cured}");
    let templates: Vec<_> = hot
        .lines()
        .map(|it| it.split('`').nth(1).unwrap())
        .collect();
    assert_eq!(
        templates,
        [
            "PRODUCT#<product_id>",
            "PRODUCT#<product_id>#<created_at:%Y-%m-%d>"
        ],
        "{hot}"
    );
}

/// shop, "Hot partitions": throttled requests are noticed, of reads and writes.
#[test]
fn throttled_requests_of_the_shop_raise_an_alarm() {
    let resources = resources("shop");
    let alarms = of_kind(&resources, "AWS::CloudWatch::Alarm");
    let is_of_throttles = |it: &&&Value| it.to_string().contains("DynamoDB-Throttles");
    let of_throttles: Vec<_> = alarms.iter().filter(is_of_throttles).collect();
    assert_eq!(of_throttles.len(), 2, "one for each table");
    for alarm in of_throttles {
        let metrics = alarm["Metrics"].to_string();
        assert!(metrics.contains("ReadThrottleEvents") && metrics.contains("WriteThrottleEvents"));
    }
}

/// The metrics that a dashboard shows.
fn shown(template: &Value) -> BTreeSet<String> {
    let dashboard = of_kind(&template["Resources"], "AWS::CloudWatch::Dashboard")[0];
    let body = dashboard["DashboardBody"]["Fn::Sub"].as_str().unwrap();
    let body: Value = serde_json::from_str(body).unwrap();
    let widgets = body["widgets"].as_array().unwrap().iter();
    let metrics = widgets.filter_map(|it| it["properties"]["metrics"].as_array());
    let names = metrics
        .flatten()
        .map(|it| it[1].as_str().unwrap().to_owned());
    names.collect()
}

fn phase(phase: Phase) -> Value {
    let (_, settings) = find("booking").unwrap();
    let model = phase.model((settings.model)());
    model.cloud_formation(&phase.deployment(settings.deployment))
}

/// booking, "5.3" and "10.1": each metric is on the dashboard; the provisioned capacity, once it
/// exists.
#[test]
fn the_dashboard_of_the_booking_tables_has_the_documents_metrics() {
    let first = generated("booking", "cloudformation.json");
    for metric in [
        "ConsumedReadCapacityUnits",
        "ConsumedWriteCapacityUnits",
        "ThrottledRequests",
        "ReadThrottleEvents",
        "WriteThrottleEvents",
        "SuccessfulRequestLatency",
        "SystemErrors",
        "UserErrors",
    ] {
        assert!(shown(&first).contains(metric), "{metric}");
    }
    let later = shown(&phase(Phase::Optimised));
    for metric in [
        "ProvisionedReadCapacityUnits",
        "ProvisionedWriteCapacityUnits",
    ] {
        assert!(!shown(&first).contains(metric), "{metric}");
        assert!(later.contains(metric), "{metric}");
    }
}

/// booking, "5.2" and "11.": first all tables on demand; then all provisioned, scaled with their
/// indexes below the alarm.
#[test]
fn each_phase_of_the_rollout_has_its_template() {
    let (first, second) = (phase(Phase::Mvp), phase(Phase::Optimised));
    let kept = generated("booking", "cloudformation.json");
    let is_kept = first["Resources"] == kept["Resources"];
    assert!(is_kept, "phase 1 is what `generated` has");
    let tables = |template: &Value, provisioned: bool| {
        let tables = of_kind(&template["Resources"], "AWS::DynamoDB::Table");
        assert_eq!(tables.len(), 7);
        for table in tables {
            let on_demand = table["BillingMode"] == "PAY_PER_REQUEST";
            assert_eq!(on_demand, !provisioned, "{}", table["TableName"]);
            assert_eq!(table["ProvisionedThroughput"].is_object(), provisioned);
        }
    };
    tables(&first, false);
    tables(&second, true);
    let scaled = |template: &Value| {
        let kind = "AWS::ApplicationAutoScaling::ScalingPolicy";
        let policies = of_kind(&template["Resources"], kind);
        for policy in &policies {
            let target = &policy["TargetTrackingScalingPolicyConfiguration"]["TargetValue"];
            assert!(target.as_u64() < Some(80), "the alarm is at 80 %");
        }
        policies.len()
    };
    // Reads and writes of seven tables and seven indexes.
    assert_eq!((scaled(&first), scaled(&second)), (0, 28));
}

/// booking, "11.", phase 3: each table is in two regions, protected and encrypted in both.
#[test]
fn the_last_phase_of_the_rollout_has_replicas() {
    let template = phase(Phase::Global);
    let tables = of_kind(&template["Resources"], "AWS::DynamoDB::GlobalTable");
    assert_eq!(tables.len(), 7);
    for table in tables {
        let view = &table["StreamSpecification"]["StreamViewType"];
        assert_eq!(view, "NEW_AND_OLD_IMAGES");
        let scaled = &table["WriteProvisionedThroughputSettings"];
        assert!(scaled.is_object(), "{table:#}");
        let replicas = table["Replicas"].as_array().unwrap();
        let regions: Vec<_> = replicas.iter().map(|it| it["Region"].clone()).collect();
        let expected = [json!({ "Ref": "AWS::Region" }), json!("ap-northeast-3")];
        assert_eq!(regions, expected);
        for replica in replicas {
            let recovery = &replica["PointInTimeRecoverySpecification"];
            assert_eq!(recovery["PointInTimeRecoveryEnabled"], true);
        }
    }
}

/// booking, "9.2": all tables can be restored to any point of the last 35 days, DynamoDB's default.
#[test]
fn every_booking_table_can_be_restored_for_35_days() {
    let resources = resources("booking");
    let tables = of_kind(&resources, "AWS::DynamoDB::Table");
    assert_eq!(tables.len(), 7);
    for table in tables {
        let recovery = &table["PointInTimeRecoverySpecification"];
        assert_eq!(recovery["PointInTimeRecoveryEnabled"], true);
        let days = recovery["RecoveryPeriodInDays"].as_u64();
        assert_eq!(days.unwrap_or(35), 35, "{}", table["TableName"]);
    }
}

/// booking, "8.2": rarely used data is exported to a bucket, and moves to Glacier.
#[test]
fn booking_data_can_be_archived_in_s3() {
    let resources = resources("booking");
    let bucket = of_kind(&resources, "AWS::S3::Bucket")[0];
    let rule = &bucket["LifecycleConfiguration"]["Rules"][0];
    assert_eq!(rule["Transitions"][0]["StorageClass"], "GLACIER", "{rule}");
    assert_eq!(rule["Transitions"][0]["TransitionInDays"], 90, "{rule}");
}
