//! CloudFormation and SAM templates: the tables, their key, their alarms, their backups.

use super::alarms::{Alarm, Metric};
use super::scaling::Scaled;
use super::{
    Deployment, archive, backup, create_table, dashboard, encryption, global_table, pascal,
};
use crate::{Model, TableModel};
use dynamo_model::__tools::CreateTable;
use dynamo_model::schema::TableSchema;
use serde_json::{Map, Value, json};

/// The resource that tables with KMS encryption share, if a deployment creates a key.
pub(super) const KEY: &str = "TableKey";
const TOPIC: &str = "AlarmTopic";
/// The address that alarms are sent to, if one is given.
const EMAIL: &str = "AlarmEmail";
const HAS_EMAIL: &str = "HasAlarmEmail";

impl Model {
    /// Writes a CloudFormation template of all tables, with their indexes, encryption, recovery,
    /// TTL, streams and protection, and alarms that go to a topic.
    ///
    /// Tables are retained when the stack goes.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK", encryption = kms, stream = new_image)]
    /// # struct App;
    /// # #[derive(DynamoEntity)]
    /// # #[dynamo(table = App)]
    /// # #[pk("USER#<user_id>")]
    /// # struct User { user_id: String }
    /// use dynamo_model_tools::{Deployment, Model};
    ///
    /// let model = Model::new("app").entity::<User>();
    /// let template = model.cloud_formation(&Deployment::new().table_prefix("dev-"));
    /// let table = &template["Resources"]["App"]["Properties"];
    /// assert_eq!(table["TableName"]["Fn::Sub"], "${TablePrefix}App");
    /// assert_eq!(table["SSESpecification"]["SSEEnabled"], true);
    /// assert_eq!(template["Resources"]["AppSystemErrors"]["Properties"]["Threshold"], 5);
    /// ```
    #[must_use]
    pub fn cloud_formation(&self, deployment: &Deployment) -> Value {
        let mut resources = Map::new();
        for table in &self.tables {
            self.add_table(deployment, table, &mut resources);
        }
        let user_errors = deployment.alarms.user_errors();
        let name = json!(format!("DynamoDB-{}", user_errors.name));
        resources.insert(user_errors.name.clone(), alarm(None, name, &user_errors));
        let makes_key = deployment.makes_key(self);
        if makes_key {
            resources.insert(KEY.into(), key(self));
            let alias =
                json!({ "AliasName": encryption::alias(self), "TargetKeyId": { "Ref": KEY } });
            resources.insert(format!("{KEY}Alias"), resource("AWS::KMS::Alias", alias));
        }
        if let Some(days) = deployment.daily_backups {
            resources.extend(backup::resources(self, days));
        }
        if deployment.dashboard {
            resources.insert("Dashboard".into(), dashboard_of(self));
        }
        if let Some(days) = deployment.archive {
            resources.extend(archive_of(self, makes_key, days));
        }
        resources.extend(topic(makes_key));
        let mut template = json!({
            "AWSTemplateFormatVersion": "2010-09-09",
            "Description": description(self),
            "Parameters": {
                EMAIL: {
                    "Type": "String",
                    "Default": "",
                    "Description": "The address that alarms are sent to; empty for none",
                },
            },
            "Conditions": {
                HAS_EMAIL: { "Fn::Not": [{ "Fn::Equals": [{ "Ref": EMAIL }, ""] }] },
            },
            "Resources": resources,
            "Outputs": outputs(self),
        });
        for region in global_table::regions_with_keys(deployment, self) {
            template["Parameters"][global_table::key_parameter(region)] = json!({
                "Type": "String",
                "Description": format!("The ARN of the key of {region} that encrypts its replicas"),
            });
        }
        if !deployment.table_prefix.is_empty() {
            template["Parameters"]["TablePrefix"] = json!({
                "Type": "String",
                "Default": deployment.table_prefix,
                "AllowedPattern": "[a-zA-Z0-9_.-]*",
                "Description": "The prefix of each table's name",
            });
        }
        template
    }

    /// Writes the same as a template for SAM, to which functions can be added as the documents
    /// have them.
    ///
    /// ```
    /// use dynamo_model_tools::{Deployment, Model};
    ///
    /// let template = Model::new("app").sam(&Deployment::new());
    /// assert_eq!(template["Transform"], "AWS::Serverless-2016-10-31");
    /// ```
    #[must_use]
    pub fn sam(&self, deployment: &Deployment) -> Value {
        let mut template = self.cloud_formation(deployment);
        template["Transform"] = json!("AWS::Serverless-2016-10-31");
        template["Globals"] = json!({
            "Function": { "Environment": { "Variables": variables(self) } },
        });
        template
    }

