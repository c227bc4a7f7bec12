//! The parts of a state machine in a template: its definition, with placeholders for deployed
//! names, and the statements of its role.

use super::{Application, function_id};
use crate::output::{Policy, StateMachine, pascal};
use crate::{Model, ModelError};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// A definition with the placeholders `${AppTable}` and `${AnswersFunctionArn}` for deployed
/// resources.
pub(super) struct Prepared<'a> {
    pub(super) definition: Value,
    pub(super) placeholders: BTreeMap<String, Target<'a>>,
}

/// The resource of a placeholder.
pub(super) enum Target<'a> {
    /// The deployed name of the table with this declared name.
    Table(&'a str),
    /// The ARN of this function.
    Function(&'a str),
}

impl Prepared<'_> {
    /// Returns the functions that the state machine invokes.
    pub(super) fn functions(&self) -> impl Iterator<Item = &str> {
        let targets = self.placeholders.values();
        targets.filter_map(|target| match target {
            Target::Function(name) => Some(*name),
            Target::Table(_) => None,
        })
    }
}

impl Model {
    pub(super) fn prepare<'a>(
        &'a self,
        application: &Application,
        machine: &'a StateMachine,
    ) -> Result<Prepared<'a>, ModelError> {
        let mut definition = self.state_machine(&machine.clone().table_prefix(""))?;
        let mut placeholders = BTreeMap::new();
        for name in machine.functions() {
            if !application.names().any(|it| it == name) {
                let message = format!(
                    "{}: the function `{name}` does not exist; add it with `Application::function`",
                    machine.name
                );
                return Err(ModelError::new(message));
            }
            placeholders.insert(format!("{}Arn", function_id(name)), Target::Function(name));
        }
        let tables = self.tables.iter().map(|it| it.schema.name).collect();
        replace_tables(&mut definition, &tables, &mut placeholders);
        check_placeholders(machine, &definition, &placeholders)?;
        Ok(Prepared {
            definition,
            placeholders,
        })
    }

    /// Returns the requests that the state machine sends, as a policy.
    pub(super) fn policy_of(&self, machine: &StateMachine) -> Policy {
        Policy::new().requests(machine.needs(self))
    }
}

/// Replaces table names by `${AppTable}`, because a prefix may change them.
fn replace_tables<'a>(
    value: &mut Value,
    tables: &BTreeSet<&'a str>,
    out: &mut BTreeMap<String, Target<'a>>,
) {
    let mut placeholder = |name: &str| {
        let table = tables.get(name)?;
        let id = format!("{}Table", pascal(table));
        let text = format!("${{{id}}}");
        out.insert(id, Target::Table(table));
        Some(text)
    };
    match value {
        Value::Array(values) => {
            for value in values {
                replace_tables(value, tables, out);
            }
        }
        Value::Object(fields) => {
            if let Some(Value::String(table)) = fields.get_mut("TableName")
                && let Some(text) = placeholder(table)
            {
                *table = text;
            }
            if let Some(Value::Object(requests)) = fields.get_mut("RequestItems") {
                let named = std::mem::take(requests).into_iter();
                let named = named.map(|(table, it)| (placeholder(&table).unwrap_or(table), it));
                *requests = named.collect();
            }
            for value in fields.values_mut() {
                replace_tables(value, tables, out);
            }
        }
        _ => {}
    }
}

/// Refuses unknown `${…}`, because a template would replace them.
fn check_placeholders(
    machine: &StateMachine,
    definition: &Value,
    placeholders: &BTreeMap<String, Target<'_>>,
) -> Result<(), ModelError> {
    let text = definition.to_string();
    let mut pieces = text.split("${").skip(1);
    let is_known = |piece: &str| {
        let name = piece.split_once('}').map(|(name, _)| name);
        name.is_some_and(|name| placeholders.contains_key(name))
    };
    match pieces.find(|piece| !is_known(piece)) {
        None => Ok(()),
        Some(piece) => {
            let shown: String = piece.chars().take(20).collect();
            let message = format!(
                "{}: a request has the text \
                 `${{{shown}`, which a template would replace; use an input for it",
                machine.name
            );
            Err(ModelError::new(message))
        }
    }
}

/// Returns the permissions of a state machine's role besides its requests: invoking functions, and
/// starting the executions of a distributed map. `arn` returns the ARN of a `stateMachine` or an
/// `execution` with this suffix.
pub(super) fn statements(
    machine: &StateMachine,
    functions: &[Value],
    arn: impl Fn(&str, &str) -> Value,
) -> Vec<Value> {
    let mut out = Vec::new();
    if !functions.is_empty() {
        out.push(json!({
            "Sid": "Functions",
            "Effect": "Allow",
            "Action": ["lambda:InvokeFunction"],
            "Resource": functions,
        }));
    }
    if machine.reads_pages() {
        out.push(json!({
            "Sid": "Pages",
            "Effect": "Allow",
            "Action": ["states:StartExecution"],
            "Resource": arn("stateMachine", ""),
        }));
        out.push(json!({
            "Sid": "Items",
            "Effect": "Allow",
            "Action": ["states:DescribeExecution", "states:StopExecution"],
            "Resource": [arn("execution", ":*"), arn("execution", "/*")],
        }));
    }
    out
}

/// Returns the trust policy of a state machine's role.
pub(super) fn trust() -> Value {
    json!({
        "Version": "2012-10-17",
        "Statement": [{
            "Effect": "Allow",
            "Principal": { "Service": "states.amazonaws.com" },
            "Action": "sts:AssumeRole",
        }],
    })
}
