//! Update expressions: what is to happen to each attribute, and its text.

use super::Aliases;
use super::condition::{is_hidden, shown_path, written_alias};
use super::path::{RawPath, Step};
use aws_sdk_dynamodb::types::AttributeValue;

/// One thing that an update does.
#[derive(Debug, Clone)]
pub(crate) struct Action {
    pub(crate) path: RawPath,
    pub(crate) what: What,
}

/// What happens to an attribute.
#[derive(Debug, Clone)]
pub(crate) enum What {
    Set(AttributeValue),
    SetIfAbsent(AttributeValue),
    Remove,
    /// Of a number; what is absent counts as 0.
    Increment(AttributeValue),
    /// To a list; what is absent counts as empty.
    Append(AttributeValue),
    Prepend(AttributeValue),
    AddToSet(AttributeValue),
    DeleteFromSet(AttributeValue),
}

impl Action {
    pub(crate) fn attribute(name: &'static str, what: What) -> Self {
        Self {
            path: vec![Step::Name(name)],
            what,
        }
    }

    /// The name of the attribute it changes, or changes a part of.
    pub(crate) fn name(&self) -> Option<&str> {
        self.path.iter().find_map(|step| match step {
            Step::Name(name) => Some(*name),
            _ => None,
        })
    }

    /// At least how many bytes the item has afterwards for it.
    pub(crate) fn bytes(&self) -> usize {
        match &self.what {
            What::Set(value)
            | What::Append(value)
            | What::Prepend(value)
            | What::AddToSet(value) => {
                self.name().map_or(0, str::len) + crate::wire::value_bytes(value)
            }
            What::SetIfAbsent(_) | What::Increment(_) | What::Remove | What::DeleteFromSet(_) => 0,
        }
    }

    /// Whether an item that was not there before has the whole attribute afterwards.
    pub(crate) fn makes(&self, attribute: &str) -> bool {
        let steps = self.path.iter().filter(|step| **step != Step::Hidden);
        steps.count() == 1
            && self.name() == Some(attribute)
            && !matches!(self.what, What::Remove | What::DeleteFromSet(_))
    }
}

/// The whole expression, in DynamoDB's four clauses; or the path that two of the actions would change.
pub(crate) fn expression(actions: &[Action], aliases: &mut Aliases) -> Result<String, String> {
    if let Some(path) = overlap(actions) {
        return Err(shown_path(path));
    }
    let (mut set, mut remove, mut add, mut delete) = (vec![], vec![], vec![], vec![]);
    for Action { path, what } in actions {
        let name = written_alias(path, aliases);
        let mut value = |value: &AttributeValue| match is_hidden(path) {
            true => aliases.hidden_value(value.clone()),
            false => aliases.value(value.clone()),
        };
        match what {
            What::Set(to) => set.push(format!("{name} = {}", value(to))),
            What::SetIfAbsent(to) => {
                set.push(format!("{name} = if_not_exists({name}, {})", value(to)));
            }
            What::Increment(by) => {
                let (zero, by) = (value(&AttributeValue::N("0".into())), value(by));
                set.push(format!("{name} = if_not_exists({name}, {zero}) + {by}"));
            }
            What::Append(list) => {
                let (empty, list) = (value(&AttributeValue::L(vec![])), value(list));
                let stored = format!("if_not_exists({name}, {empty})");
                set.push(format!("{name} = list_append({stored}, {list})"));
            }
            What::Prepend(list) => {
                let (empty, list) = (value(&AttributeValue::L(vec![])), value(list));
                let stored = format!("if_not_exists({name}, {empty})");
                set.push(format!("{name} = list_append({list}, {stored})"));
            }
            What::Remove => remove.push(name),
            What::AddToSet(elements) => add.push(format!("{name} {}", value(elements))),
            What::DeleteFromSet(elements) => delete.push(format!("{name} {}", value(elements))),
        }
    }
    let clauses = [
        ("SET", set),
        ("REMOVE", remove),
        ("ADD", add),
        ("DELETE", delete),
    ];
    let clauses = clauses.iter().filter(|(_, terms)| !terms.is_empty());
    let clauses: Vec<_> = clauses
        .map(|(clause, terms)| format!("{clause} {}", terms.join(", ")))
        .collect();
    Ok(clauses.join(" "))
}

/// DynamoDB refuses two actions on one path, or on a path and one within it.
fn overlap(actions: &[Action]) -> Option<&RawPath> {
    let steps = |action: &Action| -> Vec<Step> {
        let steps = action.path.iter().filter(|step| **step != Step::Hidden);
        steps.cloned().map(as_name).collect()
    };
    let paths: Vec<_> = actions.iter().map(steps).collect();
    let at = paths.iter().enumerate().position(|(i, path)| {
        let before = paths[..i].iter();
        before
            .into_iter()
            .any(|other| path.starts_with(other) || other.starts_with(path))
    });
    at.map(|at| &actions[at].path)
}

/// A field of a struct and a key of a map are the same to DynamoDB.
fn as_name(step: Step) -> Step {
    match step {
        Step::Name(name) => Step::Key(name.to_owned()),
        step => step,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(number: u32) -> AttributeValue {
        AttributeValue::N(number.to_string())
    }

    #[test]
    fn actions_become_four_clauses() {
        let actions = [
            Action::attribute("a", What::Set(number(1))),
            Action::attribute("b", What::Remove),
            Action::attribute("c", What::Increment(number(2))),
            Action::attribute("d", What::AddToSet(AttributeValue::Ns(vec!["3".into()]))),
            Action::attribute("e", What::DeleteFromSet(AttributeValue::Ns(vec![]))),
            Action::attribute("f", What::Append(AttributeValue::L(vec![]))),
        ];
        assert_eq!(
            expression(&actions, &mut Aliases::default()).unwrap(),
            "SET #n0 = :v0, #n2 = if_not_exists(#n2, :v1) + :v2, \
             #n5 = list_append(if_not_exists(#n5, :v5), :v6) \
             REMOVE #n1 ADD #n3 :v3 DELETE #n4 :v4"
        );
    }

    #[test]
    fn a_path_and_one_within_it_overlap() {
        let within = Action {
            path: vec![Step::Name("a"), Step::Key("b".into())],
            what: What::Remove,
        };
        let actions = [Action::attribute("a", What::Set(number(1))), within];
        let error = expression(&actions, &mut Aliases::default()).unwrap_err();
        assert_eq!(error, "a.b");
        let beside = [
            Action::attribute("a", What::Remove),
            Action::attribute("ab", What::Remove),
        ];
        assert!(expression(&beside, &mut Aliases::default()).is_ok());
    }
}