    fn add_table(&self, deployment: &Deployment, table: &TableModel, out: &mut Map<String, Value>) {
        let id = pascal(table.schema.name);
        let is_global = !table.schema.replicas.is_empty();
        let mut resource = match is_global {
            true => resource(
                "AWS::DynamoDB::GlobalTable",
                global_table::properties(deployment, table),
            ),
            false => resource("AWS::DynamoDB::Table", properties(deployment, table)),
        };
        resource["DeletionPolicy"] = json!("Retain");
        resource["UpdateReplacePolicy"] = json!("Retain");
        out.insert(id.clone(), resource);
        // A global table scales itself.
        if let (Some(scaling), false) = (&deployment.auto_scaling, is_global) {
            for scaled in scaling.of(table) {
                out.extend(scaling_of(&id, &scaled, scaling.target_percent));
            }
        }
        for one in deployment.alarms.of(table) {
            // The document's name, where the table is the only one.
            let name = match self.tables.len() == 1 && deployment.table_prefix.is_empty() {
                true => json!(format!("DynamoDB-{}", one.name)),
                false => json!({ "Fn::Sub": format!("DynamoDB-{}-${{{id}}}", one.name) }),
            };
            out.insert(format!("{id}{}", one.name), alarm(Some(&id), name, &one));
        }
    }
}

pub(super) fn resource(kind: &str, properties: Value) -> Value {
    json!({ "Type": kind, "Properties": properties })
}

fn description(model: &Model) -> String {
    match model.title.as_str() {
        "" => format!("Tables of {}", model.name),
        title => format!("Tables of {}: {title}", model.name),
    }
}

fn properties(deployment: &Deployment, table: &TableModel) -> Value {
    let schema = &table.schema;
    let create = CreateTable::of(schema);
    let mut out = create_table::keys_and_indexes(&create);
    out.extend(common(deployment, schema, &create));
    out.extend(create_table::settings(schema));
    let mut set = |name: &str, value: Value| out.insert(name.to_owned(), value);
    set(
        "DeletionProtectionEnabled",
        json!(create.deletion_protection),
    );
    if let Some(key) = create.kms {
        let mut specification = json!({ "SSEEnabled": true, "SSEType": "KMS" });
        match key {
            Some(key) => specification["KMSMasterKeyId"] = json!(key),
            None if deployment.customer_key => {
                specification["KMSMasterKeyId"] = json!({ "Ref": KEY });
            }
            None => {}
        }
        set("SSESpecification", specification);
    }
    let recovery = json!({ "PointInTimeRecoveryEnabled": schema.point_in_time_recovery });
    set("PointInTimeRecoverySpecification", recovery);
    Value::Object(out)
}

/// Returns the settings that a table and a global table write alike, besides keys and indexes.
pub(super) fn common(
    deployment: &Deployment,
    schema: &TableSchema,
    create: &CreateTable,
) -> Map<String, Value> {
    let mut out = Map::new();
    let name = match deployment.table_prefix.as_str() {
        "" => json!(schema.name),
        _ => json!({ "Fn::Sub": format!("${{TablePrefix}}{}", schema.name) }),
    };
    out.insert("TableName".into(), name);
    if let Some(view) = create.stream {
        let stream = json!({ "StreamViewType": view });
        out.insert("StreamSpecification".into(), stream);
    }
    if let Some(ttl) = schema.ttl {
        let ttl = json!({ "AttributeName": ttl, "Enabled": true });
        out.insert("TimeToLiveSpecification".into(), ttl);
    }
    out
}

