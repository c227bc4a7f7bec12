//! The rules of the specification, for the states that the library uses: tasks, choices, maps, and
//! end states.

use serde_json::Value;
use std::collections::BTreeSet;

const COMMON: [&str; 4] = ["Type", "Comment", "InputPath", "OutputPath"];

/// Returns the fields of a type, besides the common ones; whether it has `Next` or `End`.
fn fields(kind: &str) -> Option<(&'static [&'static str], bool)> {
    Some(match kind {
        "Task" => (
            &[
                "Resource",
                "Parameters",
                "ResultPath",
                "ResultSelector",
                "Retry",
                "Catch",
                "TimeoutSeconds",
                "HeartbeatSeconds",
            ],
            true,
        ),
        "Map" => (
            &[
                "ItemsPath",
                "ItemSelector",
                "ItemProcessor",
                "MaxConcurrency",
                "ResultPath",
                "ResultSelector",
                "Retry",
                "Catch",
                "ToleratedFailurePercentage",
                "ToleratedFailureCount",
                "Label",
            ],
            true,
        ),
        "Pass" => (&["Result", "ResultPath", "Parameters"], true),
        "Wait" => (&["Seconds", "Timestamp"], true),
        "Choice" => (&["Choices", "Default"], false),
        "Succeed" => (&[], false),
        "Fail" => (&["Error", "Cause"], false),
        _ => return None,
    })
}

/// Returns the broken rules, with their places. Empty for a valid definition.
pub(crate) fn problems(definition: &Value) -> Vec<String> {
    let mut found = Problems::default();
    found.machine(
        "",
        definition,
        &["StartAt", "States", "Comment", "TimeoutSeconds", "Version"],
    );
    found.problems
}

#[derive(Default)]
struct Problems {
    problems: Vec<String>,
    /// Names are unique in the whole definition.
    names: BTreeSet<String>,
}

impl Problems {
    fn check(&mut self, holds: bool, place: &str, rule: &str) {
        if !holds {
            self.problems.push(format!("{place}: {rule}"));
        }
    }

    fn machine(&mut self, place: &str, machine: &Value, allowed: &[&str]) {
        let Some(states) = machine["States"].as_object().filter(|it| !it.is_empty()) else {
            self.check(false, place, "has no states");
            return;
        };
        for name in machine.as_object().unwrap().keys() {
            self.check(
                allowed.contains(&name.as_str()),
                place,
                &format!("unknown `{name}`"),
            );
        }
        let mut reached = BTreeSet::new();
        let mut open = vec![machine["StartAt"].as_str().unwrap_or_default()];
        while let Some(name) = open.pop() {
            let at = format!("{place}/{name}");
            match states.get(name) {
                None => self.check(false, &at, "is a target, and does not exist"),
                Some(state) if reached.insert(name) => open.extend(targets(state)),
                Some(_) => {}
            }
        }
        for (name, state) in states {
            let at = format!("{place}/{name}");
            self.check(reached.contains(name.as_str()), &at, "is not reachable");
            self.check(
                name.chars().count() <= 80,
                &at,
                "has a name of more than 80 characters",
            );
            let is_new = self.names.insert(name.clone());
            self.check(is_new, &at, "has a name that another state has");
            self.state(&at, state);
        }
        let ends = |state: &Value| {
            state["End"] == true || ["Succeed", "Fail"].iter().any(|it| state["Type"] == *it)
        };
        self.check(states.values().any(ends), place, "never ends");
    }

    fn state(&mut self, place: &str, state: &Value) {
        let kind = state["Type"].as_str().unwrap_or_default();
        let Some((own, goes_on)) = fields(kind) else {
            self.check(false, place, &format!("unknown type `{kind}`"));
            return;
        };
        for name in state.as_object().unwrap().keys().map(String::as_str) {
            let is_known = COMMON.contains(&name)
                || own.contains(&name)
                || (goes_on && ["Next", "End"].contains(&name));
            self.check(is_known, place, &format!("`{kind}` has no field `{name}`"));
        }
        if goes_on {
            let ways = [state["Next"].is_string(), state["End"] == true];
            self.check(
                ways[0] != ways[1],
                place,
                "needs either `Next` or `End: true`",
            );
        }
        for path in ["InputPath", "OutputPath", "ResultPath", "ItemsPath"] {
            if let Some(value) = state.get(path).filter(|it| !it.is_null()) {
                let holds = value.as_str().is_some_and(is_path);
                self.check(holds, place, &format!("`{path}` is not a path"));
            }
        }
        for template in ["Parameters", "ItemSelector", "ResultSelector"] {
            self.template(place, &state[template]);
        }
        if let Some(seconds) = state.get("TimeoutSeconds") {
            let holds = seconds.as_u64().is_some_and(|it| it > 0);
            self.check(holds, place, "`TimeoutSeconds` is not a positive integer");
        }
        self.retries(place, &state["Retry"]);
        self.catchers(place, &state["Catch"]);
        match kind {
            "Task" => {
                let resource = state["Resource"].as_str().unwrap_or_default();
                let holds = resource.starts_with("arn:aws:states:::");
                self.check(holds, place, "`Resource` is not an ARN");
            }
            "Choice" => self.choices(place, &state["Choices"]),
            "Map" => self.map(place, state),
            _ => {}
        }
    }

