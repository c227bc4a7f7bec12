//! Conditions: a tree, simplified as it grows, and its text.

use super::Aliases;
use super::path::{RawPath, Step};
use aws_sdk_dynamodb::types::AttributeValue;
use core::fmt;
use core::ops::{BitAnd, BitOr, Not};

/// DynamoDB takes at most this many values in one `IN`.
const MAX_IN: usize = 100;

/// A condition on an item: what a filter takes. Combined with `&`, `|` and `!`.
///
/// ```
/// use dynamo_model::Path;
///
/// let adult = Path::<u32>::attribute("age").ge(18);
/// let named = Path::<String>::attribute("name").exists();
/// assert_eq!((adult & !named).to_string(), "(age >= 18 AND NOT attribute_exists(name))");
///
/// // Nothing is in an empty list, and that is never forgotten.
/// let nobody = Path::<String>::attribute("name").is_in(Vec::<String>::new());
/// assert_eq!(nobody.to_string(), "false");
/// ```
#[derive(Debug, Clone)]
pub struct Condition(Tree);

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

#[derive(Debug, Clone, Copy)]
pub(crate) enum Comparison {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl Comparison {
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

type Operand = Result<AttributeValue, serde_dynamo::Error>;

impl Condition {
    pub(crate) fn term(term: Term) -> Self {
        Self(Tree::Term(term))
    }

    fn checked(path: &RawPath, term: Result<Term, serde_dynamo::Error>) -> Self {
        Self(match term {
            Ok(term) => Tree::Term(term),
            Err(error) => Tree::Broken(format!("{}: {error}", shown_path(path))),
        })
    }

    pub(crate) fn comparing(path: RawPath, comparison: Comparison, value: Operand) -> Self {
        Self::checked(
            &path.clone(),
            value.map(|value| Term::Compare(path, comparison, value)),
        )
    }

    /// An attribute is as it was.
    #[must_use]
    pub(crate) fn equal(path: RawPath, value: AttributeValue) -> Self {
        Self::term(Term::Compare(path, Comparison::Eq, value))
    }

    pub(crate) fn between(path: RawPath, low: Operand, high: Operand) -> Self {
        let both = low.and_then(|low| high.map(|high| (low, high)));
        Self::checked(
            &path.clone(),
            both.map(|(low, high)| Term::Between(path, low, high)),
        )
    }

    pub(crate) fn containing(path: RawPath, element: Operand) -> Self {
        Self::checked(
            &path.clone(),
            element.map(|element| Term::Contains(path, element)),
        )
    }

    pub(crate) fn one_of(path: RawPath, values: Vec<Operand>) -> Self {
        if values.is_empty() {
            return Self(Tree::Constant(false));
        }
        let values: Result<Vec<_>, _> = values.into_iter().collect();
        Self::checked(&path.clone(), values.map(|values| Term::In(path, values)))
    }

