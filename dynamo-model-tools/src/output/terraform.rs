//! Terraform, in its JSON syntax: the same tables, key, alarms and backups as the CloudFormation
//! template.

mod replicas;

use super::alarms::{Alarm, Metric};
use super::scaling::Scaled;
use super::{Deployment, archive, dashboard, encryption, snake};
use crate::{Model, TableModel};
use dynamo_model::__tools::{CreateIndex, CreateTable};
use serde_json::{Map, Value, json};

impl Model {
    /// Terraform's JSON syntax, for a file `tables.tf.json`.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", deletion_protection)]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::{Deployment, Model};
    ///
    /// let terraform = Model::new("app").entity::<User>().terraform(&Deployment::new());
    /// let table = &terraform["resource"]["aws_dynamodb_table"]["app"];
    /// assert_eq!((&table["hash_key"], &table["deletion_protection_enabled"]), (&"PK".into(), &true.into()));
    /// ```
    #[must_use]
    pub fn terraform(&self, deployment: &Deployment) -> Value {
        let mut resources = Map::new();
        let mut add = |kind: &str, name: String, value: Value| {
            let all = resources
                .entry(kind.to_owned())
                .or_insert_with(|| json!({}));
            all[name.as_str()] = value;
        };
        let makes_key = deployment.makes_key(self);
        for model in &self.tables {
            let name = snake(model.schema.name);
            add("aws_dynamodb_table", name.clone(), table(deployment, model));
            let scaling = deployment.scaling_of(&model.schema);
            let percent = scaling.map_or(0, |it| it.target_percent);
            for scaled in scaling.iter().flat_map(|it| it.of(model)) {
                for (kind, value) in scaling_of(&name, &scaled, percent) {
                    add(kind, snake(&scaled.name), value);
                }
            }
            for (name, value) in replicas::resources(deployment, model) {
                add("aws_dynamodb_table_replica", name, value);
            }
            for one in deployment.alarms.of(model) {
                let id = format!("{name}_{}", snake(&one.name));
                let alone = self.tables.len() == 1 && deployment.table_prefix.is_empty();
                let value = alarm(Some(&name), alone, &one);
                add("aws_cloudwatch_metric_alarm", id, value);
            }
        }
        let user_errors = deployment.alarms.user_errors();
        let value = alarm(None, true, &user_errors);
        add("aws_cloudwatch_metric_alarm", "user_errors".into(), value);
        for (kind, value) in topic(self, makes_key) {
            add(kind, "alarms".into(), value);
        }
        if makes_key {
            add("aws_kms_key", "tables".into(), key(self));
            let alias = json!({
                "name": literal(&encryption::alias(self)),
                "target_key_id": "${aws_kms_key.tables.key_id}",
            });
            add("aws_kms_alias", "tables".into(), alias);
        }
        if let Some(days) = deployment.daily_backups {
            self.backups(days)
                .into_iter()
                .for_each(|(kind, name, value)| add(kind, name.into(), value));
        }
        if deployment.dashboard {
            add(
                "aws_cloudwatch_dashboard",
                "tables".into(),
                dashboard_of(self),
            );
        }
        if let Some(days) = deployment.archive {
            for (kind, value) in archive_of(self, makes_key, days) {
                add(kind, "archive".into(), value);
            }
        }
        let mut out = json!({
            "terraform": {
                "required_providers": { "aws": { "source": "hashicorp/aws", "version": ">= 5.0" } },
            },
            "variable": {
                "alarm_email": {
                    "type": "string",
                    "default": "",
                    "description": "The address that alarms are sent to; empty for none",
                },
            },
            "data": { "aws_caller_identity": { "current": {} }, "aws_region": { "current": {} } },
            "resource": resources,
            "output": outputs(self),
        });
        replicas::complete(deployment, self, &mut out);
        if !deployment.table_prefix.is_empty() {
            out["variable"]["table_prefix"] = json!({
                "type": "string",
                "default": literal(&deployment.table_prefix),
                "description": "The prefix of each table's name",
            });
        }
        out
    }

