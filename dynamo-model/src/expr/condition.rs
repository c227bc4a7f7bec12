//! Conditions: a tree, simplified as it grows, and its text.

use super::Aliases;
use super::raw_path::{RawPath, Step};
use crate::cursor::fingerprint;
use crate::wire::EncodeError;
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;
use core::ops::{BitAnd, BitOr, Not};
use serde::ser::Error as _;

/// DynamoDB takes at most this many values in one `IN`.
const MAX_IN: usize = 100;

/// A condition on an item, for filters and writes. Combined with `&`, `|` and `!`.
///
/// ```
/// use dynamo_model::expr::Path;
///
/// let adult = Path::<u32>::attribute("age").ge(18);
/// let named = Path::<String>::attribute("name").exists();
/// assert_eq!((adult & !named).to_string(), "(age >= 18 AND NOT attribute_exists(name))");
///
/// // Nothing is in an empty list, and that is never forgotten.
/// let nobody = Path::<String>::attribute("name").is_in(Vec::<String>::new());
/// assert_eq!(nobody.to_string(), "false");
/// ```
#[derive(Clone)]
pub struct Condition(Tree);

/// The result of a filter or condition closure: a [`Condition`]. Rust's own `&&`, `||` and `==`
/// return a `bool`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a condition; join conditions with `&` and `|`, and compare with \
               `.eq(…)`",
    label = "gives `{Self}`",
    note = "write `a & b` instead of `a && b`, `a | b` instead of `a || b`, and `a.eq(b)` instead \
            of `a == b`"
)]
pub trait IntoCondition {
    /// Returns the condition.
    fn into_condition(self) -> Condition;
}

#[diagnostic::do_not_recommend]
impl IntoCondition for Condition {
    #[inline]
    fn into_condition(self) -> Condition {
        self
    }
}

/// Never implemented: the compiler words the error about `==` itself, and names this in it.
pub trait UseTheMethodEq<V> {}

impl<V> PartialEq<V> for Condition
where
    Condition: UseTheMethodEq<V>,
{
    fn eq(&self, _: &V) -> bool {
        false
    }
}

/// As it is shown everywhere: without sensitive values.
impl fmt::Debug for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Condition({self})")
    }
}

#[derive(Debug, Clone)]
enum Tree {
    Constant(bool),
    Term(Term),
    And(Vec<Tree>),
    Or(Vec<Tree>),
    Not(Box<Tree>),
    /// A value that could not be written; reported when the request is made.
    Broken(String),
}

#[derive(Debug, Clone)]
pub(crate) enum Term {
    Compare(RawPath, Comparison, AttributeValue),
    Between(RawPath, AttributeValue, AttributeValue),
    In(RawPath, Vec<AttributeValue>),
    BeginsWith(RawPath, String),
    Contains(RawPath, AttributeValue),
    Size(RawPath, Comparison, usize),
    Exists(RawPath),
    NotExists(RawPath),
    AttributeType(RawPath, String),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
    fn is_order(self) -> bool {
        !matches!(self, Self::Eq | Self::Ne)
    }

    fn as_str(self) -> &'static str {
        match self {
            Comparison::Eq => "=",
            Comparison::Ne => "<>",
            Comparison::Lt => "<",
            Comparison::Le => "<=",
            Comparison::Gt => ">",
            Comparison::Ge => ">=",
        }
    }
}

type Operand = Result<AttributeValue, EncodeError>;

/// Returns a value that DynamoDB can order. A type may claim that, while serde writes another type.
fn ordered(value: AttributeValue) -> Operand {
    match value {
        AttributeValue::S(_) | AttributeValue::N(_) | AttributeValue::B(_) => Ok(value),
        other => Err(EncodeError::custom(format!(
            "only a number, text and bytes have an order, and serde writes {}; compare with `eq`, \
             `ne` or `is_in`",
            type_name(&other)
        ))),
    }
}

/// Returns the type of a value, for a message.
pub(crate) fn type_name(value: &AttributeValue) -> &'static str {
    match value {
        AttributeValue::S(_) => "text",
        AttributeValue::N(_) => "a number",
        AttributeValue::B(_) => "bytes",
        AttributeValue::Bool(_) => "a bool",
        AttributeValue::Null(_) => "NULL",
        AttributeValue::L(_) => "a list",
        AttributeValue::M(_) => "a map",
        _ => "a set",
    }
}

impl Condition {
    /// A condition that cannot be sent, and why.
    pub(crate) fn broken(reason: String) -> Self {
        Self(Tree::Broken(reason))
    }

