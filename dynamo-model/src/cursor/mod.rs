//! Cursors: the position where a page ended, as opaque text that is safe in a URL and survives a
//! restart.
//!
//! A cursor contains the raw key attributes of the last item, never rebuilt ones, and a fingerprint
//! of its query. Layout, before base64: version; kind of protection; checksum or signature, of all
//! other bytes; fingerprint; heading; then the key values in the order of the schema, each with its
//! type and length.

pub(crate) mod fingerprint;
mod keys;

pub use keys::CursorKeys;

use crate::key::shard::hash;
use crate::key::{KeyRef, KeyValue};
use crate::schema::{IndexSchema, KeyAttribute, KeyType, TableSchema};
use crate::wire::{self, Item};

/// The version of the format. Cursors of versions 1 and 2 had another fingerprint, and those of
/// version 3 no heading.
const VERSION: u8 = 4;
/// With a checksum, against damage.
const PLAIN: u8 = 0;
/// With a signature, against anyone.
const SIGNED: u8 = 1;

const ALTERED: &str = "is damaged or was altered";
/// Of a cursor that was made up.
pub(crate) const ELSEWHERE: &str = "points outside of this query";

/// Returns whether a position is in this partition. DynamoDB checks the same, with a less clear
/// error.
pub(crate) fn is_in(start: &Item, pk: &str, partition: &KeyValue) -> bool {
    start.get(pk).and_then(wire::key_ref) == Some(partition.as_ref())
}

/// Returns the names of the key attributes in a cursor.
pub(crate) fn key_names<'s>(
    table: &'s TableSchema,
    index: Option<&'s IndexSchema>,
) -> impl Iterator<Item = &'static str> + use<'s> {
    keys(table, index).map(|attribute| attribute.name)
}

/// Returns the table's key attributes, then those of the index.
fn keys<'s>(
    table: &'s TableSchema,
    index: Option<&'s IndexSchema>,
) -> impl Iterator<Item = KeyAttribute> + use<'s> {
    let own = [Some(table.pk), table.sk].into_iter().flatten();
    let of_index = index.into_iter().flat_map(IndexSchema::keys);
    let mut seen: Vec<&'static str> = Vec::new();
    own.chain(of_index).filter(move |attribute| {
        let new = !seen.contains(&attribute.name);
        seen.push(attribute.name);
        new
    })
}

/// The direction of a cursor, and whether the other direction has items.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Heading {
    /// To the page before: against the order of the query.
    pub(crate) backward: bool,
    /// Whether an item of the query was on the other side of the position when the cursor was made.
    pub(crate) behind: bool,
}

impl Heading {
    fn byte(self) -> u8 {
        u8::from(self.backward) | u8::from(self.behind) << 1
    }

    fn of_byte(byte: u8) -> Result<Self, &'static str> {
        let heading = Self {
            backward: byte & 1 != 0,
            behind: byte & 2 != 0,
        };
        (heading.byte() == byte).then_some(heading).ok_or(ALTERED)
    }
}

/// The context of a cursor: its query, its key attributes, and the signing keys.
#[derive(Clone, Copy)]
pub(crate) struct Scope<'s> {
    pub(crate) fingerprint: u64,
    pub(crate) table: &'s TableSchema,
    pub(crate) index: Option<&'s IndexSchema>,
    pub(crate) keys: Option<&'s CursorKeys>,
}