    /// Returns kind, name and value of each resource.
    fn backups(&self, days: u16) -> [(&'static str, &'static str, Value); 6] {
        let arns = self.tables.iter();
        let arns = arns.map(|it| format!("${{aws_dynamodb_table.{}.arn}}", snake(it.schema.name)));
        let name = format!("{}-tables", literal(&self.name));
        let assume = json!({
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow",
                "Principal": { "Service": "backup.amazonaws.com" },
                "Action": "sts:AssumeRole",
            }],
        });
        let managed = |name: &str| {
            let arn = format!("arn:aws:iam::aws:policy/service-role/{name}");
            json!({ "role": "${aws_iam_role.tables.name}", "policy_arn": arn })
        };
        [
            ("aws_backup_vault", "tables", json!({ "name": name })),
            (
                "aws_backup_plan",
                "tables",
                json!({
                    "name": name,
                    "rule": [{
                        "rule_name": "daily",
                        "target_vault_name": "${aws_backup_vault.tables.name}",
                        "schedule": "cron(0 18 * * ? *)",
                        "lifecycle": [{ "delete_after": days }],
                    }],
                }),
            ),
            (
                "aws_backup_selection",
                "tables",
                json!({
                    "name": name,
                    "plan_id": "${aws_backup_plan.tables.id}",
                    "iam_role_arn": "${aws_iam_role.tables.arn}",
                    "resources": arns.collect::<Vec<_>>(),
                }),
            ),
            (
                "aws_iam_role",
                "tables",
                json!({
                    "name": format!("{}-backup", literal(&self.name)),
                    "assume_role_policy": assume.to_string(),
                }),
            ),
            (
                "aws_iam_role_policy_attachment",
                "tables",
                managed("AWSBackupServiceRolePolicyForBackup"),
            ),
            (
                "aws_iam_role_policy_attachment",
                "restores",
                managed("AWSBackupServiceRolePolicyForRestores"),
            ),
        ]
    }
}

/// Escapes a name: Terraform reads `${` and `%{` in any text as the beginning of an expression.
pub(super) fn literal(text: &str) -> String {
    text.replace("${", "$${").replace("%{", "%%{")
}

