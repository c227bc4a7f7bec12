//! The states of a step: one state, or five that read a page, process its items, and repeat.
//!
//! DynamoDB is called by the integration of the AWS SDK, which has all operations. Its errors begin
//! with `DynamoDb.`; those of the optimized integration, which has four operations, with
//! `DynamoDB.`.

use super::bind::{Binding, bind, item_path};
use super::{Action, Input, StateMachine, Step};
use crate::output::pascal;
use crate::{Model, ModelError, Request, TableModel};
use serde_json::{Map, Value, json};

const CHECK: &str = "Check the input";
const INVALID: &str = "Invalid input";
const DONE: &str = "Done";

/// How many items are read at once. The data of a state has up to 256 KiB, and a key up to 3 KiB.
const PAGE: u64 = 50;

/// Errors after which DynamoDB has done nothing.
const NOT_DONE: [&str; 5] = [
    "DynamoDb.ProvisionedThroughputExceededException",
    "DynamoDb.RequestLimitExceededException",
    "DynamoDb.ThrottlingException",
    "DynamoDb.TransactionConflictException",
    "DynamoDb.TransactionInProgressException",
];

/// Errors after which DynamoDB may have done the request.
const UNCERTAIN: [&str; 3] = [
    "DynamoDb.InternalServerErrorException",
    "DynamoDb.SdkClientException",
    "States.Timeout",
];

const CANCELLED: &str = "DynamoDb.TransactionCanceledException";

type States = Map<String, Value>;

pub(super) fn definition(model: &Model, machine: &StateMachine) -> Result<Value, ModelError> {
    let mut states = States::new();
    let first = machine.steps.first().map_or(DONE, |step| &step.name);
    let start = match machine.inputs.is_empty() {
        true => first,
        false => {
            states.insert(CHECK.into(), check_input(&machine.inputs, first));
            states.insert(INVALID.into(), invalid_input());
            CHECK
        }
    };
    let nexts = machine.steps.iter().skip(1).map(|step| step.name.as_str());
    for (step, next) in machine.steps.iter().zip(nexts.chain([DONE])) {
        let maker = Maker {
            model,
            machine,
            step,
            next,
        };
        let made = maker.states().map_err(|message| {
            ModelError::new(format!("{}, step `{}`: {message}", machine.name, step.name))
        })?;
        states.extend(made);
    }
    states.insert(DONE.into(), json!({ "Type": "Succeed" }));
    let mut states = Value::Object(states);
    deploy(&mut states, &machine.table_prefix);
    let mut out = json!({ "StartAt": start, "States": states });
    if !machine.comment.is_empty() {
        out["Comment"] = json!(machine.comment);
    }
    Ok(out)
}

/// Gives tables their deployed names, in requests of one table, of transactions and of batches.
fn deploy(value: &mut Value, prefix: &str) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(|it| deploy(it, prefix)),
        Value::Object(fields) => {
            for (name, value) in fields {
                match (name.as_str(), value) {
                    ("TableName", Value::String(table)) => table.insert_str(0, prefix),
                    ("RequestItems", Value::Object(tables)) => {
                        let deployed = std::mem::take(tables).into_iter();
                        tables.extend(deployed.map(|(name, it)| (format!("{prefix}{name}"), it)));
                    }
                    (_, value) => deploy(value, prefix),
                }
            }
        }
        _ => {}
    }
}

/// Every input is a text, and not empty: fails before any request.
fn check_input(inputs: &[Input], next: &str) -> Value {
    let rules = inputs.iter().flat_map(|input| {
        let path = format!("$.{}", input.name);
        [
            json!({ "Variable": path, "IsPresent": true }),
            json!({ "Variable": path, "IsString": true }),
            json!({ "Not": { "Variable": path, "StringEquals": "" } }),
        ]
    });
    json!({
        "Type": "Choice",
        "Choices": [{ "And": rules.collect::<Vec<_>>(), "Next": next }],
        "Default": INVALID,
    })
}

