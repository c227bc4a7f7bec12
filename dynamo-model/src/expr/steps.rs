//! A path without its type: the steps to an attribute, or to something within one.

/// The steps of a path, from the attribute inwards. Almost every path is one declared name, for which nothing is
/// allocated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RawPath {
    first: Step,
    rest: Vec<Step>,
}

/// One step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Step {
    /// A declared attribute or field.
    Name(&'static str),
    /// Nothing: what is compared with this path is sensitive.
    Hidden,
    /// A name that no declaration has.
    Key(String),
    Index(usize),
}

impl RawPath {
    pub(crate) fn then(mut self, step: Step) -> Self {
        self.rest.push(step);
        self
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &Step> {
        core::iter::once(&self.first).chain(&self.rest)
    }

    /// Whether what it leads to never reaches a log.
    pub(crate) fn is_hidden(&self) -> bool {
        self.rest.contains(&Step::Hidden)
    }

    /// The declared attribute at its beginning.
    pub(crate) fn name(&self) -> Option<&'static str> {
        self.iter().find_map(|step| match step {
            Step::Name(name) => Some(*name),
            _ => None,
        })
    }
}

impl From<Step> for RawPath {
    fn from(first: Step) -> Self {
        let rest = Vec::new();
        Self { first, rest }
    }
}
