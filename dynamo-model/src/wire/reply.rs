//! DynamoDB's response: one type for all operations, with its items not yet decoded.

use super::Item;
use super::json::attribute;
use super::json::read::Reader;
use super::json::scan::{Broken, Quoted, Scan};
use super::raw_item::{Body, RawItem};
use super::reason::Reason;
use core::ops::Range;

/// A response. Each operation fills in its fields.
#[derive(Debug, Default)]
pub(crate) struct Reply {
    /// `Items` of a query or scan; `Responses` of a batch, of all tables; of a transaction, in the
    /// order of the keys.
    pub(crate) items: Vec<Option<RawItem>>,
    /// `Item` of a get, `Attributes` of a write.
    pub(crate) item: Option<RawItem>,
    /// The score of each item of a vector search.
    pub(crate) scores: Vec<f64>,
    pub(crate) count: usize,
    pub(crate) scanned: usize,
    pub(crate) consumed_capacity: f64,
    pub(crate) last_key: Option<Item>,
    /// The keys that a batch did not get to.
    pub(crate) unread: Vec<Item>,
    /// The items and keys that a batch did not get to, each with its table; empty where it is not
    /// known which.
    pub(crate) unwritten: Vec<(String, Item)>,
}

impl Reply {
    /// Finds the positions of all parts. Copies only keys. Fails on invalid JSON.
    pub(crate) fn parse(body: impl AsRef<[u8]> + Send + Sync + 'static) -> Result<Self, Reason> {
        let body = Body::new(body);
        let mut reply = Self::default();
        let mut scan = Scan::new(body.bytes(), 0);
        let parser = Parser { body: &body };
        // Engines answer some writes with an empty body.
        if !body.bytes().is_empty() {
            parser.object(&mut scan, |scan, name| parser.field(scan, name, &mut reply))?;
            scan.end()?;
        }
        Ok(reply)
    }

    /// Returns the items of a read without missing ones.
    pub(crate) fn into_items(self) -> Vec<RawItem> {
        self.items.into_iter().flatten().collect()
    }
}

struct Parser<'b> {
    body: &'b Body,
}