fn table(deployment: &Deployment, table: &TableModel) -> Value {
    let schema = &table.schema;
    let create = CreateTable::of(schema);
    let attributes = create.attribute_definitions.iter();
    let attributes = attributes.map(
        |attribute| json!({ "name": literal(attribute.name), "type": attribute.key_type.as_str() }),
    );
    let prefix = if deployment.table_prefix.is_empty() {
        ""
    } else {
        "${var.table_prefix}"
    };
    let mut out = Map::new();
    let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
    set("name", json!(format!("{prefix}{}", literal(schema.name))));
    set("hash_key", json!(literal(schema.pk.name)));
    if let Some(sk) = schema.sk {
        set("range_key", json!(literal(sk.name)));
    }
    set("attribute", attributes.collect());
    match create.throughput {
        Some((read, write)) => {
            set("billing_mode", json!("PROVISIONED"));
            set("read_capacity", json!(read));
            set("write_capacity", json!(write));
        }
        None => {
            set("billing_mode", json!("PAY_PER_REQUEST"));
        }
    }
    if let Some(maximum) = schema.on_demand_maximum {
        let units = json!([{
            "max_read_request_units": maximum.read,
            "max_write_request_units": maximum.write,
        }]);
        set("on_demand_throughput", units);
    }
    if let Some(warm) = schema.warm_throughput {
        let units = json!([{
            "read_units_per_second": warm.read,
            "write_units_per_second": warm.write,
        }]);
        set("warm_throughput", units);
    }
    if schema.class != dynamo_model::schema::TableClass::Standard {
        set("table_class", json!(schema.class.as_str()));
    }
    if !schema.tags.is_empty() {
        let tags = schema.tags.iter();
        let tags = tags.map(|(name, value)| ((*name).to_owned(), json!(literal(value))));
        set("tags", Value::Object(tags.collect()));
    }
    set(
        "deletion_protection_enabled",
        json!(create.deletion_protection),
    );
    set(
        "point_in_time_recovery",
        json!([{ "enabled": schema.point_in_time_recovery }]),
    );
    if let Some(view) = create.stream {
        set("stream_enabled", json!(true));
        set("stream_view_type", json!(view));
    }
    if let Some(ttl) = schema.ttl {
        set(
            "ttl",
            json!([{ "attribute_name": literal(ttl), "enabled": true }]),
        );
    }
    if let Some(key) = create.kms {
        set(
            "server_side_encryption",
            json!([encryption(deployment, key)]),
        );
    }
    if !create.global.is_empty() {
        let indexes = create
            .global
            .iter()
            .map(|index| global(index, create.throughput));
        set("global_secondary_index", indexes.collect());
    }
    if !create.local.is_empty() {
        set(
            "local_secondary_index",
            create.local.iter().map(local).collect(),
        );
    }
    if !schema.vectors.is_empty() {
        // A property of this name is a comment.
        let names: Vec<_> = schema.vectors.iter().map(|it| it.name).collect();
        let names = names.join(", ");
        let comment = format!(
            "without the vector indexes {names}: the AWS provider has none yet (hashicorp/terraform-provider-aws#49350); add them with `Table::plan`"
        );
        set("//", json!(comment));
    }
    let blocks = replicas::blocks(deployment, schema);
    if !blocks.is_empty() {
        set("replica", json!(blocks));
    }
    // Data outlives a plan that would replace the table.
    let mut lifecycle = json!({ "prevent_destroy": true });
    let mut ignored = Vec::new();
    if deployment.scaling_of(schema).is_some() && create.throughput.is_some() {
        ignored.extend(["read_capacity", "write_capacity"]);
    }
    if replicas::are_resources(schema) {
        ignored.push("replica");
    }
    if !ignored.is_empty() {
        lifecycle["ignore_changes"] = json!(ignored);
    }
    set("lifecycle", json!([lifecycle]));
    Value::Object(out)
}