    pub(crate) fn term(term: Term) -> Self {
        Self(match term.path().broken() {
            None => Tree::Term(term),
            Some(reason) => Tree::Broken(format!("{}: {reason}", shown_path(term.path()))),
        })
    }

    fn checked(path: &RawPath, term: Result<Term, EncodeError>) -> Self {
        Self(match term {
            Ok(term) => return Self::term(term),
            Err(error) => Tree::Broken(format!("{}: {error}", shown_path(path))),
        })
    }

    pub(crate) fn comparing(path: RawPath, comparison: Comparison, value: Operand) -> Self {
        let value = match value.map(|value| path.finish(value)) {
            Ok(Some(value)) if comparison.is_order() => ordered(value),
            Ok(Some(value)) => Ok(value),
            Ok(None) => return Self::comparing_absent(path, comparison),
            Err(error) => Err(error),
        };
        Self::checked(
            &path.clone(),
            value.map(|value| Term::Compare(path, comparison, value)),
        )
    }

    /// Compares with `None` or an empty set, which are stored as absent.
    #[cold]
    fn comparing_absent(path: RawPath, comparison: Comparison) -> Self {
        match comparison {
            Comparison::Eq => Self::missing(path),
            Comparison::Ne => Self::existing(path),
            _ => Self(Tree::Constant(false)),
        }
    }

    /// Requires that an attribute exists and, if optional, is not NULL.
    pub(crate) fn existing(path: RawPath) -> Self {
        let not_null = path.is_optional().then(|| !Self::is_null(path.clone()));
        let exists = Self::term(Term::Exists(path));
        match not_null {
            Some(not_null) => exists & not_null,
            None => exists,
        }
    }

    /// Requires that an attribute is absent or, if optional, NULL.
    pub(crate) fn missing(path: RawPath) -> Self {
        let null = path.is_optional().then(|| Self::is_null(path.clone()));
        let absent = Self::term(Term::NotExists(path));
        match null {
            Some(null) => absent | null,
            None => absent,
        }
    }

    /// Requires that an attribute exists and is NULL.
    pub(crate) fn is_null(path: RawPath) -> Self {
        Self::term(Term::AttributeType(path, "NULL".into()))
    }

    /// Requires that an attribute has a type. DynamoDB refuses an unknown type.
    pub(crate) fn of_type(path: RawPath, name: &str) -> Self {
        const TYPES: [&str; 10] = ["S", "N", "B", "BOOL", "NULL", "M", "L", "SS", "NS", "BS"];
        match TYPES.contains(&name) {
            true => Self::term(Term::AttributeType(path, name.to_owned())),
            false => Self(Tree::Broken(format!(
                "{}: `{name}` is not a type of DynamoDB; use one of {}",
                shown_path(&path),
                TYPES.map(|name| format!("`{name}`")).join(", ")
            ))),
        }
    }

    /// Requires that an attribute is unchanged.
    #[must_use]
    pub(crate) fn equal(path: RawPath, value: AttributeValue) -> Self {
        Self::term(Term::Compare(path, Comparison::Eq, value))
    }

    pub(crate) fn between(path: RawPath, low: Operand, high: Operand) -> Self {
        let (low, high) = (low.and_then(ordered), high.and_then(ordered));
        let both = low.and_then(|low| high.map(|high| (low, high)));
        Self::checked(
            &path.clone(),
            both.map(|(low, high)| Term::Between(path, low, high)),
        )
    }

    pub(crate) fn containing(path: RawPath, element: Operand) -> Self {
        Self::checked(
            &path.clone(),
            element.map(|element| {
                let element = path.finish_element(element);
                Term::Contains(path, element)
            }),
        )
    }

    pub(crate) fn one_of(path: RawPath, values: Vec<Operand>) -> Self {
        if values.is_empty() {
            return Self(Tree::Constant(false));
        }
        let finished = |value: Operand| value.map(|value| path.finish(value)).transpose();
        let values: Result<Vec<_>, _> = values.into_iter().filter_map(finished).collect();
        Self::checked(&path.clone(), values.map(|values| Term::In(path, values)))
    }

