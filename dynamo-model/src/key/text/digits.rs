//! Decimal digits, eight at a time: as words of ASCII, first digit in the lowest byte.

use crate::key::civil::Civil;

/// 10^0 to 10^19: all that fit.
pub(super) const POWERS_OF_TEN: [u64; 20] = {
    let mut powers = [1; 20];
    let mut i = 1;
    while i < powers.len() {
        powers[i] = 10 * powers[i - 1];
        i += 1;
    }
    powers
};

#[inline]
pub(super) const fn decimal_digits(number: u64) -> usize {
    match number.checked_ilog10() {
        Some(log) => log as usize + 1,
        None => 1,
    }
}

/// Returns twenty-four digits, in three words of ASCII.
#[inline]
pub(super) const fn decimal(number: u64) -> [u64; 3] {
    const fn word(number: u64) -> u64 {
        eight_digits((number / 10_000) as u32, (number % 10_000) as u32)
    }
    const WORD: u64 = 100_000_000;
    let high = number / WORD;
    [word(high / WORD), word(high % WORD), word(number % WORD)]
}

/// Returns two numbers below 10 000, in a word of ASCII, first digit first. All lanes at once: two
/// of four digits, four of two, eight of one; a division is a multiplication by the reciprocal,
/// exact for numbers so small.
#[inline]
pub(super) const fn eight_digits(high: u32, low: u32) -> u64 {
    let fours = high as u64 | ((low as u64) << 32);
    let hundreds = ((fours * 10_486) >> 20) & 0x0000_007f_0000_007f;
    let twos = hundreds | ((fours - hundreds * 100) << 16);
    let tens = ((twos * 103) >> 10) & 0x000f_000f_000f_000f;
    let ones = tens | ((twos - tens * 10) << 8);
    ones | 0x3030_3030_3030_3030
}

/// Returns `2024-01-` and `15`, in words of ASCII.
#[inline]
pub(super) fn date_words(civil: &Civil) -> (u64, u64) {
    let (month, day) = (u32::from(civil.month), u32::from(civil.day));
    let date = eight_digits(civil.year.unsigned_abs(), month * 100 + day);
    let hyphens = u64::from_le_bytes(*b"\0\0\0\0-\0\0-");
    let year_month = (date & 0xffff_ffff) | ((date & 0xffff_0000_0000) << 8) | hyphens;
    (year_month, date >> 48)
}
