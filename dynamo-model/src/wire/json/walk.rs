//! Skips a value that is not decoded: to the end of its first bracket, 64 bytes a step.
//!
//! Quotes alone separate strings from the text between them, for a whole step at once, so that many
//! short strings take as long as a few long ones.

use wide::u8x16;

/// How many bytes are one step.
const STEP: usize = 64;

/// The open brackets and strings so far.
#[derive(Debug, Default)]
pub(super) struct Walk {
    /// How many brackets are open.
    open: isize,
    in_string: bool,
    /// Whether the last byte was the backslash of an escape.
    escaped: bool,
}

/// The contents of a step, a bit for each byte.
struct Marks {
    quotes: u64,
    brackets: u64,
    /// A backslash or a control character: rare, and looked at byte by byte.
    odd: bool,
}

impl Walk {
    /// Returns the length of the value at whose first bracket the bytes begin; or, if it is
    /// invalid, the length of its valid beginning.
    pub(super) fn over(mut self, bytes: &[u8]) -> Result<usize, usize> {
        let (steps, rest) = bytes.as_chunks::<STEP>();
        for (i, step) in steps.iter().enumerate() {
            if let Some(end) = self.step(step).map_err(|at| i * STEP + at)? {
                return Ok(i * STEP + end);
            }
        }
        let before = steps.len() * STEP;
        let end = self.each(rest).map_err(|at| before + at)?;
        end.map(|end| before + end).ok_or(bytes.len())
    }

    /// Walks one step. Returns where the value ends, if it ends in it.
    #[inline]
    fn step(&mut self, step: &[u8; STEP]) -> Result<Option<usize>, usize> {
        let Marks {
            quotes,
            brackets,
            odd,
        } = marks(step);
        if odd || self.escaped {
            return self.each(step);
        }
        let strings = between(quotes) ^ if self.in_string { u64::MAX } else { 0 };
        let mut brackets = brackets & !strings;
        while brackets != 0 {
            let at = brackets.trailing_zeros() as usize;
            self.open += opened_by(step[at]);
            if self.open == 0 {
                return Ok(Some(at + 1));
            }
            brackets &= brackets - 1;
        }
        self.in_string = strings >> (STEP - 1) == 1;
        Ok(None)
    }

    /// Does the same, byte by byte.
    #[cold]
    fn each(&mut self, bytes: &[u8]) -> Result<Option<usize>, usize> {
        for (at, byte) in bytes.iter().enumerate() {
            match byte {
                _ if self.escaped => self.escaped = false,
                b'"' => self.in_string = !self.in_string,
                b'\\' if self.in_string => self.escaped = true,
                0..b' ' if self.in_string => return Err(at),
                b'{' | b'[' | b'}' | b']' if !self.in_string => {
                    self.open += opened_by(*byte);
                    if self.open == 0 {
                        return Ok(Some(at + 1));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }
}

/// Returns how many more brackets are open after this one.
#[inline(always)]
fn opened_by(bracket: u8) -> isize {
    match bracket {
        b'{' | b'[' => 1,
        _ => -1,
    }
}

#[inline(always)]
fn marks(step: &[u8; STEP]) -> Marks {
    let (mut quotes, mut brackets) = (0, 0);
    let mut odd = u8x16::splat(0);
    let (sixteens, _) = step.as_chunks();
    for (i, sixteen) in sixteens.iter().enumerate() {
        let bytes = u8x16::new(*sixteen);
        // Both kinds of brackets differ in one bit.
        let folded = bytes | u8x16::splat(0x20);
        let opening = folded.simd_eq(u8x16::splat(b'{'));
        let closing = folded.simd_eq(u8x16::splat(b'}'));
        let quote = bytes.simd_eq(u8x16::splat(b'"'));
        let control = bytes.min(u8x16::splat(b' ' - 1)).simd_eq(bytes);
        odd |= control | bytes.simd_eq(u8x16::splat(b'\\'));
        quotes |= u64::from(quote.to_bitmask()) << (16 * i);
        brackets |= u64::from((opening | closing).to_bitmask()) << (16 * i);
    }
    Marks {
        quotes,
        brackets,
        odd: odd.any(),
    }
}

/// Returns the bits from each odd one, with it, to the even one after it.
#[inline(always)]
fn between(mut bits: u64) -> u64 {
    for shift in [1, 2, 4, 8, 16, 32] {
        bits ^= bits << shift;
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn bits_between_two() {
        assert_eq!(between(0b0010_0100), 0b0001_1100);
        assert_eq!(between(1 << 63), 1 << 63);
    }

    /// Generates a JSON value of any size with all relevant characters, followed by any text.
    fn value() -> impl Strategy<Value = String> {
        let text = || "[a-z\\[\\]{}, 太]{0,30}|(\\\\\\\\|\\\\\"){0,40}";
        let leaf = text().prop_map(|text| format!("\"{text}\""));
        let inner = leaf.prop_recursive(4, 60, 6, |inner| {
            let entry = ("[a-z{]{0,9}", inner.clone());
            let entry = entry.prop_map(|(name, value)| format!("\"{name}\": {value}"));
            prop_oneof![
                vec(inner, 0..6).prop_map(|all| format!("[{}]", all.join(","))),
                vec(entry, 0..6).prop_map(|all| format!("{{{}}}", all.join(",\n"))),
            ]
        });
        vec(inner, 0..4).prop_map(|all| format!("[{}]", all.join(",")))
    }

    proptest! {
        #[test]
        fn a_value_ends_where_it_ends(value in value(), after in "[\\]}\",\\\\a-z]{0,90}") {
            let both = format!("{value}{after}");
            prop_assert_eq!(Walk::default().over(both.as_bytes()), Ok(value.len()));
        }

        /// Walks byte by byte and 64 bytes at once, with the same result.
        #[test]
        fn steps_and_bytes_agree(bytes in "[\\[{\"\\\\\n a-c\\]}]{0,400}") {
            let bytes = format!("[{bytes}").into_bytes();
            let one_by_one = Walk::default().each(&bytes);
            let one_by_one = one_by_one.and_then(|end| end.ok_or(bytes.len()));
            prop_assert_eq!(Walk::default().over(&bytes), one_by_one);
        }
    }

    #[test]
    fn what_breaks_off_is_no_value() {
        let value = format!("[\"{}\"]", "x".repeat(200));
        for length in 0..value.len() {
            let cut = &value.as_bytes()[..length];
            assert_eq!(Walk::default().over(cut), Err(length));
        }
        let control = value.replacen('x', "x\n", 1);
        assert_eq!(Walk::default().over(control.as_bytes()), Err(3));
    }
}
