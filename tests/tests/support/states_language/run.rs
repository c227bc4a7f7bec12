//! Runs a definition: DynamoDB's tasks on an engine, functions as the test defines them. It does
//! not wait, and each retrier has its attempts.

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::AfterDeserializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use serde_json::{Map, Value, json};
use std::pin::Pin;
use std::sync::{Arc, Mutex};

/// How an execution fails.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Failure {
    pub(crate) error: String,
    pub(crate) cause: String,
}

type Outcome = Result<Value, Failure>;
type Running<'a> = Pin<Box<dyn Future<Output = Outcome> + 'a>>;

/// Replaces Lambda: the name in the definition, and the payload.
pub(crate) type Functions<'a> = &'a dyn Fn(String, Value) -> Running<'static>;

/// More states than any test needs: a loop that does not end fails.
const STATES: usize = 10_000;

/// Runs a definition with an input, and returns its output.
pub(crate) fn run<'a>(
    definition: &'a Value,
    input: Value,
    client: &'a Client,
    functions: Functions<'a>,
) -> Running<'a> {
    let context = json!({});
    Box::pin(async move { machine(definition, input, &context, client, functions).await })
}

fn failure(error: &str, cause: impl Into<String>) -> Failure {
    Failure {
        error: error.into(),
        cause: cause.into(),
    }
}

fn machine<'a>(
    machine: &'a Value,
    mut data: Value,
    context: &'a Value,
    client: &'a Client,
    functions: Functions<'a>,
) -> Running<'a> {
    Box::pin(async move {
        let mut name = machine["StartAt"].as_str().unwrap();
        for _ in 0..STATES {
            let state = &machine["States"][name];
            let done = match state["Type"].as_str().unwrap() {
                "Succeed" => return Ok(data),
                "Fail" => {
                    let text = |name: &str| state[name].as_str().unwrap();
                    return Err(failure(text("Error"), text("Cause")));
                }
                "Choice" => {
                    let choices = state["Choices"].as_array().unwrap();
                    let choice = choices.iter().find(|it| holds(it, &data));
                    let next = choice.map_or(&state["Default"], |it| &it["Next"]);
                    name = next.as_str().unwrap();
                    continue;
                }
                "Pass" => Ok(data.clone()),
                "Map" => map(state, &data, client, functions).await,
                "Task" => task(state, &data, context, client, functions).await,
                other => panic!("{name}: {other}"),
            };
            match done {
                Ok(result) => put(
                    &mut data,
                    &state["ResultPath"],
                    result,
                    state["Type"] == "Pass",
                ),
                Err(failed) => {
                    let catchers = state["Catch"].as_array().cloned().unwrap_or_default();
                    let found = catchers.iter().position(|it| takes(it, &failed.error));
                    let Some(catcher) = found else {
                        return Err(failed);
                    };
                    let catcher = &state["Catch"][catcher];
                    let error = json!({ "Error": failed.error, "Cause": failed.cause });
                    put(&mut data, &catcher["ResultPath"], error, false);
                    name = catcher["Next"].as_str().unwrap();
                    continue;
                }
            }
            if state["End"] == true {
                return Ok(data);
            }
            name = state["Next"].as_str().unwrap();
        }
        panic!("an execution of more than {STATES} states");
    })
}

async fn map(state: &Value, data: &Value, client: &Client, functions: Functions<'_>) -> Outcome {
    let items = at(data, state["ItemsPath"].as_str().unwrap()).expect("the items");
    let mut results = Vec::new();
    for (i, item) in items.as_array().unwrap().iter().enumerate() {
        let context = json!({ "Map": { "Item": { "Index": i, "Value": item } } });
        let input = filled(&state["ItemSelector"], data, &context);
        let done = machine(&state["ItemProcessor"], input, &context, client, functions);
        results.push(done.await?);
    }
    Ok(Value::Array(results))
}

async fn task(
    state: &Value,
    data: &Value,
    context: &Value,
    client: &Client,
    functions: Functions<'_>,
) -> Outcome {
    let parameters = filled(&state["Parameters"], data, context);
    let resource = state["Resource"].as_str().unwrap();
    let retries = state["Retry"].as_array().cloned().unwrap_or_default();
    let mut attempts = vec![0; retries.len()];
    loop {
        let done = match resource.strip_prefix("arn:aws:states:::aws-sdk:dynamodb:") {
            Some(operation) => send(client, operation, &parameters).await,
            None => {
                assert_eq!(resource, "arn:aws:states:::lambda:invoke");
                let name = parameters["FunctionName"].as_str().unwrap();
                functions(name.to_owned(), parameters["Payload"].clone()).await
            }
        };
        let failed = match done {
            Ok(result) => return Ok(result),
            Err(failed) => failed,
        };
        let retrier = retries.iter().position(|it| takes(it, &failed.error));
        let Some(retrier) = retrier else {
            return Err(failed);
        };
        attempts[retrier] += 1;
        if attempts[retrier] > retries[retrier]["MaxAttempts"].as_u64().unwrap() {
            return Err(failed);
        }
    }
}

