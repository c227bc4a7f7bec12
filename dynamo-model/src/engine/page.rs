//! Pages of a query or scan. DynamoDB ends a page after 1 MB of items. The engine does too, but
//! first reads the whole rest, or as many items as its limit allows.
//!
//! So each page begins with a small limit, which grows until the items reach 1 MB. All but the last
//! request of a page are small.

use super::operations::{parse, write};
use dynoxide::Database;
use dynoxide::actions::query::{QueryRequest, QueryResponse};
use dynoxide::actions::scan::{ScanRequest, ScanResponse};
use dynoxide::errors::DynoxideError;
use dynoxide::types::ConsumedCapacity;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// At 400 KB, the largest size of an item, these are 6 MB.
const FIRST: usize = 16;
/// Items so small that more of them fit into 1 MB have hardly more than a key; of those, a page
/// ends here.
const MOST: usize = 32 * 1024;
/// How much more is read at once. Items that are suddenly larger cost at most so many times the
/// memory.
const GROWTH: usize = 8;
const PAGE_BYTES: f64 = 1_048_576.0;

/// A query or a scan, as the engine has them.
pub(super) trait PageRequest: DeserializeOwned {
    type Response: Serialize;

    fn limit(&mut self) -> &mut Option<usize>;
    fn consistent(&self) -> Option<bool>;
    /// Returns the setting for the capacity in the response.
    fn reports(&mut self) -> &mut Option<String>;
    fn send(self, db: &Database) -> Result<Self::Response, DynoxideError>;
    /// Returns the number of items read, whether others follow, and the consumed capacity.
    fn read(response: &mut Self::Response) -> (usize, bool, &mut Option<ConsumedCapacity>);
}

macro_rules! page_request {
    ($request:ty, $response:ty, $send:ident) => {
        impl PageRequest for $request {
            type Response = $response;

            fn limit(&mut self) -> &mut Option<usize> {
                &mut self.limit
            }

            fn consistent(&self) -> Option<bool> {
                self.consistent_read
            }

            fn reports(&mut self) -> &mut Option<String> {
                &mut self.return_consumed_capacity
            }

            fn send(self, db: &Database) -> Result<Self::Response, DynoxideError> {
                db.$send(self)
            }

            fn read(response: &mut Self::Response) -> (usize, bool, &mut Option<ConsumedCapacity>) {
                let goes_on = response.last_evaluated_key.is_some();
                (
                    response.scanned_count,
                    goes_on,
                    &mut response.consumed_capacity,
                )
            }
        }
    };
}

page_request!(QueryRequest, QueryResponse, query);
page_request!(ScanRequest, ScanResponse, scan);

/// Reads one page. The engine's requests cannot be copied, so each page parses the body again.
pub(super) fn read<Q: PageRequest>(db: &Database, body: &str) -> Result<String, DynoxideError> {
    let mut request: Q = parse(body)?;
    if request.limit().is_some() {
        return write(&request.send(db)?);
    }
    let consistent = request.consistent() == Some(true);
    let reports = request.reports().is_some();
    let response = grow(consistent, |limit| {
        let mut request: Q = parse(body)?;
        *request.limit() = Some(limit);
        request.reports().get_or_insert_with(|| "TOTAL".into());
        let mut response = request.send(db)?;
        let (items, goes_on, capacity) = Q::read(&mut response);
        let units = capacity.as_ref().map_or(0.0, |it| it.capacity_units);
        if !reports {
            *capacity = None;
        }
        let ends = !goes_on;
        Ok((response, Read { items, ends, units }))
    })?;
    write(&response)
}

/// The result of one request of the engine.
struct Read {
    items: usize,
    /// The end of the table or partition.
    ends: bool,
    units: f64,
}

/// Reads with growing limits, until the engine ends the page by its size, or the end is reached.
fn grow<T>(
    consistent: bool,
    mut read: impl FnMut(usize) -> Result<(T, Read), DynoxideError>,
) -> Result<T, DynoxideError> {
    let mut limit = FIRST;
    loop {
        let (response, read) = read(limit)?;
        if read.ends || read.items < limit || limit >= MOST {
            return Ok(response);
        }
        limit = next_limit(limit, consistent, &read);
    }
}

/// A read unit is 4 KB, or 8 KB for an eventually consistent read. The limit allows a few items
/// more than probably fit, so that the size ends the page and not the limit.
fn next_limit(limit: usize, consistent: bool, read: &Read) -> usize {
    let unit = if consistent { 4096.0 } else { 8192.0 };
    let bytes = (read.units * unit).max(1.0);
    #[allow(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss
    )]
    let fit = (PAGE_BYTES / bytes * limit as f64 * 1.25) as usize;
    fit.clamp(limit * 2, limit * GROWTH).min(MOST)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(bytes_of_item: f64, items: usize) -> Vec<usize> {
        let mut limits = Vec::new();
        let read = |limit: usize| {
            limits.push(limit);
            #[allow(
                clippy::cast_precision_loss,
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss
            )]
            let fit = (PAGE_BYTES / bytes_of_item) as usize;
            let read = limit.min(items).min(fit);
            #[allow(clippy::cast_precision_loss)]
            let units = (read as f64 * bytes_of_item / 4096.0).ceil() / 2.0;
            let ends = read == items;
            Ok((
                (),
                Read {
                    items: read,
                    ends,
                    units,
                },
            ))
        };
        grow(false, read).unwrap();
        limits
    }

    #[test]
    fn large_items_are_not_read_by_the_thousand() {
        assert_eq!(limits(400_000.0, 10_000), [16]);
        assert_eq!(limits(100_000.0, 10_000), [16]);
        assert_eq!(limits(10_000.0, 10_000), [16, 128]);
    }

    #[test]
    fn a_page_of_small_items_takes_few_requests() {
        assert_eq!(limits(100.0, 10), [16]);
        assert_eq!(limits(200.0, 100_000), [16, 128, 1024, 6553]);
        assert_eq!(limits(10.0, 1_000_000), [16, 128, 1024, 8192, 32_768]);
    }
}
