//! Where in an item something is.

use core::fmt;

/// `address.lines[2]`. Built only for an error: from the inside, on the way out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Path(Vec<Segment>);

/// One step, from the outside.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    /// An attribute, an entry of a map, or the variant of an enum.
    Name(String),
    /// An element of a list.
    Index(usize),
}

impl Path {
    /// Adds an outer segment.
    pub(crate) fn within(&mut self, outer: Segment) {
        self.0.push(outer);
    }

    /// Returns the steps from the outside; `None` for the whole item.
    pub(crate) fn segments(&self) -> Option<Vec<Segment>> {
        let segments: Vec<_> = self.0.iter().rev().cloned().collect();
        (!segments.is_empty()).then_some(segments)
    }

    /// Returns the attribute of the item that contains it.
    pub(crate) fn attribute(&self) -> Option<&str> {
        match self.0.last() {
            Some(Segment::Name(name)) => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Path {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, segment) in self.0.iter().rev().enumerate() {
            match segment {
                Segment::Name(name) if i == 0 => f.write_str(name)?,
                Segment::Name(name) => write!(f, ".{name}")?,
                Segment::Index(at) => write!(f, "[{at}]")?,
            }
        }
        // The whole item.
        match self.0.is_empty() {
            true => f.write_str("."),
            false => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_shown_from_the_outside() {
        let mut path = Path::default();
        assert_eq!(path.to_string(), ".");
        for outer in ["zip", "Card"] {
            path.within(Segment::Name(outer.into()));
        }
        path.within(Segment::Index(2));
        path.within(Segment::Name("payments".into()));
        assert_eq!(path.to_string(), "payments[2].Card.zip");
        assert_eq!(path.attribute(), Some("payments"));
    }
}