fn takes(rule: &Value, error: &str) -> bool {
    let names = rule["ErrorEquals"].as_array().unwrap();
    names.iter().any(|it| it == error || it == "States.ALL")
}

/// Returns the steps of a path: `.a.b['c']`.
pub(super) fn steps(mut path: &str) -> Option<Vec<String>> {
    let mut steps = Vec::new();
    while !path.is_empty() {
        let (step, rest) = if let Some(quoted) = path.strip_prefix("['") {
            let end = quoted.find("']")?;
            (&quoted[..end], &quoted[end + 2..])
        } else {
            let name = path.strip_prefix('.')?;
            let end = name.find(['.', '[']).unwrap_or(name.len());
            (&name[..end], &name[end..])
        };
        if step.is_empty() {
            return None;
        }
        steps.push(step.to_owned());
        path = rest;
    }
    Some(steps)
}

fn at<'v>(data: &'v Value, path: &str) -> Option<&'v Value> {
    let steps = steps(path.trim_start_matches('$')).unwrap();
    steps.iter().try_fold(data, |value, step| value.get(step))
}

/// Resolves the paths of a template. A path without a value fails an execution, and here the test.
fn filled(template: &Value, data: &Value, context: &Value) -> Value {
    match template {
        Value::Object(fields) => {
            let fields = fields
                .iter()
                .map(|(name, value)| match name.strip_suffix(".$") {
                    Some(name) => {
                        let path = value.as_str().unwrap();
                        let from = if path.starts_with("$$") {
                            context
                        } else {
                            data
                        };
                        let found = at(from, path).unwrap_or_else(|| panic!("{path} in {from}"));
                        (name.to_owned(), found.clone())
                    }
                    None => (name.clone(), filled(value, data, context)),
                });
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Value::Array(values) => values.iter().map(|it| filled(it, data, context)).collect(),
        other => other.clone(),
    }
}

/// Null discards the result; no path replaces the data.
fn put(data: &mut Value, path: &Value, result: Value, keeps: bool) {
    match path.as_str() {
        Some(path) => data[path.trim_start_matches("$.")] = result,
        None if keeps || path.is_null() => {}
        None => *data = result,
    }
}

fn holds(rule: &Value, data: &Value) -> bool {
    let all = |name: &str| rule[name].as_array().cloned().unwrap_or_default();
    if rule.get("And").is_some() {
        return all("And").iter().all(|it| holds(it, data));
    }
    if rule.get("Or").is_some() {
        return all("Or").iter().any(|it| holds(it, data));
    }
    if let Some(rule) = rule.get("Not") {
        return !holds(rule, data);
    }
    let value = at(data, rule["Variable"].as_str().unwrap());
    if let Some(expected) = rule.get("IsPresent") {
        return *expected == value.is_some();
    }
    let value = value.unwrap_or_else(|| panic!("{rule}: no such value"));
    if let Some(expected) = rule.get("IsString") {
        return *expected == value.is_string();
    }
    if let Some(expected) = rule.get("StringEquals") {
        return value == expected;
    }
    let pattern = rule["StringMatches"].as_str().unwrap();
    let inner = pattern.trim_matches('*');
    value.as_str().unwrap().contains(inner)
}

/// The body of a response.
#[derive(Debug, Clone, Default)]
struct Answer(Arc<Mutex<Value>>);

impl Intercept for Answer {
    fn name(&self) -> &'static str {
        "Answer"
    }

    fn read_after_deserialization(
        &self,
        context: &AfterDeserializationInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let body = context.response().body().bytes().unwrap_or_default();
        *self.0.lock().unwrap() = serde_json::from_slice(body).unwrap_or_default();
        Ok(())
    }
}

/// Sends a task's parameters as they are: the call of another operation, with another body.
async fn send(client: &Client, operation: &str, parameters: &Value) -> Outcome {
    let (first, rest) = operation.split_at(1);
    let target = format!("DynamoDB_20120810.{}{rest}", first.to_uppercase());
    let body = parameters.to_string();
    let answer = Answer::default();
    let call = client.list_tables().customize().interceptor(answer.clone());
    let call = call.mutate_request(move |request| {
        request.headers_mut().insert("x-amz-target", target.clone());
        let length = body.len().to_string();
        request.headers_mut().insert("content-length", length);
        *request.body_mut() = body.clone().into();
    });
    let sent = call.send().await;
    let body = answer.0.lock().unwrap().clone();
    match sent {
        Ok(_) => Ok(body),
        Err(error) => {
            let kind = body["__type"].as_str().unwrap_or_default();
            let kind = kind.rsplit('#').next().unwrap_or_default();
            let message = body["message"].as_str().or(body["Message"].as_str());
            let cause = message.map_or_else(|| format!("{error:?}"), str::to_owned);
            Err(failure(&format!("DynamoDb.{kind}"), cause))
        }
    }
}