impl Scope<'_> {
    fn begin(&self, heading: Heading) -> Vec<u8> {
        let mut body = self.fingerprint.to_be_bytes().to_vec();
        body.push(heading.byte());
        body
    }

    pub(crate) fn encode(&self, heading: Heading, key: &Item) -> String {
        let mut body = self.begin(heading);
        push_key(&mut body, key, self.table, self.index);
        seal(&body, self.keys)
    }

    /// Encodes the position of a read of several partitions: the group of partitions, and the
    /// position in each.
    pub(crate) fn encode_marks(&self, heading: Heading, (group, marks): &Marks) -> String {
        let mut body = self.begin(heading);
        body.extend_from_slice(&(*group as u32).to_be_bytes());
        for mark in marks {
            match mark {
                Mark::New => body.push(b'0'),
                Mark::Done => body.push(b'1'),
                Mark::At(key) => {
                    body.push(b'@');
                    push_key(&mut body, key, self.table, self.index);
                }
            }
        }
        seal(&body, self.keys)
    }

    /// Returns the key in a cursor. Fails if it is damaged or belongs to another query.
    pub(crate) fn decode(&self, text: &str) -> Result<(Heading, Item), &'static str> {
        let (heading, body) = self.open(text)?;
        let mut rest = body.as_slice();
        let key = take_key(&mut rest, self.table, self.index)?;
        rest.is_empty().then_some((heading, key)).ok_or(ALTERED)
    }

    /// Decodes the position in each partition. Fails if the cursor is damaged or belongs to another
    /// query.
    pub(crate) fn decode_marks(&self, text: &str) -> Result<(Heading, Marks), &'static str> {
        let (heading, body) = self.open(text)?;
        let (group, mut rest) = body.split_first_chunk().ok_or(ALTERED)?;
        let mut marks = Vec::new();
        while let Some((&mark, after)) = rest.split_first() {
            rest = after;
            marks.push(match mark {
                b'0' => Mark::New,
                b'1' => Mark::Done,
                b'@' => Mark::At(take_key(&mut rest, self.table, self.index)?),
                _ => return Err(ALTERED),
            });
        }
        Ok((heading, (u32::from_be_bytes(*group) as usize, marks)))
    }

    /// Returns the heading, and the rest.
    fn open(&self, text: &str) -> Result<(Heading, Vec<u8>), &'static str> {
        let bytes = from_base64(text).ok_or(ALTERED)?;
        let body = checked(&bytes, self.keys)?;
        let (of_query, rest) = body.split_at_checked(8).ok_or(ALTERED)?;
        if of_query != self.fingerprint.to_be_bytes() {
            return Err("belongs to another query");
        }
        let (&heading, rest) = rest.split_first().ok_or(ALTERED)?;
        Ok((Heading::of_byte(heading)?, rest.to_vec()))
    }
}

/// In which group of partitions a read is, and how far each of them was read.
pub(crate) type Marks = (usize, Vec<Mark>);

/// How far a partition has been read.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Mark {
    /// Not at all.
    New,
    /// Up to this key.
    At(Item),
    /// To its end.
    Done,
}

fn push_key(body: &mut Vec<u8>, key: &Item, table: &TableSchema, index: Option<&IndexSchema>) {
    for name in key_names(table, index) {
        let (kind, bytes): (u8, &[u8]) = match key.get(name).and_then(wire::key_ref) {
            Some(KeyRef::S(text)) => (b'S', text.as_bytes()),
            Some(KeyRef::N(number)) => (b'N', number.as_bytes()),
            Some(KeyRef::B(bytes)) => (b'B', bytes),
            None => (b'-', &[]),
        };
        body.push(kind);
        body.extend_from_slice(&(bytes.len() as u16).to_be_bytes());
        body.extend_from_slice(bytes);
    }
}

/// Returns the text, with its checksum or signature.
pub(crate) fn seal(body: &[u8], keys: Option<&CursorKeys>) -> String {
    let whole = |protection| [&[VERSION, protection], body].concat();
    let out = match keys.and_then(|keys| keys.sign(&whole(SIGNED))) {
        Some(signature) => [&[VERSION, SIGNED], signature.as_slice(), body].concat(),
        None => {
            let checksum = hash(&whole(PLAIN)).to_be_bytes();
            [&[VERSION, PLAIN], checksum.as_slice(), body].concat()
        }
    };
    base64(&out)
}

/// Returns the content after the checksum, or after the signature if there are keys. Fails if it is
/// wrong.
fn checked<'c>(bytes: &'c [u8], keys: Option<&CursorKeys>) -> Result<&'c [u8], &'static str> {
    let (&version, rest) = bytes.split_first().ok_or(ALTERED)?;
    match version {
        VERSION => {}
        1..VERSION => return Err("is of an older release"),
        5..16 => return Err("is of a newer release"),
        _ => return Err(ALTERED),
    }
    let (&protection, rest) = rest.split_first().ok_or(ALTERED)?;
    let whole = |body: &[u8]| [&[version, protection], body].concat();
    match (protection, keys) {
        (PLAIN, None) => {
            let (checksum, body) = rest.split_first_chunk().ok_or(ALTERED)?;
            let intact = hash(&whole(body)).to_be_bytes() == *checksum;
            intact.then_some(body).ok_or(ALTERED)
        }
        (SIGNED, Some(keys)) => {
            let (signature, body) = rest.split_first_chunk().ok_or(ALTERED)?;
            let intact = keys.verify(&whole(body), signature);
            intact
                .then_some(body)
                .ok_or("was altered, or signed with another key")
        }
        (PLAIN, Some(_)) => Err("is not signed"),
        (SIGNED, None) => Err("is signed, and no key was given to check it"),
        _ => Err(ALTERED),
    }
}