    fn map(&mut self, place: &str, state: &Value) {
        let processor = &state["ItemProcessor"];
        let config = &processor["ProcessorConfig"];
        let types = ["STANDARD", "EXPRESS"].map(Value::from);
        let holds = match config["Mode"].as_str() {
            Some("DISTRIBUTED") => types.contains(&config["ExecutionType"]),
            mode => mode.is_none_or(|it| it == "INLINE"),
        };
        self.check(holds, place, "`ProcessorConfig` is not complete");
        self.machine(
            place,
            processor,
            &["StartAt", "States", "ProcessorConfig", "Comment"],
        );
    }

    /// A field whose name ends with `.$` is a path or an intrinsic function.
    fn template(&mut self, place: &str, value: &Value) {
        match value {
            Value::Object(fields) => {
                for (name, value) in fields {
                    match name.ends_with(".$") {
                        true => {
                            let holds = value
                                .as_str()
                                .is_some_and(|it| is_path(it) || it.starts_with("States."));
                            self.check(holds, place, &format!("`{name}` is not a path"));
                        }
                        false => self.template(place, value),
                    }
                }
            }
            Value::Array(values) => values.iter().for_each(|it| self.template(place, it)),
            _ => {}
        }
    }

    fn errors(&mut self, place: &str, rule: &Value, is_last: bool) {
        let names = rule["ErrorEquals"].as_array().cloned().unwrap_or_default();
        let holds = !names.is_empty() && names.iter().all(Value::is_string);
        self.check(holds, place, "`ErrorEquals` is not a list of names");
        if names.contains(&Value::from("States.ALL")) {
            let holds = names.len() == 1 && is_last;
            self.check(holds, place, "`States.ALL` does not stand alone and last");
        }
    }

    fn retries(&mut self, place: &str, retries: &Value) {
        let all = retries.as_array().cloned().unwrap_or_default();
        for (i, retry) in all.iter().enumerate() {
            self.errors(place, retry, i + 1 == all.len());
            for (name, least) in [
                ("IntervalSeconds", 1),
                ("MaxAttempts", 0),
                ("MaxDelaySeconds", 1),
            ] {
                if let Some(value) = retry.get(name) {
                    let holds = value.as_u64().is_some_and(|it| it >= least);
                    self.check(holds, place, &format!("`{name}` is too small"));
                }
            }
            if let Some(rate) = retry.get("BackoffRate") {
                let holds = rate.as_f64().is_some_and(|it| it >= 1.0);
                self.check(holds, place, "`BackoffRate` is less than 1");
            }
            if let Some(jitter) = retry.get("JitterStrategy") {
                let holds = ["FULL", "NONE"].map(Value::from).contains(jitter);
                self.check(holds, place, "`JitterStrategy` is unknown");
            }
        }
    }

    fn catchers(&mut self, place: &str, catchers: &Value) {
        let all = catchers.as_array().cloned().unwrap_or_default();
        for (i, catcher) in all.iter().enumerate() {
            self.errors(place, catcher, i + 1 == all.len());
            self.check(
                catcher["Next"].is_string(),
                place,
                "a catcher has no `Next`",
            );
        }
    }

    fn choices(&mut self, place: &str, choices: &Value) {
        let all = choices.as_array().cloned().unwrap_or_default();
        self.check(!all.is_empty(), place, "has no choices");
        for choice in &all {
            self.check(choice["Next"].is_string(), place, "a choice has no `Next`");
            self.rule(place, choice, true);
        }
    }

    /// Either a variable with one comparison, or rules in `And`, `Or` or `Not`.
    fn rule(&mut self, place: &str, rule: &Value, is_outer: bool) {
        let Some(fields) = rule.as_object() else {
            self.check(false, place, "a rule is not an object");
            return;
        };
        let names: Vec<_> = fields.keys().map(String::as_str).collect();
        self.check(
            is_outer || !names.contains(&"Next"),
            place,
            "an inner rule has `Next`",
        );
        let of_rule = |it: &&str| !["Next", "Variable"].contains(it);
        let operators: Vec<_> = names.into_iter().filter(of_rule).collect();
        self.check(operators.len() == 1, place, "a rule needs one operator");
        match operators.first() {
            Some(&("And" | "Or")) => {
                let inner = fields[operators[0]].as_array().cloned().unwrap_or_default();
                self.check(!inner.is_empty(), place, "an empty rule");
                inner.iter().for_each(|it| self.rule(place, it, false));
            }
            Some(&"Not") => self.rule(place, &fields["Not"], false),
            Some(operator) => {
                let known = [
                    "IsPresent",
                    "IsString",
                    "IsNull",
                    "StringEquals",
                    "StringMatches",
                ];
                self.check(
                    known.contains(operator),
                    place,
                    &format!("unknown `{operator}`"),
                );
                let variable = rule["Variable"].as_str();
                self.check(
                    variable.is_some_and(is_path),
                    place,
                    "`Variable` is not a path",
                );
            }
            None => {}
        }
    }
}

/// `$`, `$.a.b`, `$.a['b']`, `$$.Map.Item.Value`
fn is_path(text: &str) -> bool {
    let Some(rest) = text.strip_prefix("$$").or(text.strip_prefix('$')) else {
        return false;
    };
    rest.is_empty() || super::run::steps(rest).is_some()
}

fn targets(state: &Value) -> Vec<&str> {
    let rules = [&state["Choices"], &state["Catch"]];
    let nexts = rules.into_iter().filter_map(Value::as_array).flatten();
    let nexts = nexts.map(|it| &it["Next"]);
    nexts
        .chain([&state["Next"], &state["Default"]])
        .filter_map(Value::as_str)
        .collect()
}
