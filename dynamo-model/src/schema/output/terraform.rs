//! Terraform, in its JSON syntax: the same tables, key, alarms and backups as the CloudFormation template.

use super::alarms::{Alarm, Metric};
use super::{Deployment, snake};
use crate::schema::create::{CreateIndex, CreateTable};
use crate::schema::{Model, TableModel};
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
    /// use dynamo_model::schema::{Deployment, Model};
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
        let mut needs_key = false;
        for model in &self.tables {
            let name = snake(model.schema.name);
            needs_key |= CreateTable::of(&model.schema).kms == Some(None);
            add("aws_dynamodb_table", name.clone(), table(deployment, model));
            for one in deployment.alarms.of(self, model) {
                let id = format!("{name}_{}", snake(&one.name));
                add("aws_cloudwatch_metric_alarm", id, alarm(&name, &one));
            }
        }
        add("aws_sns_topic", "alarms".into(), topic(self));
        if needs_key && deployment.customer_key {
            add("aws_kms_key", "tables".into(), key(self));
        }
        if let Some(days) = deployment.daily_backups {
            self.backups(days)
                .into_iter()
                .for_each(|(kind, value)| add(kind, "tables".into(), value));
        }
        let mut out = json!({
            "terraform": {
                "required_providers": { "aws": { "source": "hashicorp/aws", "version": ">= 5.0" } },
            },
            "resource": resources,
            "output": outputs(self),
        });
        if !deployment.table_prefix.is_empty() {
            out["variable"] = json!({
                "table_prefix": {
                    "type": "string",
                    "default": deployment.table_prefix,
                    "description": "What stands before each table's name",
                },
            });
        }
        out
    }

    fn backups(&self, days: u16) -> [(&'static str, Value); 5] {
        let arns = self.tables.iter();
        let arns = arns.map(|it| format!("${{aws_dynamodb_table.{}.arn}}", snake(it.schema.name)));
        let name = format!("{}-tables", self.name);
        let assume = json!({
            "Version": "2012-10-17",
            "Statement": [{
                "Effect": "Allow",
                "Principal": { "Service": "backup.amazonaws.com" },
                "Action": "sts:AssumeRole",
            }],
        });
        let policy = "arn:aws:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup";
        [
            ("aws_backup_vault", json!({ "name": name })),
            (
                "aws_backup_plan",
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
                json!({
                    "name": name,
                    "plan_id": "${aws_backup_plan.tables.id}",
                    "iam_role_arn": "${aws_iam_role.tables.arn}",
                    "resources": arns.collect::<Vec<_>>(),
                }),
            ),
            (
                "aws_iam_role",
                json!({
                    "name": format!("{}-backup", self.name),
                    "assume_role_policy": assume.to_string(),
                }),
            ),
            (
                "aws_iam_role_policy_attachment",
                json!({ "role": "${aws_iam_role.tables.name}", "policy_arn": policy }),
            ),
        ]
    }
}

fn table(deployment: &Deployment, table: &TableModel) -> Value {
    let schema = &table.schema;
    let create = CreateTable::of(schema);
    let attributes = create.attribute_definitions.iter();
    let attributes = attributes
        .map(|attribute| json!({ "name": attribute.name, "type": attribute.key_type.as_str() }));
    let prefix = if deployment.table_prefix.is_empty() {
        ""
    } else {
        "${var.table_prefix}"
    };
    let mut out = Map::new();
    let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
    set("name", json!(format!("{prefix}{}", schema.name)));
    set("hash_key", json!(schema.pk.name));
    if let Some(sk) = schema.sk {
        set("range_key", json!(sk.name));
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
        set("ttl", json!([{ "attribute_name": ttl, "enabled": true }]));
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
    // Data outlives a plan that would replace the table.
    set("lifecycle", json!([{ "prevent_destroy": true }]));
    Value::Object(out)
}

fn encryption(deployment: &Deployment, key: Option<&str>) -> Value {
    match key {
        Some(key) => json!({ "enabled": true, "kms_key_arn": key }),
        None if deployment.customer_key => {
            json!({ "enabled": true, "kms_key_arn": "${aws_kms_key.tables.arn}" })
        }
        None => json!({ "enabled": true }),
    }
}

fn global(index: &CreateIndex, throughput: Option<(u32, u32)>) -> Value {
    let mut out = index_of(index);
    out["hash_key"] = json!(index.key_schema[0].0);
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
    let mut out = json!({ "name": index.name, "projection_type": index.projection });
    if let Some((name, _)) = index.key_schema.get(1) {
        out["range_key"] = json!(name);
    }
    if !index.non_key_attributes.is_empty() {
        out["non_key_attributes"] = json!(index.non_key_attributes);
    }
    out
}

fn topic(model: &Model) -> Value {
    json!({ "name": format!("{}-alarms", model.name), "kms_master_key_id": "alias/aws/sns" })
}

fn key(model: &Model) -> Value {
    json!({
        "description": format!("Encrypts the tables of {}", model.name),
        "enable_key_rotation": true,
    })
}

fn alarm(table: &str, alarm: &Alarm) -> Value {
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
        "alarm_name": format!("${{aws_dynamodb_table.{table}.name}}-{}", alarm.name),
        "alarm_description": alarm.description,
        "comparison_operator": alarm.comparison,
        "evaluation_periods": 1,
        "threshold": alarm.threshold,
        "treat_missing_data": "notBreaching",
        "alarm_actions": ["${aws_sns_topic.alarms.arn}"],
        "metric_query": metrics.chain([result]).collect::<Vec<_>>(),
    })
}

fn metric_query(table: &str, metric: &Metric) -> Value {
    let mut dimensions = json!({ "TableName": format!("${{aws_dynamodb_table.{table}.name}}") });
    if let Some((name, value)) = &metric.dimension {
        dimensions[*name] = json!(value);
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
    Value::Object(tables.collect())
}