fn invalid_input() -> Value {
    json!({
        "Type": "Fail",
        "Error": "InvalidInput",
        "Cause": "An input is missing, is not a string, or is empty",
    })
}

/// Makes the states of one step.
struct Maker<'a> {
    model: &'a Model,
    machine: &'a StateMachine,
    step: &'a Step,
    next: &'a str,
}

impl Maker<'_> {
    fn states(&self) -> Result<States, String> {
        let name = self.step.name.clone();
        match &self.step.action {
            Action::Function => Ok(States::from_iter([(name, self.function())])),
            Action::Request(request) => {
                let body = self.bound(request, &self.of_execution())?;
                Ok(self.send(&name, request, body, Some(self.next)))
            }
            Action::DeleteFound(read) => {
                let table = self.table(read)?;
                let keys = keys(table).map(|name| (format!("{name}.$"), json!(item_path(name))));
                let key: Map<_, _> = keys.collect();
                let delete = json!({ "TableName": table.schema.name, "Key": key });
                let request = Request::new("DeleteItem", Value::Null);
                let name = format!("{name}: delete");
                self.pages(read, &[], &name, self.send(&name, &request, delete, None))
            }
            Action::ForEach {
                read,
                write,
                attributes,
            } => {
                let mut bindings = self.of_execution();
                bindings.extend(attributes.iter().map(Binding::of_item));
                let body = self.bound(write, &bindings)?;
                let name = format!("{name}: write");
                let write = self.send(&name, write, body, None);
                self.pages(read, attributes, &name, write)
            }
        }
    }

    fn of_execution(&self) -> Vec<Binding> {
        let inputs = self.machine.inputs.iter();
        inputs.map(Binding::of_execution).collect()
    }

    /// Returns `$.userId` for each input.
    fn inputs(&self) -> Map<String, Value> {
        let inputs = self.machine.inputs.iter();
        let inputs = inputs.map(|it| (format!("{}.$", it.name), json!(format!("$.{}", it.name))));
        inputs.collect()
    }

    fn table(&self, request: &Request) -> Result<&TableModel, String> {
        let name = request.body["TableName"].as_str().unwrap_or_default();
        self.known_table(name)
    }

    fn known_table(&self, name: &str) -> Result<&TableModel, String> {
        self.model.find_table(name).ok_or_else(|| {
            let names = self.model.tables.iter().map(|it| it.schema.name);
            let names = names.collect::<Vec<_>>().join("`, `");
            format!("the model has no table `{name}`, only `{names}`; use declared names")
        })
    }

    /// Returns the request body, with paths instead of samples.
    fn bound(&self, request: &Request, bindings: &[Binding]) -> Result<Value, String> {
        for target in request.targets() {
            self.known_table(&target.table)?;
        }
        let mut body = request.body.clone();
        if let Some(fields) = body.as_object_mut() {
            // A requested field may be null. A token would make the second execution do nothing.
            let left_out =
                |name: &str| ["ReturnConsumedCapacity", "ClientRequestToken"].contains(&name);
            fields.retain(|name, value| !value.is_null() && !left_out(name));
        }
        if bind(&mut body, bindings)? == 0 && !bindings.is_empty() {
            return Err(format!(
                "`{request}` has no sample of an input, so every execution would do the same"
            ));
        }
        Ok(body)
    }

    /// Returns the state that sends a request, and those that look at why a transaction was
    /// cancelled. Without `next` it is the last one.
    fn send(&self, name: &str, request: &Request, body: Value, next: Option<&str>) -> States {
        let mut task = task(&request.operation, body);
        task["Retry"] = retries(request);
        task["ResultPath"] = Value::Null;
        let skipped = format!("{name}: nothing");
        let after = next.unwrap_or(&skipped);
        let is_transaction = request.operation == "TransactWriteItems";
        let mut states = States::new();
        if self.step.skips_failed_condition {
            let (error, handler) = match is_transaction {
                true => (CANCELLED, format!("{name}: reason")),
                false => ("DynamoDb.ConditionalCheckFailedException", after.to_owned()),
            };
            task["Catch"] = json!([{
                "ErrorEquals": [error],
                "ResultPath": if is_transaction { json!("$.error") } else { Value::Null },
                "Next": handler,
            }]);
            if is_transaction {
                states.extend(reason(name, &handler, after));
            }
            if next.is_none() {
                states.insert(skipped.clone(), json!({ "Type": "Pass", "End": true }));
            }
        }
        match next {
            Some(next) => task["Next"] = json!(next),
            None => task["End"] = json!(true),
        }
        states.insert(name.to_owned(), task);
        states
    }

    /// Reads a page, processes its items, and continues while there is another one.
    fn pages(
        &self,
        read: &Request,
        attributes: &[Input],
        start: &str,
        each: States,
    ) -> Result<States, String> {
        if !["Query", "Scan"].contains(&read.operation.as_str()) {
            return Err(format!("`{read}` is not a query or a scan"));
        }
        let table = self.table(read)?;
        let mut body = self.bound(read, &self.of_execution())?;
        let mut names: Vec<&str> = keys(table).collect();
        for attribute in attributes {
            // DynamoDB refuses a projection that names an attribute twice.
            if !names.contains(&attribute.name.as_str()) {
                names.push(&attribute.name);
            }
        }
        read_only(&mut body, &names);
        let name = &self.step.name;
        let of_step = |what: &str| format!("{name}: {what}");
        let (items, more, next_page) = (of_step("items"), of_step("more"), of_step("next page"));
        let page = |body: Value| {
            let mut task = task(&read.operation, body);
            task["Retry"] = retries(read);
            task["ResultPath"] = json!("$.page");
            task["Next"] = json!(items);
            task
        };
        let mut next_body = body.clone();
        next_body["ExclusiveStartKey.$"] = json!("$.page.LastEvaluatedKey");
        Ok(States::from_iter([
            (name.clone(), page(body)),
            (items.clone(), self.map(start, each, &more)),
            (
                more,
                json!({
                    "Type": "Choice",
                    "Choices": [{
                        "Variable": "$.page.LastEvaluatedKey",
                        "IsPresent": true,
                        "Next": next_page,
                    }],
                    "Default": self.next,
                }),
            ),
            (next_page, page(next_body)),
        ]))
    }

    /// Processes every item in a separate execution, because the history of an execution has at
    /// most 25,000 events.
    fn map(&self, start: &str, states: States, next: &str) -> Value {
        let mut selected = self.inputs();
        selected.insert("item.$".into(), json!("$$.Map.Item.Value"));
        json!({
            "Type": "Map",
            "ItemsPath": "$.page.Items",
            "ItemSelector": selected,
            "MaxConcurrency": 10,
            "ItemProcessor": {
                "ProcessorConfig": { "Mode": "DISTRIBUTED", "ExecutionType": "EXPRESS" },
                "StartAt": start,
                "States": states,
            },
            "ResultPath": null,
            "Next": next,
        })
    }

    fn function(&self) -> Value {
        let name = pascal(&self.step.name);
        json!({
            "Type": "Task",
            "Resource": "arn:aws:states:::lambda:invoke",
            "Parameters": {
                "FunctionName": format!("${{{name}FunctionArn}}"),
                "Payload": self.inputs(),
            },
            "ResultPath": null,
            "Retry": [retry(&["States.ALL"], 5)],
            "Next": self.next,
        })
    }
}