fn take_key(
    rest: &mut &[u8],
    table: &TableSchema,
    index: Option<&IndexSchema>,
) -> Result<Item, &'static str> {
    let mut key = Item::new();
    for attribute in keys(table, index) {
        let (header, after) = rest.split_at_checked(3).ok_or(ALTERED)?;
        let len = usize::from(u16::from_be_bytes([header[1], header[2]]));
        let (value, after) = after.split_at_checked(len).ok_or(ALTERED)?;
        *rest = after;
        let text = || String::from_utf8(value.to_vec()).map_err(|_| ALTERED);
        let value = match (header[0], attribute.key_type) {
            (b'S', KeyType::S) => KeyValue::S(text()?),
            (b'N', KeyType::N) => KeyValue::N(text()?),
            (b'B', KeyType::B) => KeyValue::B(value.to_vec()),
            (b'-', _) if len == 0 => continue,
            _ => return Err(ALTERED),
        };
        key.insert(attribute.name.to_owned(), wire::key_value(value));
    }
    Ok(key)
}

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Encodes bytes in the URL-safe alphabet, without padding.
fn base64(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let mut word = 0_u32;
        for i in 0..3 {
            word = word << 8 | u32::from(chunk.get(i).copied().unwrap_or(0));
        }
        for i in 0..=chunk.len() {
            let digit = word >> (18 - 6 * i) & 63;
            out.push(char::from(ALPHABET[digit as usize]));
        }
    }
    out
}

