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

    /// Whether it changes nothing the second time. What it does to an element of a list depends on how many there are.
    pub(crate) fn is_same_again(&self) -> bool {
        let in_list = |step: &Step| matches!(step, Step::Index(_));
        match self.what {
            What::Increment(_) | What::Append(_) | What::Prepend(_) => false,
            What::AddToSet(_) | What::DeleteFromSet(_) | What::SetIfAbsent(_) => true,
            What::Set(_) | What::Remove => !self.path.iter().any(in_list),
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
    let mut text = String::with_capacity(24 * actions.len());
    for clause in ["SET ", "REMOVE ", "ADD ", "DELETE "] {
        let mut before = clause;
        for action in actions.iter().filter(|it| it.what.clause() == clause) {
            if before == clause && !text.is_empty() {
                text.push(' ');
            }
            text.push_str(before);
            action.write(aliases, &mut text);
            before = ", ";
        }
    }
    Ok(text)
}

impl What {
    fn clause(&self) -> &'static str {
        match self {
            What::Remove => "REMOVE ",
            What::AddToSet(_) => "ADD ",
            What::DeleteFromSet(_) => "DELETE ",
            _ => "SET ",
        }
    }
}

impl Action {
    /// `#n0 = :v0`
    fn write(&self, aliases: &mut Aliases, out: &mut String) {
        let mut name = String::with_capacity(8);
        written_alias(&self.path, aliases, &mut name);
        let hidden = is_hidden(&self.path);
        let mut value = |value: AttributeValue| {
            let mut alias = String::with_capacity(8);
            aliases.push_value(value, hidden, &mut alias);
            alias
        };
        let empty = || AttributeValue::L(vec![]);
        let zero = || AttributeValue::N("0".into());
        let mut put = |parts: &[&str]| parts.iter().for_each(|part| out.push_str(part));
        match &self.what {
            What::Set(to) => put(&[&name, " = ", &value(to.clone())]),
            What::SetIfAbsent(to) => {
                let to = value(to.clone());
                put(&[&name, " = if_not_exists(", &name, ", ", &to, ")"]);
            }
            What::Increment(by) => {
                let (zero, by) = (value(zero()), value(by.clone()));
                put(&[&name, " = if_not_exists(", &name, ", ", &zero, ") + ", &by]);
            }
            What::Append(list) => {
                let (empty, list) = (value(empty()), value(list.clone()));
                put(&[
                    &name,
                    " = list_append(if_not_exists(",
                    &name,
                    ", ",
                    &empty,
                    "), ",
                    &list,
                    ")",
                ]);
            }
            What::Prepend(list) => {
                let (empty, list) = (value(empty()), value(list.clone()));
                put(&[
                    &name,
                    " = list_append(",
                    &list,
                    ", if_not_exists(",
                    &name,
                    ", ",
                    &empty,
                    "))",
                ]);
            }
            What::Remove => put(&[&name]),
            What::AddToSet(elements) | What::DeleteFromSet(elements) => {
                put(&[&name, " ", &value(elements.clone())]);
            }
        }
    }
}

/// DynamoDB refuses two actions on one path, or on a path and one within it.
fn overlap(actions: &[Action]) -> Option<&RawPath> {
    let paths = actions.iter().enumerate();
    let overlaps = |(i, action): &(usize, &Action)| {
        let before = actions[..*i].iter();
        before
            .into_iter()
            .any(|other| meets(&action.path, &other.path))
    };
    paths
        .into_iter()
        .find(overlaps)
        .map(|(_, action)| &action.path)
}

/// Whether one is the other, or lies within it.
fn meets(a: &RawPath, b: &RawPath) -> bool {
    let steps = |step: &&Step| **step != Step::Hidden;
    let (a, b) = (a.iter().filter(steps), b.iter().filter(steps));
    a.zip(b).all(|(a, b)| same(a, b))
}

/// A name is a name, whether it was declared or is the key of a map.
fn same(a: &Step, b: &Step) -> bool {
    fn name(step: &Step) -> Option<&str> {
        match step {
            Step::Name(name) => Some(name),
            Step::Key(key) => Some(key),
            _ => None,
        }
    }
    match (name(a), name(b)) {
        (Some(a), Some(b)) => a == b,
        _ => a == b,
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
            "SET #n0 = :v0, #n1 = if_not_exists(#n1, :v1) + :v2, \
             #n2 = list_append(if_not_exists(#n2, :v3), :v4) \
             REMOVE #n3 ADD #n4 :v5 DELETE #n5 :v6"
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