/// Returns `arn:aws:states:::aws-sdk:dynamodb:deleteItem`.
fn task(operation: &str, parameters: Value) -> Value {
    let mut letters = operation.chars();
    let first = letters.next().map(|it| it.to_ascii_lowercase());
    let operation: String = first.into_iter().chain(letters).collect();
    json!({
        "Type": "Task",
        "Resource": format!("arn:aws:states:::aws-sdk:dynamodb:{operation}"),
        "Parameters": parameters,
        "TimeoutSeconds": 60,
    })
}

fn retry(errors: &[&str], attempts: u32) -> Value {
    json!({
        "ErrorEquals": errors,
        "IntervalSeconds": 1,
        "BackoffRate": 2.0,
        "MaxDelaySeconds": 30,
        "MaxAttempts": attempts,
        "JitterStrategy": "FULL",
    })
}

fn retries(request: &Request) -> Value {
    let mut errors = NOT_DONE.to_vec();
    if !counts(request) {
        errors.extend(UNCERTAIN);
    }
    let mut retries = vec![retry(&errors, 8)];
    // Perhaps for a conflict with another transaction.
    if request.operation == "TransactWriteItems" {
        retries.push(retry(&[CANCELLED], 3));
    }
    Value::Array(retries)
}

/// Returns whether a second time would change the item once more: it adds, subtracts or appends.
/// Names and values are aliases, so a sign is an operator.
fn counts(request: &Request) -> bool {
    let update = |body: &Value| {
        let text = body["UpdateExpression"].as_str().unwrap_or_default();
        ["ADD ", "+", "-", "list_append"]
            .iter()
            .any(|it| text.contains(it))
    };
    update(&request.body) || request.transacted().any(|(_, body)| update(body))
}