/// Returns the scalable target, and its metric.
fn scaling_of(table: &str, scaled: &Scaled, percent: u32) -> [(String, Value); 2] {
    let target = format!("{}Scaling", scaled.name);
    let id = json!({ "Fn::Sub": format!("table/${{{table}}}{}", scaled.index) });
    let scalable = json!({
        "ServiceNamespace": "dynamodb",
        "ResourceId": id,
        "ScalableDimension": scaled.dimension,
        "MinCapacity": scaled.min,
        "MaxCapacity": scaled.max,
    });
    let policy = json!({
        "PolicyName": { "Fn::Sub": format!("${{AWS::StackName}}-{}", scaled.name) },
        "PolicyType": "TargetTrackingScaling",
        "ScalingTargetId": { "Ref": target },
        "TargetTrackingScalingPolicyConfiguration": {
            "TargetValue": percent,
            "PredefinedMetricSpecification": { "PredefinedMetricType": scaled.metric },
        },
    });
    [
        (
            format!("{target}Policy"),
            resource("AWS::ApplicationAutoScaling::ScalingPolicy", policy),
        ),
        (
            target,
            resource("AWS::ApplicationAutoScaling::ScalableTarget", scalable),
        ),
    ]
}

fn dashboard_of(model: &Model) -> Value {
    let name = |table: &TableModel| format!("${{{}}}", pascal(table.schema.name));
    let body = dashboard::body(model, "${AWS::Region}", name);
    let properties = json!({
        "DashboardName": { "Fn::Sub": "${AWS::StackName}-tables" },
        "DashboardBody": { "Fn::Sub": body.to_string() },
    });
    resource("AWS::CloudWatch::Dashboard", properties)
}

/// Writes the bucket of exports, and the policy for exporting roles.
fn archive_of(model: &Model, makes_key: bool, days: u32) -> Vec<(String, Value)> {
    const BUCKET: &str = "ArchiveBucket";
    let tables = archive::tables(model).into_iter().map(pascal);
    let tables: Vec<_> = tables.collect();
    let arn = |id: &String| json!({ "Fn::GetAtt": [id, "Arn"] });
    let exports = |id: &String| json!({ "Fn::Sub": format!("${{{id}.Arn}}/export/*") });
    let place = archive::Place {
        bucket: json!({ "Fn::GetAtt": [BUCKET, "Arn"] }),
        objects: json!({ "Fn::Sub": format!("${{{BUCKET}.Arn}}/*") }),
        tables: tables.iter().map(arn).collect(),
        exports: tables.iter().map(exports).collect(),
    };
    let mut bucket = resource(
        "AWS::S3::Bucket",
        json!({
            "BucketEncryption": { "ServerSideEncryptionConfiguration": [
                { "ServerSideEncryptionByDefault": { "SSEAlgorithm": "AES256" } },
            ] },
            "PublicAccessBlockConfiguration": {
                "BlockPublicAcls": true,
                "BlockPublicPolicy": true,
                "IgnorePublicAcls": true,
                "RestrictPublicBuckets": true,
            },
            "LifecycleConfiguration": { "Rules": [{
                "Id": "glacier",
                "Status": "Enabled",
                "Transitions": [{ "StorageClass": "GLACIER", "TransitionInDays": days }],
            }] },
        }),
    );
    bucket["DeletionPolicy"] = json!("Retain");
    bucket["UpdateReplacePolicy"] = json!("Retain");
    let of_bucket = json!({
        "Bucket": { "Ref": BUCKET },
        "PolicyDocument": archive::bucket_policy(&place),
    });
    let mut policy = archive::policy(&place);
    if let (true, Some(statements)) = (makes_key, policy["Statement"].as_array_mut()) {
        statements.push(archive::key_statement(
            json!({ "Fn::GetAtt": [KEY, "Arn"] }),
        ));
    }
    let policy = json!({ "PolicyDocument": policy });
    vec![
        (BUCKET.to_owned(), bucket),
        (
            format!("{BUCKET}Policy"),
            resource("AWS::S3::BucketPolicy", of_bucket),
        ),
        (
            "ArchivePolicy".to_owned(),
            resource("AWS::IAM::ManagedPolicy", policy),
        ),
    ]
}

/// Writes the key of the tables, and of the alarms' topic.
fn key(model: &Model) -> Value {
    let root = json!({ "Fn::Sub": "arn:${AWS::Partition}:iam::${AWS::AccountId}:root" });
    let mut resource = resource(
        "AWS::KMS::Key",
        json!({
            "Description": format!("Encrypts the tables of {}", model.name),
            "EnableKeyRotation": true,
            "KeyPolicy": encryption::key_policy(encryption::Place {
                root,
                account: json!({ "Ref": "AWS::AccountId" }),
                service: json!({ "Fn::Sub": "dynamodb.${AWS::Region}.amazonaws.com" }),
            }),
        }),
    );
    resource["DeletionPolicy"] = json!("Retain");
    resource["UpdateReplacePolicy"] = json!("Retain");
    resource
}

