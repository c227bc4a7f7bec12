//! Entry points of the fuzz targets to private code. Not part of the public interface.

use crate::cursor::{self, CursorKeys, Scope};
use crate::entity::Table;
use crate::error::{Error, ErrorContext};
use crate::wire::{self, RawItem, Readable, Reply};
use serde::de::DeserializeOwned;

/// The items of a response: decoded directly from the JSON, and through maps.
#[derive(Debug)]
pub struct Answer<E> {
    /// The result for each item.
    pub direct: Vec<Result<E, Error>>,
    /// The same items, decoded from maps; `None` if an item is not valid.
    pub by_map: Vec<Option<Result<E, Error>>>,
}

/// Reads the body of a response; `None` if it is not valid.
#[must_use]
pub fn answer<E: Readable + DeserializeOwned>(body: &[u8]) -> Option<Answer<E>> {
    let mut reply = Reply::parse(body.to_vec()).ok()?;
    let own = reply.item.take();
    let items: Vec<RawItem> = own.into_iter().chain(reply.into_items()).collect();
    let context = ErrorContext::default();
    let map = |item: &RawItem| wire::into_map(&context, item.clone()).ok();
    let by_map = items.iter().map(map);
    let by_map = by_map.map(|item| item.map(|item| wire::decode::<E>(&context, item)));
    Some(Answer {
        by_map: by_map.collect(),
        direct: items
            .iter()
            .map(|item| wire::decode::<E>(&context, item.clone()))
            .collect(),
    })
}

/// Reads a cursor, of one partition and of several; if there is a position in it, the text of that
/// position.
#[must_use]
pub fn cursor<T: Table>(text: &str, fingerprint: u64, keys: Option<&CursorKeys>) -> Vec<String> {
    let scope = Scope {
        fingerprint,
        table: &T::SCHEMA,
        index: None,
        keys,
    };
    let one = scope.decode(text);
    let one = one.map(|(heading, key)| scope.encode(heading, &key));
    let many = scope.decode_marks(text);
    let many = many.map(|(heading, marks)| scope.encode_marks(heading, &marks));
    one.into_iter().chain(many).collect()
}

/// Returns the cursor text of `body`, with a correct checksum or signature: an attacker who knows
/// the checksum can make it.
#[must_use]
pub fn forged(fingerprint: u64, body: &[u8], keys: Option<&CursorKeys>) -> String {
    let body = [&fingerprint.to_be_bytes(), body].concat();
    cursor::seal(&body, keys)
}