/// Reads the reason from the message of a cancelled transaction: a condition, or a conflict.
fn reason(name: &str, handler: &str, next: &str) -> [(String, Value); 2] {
    let fail = format!("{name}: cancelled");
    let cancelled = json!({
        "Type": "Fail",
        "Error": "TransactionCancelled",
        "Cause": "The transaction was cancelled, and not because of a condition",
    });
    let choice = json!({
        "Type": "Choice",
        "Choices": [{
            "Variable": "$.error.Cause",
            "StringMatches": "*ConditionalCheckFailed*",
            "Next": next,
        }],
        "Default": fail,
    });
    [(handler.to_owned(), choice), (fail, cancelled)]
}

fn keys(table: &TableModel) -> impl Iterator<Item = &'static str> {
    let schema = &table.schema;
    [Some(schema.pk), schema.sk]
        .into_iter()
        .flatten()
        .map(|key| key.name)
}

/// Reads only these attributes, in pages that a state can hold.
fn read_only(body: &mut Value, attributes: &[&str]) {
    let Some(fields) = body.as_object_mut() else {
        return;
    };
    for name in ["ExclusiveStartKey", "ProjectionExpression", "Select"] {
        fields.remove(name);
    }
    let limit = fields.get("Limit").and_then(Value::as_u64);
    fields.insert("Limit".into(), json!(limit.map_or(PAGE, |it| it.min(PAGE))));
    let expressions = ["KeyConditionExpression", "FilterExpression"];
    let used = expressions.map(|it| fields.get(it).and_then(Value::as_str).unwrap_or_default());
    let used = used.join(" ");
    let is_used = |alias: &str| {
        used.split(|c: char| !c.is_ascii_alphanumeric() && c != '#' && c != '_')
            .any(|word| word == alias)
    };
    let mut names = match fields.remove("ExpressionAttributeNames") {
        Some(Value::Object(names)) => names,
        _ => Map::new(),
    };
    // DynamoDB refuses unused names.
    names.retain(|alias, _| is_used(alias));
    let mut aliases = Vec::new();
    for (i, attribute) in attributes.iter().enumerate() {
        let alias = format!("#k{i}");
        names.insert(alias.clone(), json!(attribute));
        aliases.push(alias);
    }
    fields.insert("ProjectionExpression".into(), json!(aliases.join(", ")));
    fields.insert("ExpressionAttributeNames".into(), Value::Object(names));
}
