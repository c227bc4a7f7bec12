//! Update expressions: the action on each attribute, and their text.

use super::Aliases;
use super::condition::{shown_path, written_alias};
use super::raw_path::{RawPath, Step};
use crate::schema::{EntitySchema, TableSchema};
use aws_sdk_dynamodb::types::AttributeValue;

/// One thing that an update does.
#[derive(Debug, Clone)]
pub(crate) struct AttributeUpdate {
    pub(crate) path: RawPath,
    pub(crate) action: UpdateAction,
}

/// The action on an attribute.
#[derive(Debug, Clone)]
pub(crate) enum UpdateAction {
    Set(AttributeValue),
    SetIfAbsent(AttributeValue),
    Remove,
    /// Adds to a number; an absent one counts as 0.
    Increment(AttributeValue),
    /// Appends to a list; an absent one counts as empty.
    Append(AttributeValue),
    Prepend(AttributeValue),
    AddToSet(AttributeValue),
    DeleteFromSet(AttributeValue),
}

impl AttributeUpdate {
    pub(crate) fn attribute(name: &'static str, action: UpdateAction) -> Self {
        Self {
            path: Step::Name(name).into(),
            action,
        }
    }

    /// Returns the name of the attribute that it changes, wholly or in part.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.path.name()
    }

    /// Returns the minimum number of bytes that the item has for it afterwards.
    pub(crate) fn bytes(&self) -> usize {
        match &self.action {
            UpdateAction::Set(value)
            | UpdateAction::Append(value)
            | UpdateAction::Prepend(value)
            | UpdateAction::AddToSet(value) => {
                self.name().map_or(0, str::len) + crate::wire::value_bytes(value)
            }
            UpdateAction::SetIfAbsent(_)
            | UpdateAction::Increment(_)
            | UpdateAction::Remove
            | UpdateAction::DeleteFromSet(_) => 0,
        }
    }

    /// Returns whether repeating it changes nothing. The effect on an element of a list depends on
    /// the length of the list.
    pub(crate) fn is_same_again(&self) -> bool {
        let in_list = |step: &Step| matches!(step, Step::Index(_));
        match self.action {
            UpdateAction::Increment(_) | UpdateAction::Append(_) | UpdateAction::Prepend(_) => {
                false
            }
            UpdateAction::AddToSet(_)
            | UpdateAction::DeleteFromSet(_)
            | UpdateAction::SetIfAbsent(_) => true,
            UpdateAction::Set(_) | UpdateAction::Remove => !self.path.iter().any(in_list),
        }
    }

    /// Returns whether it changes the whole attribute.
    pub(crate) fn is_of(&self, attribute: &str) -> bool {
        let steps = self.path.iter().filter(|step| **step != Step::Hidden);
        steps.count() == 1 && self.name() == Some(attribute)
    }

    /// Returns whether it treats an absent attribute as 0 or empty, which fails if an optional
    /// field is NULL.
    pub(crate) fn needs_no_null(&self) -> bool {
        self.path.is_optional()
            && !matches!(self.action, UpdateAction::Set(_) | UpdateAction::Remove)
    }

    /// Returns whether it cannot read the value of an old name: `ADD` and `DELETE` have no operand
    /// besides the elements.
    pub(crate) fn needs_no_old_name(&self) -> bool {
        matches!(
            self.action,
            UpdateAction::AddToSet(_) | UpdateAction::DeleteFromSet(_)
        )
    }

    /// Returns whether a new item has the whole attribute afterwards.
    pub(crate) fn makes(&self, attribute: &str) -> bool {
        self.is_of(attribute)
            && !matches!(
                self.action,
                UpdateAction::Remove | UpdateAction::DeleteFromSet(_)
            )
    }
}

/// Gives every change of a whole attribute the old names of that attribute.
pub(crate) fn add_old_names(
    updates: &mut [AttributeUpdate],
    table: &TableSchema,
    entity: &EntitySchema,
) {
    if entity.aliases.is_empty() {
        return;
    }
    for update in updates {
        let names = update.path.whole();
        let names = names
            .map(|name| entity.old_names(table, name))
            .unwrap_or_default();
        if !names.is_empty() {
            update.path = update.path.clone().with_old_names(names);
        }
    }
}

