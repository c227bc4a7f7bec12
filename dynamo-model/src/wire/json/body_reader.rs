//! Reads the JSON of a request.

use super::attribute;
use super::read::Reader;
use crate::wire::Item;
use crate::wire::reason::Reason;
use aws_sdk_dynamodb::types::AttributeValue;

/// A request, read from front to back.
#[derive(Debug)]
pub(crate) struct BodyReader<'de>(Reader<'de>);

impl<'de> BodyReader<'de> {
    pub(crate) fn new(text: &'de str) -> Self {
        Self(Reader::new(text))
    }

    /// Reads an object: `field` reads the value of each name.
    pub(crate) fn object(
        &mut self,
        mut field: impl FnMut(&mut Self, String) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let mut first = true;
        self.0.scan.expect(b'{')?;
        while let Some(name) = self.0.name(&mut first)? {
            field(self, name.into_owned())?;
        }
        Ok(())
    }

    /// Reads an array: `element` reads each element.
    pub(crate) fn array<T>(
        &mut self,
        mut element: impl FnMut(&mut Self) -> Result<T, Reason>,
    ) -> Result<Vec<T>, Reason> {
        let (mut elements, mut first) = (Vec::new(), true);
        self.0.scan.expect(b'[')?;
        while self.0.scan.more(b']', &mut first)? {
            elements.push(element(self)?);
        }
        Ok(elements)
    }

    /// Returns whether the next value is an array.
    pub(crate) fn is_array(&mut self) -> Result<bool, Reason> {
        Ok(self.0.scan.peek()? == b'[')
    }

    pub(crate) fn text(&mut self) -> Result<String, Reason> {
        Ok(self.0.string()?.into_owned())
    }

    pub(crate) fn boolean(&mut self) -> Result<bool, Reason> {
        self.0.boolean()
    }

    pub(crate) fn number(&mut self) -> Result<i32, Reason> {
        let text = self.0.raw()?;
        text.parse().map_err(|_| Reason::number("a number", text))
    }

    /// Reads one value.
    pub(crate) fn value(&mut self) -> Result<AttributeValue, Reason> {
        attribute::read_value(&mut self.0)
    }

    /// Reads an item or key.
    pub(crate) fn item(&mut self) -> Result<Item, Reason> {
        attribute::read_item(&mut self.0)
    }
}
