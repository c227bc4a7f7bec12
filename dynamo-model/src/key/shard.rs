//! Write shards: a stable hash that spreads one hot partition over several.

use core::fmt;

/// Returns the shard of `text`, 0 to `count` - 1.
pub(crate) fn of(text: &str, count: u32) -> u32 {
    (hash(text.as_bytes()) % u64::from(count.max(1))) as u32
}

/// Hashes a text with FNV-1a and a final mix. Stored keys and cursors depend on it, so it may never
/// change.
pub(crate) fn hash(bytes: &[u8]) -> u64 {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for &byte in bytes {
        hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    }
    // The low bits of FNV depend on few bits of the input; the mix spreads every bit.
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}

/// A shard number read back from a key.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Shop", pk = "PK", sk = "SK")]
/// struct Shop;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = Shop)]
/// #[pk("PRODUCT#<product_id>#<visitor:shard(10)>")]
/// #[sk("VIEW#<seq:010>")]
/// struct View {
///     product_id: String,
///     visitor: String,
///     seq: u32,
/// }
///
/// let key = View::key("p001", "visitor-7", 1)?;
/// let shard = key.parse()?.visitor;
/// assert!(shard.number() < 10);
/// assert_eq!(key.pk().to_string(), format!("PRODUCT#p001#{shard}"));
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Shard(u32);

impl Shard {
    pub(crate) fn parse(text: &str, count: u32) -> Option<Self> {
        let number = text.parse().ok().filter(|&number| number < count)?;
        // "+1" and "01" parse, but are not shards.
        (text == u32::to_string(&number)).then_some(Self(number))
    }

    /// Returns the number, from 0.
    #[must_use]
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shards_never_move() {
        let shards: Vec<_> = ["u1", "u2", "p001", "山田"]
            .iter()
            .map(|text| of(text, 10))
            .collect();
        // Computed by another program from the description above.
        assert_eq!(shards, [9, 4, 3, 5]);
    }

    #[test]
    fn ten_thousand_ids_spread_evenly() {
        for count in [2, 10, 16, 100] {
            let mut hits = vec![0_u32; count as usize];
            (0..10_000).for_each(|i| hits[of(&format!("user-{i}"), count) as usize] += 1);
            let even = 10_000 / count;
            assert!(
                hits.iter().all(|&n| n > even / 2 && n < even * 2),
                "{count}: {hits:?}"
            );
        }
    }
}