/// Removes the old names of the changed fields: serde refuses an item that has a field under two
/// names.
fn remove_old_names(updates: &mut Vec<AttributeUpdate>) {
    let old_paths = updates.iter().flat_map(|update| update.path.old_paths());
    for path in old_paths.collect::<Vec<_>>() {
        if !updates.iter().any(|update| meets(&update.path, &path)) {
            let action = UpdateAction::Remove;
            updates.push(AttributeUpdate { path, action });
        }
    }
}

/// Returns the whole expression, in DynamoDB's four clauses. Fails with the path that two of the
/// actions would change.
pub(crate) fn expression(
    mut updates: Vec<AttributeUpdate>,
    aliases: &mut Aliases,
) -> Result<String, String> {
    if let Some(path) = overlap(&updates) {
        return Err(shown_path(path));
    }
    remove_old_names(&mut updates);
    // Within a clause they stay in their order.
    updates.sort_by_key(|update| update.action.clause());
    let mut text = String::with_capacity(24 * updates.len());
    let mut last = None;
    for update in updates {
        let clause = update.action.clause();
        if last == Some(clause) {
            text.push_str(", ");
        } else {
            text.push_str(if text.is_empty() { "" } else { " " });
            text.push_str(clause.keyword());
        }
        last = Some(clause);
        update.write(aliases, &mut text);
    }
    Ok(text)
}

/// The clauses, in the order in which they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Clause {
    Set,
    Remove,
    Add,
    Delete,
}

impl Clause {
    fn keyword(self) -> &'static str {
        match self {
            Self::Set => "SET ",
            Self::Remove => "REMOVE ",
            Self::Add => "ADD ",
            Self::Delete => "DELETE ",
        }
    }
}

impl UpdateAction {
    fn clause(&self) -> Clause {
        match self {
            UpdateAction::Remove => Clause::Remove,
            UpdateAction::AddToSet(_) => Clause::Add,
            UpdateAction::DeleteFromSet(_) => Clause::Delete,
            _ => Clause::Set,
        }
    }
}

impl AttributeUpdate {
    fn write(self, aliases: &mut Aliases, out: &mut String) {
        let hidden = self.path.is_hidden();
        let empty = || AttributeValue::L(vec![]);
        let zero = || AttributeValue::N("0".into());
        let mut pieces = Pieces {
            path: &self.path,
            hidden,
            aliases,
            out,
        };
        match self.action {
            UpdateAction::Set(to) => pieces.path().text(" = ").value(to),
            UpdateAction::SetIfAbsent(to) => pieces.path().text(" = ").or(to),
            UpdateAction::Increment(by) => {
                pieces.path().text(" = ").or(zero()).text(" + ").value(by)
            }
            UpdateAction::Append(list) => pieces
                .path()
                .text(" = list_append(")
                .or(empty())
                .text(", ")
                .value(list)
                .text(")"),
            UpdateAction::Prepend(list) => pieces
                .path()
                .text(" = list_append(")
                .value(list)
                .text(", ")
                .or(empty())
                .text(")"),
            UpdateAction::Remove => pieces.path(),
            UpdateAction::AddToSet(elements) | UpdateAction::DeleteFromSet(elements) => {
                pieces.path().text(" ").value(elements)
            }
        };
    }
}

/// The parts of an action's text.
struct Pieces<'a> {
    path: &'a RawPath,
    hidden: bool,
    aliases: &'a mut Aliases,
    out: &'a mut String,
}

impl Pieces<'_> {
    fn path(&mut self) -> &mut Self {
        self.path_of(self.path)
    }

    fn path_of(&mut self, path: &RawPath) -> &mut Self {
        written_alias(path, self.aliases, self.out);
        self
    }

    fn text(&mut self, text: &str) -> &mut Self {
        self.out.push_str(text);
        self
    }

    fn value(&mut self, value: AttributeValue) -> &mut Self {
        self.aliases.push_value(value, self.hidden, self.out);
        self
    }

    /// Writes the stored value, also under an old name, or else this value.
    fn or(&mut self, value: AttributeValue) -> &mut Self {
        self.text("if_not_exists(").path().text(", ");
        for old in self.path.old_paths() {
            self.text("if_not_exists(").path_of(&old).text(", ");
        }
        self.value(value);
        for _ in 0..=self.path.old_names().len() {
            self.text(")");
        }
        self
    }
}

