//! The id of a call, which the SDK sends with each of its attempts.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Returns a random UUID (version 4), as the SDK sends.
///
/// It only tells requests apart in logs, so the keys of the standard library's hash maps are random
/// enough: every one of them is another.
pub(super) fn invocation_id() -> String {
    let keys = RandomState::new();
    let half = |number| {
        let mut hasher = keys.build_hasher();
        hasher.write_u8(number);
        u128::from(hasher.finish())
    };
    let random = (half(0) << 64) | half(1);
    let version = 4 << 76;
    let variant = 2 << 62;
    let id = random & !(15 << 76) & !(3 << 62) | version | variant;
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    let mut text = String::with_capacity(36);
    for at in 0..32 {
        if matches!(at, 8 | 12 | 16 | 20) {
            text.push('-');
        }
        let digit = usize::try_from((id >> (124 - 4 * at)) & 15).unwrap_or_default();
        text.push(char::from(DIGITS[digit]));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn ids_are_uuids_of_version_4() {
        for _ in 0..100 {
            let id = uuid::Uuid::parse_str(&invocation_id()).unwrap();
            assert_eq!(id.get_version_num(), 4);
            assert_eq!(id.get_variant(), uuid::Variant::RFC4122);
        }
    }

    #[test]
    fn no_two_ids_are_equal() {
        let threads: Vec<_> = (0..4)
            .map(|_| std::thread::spawn(|| (0..5000).map(|_| invocation_id()).collect::<Vec<_>>()))
            .collect();
        let ids = threads.into_iter().flat_map(|it| it.join().unwrap());
        assert_eq!(ids.collect::<HashSet<_>>().len(), 20_000);
    }
}