    /// What it comes to without looking at an item: no item can pass, or every one does.
    pub(crate) fn constant(&self) -> Option<bool> {
        match self.0 {
            Tree::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// The expression, with aliases; or the attribute whose value could not be written.
    pub(crate) fn expression(&self, aliases: &mut Aliases) -> Result<String, String> {
        self.0.write(&mut Aliased(aliases))
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

/// How names and values are written: as aliases for DynamoDB, or as they are for people.
trait Writer {
    fn name(&mut self, name: &str) -> String;
    fn value(&mut self, path: &RawPath, value: &AttributeValue) -> String;
}

pub(super) fn is_hidden(path: &RawPath) -> bool {
    path.contains(&Step::Hidden)
}

struct Aliased<'a>(&'a mut Aliases);

impl Writer for Aliased<'_> {
    fn name(&mut self, name: &str) -> String {
        self.0.name(name)
    }

    fn value(&mut self, path: &RawPath, value: &AttributeValue) -> String {
        if is_hidden(path) {
            self.0.hidden_value(value.clone())
        } else {
            self.0.value(value.clone())
        }
    }
}

struct Shown;

impl Writer for Shown {
    fn name(&mut self, name: &str) -> String {
        name.to_owned()
    }

    fn value(&mut self, path: &RawPath, value: &AttributeValue) -> String {
        if is_hidden(path) {
            "***".into()
        } else {
            crate::op::shown_value(value)
        }
    }
}

impl Tree {
    fn write(&self, out: &mut impl Writer) -> Result<String, String> {
        Ok(match self {
            Tree::Constant(value) => value.to_string(),
            Tree::Term(term) => term.write(out),
            Tree::And(all) => joined(all, " AND ", out)?,
            Tree::Or(all) => joined(all, " OR ", out)?,
            Tree::Not(tree) => format!("NOT {}", tree.write(out)?),
            Tree::Broken(reason) => return Err(reason.clone()),
        })
    }
}

fn joined(trees: &[Tree], separator: &str, out: &mut impl Writer) -> Result<String, String> {
    let texts: Result<Vec<_>, _> = trees.iter().map(|tree| tree.write(out)).collect();
    Ok(format!("({})", texts?.join(separator)))
}

impl Term {
    fn write(&self, out: &mut impl Writer) -> String {
        match self {
            Term::Compare(path, comparison, value) => {
                format!(
                    "{} {} {}",
                    written(path, out),
                    comparison.as_str(),
                    out.value(path, value)
                )
            }
            Term::Between(path, low, high) => {
                format!(
                    "{} BETWEEN {} AND {}",
                    written(path, out),
                    out.value(path, low),
                    out.value(path, high)
                )
            }
            Term::In(path, values) => {
                let lists = values.chunks(MAX_IN).map(|chunk| {
                    let values: Vec<_> = chunk.iter().map(|value| out.value(path, value)).collect();
                    format!("{} IN ({})", written(path, out), values.join(", "))
                });
                let lists: Vec<_> = lists.collect();
                if lists.len() == 1 {
                    lists.concat()
                } else {
                    format!("({})", lists.join(" OR "))
                }
            }
            Term::BeginsWith(path, text) => {
                let text = out.value(path, &AttributeValue::S(text.clone()));
                format!("begins_with({}, {text})", written(path, out))
            }
            Term::Contains(path, element) => {
                format!(
                    "contains({}, {})",
                    written(path, out),
                    out.value(path, element)
                )
            }
            Term::Size(path, comparison, size) => {
                let size = out.value(path, &AttributeValue::N(size.to_string()));
                format!(
                    "size({}) {} {size}",
                    written(path, out),
                    comparison.as_str()
                )
            }
            Term::Exists(path) => format!("attribute_exists({})", written(path, out)),
            Term::NotExists(path) => format!("attribute_not_exists({})", written(path, out)),
            Term::AttributeType(path, name) => {
                let name = out.value(path, &AttributeValue::S(name.clone()));
                format!("attribute_type({}, {name})", written(path, out))
            }
        }
    }
}

fn written(path: &RawPath, out: &mut impl Writer) -> String {
    let mut text = String::new();
    for (i, step) in path.iter().enumerate() {
        let dot = if i == 0 { "" } else { "." };
        match step {
            Step::Name(name) => text += &format!("{dot}{}", out.name(name)),
            Step::Key(key) => text += &format!("{dot}{}", out.name(key)),
            Step::Hidden => {}
            Step::Index(index) => text += &format!("[{index}]"),
        }
    }
    text
}

/// With aliases.
pub(super) fn written_alias(path: &RawPath, aliases: &mut Aliases) -> String {
    written(path, &mut Aliased(aliases))
}

pub(super) fn shown_path(path: &RawPath) -> String {
    written(path, &mut Shown)
}

/// With names and values in place: for people, never for DynamoDB.
impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.write(&mut Shown) {
            Ok(text) | Err(text) => f.write_str(&text),
        }
    }
}