/// Returns the scalable target, and its metric.
fn scaling_of(table: &str, scaled: &Scaled, percent: u32) -> [(&'static str, Value); 2] {
    let target = |attribute: &str| {
        let name = snake(&scaled.name);
        format!("${{aws_appautoscaling_target.{name}.{attribute}}}")
    };
    let id = format!("table/${{aws_dynamodb_table.{table}.name}}{}", scaled.index);
    [
        (
            "aws_appautoscaling_target",
            json!({
                "service_namespace": "dynamodb",
                "resource_id": id,
                "scalable_dimension": scaled.dimension,
                "min_capacity": scaled.min,
                "max_capacity": scaled.max,
            }),
        ),
        (
            "aws_appautoscaling_policy",
            json!({
                "name": format!("${{aws_dynamodb_table.{table}.name}}-{}", scaled.name),
                "policy_type": "TargetTrackingScaling",
                "service_namespace": target("service_namespace"),
                "resource_id": target("resource_id"),
                "scalable_dimension": target("scalable_dimension"),
                "target_tracking_scaling_policy_configuration": [{
                    "target_value": percent,
                    "predefined_metric_specification": [{
                        "predefined_metric_type": scaled.metric,
                    }],
                }],
            }),
        ),
    ]
}

fn dashboard_of(model: &Model) -> Value {
    let name = |table: &TableModel| {
        let name = snake(table.schema.name);
        format!("${{aws_dynamodb_table.{name}.name}}")
    };
    let body = dashboard::body(model, "${data.aws_region.current.name}", name);
    json!({
        "dashboard_name": format!("{}-tables", model.name),
        "dashboard_body": body.to_string(),
    })
}

/// Writes the bucket of exports, and the policy for exporting roles.
fn archive_of(model: &Model, makes_key: bool, days: u32) -> [(&'static str, Value); 6] {
    const BUCKET: &str = "${aws_s3_bucket.archive.id}";
    let tables = archive::tables(model).into_iter().map(snake);
    let tables: Vec<_> = tables.collect();
    let arn = |name: &String| format!("${{aws_dynamodb_table.{name}.arn}}");
    let place = archive::Place {
        bucket: json!("${aws_s3_bucket.archive.arn}"),
        objects: json!("${aws_s3_bucket.archive.arn}/*"),
        tables: tables.iter().map(|it| json!(arn(it))).collect(),
        exports: tables
            .iter()
            .map(|it| json!(format!("{}/export/*", arn(it))))
            .collect(),
    };
    let mut policy = archive::policy(&place);
    if let (true, Some(statements)) = (makes_key, policy["Statement"].as_array_mut()) {
        statements.push(archive::key_statement(json!("${aws_kms_key.tables.arn}")));
    }
    [
        (
            "aws_s3_bucket",
            json!({
                "bucket_prefix": format!("{}-archive-", model.name),
                "lifecycle": [{ "prevent_destroy": true }],
            }),
        ),
        (
            "aws_s3_bucket_public_access_block",
            json!({
                "bucket": BUCKET,
                "block_public_acls": true,
                "block_public_policy": true,
                "ignore_public_acls": true,
                "restrict_public_buckets": true,
            }),
        ),
        (
            "aws_s3_bucket_server_side_encryption_configuration",
            json!({
                "bucket": BUCKET,
                "rule": [{
                    "apply_server_side_encryption_by_default": [{ "sse_algorithm": "AES256" }],
                }],
            }),
        ),
        (
            "aws_s3_bucket_lifecycle_configuration",
            json!({
                "bucket": BUCKET,
                "rule": [{
                    "id": "glacier",
                    "status": "Enabled",
                    "filter": [{}],
                    "transition": [{ "days": days, "storage_class": "GLACIER" }],
                }],
            }),
        ),
        (
            "aws_s3_bucket_policy",
            json!({ "bucket": BUCKET, "policy": archive::bucket_policy(&place).to_string() }),
        ),
        (
            "aws_iam_policy",
            json!({ "name": format!("{}-archive", model.name), "policy": policy.to_string() }),
        ),
    ]
}

fn encryption(deployment: &Deployment, key: Option<&str>) -> Value {
    match key {
        Some(key) => json!({ "enabled": true, "kms_key_arn": literal(key) }),
        None if deployment.customer_key => {
            json!({ "enabled": true, "kms_key_arn": "${aws_kms_key.tables.arn}" })
        }
        None => json!({ "enabled": true }),
    }
}

fn global(index: &CreateIndex, throughput: Option<(u32, u32)>) -> Value {
    let mut out = index_of(index);
    out["hash_key"] = json!(literal(index.key_schema[0].0));
    if let Some((read, write)) = throughput {
        out["read_capacity"] = json!(read);
        out["write_capacity"] = json!(write);
    }
    out
}

fn local(index: &CreateIndex) -> Value {
    index_of(index)
}

fn index_of(index: &CreateIndex) -> Value {
    let mut out = json!({ "name": literal(index.name), "projection_type": index.projection });
    if let Some((name, _)) = index.key_schema.get(1) {
        out["range_key"] = json!(literal(name));
    }
    if !index.non_key_attributes.is_empty() {
        let names = index.non_key_attributes.iter().map(|it| literal(it));
        out["non_key_attributes"] = names.collect();
    }
    out
}

/// Returns the topic of the alarms, its publishers, and an address that receives them. See the
/// CloudFormation template for its key.
fn topic(model: &Model, has_key: bool) -> [(&'static str, Value); 3] {
    let mut topic = json!({ "name": format!("{}-alarms", literal(&model.name)) });
    if has_key {
        topic["kms_master_key_id"] = json!("${aws_kms_key.tables.arn}");
    }
    let policy = json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Sid": "Alarms",
            "Effect": "Allow",
            "Principal": { "Service": "cloudwatch.amazonaws.com" },
            "Action": "sns:Publish",
            "Resource": "${aws_sns_topic.alarms.arn}",
            "Condition": { "StringEquals": { "aws:SourceAccount": ACCOUNT } },
        }],
    });
    [
        ("aws_sns_topic", topic),
        (
            "aws_sns_topic_policy",
            json!({ "arn": "${aws_sns_topic.alarms.arn}", "policy": policy.to_string() }),
        ),
        (
            "aws_sns_topic_subscription",
            json!({
                "count": "${var.alarm_email == \"\" ? 0 : 1}",
                "topic_arn": "${aws_sns_topic.alarms.arn}",
                "protocol": "email",
                "endpoint": "${var.alarm_email}",
            }),
        ),
    ]
}