/// Writes the topic of the alarms, its publishers, and an address that receives them.
///
/// With `alias/aws/sns` CloudWatch could not publish: the policy of that key cannot be changed. So
/// the topic uses the template's key, or the default encryption of SNS.
fn topic(has_key: bool) -> [(String, Value); 3] {
    let properties = match has_key {
        true => json!({ "KmsMasterKeyId": { "Ref": KEY } }),
        false => json!({}),
    };
    let policy = json!({
        "Topics": [{ "Ref": TOPIC }],
        "PolicyDocument": {
            "Version": "2012-10-17",
            "Statement": [{
                "Sid": "Alarms",
                "Effect": "Allow",
                "Principal": { "Service": "cloudwatch.amazonaws.com" },
                "Action": "sns:Publish",
                "Resource": { "Ref": TOPIC },
                "Condition": { "StringEquals": { "aws:SourceAccount": { "Ref": "AWS::AccountId" } } },
            }],
        },
    });
    let subscription = json!({
        "TopicArn": { "Ref": TOPIC },
        "Protocol": "email",
        "Endpoint": { "Ref": EMAIL },
    });
    let mut subscription = resource("AWS::SNS::Subscription", subscription);
    subscription["Condition"] = json!(HAS_EMAIL);
    [
        (TOPIC.to_owned(), resource("AWS::SNS::Topic", properties)),
        (
            format!("{TOPIC}Policy"),
            resource("AWS::SNS::TopicPolicy", policy),
        ),
        (format!("{TOPIC}Subscription"), subscription),
    ]
}

/// Writes an alarm of a table, or of the whole account in this region.
fn alarm(table: Option<&str>, name: Value, alarm: &Alarm) -> Value {
    let metrics = alarm
        .metrics
        .iter()
        .map(|metric| metric_query(table, metric));
    let result = json!({
        "Id": "result",
        "Expression": alarm.expression,
        "Label": alarm.label,
        "ReturnData": true,
    });
    resource(
        "AWS::CloudWatch::Alarm",
        json!({
            "AlarmName": name,
            "AlarmDescription": alarm.description,
            "Metrics": metrics.chain([result]).collect::<Vec<_>>(),
            "EvaluationPeriods": 1,
            "Threshold": alarm.threshold,
            "ComparisonOperator": alarm.comparison,
            "TreatMissingData": "notBreaching",
            "AlarmActions": [{ "Ref": TOPIC }],
        }),
    )
}

fn metric_query(table: Option<&str>, metric: &Metric) -> Value {
    let table = table.map(|table| json!({ "Name": "TableName", "Value": { "Ref": table } }));
    let mut dimensions: Vec<_> = table.into_iter().collect();
    if let Some((name, value)) = &metric.dimension {
        dimensions.push(json!({ "Name": name, "Value": value }));
    }
    json!({
        "Id": metric.id,
        "ReturnData": false,
        "MetricStat": {
            "Metric": {
                "Namespace": "AWS/DynamoDB",
                "MetricName": metric.name,
                "Dimensions": dimensions,
            },
            "Period": metric.period,
            "Stat": metric.statistic,
        },
    })
}

fn outputs(model: &Model) -> Value {
    let mut outputs = Map::new();
    for table in &model.tables {
        let id = pascal(table.schema.name);
        let mut output = |name: &str, value: Value, what: &str| {
            let description = format!("{what} {}", table.schema.name);
            let output = json!({ "Description": description, "Value": value });
            outputs.insert(format!("{id}{name}"), output);
        };
        output("Name", json!({ "Ref": id }), "The deployed name of");
        output("Arn", json!({ "Fn::GetAtt": [id, "Arn"] }), "The ARN of");
        if table.schema.stream.is_some() {
            output(
                "StreamArn",
                json!({ "Fn::GetAtt": [id, "StreamArn"] }),
                "The stream of",
            );
        }
    }
    let topic = json!({ "Description": "Where alarms are published", "Value": { "Ref": TOPIC } });
    outputs.insert(format!("{TOPIC}Arn"), topic);
    Value::Object(outputs)
}

/// Writes the names of the tables into the environment of every function.
fn variables(model: &Model) -> Value {
    let tables = model.tables.iter().map(|table| {
        let variable = format!("{}_TABLE", super::snake(table.schema.name).to_uppercase());
        (variable, json!({ "Ref": pascal(table.schema.name) }))
    });
    Value::Object(tables.collect())
}