    /// Returns its constant result, if no item or every item passes.
    pub(crate) fn constant(&self) -> Option<bool> {
        match self.0 {
            Tree::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Returns whether the condition can hold only if a term holds for which `is_term` is true.
    pub(crate) fn requires(&self, is: impl Fn(&Term) -> bool) -> bool {
        match &self.0 {
            Tree::Term(term) => is(term),
            Tree::And(all) => all
                .iter()
                .any(|tree| matches!(tree, Tree::Term(term) if is(term))),
            _ => false,
        }
    }

    /// Returns its definition with real values, in a stable form: for the fingerprint of a cursor.
    pub(crate) fn definition(&self) -> Option<String> {
        let mut text = String::with_capacity(64);
        self.0.write(&mut Defining, &mut text).ok()?;
        Some(text)
    }

    /// Returns the expression, with aliases; fails with the attribute whose value could not be
    /// written.
    pub(crate) fn expression(&self, aliases: &mut Aliases) -> Result<String, String> {
        let mut text = String::with_capacity(64);
        self.0.write(&mut Aliased(aliases), &mut text)?;
        Ok(text)
    }
}

impl BitAnd for Condition {
    type Output = Condition;

    fn bitand(self, other: Self) -> Self {
        Self(match (self.0, other.0) {
            (Tree::Constant(false), _) | (_, Tree::Constant(false)) => Tree::Constant(false),
            (Tree::Constant(true), tree) | (tree, Tree::Constant(true)) => tree,
            (Tree::And(mut all), Tree::And(more)) => {
                all.extend(more);
                Tree::And(all)
            }
            (Tree::And(mut all), tree) => {
                all.push(tree);
                Tree::And(all)
            }
            (a, b) => Tree::And(vec![a, b]),
        })
    }
}

impl BitOr for Condition {
    type Output = Condition;

    fn bitor(self, other: Self) -> Self {
        Self(match (self.0, other.0) {
            (Tree::Constant(true), _) | (_, Tree::Constant(true)) => Tree::Constant(true),
            (Tree::Constant(false), tree) | (tree, Tree::Constant(false)) => tree,
            (Tree::Or(mut all), Tree::Or(more)) => {
                all.extend(more);
                Tree::Or(all)
            }
            (Tree::Or(mut all), tree) => {
                all.push(tree);
                Tree::Or(all)
            }
            (a, b) => Tree::Or(vec![a, b]),
        })
    }
}

impl Not for Condition {
    type Output = Condition;

    fn not(self) -> Self {
        Self(match self.0 {
            Tree::Constant(value) => Tree::Constant(!value),
            Tree::Not(tree) => *tree,
            tree => Tree::Not(Box::new(tree)),
        })
    }
}

/// How names and values are written.
trait Writer {
    fn name(&mut self, name: &str, out: &mut String);
    fn declared(&mut self, name: &'static str, out: &mut String) {
        self.name(name, out);
    }
    /// Sets the name of an entry of a map, and whether the map is sensitive.
    fn entry(&mut self, name: &str, hidden: bool, out: &mut String);
    fn value(&mut self, path: &RawPath, value: &AttributeValue, out: &mut String);
}

/// As aliases, for DynamoDB.
struct Aliased<'a>(&'a mut Aliases);

impl Writer for Aliased<'_> {
    fn name(&mut self, name: &str, out: &mut String) {
        self.0.push_name(name, out);
    }

    fn declared(&mut self, name: &'static str, out: &mut String) {
        self.0.push_declared(name, out);
    }

    fn entry(&mut self, name: &str, hidden: bool, out: &mut String) {
        self.0.push_entry(name, hidden, out);
    }

    fn value(&mut self, path: &RawPath, value: &AttributeValue, out: &mut String) {
        self.0.push_value(value.clone(), path.is_hidden(), out);
    }
}

/// With their lengths, for a fingerprint.
struct Defining;

impl Writer for Defining {
    fn name(&mut self, name: &str, out: &mut String) {
        fingerprint::push_text("n", name, out);
    }

    fn entry(&mut self, name: &str, _: bool, out: &mut String) {
        self.name(name, out);
    }

    fn value(&mut self, _: &RawPath, value: &AttributeValue, out: &mut String) {
        fingerprint::push_value(value, out);
    }
}

/// As they are, for people.
struct Shown;

impl Writer for Shown {
    fn name(&mut self, name: &str, out: &mut String) {
        out.push_str(name);
    }

    fn entry(&mut self, name: &str, hidden: bool, out: &mut String) {
        out.push_str(if hidden { "***" } else { name });
    }

    fn value(&mut self, path: &RawPath, value: &AttributeValue, out: &mut String) {
        if path.is_hidden() {
            out.push_str("***");
        } else {
            out.push_str(&crate::request::shown_value(value));
        }
    }
}

impl Tree {
    fn write(&self, writer: &mut impl Writer, out: &mut String) -> Result<(), String> {
        match self {
            Tree::Constant(value) => out.push_str(if *value { "true" } else { "false" }),
            Tree::Term(term) => term.write(writer, out),
            Tree::And(all) => joined(all, " AND ", writer, out)?,
            Tree::Or(all) => joined(all, " OR ", writer, out)?,
            Tree::Not(tree) => {
                out.push_str("NOT ");
                tree.write(writer, out)?;
            }
            Tree::Broken(reason) => return Err(reason.clone()),
        }
        Ok(())
    }
}

