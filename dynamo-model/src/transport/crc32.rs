//! CRC-32 as DynamoDB's `x-amz-crc32` header has it (ISO 3309), eight bytes at a step.
//!
//! The SDK has no crate for it.

/// The remainders of one byte, followed by 0 to 7 zero bytes.
static TABLES: [[u32; 256]; 8] = tables();

const fn tables() -> [[u32; 256]; 8] {
    let mut tables = [[0; 256]; 8];
    let mut byte = 0;
    while byte < 256 {
        let mut remainder = byte as u32;
        let mut bit = 0;
        while bit < 8 {
            let carry = remainder & 1;
            remainder >>= 1;
            if carry == 1 {
                remainder ^= 0xEDB8_8320;
            }
            bit += 1;
        }
        tables[0][byte] = remainder;
        byte += 1;
    }
    let mut zeros = 1;
    while zeros < 8 {
        let mut byte = 0;
        while byte < 256 {
            let before = tables[zeros - 1][byte];
            tables[zeros][byte] = (before >> 8) ^ tables[0][(before & 255) as usize];
            byte += 1;
        }
        zeros += 1;
    }
    tables
}

pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let mut state = !0_u32;
    let (eights, rest) = bytes.as_chunks::<8>();
    for [a, b, c, d, e, f, g, h] in eights {
        let [i, j, k, l] = state.to_le_bytes();
        let table = |zeros: usize, byte: u8| TABLES[zeros][usize::from(byte)];
        state = table(7, a ^ i)
            ^ table(6, b ^ j)
            ^ table(5, c ^ k)
            ^ table(4, d ^ l)
            ^ table(3, *e)
            ^ table(2, *f)
            ^ table(1, *g)
            ^ table(0, *h);
    }
    for byte in rest {
        let [low, ..] = state.to_le_bytes();
        state = (state >> 8) ^ TABLES[0][usize::from(low ^ byte)];
    }
    !state
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        assert_eq!(crc32(b""), 0);
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
        assert_eq!(
            crc32(b"The quick brown fox jumps over the lazy dog"),
            0x414F_A339
        );
        // DynamoDB's response to a write without return values.
        assert_eq!(crc32(b"{}"), 2_745_614_147);
    }

    #[test]
    fn every_changed_bit_changes_the_checksum() {
        let text = b"{\"Item\":{\"a\":{\"S\":\"some text\"}}}";
        for bit in 0..text.len() * 8 {
            let mut other = *text;
            other[bit / 8] ^= 1 << (bit % 8);
            assert_ne!(crc32(&other), crc32(text));
        }
    }
}
