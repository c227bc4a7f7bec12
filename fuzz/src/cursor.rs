//! The cursor decoder: on any text, and on any content with a correct checksum or signature, which
//! an attacker can make. An accepted cursor has only one text.

use dynamo_model::__private::fuzz;
use dynamo_model::DynamoTable;
use dynamo_model::read::CursorKeys;

/// Pieces of cursors.
pub const WORDS: &[&str] = &[
    "S",
    "N",
    "B",
    "-",
    "@",
    "0",
    "1",
    "\u{0}\u{1}",
    "\u{2}",
    "\u{3}",
    "\u{0}\u{0}",
    "\u{0}\u{5}hello",
    "S\u{0}\u{1}a",
    "B\u{0}\u{1}a",
    "AQ",
    "Ag",
    "AA",
    "_",
    "=",
    "山",
    "\u{7f}",
];

const FINGERPRINT: u64 = 7;

#[derive(DynamoTable)]
#[table(name = "Table", pk = "PK", sk = B("SK"))]
struct Table;

/// Checks a cursor, and the content of one.
pub fn check(data: &[u8]) {
    let keys = CursorKeys::new("key");
    let text = String::from_utf8_lossy(data);
    for keys in [None, Some(&keys)] {
        for text in [&*text, &fuzz::forged(FINGERPRINT, data, keys)] {
            for again in fuzz::cursor::<Table>(text, FINGERPRINT, keys) {
                assert_eq!(text, again);
            }
        }
    }
    // A cursor made without the signing key is refused.
    let unsigned = fuzz::forged(FINGERPRINT, data, None);
    let other = fuzz::forged(FINGERPRINT, data, Some(&CursorKeys::new("another")));
    for text in [unsigned, other] {
        assert!(fuzz::cursor::<Table>(&text, FINGERPRINT, Some(&keys)).is_empty());
    }
}