fn from_base64(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    for chunk in text.as_bytes().chunks(4) {
        let mut word = 0_u32;
        for i in 0..4 {
            let digit = match chunk.get(i) {
                Some(&byte) => ALPHABET.iter().position(|&known| known == byte)? as u32,
                None => 0,
            };
            word = word << 6 | digit;
        }
        let bytes = word.to_be_bytes();
        out.extend_from_slice(&bytes[1..chunk.len()]);
    }
    // Unused bits must be zero, and a single digit is invalid; otherwise one cursor would have
    // several texts.
    (base64(&out) == text).then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> TableSchema {
        let mut table = TableSchema::new("T", "T", KeyAttribute::new("PK", KeyType::S));
        table.sk = Some(KeyAttribute::new("SK", KeyType::B));
        table
    }

    fn key() -> Item {
        [
            ("PK", KeyValue::S("USER#山".into())),
            ("SK", KeyValue::B(vec![0, 255])),
        ]
        .map(|(name, value)| (name.to_owned(), wire::key_value(value)))
        .into()
    }

    const HEADING: Heading = Heading {
        backward: false,
        behind: true,
    };

    fn encode(keys: Option<&CursorKeys>) -> String {
        scope(7, &table(), keys).encode(HEADING, &key())
    }

    fn scope<'s>(
        fingerprint: u64,
        table: &'s TableSchema,
        keys: Option<&'s CursorKeys>,
    ) -> Scope<'s> {
        Scope {
            fingerprint,
            table,
            index: None,
            keys,
        }
    }

    fn decode(
        text: &str,
        fingerprint: u64,
        keys: Option<&CursorKeys>,
    ) -> Result<Item, &'static str> {
        let read = scope(fingerprint, &table(), keys).decode(text);
        read.map(|(heading, key)| {
            assert_eq!(heading, HEADING);
            key
        })
    }

    #[test]
    fn a_heading_comes_back_and_other_bytes_are_refused() {
        for byte in 0..=u8::MAX {
            match Heading::of_byte(byte) {
                Ok(heading) => assert_eq!(heading.byte(), byte),
                Err(reason) => assert_eq!((reason, byte > 3), (ALTERED, true)),
            }
        }
    }

    #[test]
    fn a_cursor_comes_back_and_is_url_safe() {
        let text = encode(None);
        assert!(text.bytes().all(|byte| ALPHABET.contains(&byte)), "{text}");
        assert_eq!(decode(&text, 7, None), Ok(key()));
    }

    #[test]
    fn another_query_and_every_altered_byte_is_refused() {
        let text = encode(None);
        assert_eq!(decode(&text, 8, None), Err("belongs to another query"));
        for i in 0..text.len() {
            for replacement in ["A", "z", "-", "", "!", "山"] {
                let mut altered = text.clone();
                altered.replace_range(i..=i, replacement);
                if altered != text {
                    assert!(decode(&altered, 7, None).is_err(), "{altered}");
                }
            }
            assert!(decode(&text[..i], 7, None).is_err());
        }
    }

    /// Covers cursors of releases without a version byte.
    #[test]
    fn a_cursor_of_an_older_release_is_refused_as_such() {
        let plain = "AaP2u4969Yw4AAAAAAAAAAdTAAhVU0VSI-WxsUIAAgD_";
        let signed = "AiglSY6weLCn5octbWcnEIMAAAAAAAAAB1MACFVTRVIj5bGxQgACAP8";
        // Version 3 had no heading.
        let three = "AwDLbaUI4ugP3AAAAAAAAAAHUwAIVVNFUiPlsbFCAAIA_w";
        for text in [plain, signed, three] {
            for keys in [None, Some(&CursorKeys::new("key"))] {
                let read = decode(text, 7, keys);
                assert_eq!(read, Err("is of an older release"));
            }
        }
        let newer = base64(&[5, 0, 1, 2, 3]);
        let read = decode(&newer, 7, None);
        assert_eq!(read, Err("is of a newer release"));
    }

    #[test]
    fn cursors_of_this_version_stay_readable() {
        assert_eq!(encode(None), PINNED);
    }

    fn signed(keys: &CursorKeys) -> String {
        encode(Some(keys))
    }

    fn read(text: &str, keys: &CursorKeys) -> Result<Item, &'static str> {
        decode(text, 7, Some(keys))
    }

    #[test]
    fn a_signed_cursor_comes_back_and_no_altered_one_does() {
        let keys = CursorKeys::new("key");
        let text = signed(&keys);
        assert!(text.bytes().all(|byte| ALPHABET.contains(&byte)), "{text}");
        assert_eq!(read(&text, &keys), Ok(key()));
        let bytes = from_base64(&text).unwrap_or_default();
        for at in 0..bytes.len() {
            for bit in 0..8 {
                let mut altered = bytes.clone();
                altered[at] ^= 1 << bit;
                assert!(read(&base64(&altered), &keys).is_err(), "byte {at}");
            }
            assert!(read(&base64(&bytes[..at]), &keys).is_err(), "{at} bytes");
        }
    }

    #[test]
    fn only_a_key_that_is_accepted_will_do() {
        let [old, new] = ["old", "new"].map(CursorKeys::new);
        assert_eq!(
            read(&signed(&old), &new),
            Err("was altered, or signed with another key")
        );
        let rotating = CursorKeys::new("new").accepting("older").accepting("old");
        assert_eq!(read(&signed(&old), &rotating), Ok(key()));
        assert_eq!(signed(&rotating), signed(&new));
        assert_eq!(read(PINNED, &new), Err("is not signed"));
        assert_eq!(
            decode(&signed(&new), 7, None),
            Err("is signed, and no key was given to check it")
        );
    }

    #[test]
    fn an_empty_key_signs_and_accepts_nothing() {
        let empty = CursorKeys::new("").accepting("");
        assert!(!empty.can_sign());
        assert!(read(&signed(&CursorKeys::new("key")), &empty).is_err());
    }

    #[test]
    fn keys_are_not_shown() {
        let keys = CursorKeys::new("secret").accepting("older");
        assert_eq!(format!("{keys:?}"), "CursorKeys { .. }");
    }

    /// The signature is the HMAC-SHA256 of the domain and the body, cut to 16 bytes.
    #[test]
    fn signed_cursors_of_this_version_stay_readable() {
        assert_eq!(signed(&CursorKeys::new("key")), PINNED_SIGNED);
    }

    const PINNED: &str = "BAD6_tTC2-Iq5AAAAAAAAAAHAlMACFVTRVIj5bGxQgACAP8";
    const PINNED_SIGNED: &str = "BAE-W102FDPHrQHiUcltvcWiAAAAAAAAAAcCUwAIVVNFUiPlsbFCAAIA_w";
}