/// Returns a path that overlaps another. DynamoDB refuses two actions on one path, or on a path and
/// one within it.
fn overlap(updates: &[AttributeUpdate]) -> Option<&RawPath> {
    let paths = updates.iter().enumerate();
    let overlaps = |(i, update): &(usize, &AttributeUpdate)| {
        let before = updates[..*i].iter();
        before
            .into_iter()
            .any(|other| meets(&update.path, &other.path))
    };
    paths
        .into_iter()
        .find(overlaps)
        .map(|(_, update)| &update.path)
}

/// Returns whether the paths are equal, or one lies within the other.
fn meets(a: &RawPath, b: &RawPath) -> bool {
    let steps = |step: &&Step| **step != Step::Hidden;
    let (a, b) = (a.iter().filter(steps), b.iter().filter(steps));
    a.zip(b).all(|(a, b)| same(a, b))
}

/// Returns whether two names are equal, declared or keys of a map.
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
    fn what_depends_on_what_is_there_is_not_the_same_again() {
        let update = |path: RawPath, action| AttributeUpdate { path, action };
        let whole = || RawPath::from(Step::Name("a"));
        let element = || whole().then(Step::Index(0));
        for (path, action, same) in [
            (whole(), UpdateAction::Set(number(1)), true),
            (whole(), UpdateAction::Remove, true),
            (whole(), UpdateAction::SetIfAbsent(number(1)), true),
            (whole(), UpdateAction::Increment(number(1)), false),
            (element(), UpdateAction::Set(number(1)), false),
            (element(), UpdateAction::Remove, false),
        ] {
            assert_eq!(update(path, action).is_same_again(), same);
        }
    }

    #[test]
    fn a_step_is_the_same_whether_its_name_was_declared_or_not() {
        let key = |name: &str| Step::Key(name.into());
        assert!(same(&Step::Name("a"), &key("a")) && same(&key("a"), &key("a")));
        assert!(!same(&Step::Name("a"), &key("b")) && !same(&Step::Name("a"), &Step::Name("b")));
        assert!(same(&Step::Index(1), &Step::Index(1)) && !same(&Step::Index(1), &Step::Index(2)));
        assert!(!same(&Step::Index(1), &key("1")) && !same(&Step::Hidden, &key("")));
    }

    #[test]
    fn actions_become_four_clauses() {
        let updates = [
            AttributeUpdate::attribute("a", UpdateAction::Set(number(1))),
            AttributeUpdate::attribute("b", UpdateAction::Remove),
            AttributeUpdate::attribute("c", UpdateAction::Increment(number(2))),
            AttributeUpdate::attribute(
                "d",
                UpdateAction::AddToSet(AttributeValue::Ns(vec!["3".into()])),
            ),
            AttributeUpdate::attribute(
                "e",
                UpdateAction::DeleteFromSet(AttributeValue::Ns(vec![])),
            ),
            AttributeUpdate::attribute("f", UpdateAction::Append(AttributeValue::L(vec![]))),
        ];
        assert_eq!(
            expression(updates.into(), &mut Aliases::default()).unwrap(),
            "SET #n0 = :v0, #n1 = if_not_exists(#n1, :v1) + :v2, \
             #n2 = list_append(if_not_exists(#n2, :v3), :v4) \
             REMOVE #n3 ADD #n4 :v5 DELETE #n5 :v6"
        );
    }

    #[test]
    fn a_path_and_one_within_it_overlap() {
        let within = AttributeUpdate {
            path: RawPath::from(Step::Name("a")).then(Step::Key("b".into())),
            action: UpdateAction::Remove,
        };
        let updates = [
            AttributeUpdate::attribute("a", UpdateAction::Set(number(1))),
            within,
        ];
        let error = expression(updates.into(), &mut Aliases::default()).unwrap_err();
        assert_eq!(error, "a.b");
        let beside = [
            AttributeUpdate::attribute("a", UpdateAction::Remove),
            AttributeUpdate::attribute("ab", UpdateAction::Remove),
        ];
        assert!(expression(beside.into(), &mut Aliases::default()).is_ok());
    }
}