impl Parser<'_> {
    /// Reads each field of an object. The names in responses contain no escapes.
    fn object(
        &self,
        scan: &mut Scan<'_>,
        mut field: impl FnMut(&mut Scan<'_>, &[u8]) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let mut first = true;
        scan.expect(b'{')?;
        while let Some(Quoted { range, .. }) = scan.name(&mut first)? {
            field(scan, &self.body.bytes()[range])?;
        }
        Ok(())
    }

    fn array(
        &self,
        scan: &mut Scan<'_>,
        mut element: impl FnMut(&mut Scan<'_>) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        let mut first = true;
        scan.expect(b'[')?;
        while scan.more(b']', &mut first)? {
            element(scan)?;
        }
        Ok(())
    }

    fn field(&self, scan: &mut Scan<'_>, name: &[u8], reply: &mut Reply) -> Result<(), Reason> {
        // A null field counts as absent.
        if scan.peek()? == b'n' {
            scan.value()?;
            return Ok(());
        }
        match name {
            b"Items" => self.items(scan, &mut reply.items),
            b"Item" | b"Attributes" => {
                reply.item = Some(self.item(scan)?);
                Ok(())
            }
            b"Responses" => self.responses(scan, &mut reply.items),
            b"SearchResults" => self.results(scan, reply),
            b"Count" => self.number(scan).map(|count| reply.count = count),
            b"ScannedCount" => self.number(scan).map(|scanned| reply.scanned = scanned),
            b"LastEvaluatedKey" => self.map(scan).map(|key| reply.last_key = Some(key)),
            b"ConsumedCapacity" => self.capacity(scan, &mut reply.consumed_capacity),
            b"UnprocessedKeys" => self.unread(scan, &mut reply.unread),
            b"UnprocessedItems" => self.unwritten(scan, &mut reply.unwritten),
            _ => Ok(scan.skip()?),
        }
    }

    fn item(&self, scan: &mut Scan<'_>) -> Result<RawItem, Broken> {
        if scan.peek()? != b'{' {
            return Err(scan.broken());
        }
        Ok(RawItem::Json(self.body.clone(), scan.value()?))
    }

    fn items(&self, scan: &mut Scan<'_>, items: &mut Vec<Option<RawItem>>) -> Result<(), Reason> {
        self.array(scan, |scan| {
            items.push(Some(self.item(scan)?));
            Ok(())
        })
    }

    /// Reads, for a batch, the items of each table; for a transaction, an optional item for each
    /// key.
    fn responses(
        &self,
        scan: &mut Scan<'_>,
        items: &mut Vec<Option<RawItem>>,
    ) -> Result<(), Reason> {
        if scan.peek()? == b'{' {
            return self.object(scan, |scan, _| self.items(scan, items));
        }
        self.array(scan, |scan| {
            let mut found = None;
            self.object(scan, |scan, name| {
                if name == b"Item" && scan.peek()? != b'n' {
                    found = Some(self.item(scan)?);
                    return Ok(());
                }
                Ok(scan.skip()?)
            })?;
            items.push(found);
            Ok(())
        })
    }

    /// The results of a vector search: an item and its score each.
    fn results(&self, scan: &mut Scan<'_>, reply: &mut Reply) -> Result<(), Reason> {
        self.array(scan, |scan| {
            let (mut item, mut score) = (None, 0.0);
            self.object(scan, |scan, name| {
                match name {
                    b"Item" if scan.peek()? != b'n' => item = Some(self.item(scan)?),
                    b"Score" => score = self.float(scan)?,
                    _ => scan.skip()?,
                }
                Ok(())
            })?;
            reply.items.push(item);
            reply.scores.push(score);
            Ok(())
        })
    }

    fn float(&self, scan: &mut Scan<'_>) -> Result<f64, Reason> {
        let text = self.text(scan.value()?)?;
        text.parse().map_err(|_| Reason::number("a score", text))
    }

    /// Reads the capacity of the request, or of each of its tables.
    fn capacity(&self, scan: &mut Scan<'_>, total: &mut f64) -> Result<(), Reason> {
        if scan.peek()? == b'[' {
            return self.array(scan, |scan| self.units(scan, total));
        }
        self.units(scan, total)
    }

    fn units(&self, scan: &mut Scan<'_>, total: &mut f64) -> Result<(), Reason> {
        self.object(scan, |scan, name| {
            let range = scan.value()?;
            if name == b"CapacityUnits" {
                *total += self.text(range)?.parse().unwrap_or(0.0);
            }
            Ok(())
        })
    }

    fn unread(&self, scan: &mut Scan<'_>, unread: &mut Vec<Item>) -> Result<(), Reason> {
        self.object(scan, |scan, _| {
            self.object(scan, |scan, name| match name {
                b"Keys" => self.array(scan, |scan| {
                    unread.push(self.map(scan)?);
                    Ok(())
                }),
                _ => Ok(scan.skip()?),
            })
        })
    }

    fn unwritten(
        &self,
        scan: &mut Scan<'_>,
        unwritten: &mut Vec<(String, Item)>,
    ) -> Result<(), Reason> {
        self.object(scan, |scan, table| {
            let table = String::from_utf8_lossy(table).into_owned();
            self.array(scan, |scan| {
                let mut item = Item::new();
                // `{"PutRequest":{"Item":{…}}}` or `{"DeleteRequest":{"Key":{…}}}`.
                self.object(scan, |scan, _| {
                    self.object(scan, |scan, _| {
                        item = self.map(scan)?;
                        Ok(())
                    })
                })?;
                unwritten.push((table.clone(), item));
                Ok(())
            })
        })
    }

    fn map(&self, scan: &mut Scan<'_>) -> Result<Item, Reason> {
        let text = self.text(scan.value()?)?;
        attribute::read_item(&mut Reader::new(text))
    }

    fn number(&self, scan: &mut Scan<'_>) -> Result<usize, Reason> {
        let text = self.text(scan.value()?)?;
        text.parse().map_err(|_| Reason::number("a count", text))
    }

    fn text(&self, range: Range<usize>) -> Result<&str, Reason> {
        let text = core::str::from_utf8(&self.body.bytes()[range]);
        text.map_err(|_| Reason::other("the JSON is not UTF-8"))
    }
}

#[cfg(test)]
#[path = "reply_tests.rs"]
mod tests;