fn joined(
    trees: &[Tree],
    separator: &str,
    writer: &mut impl Writer,
    out: &mut String,
) -> Result<(), String> {
    out.push('(');
    for (i, tree) in trees.iter().enumerate() {
        if i > 0 {
            out.push_str(separator);
        }
        tree.write(writer, out)?;
    }
    out.push(')');
    Ok(())
}

impl Term {
    fn path(&self) -> &RawPath {
        match self {
            Term::Compare(path, ..)
            | Term::Between(path, ..)
            | Term::In(path, _)
            | Term::BeginsWith(path, _)
            | Term::Contains(path, _)
            | Term::Size(path, ..)
            | Term::Exists(path)
            | Term::NotExists(path)
            | Term::AttributeType(path, _) => path,
        }
    }

    fn write(&self, writer: &mut impl Writer, out: &mut String) {
        match self {
            Term::Compare(path, comparison, value) => {
                written(path, writer, out);
                infix(comparison.as_str(), out);
                writer.value(path, value, out);
            }
            Term::Between(path, low, high) => {
                written(path, writer, out);
                infix("BETWEEN", out);
                writer.value(path, low, out);
                infix("AND", out);
                writer.value(path, high, out);
            }
            Term::In(path, values) => one_of(path, values, writer, out),
            Term::BeginsWith(path, text) => {
                let text = AttributeValue::S(text.clone());
                function("begins_with", path, Some(&text), writer, out);
            }
            Term::Contains(path, element) => {
                function("contains", path, Some(element), writer, out);
            }
            Term::Size(path, comparison, size) => {
                function("size", path, None, writer, out);
                infix(comparison.as_str(), out);
                writer.value(path, &AttributeValue::N(size.to_string()), out);
            }
            Term::Exists(path) => function("attribute_exists", path, None, writer, out),
            Term::NotExists(path) => function("attribute_not_exists", path, None, writer, out),
            Term::AttributeType(path, name) => {
                let name = AttributeValue::S(name.clone());
                function("attribute_type", path, Some(&name), writer, out);
            }
        }
    }
}

fn infix(sign: &str, out: &mut String) {
    out.push(' ');
    out.push_str(sign);
    out.push(' ');
}

fn function(
    name: &str,
    path: &RawPath,
    value: Option<&AttributeValue>,
    writer: &mut impl Writer,
    out: &mut String,
) {
    out.push_str(name);
    out.push('(');
    written(path, writer, out);
    if let Some(value) = value {
        out.push_str(", ");
        writer.value(path, value, out);
    }
    out.push(')');
}

/// Writes a list of values. DynamoDB accepts 100 in a list, so more become several lists.
fn one_of(path: &RawPath, values: &[AttributeValue], writer: &mut impl Writer, out: &mut String) {
    let several = values.len() > MAX_IN;
    out.push_str(if several { "(" } else { "" });
    for (i, chunk) in values.chunks(MAX_IN).enumerate() {
        out.push_str(if i > 0 { " OR " } else { "" });
        written(path, writer, out);
        out.push_str(" IN (");
        for (i, value) in chunk.iter().enumerate() {
            out.push_str(if i > 0 { ", " } else { "" });
            writer.value(path, value, out);
        }
        out.push(')');
    }
    out.push_str(if several { ")" } else { "" });
}

fn written(path: &RawPath, writer: &mut impl Writer, out: &mut String) {
    let mut hidden = false;
    for (i, step) in path.iter().enumerate() {
        let dot = if i == 0 { "" } else { "." };
        match step {
            Step::Name(name) => {
                out.push_str(dot);
                writer.declared(name, out);
            }
            Step::Key(key) => {
                out.push_str(dot);
                writer.entry(key, hidden, out);
            }
            Step::Hidden => hidden = true,
            Step::Index(index) => {
                out.push('[');
                out.push_str(itoa::Buffer::new().format(*index));
                out.push(']');
            }
        }
    }
}

/// Returns the condition as text with aliases.
pub(super) fn written_alias(path: &RawPath, aliases: &mut Aliases, out: &mut String) {
    written(path, &mut Aliased(aliases), out);
}

pub(super) fn shown_path(path: &RawPath) -> String {
    let mut text = String::new();
    written(path, &mut Shown, &mut text);
    text
}

/// With names and values in place: for people, never for DynamoDB.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        match self.0.write(&mut Shown, &mut text) {
            Ok(()) => f.write_str(&text),
            Err(reason) => f.write_str(&reason),
        }
    }
}