/// The region and the account of the provider.
pub(super) const PLACE: (&str, &str) = ("${data.aws_region.current.name}", ACCOUNT);
const ACCOUNT: &str = "${data.aws_caller_identity.current.account_id}";

fn key(model: &Model) -> Value {
    let policy = encryption::key_policy(encryption::Place {
        root: json!(format!("arn:aws:iam::{ACCOUNT}:root")),
        account: json!(ACCOUNT),
        service: json!("dynamodb.${data.aws_region.current.name}.amazonaws.com"),
    });
    json!({
        "description": format!("Encrypts the tables of {}", literal(&model.name)),
        "enable_key_rotation": true,
        "policy": policy.to_string(),
    })
}

/// Returns an alarm of a table, or of the whole account in this region. It has the document's name
/// where its table is the only one.
fn alarm(table: Option<&str>, alone: bool, alarm: &Alarm) -> Value {
    let of_table = table.filter(|_| !alone);
    let of_table = of_table.map(|table| format!("-${{aws_dynamodb_table.{table}.name}}"));
    let metrics = alarm
        .metrics
        .iter()
        .map(|metric| metric_query(table, metric));
    let result = json!({
        "id": "result",
        "expression": alarm.expression,
        "label": alarm.label,
        "return_data": true,
    });
    json!({
        "alarm_name": format!("DynamoDB-{}{}", literal(&alarm.name), of_table.unwrap_or_default()),
        "alarm_description": literal(&alarm.description),
        "comparison_operator": alarm.comparison,
        "evaluation_periods": 1,
        "threshold": alarm.threshold,
        "treat_missing_data": "notBreaching",
        "alarm_actions": ["${aws_sns_topic.alarms.arn}"],
        "metric_query": metrics.chain([result]).collect::<Vec<_>>(),
    })
}

fn metric_query(table: Option<&str>, metric: &Metric) -> Value {
    let mut dimensions = json!({});
    if let Some(table) = table {
        dimensions["TableName"] = json!(format!("${{aws_dynamodb_table.{table}.name}}"));
    }
    if let Some((name, value)) = &metric.dimension {
        dimensions[*name] = json!(literal(value));
    }
    json!({
        "id": metric.id,
        "return_data": false,
        "metric": [{
            "namespace": "AWS/DynamoDB",
            "metric_name": metric.name,
            "dimensions": dimensions,
            "period": metric.period,
            "stat": metric.statistic,
        }],
    })
}

fn outputs(model: &Model) -> Value {
    let tables = model.tables.iter().map(|table| {
        let name = snake(table.schema.name);
        let value = format!("${{aws_dynamodb_table.{name}.arn}}");
        (format!("{name}_arn"), json!({ "value": value }))
    });
    let topic = (
        "alarm_topic_arn".into(),
        json!({ "value": "${aws_sns_topic.alarms.arn}" }),
    );
    Value::Object(tables.chain([topic]).collect())
}
