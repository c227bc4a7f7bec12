//! The keys as a careful person would write them: one allocation of the exact length, then copies.
//!
//! No escaping and no limits, which hand-written keys lack.

use super::Values;
use jiff::{Timestamp, tz::Offset};
use uuid::{Uuid, fmt::Hyphenated};

const TIME: usize = "2025-06-01T10:00:00.123Z".len();
const PADDED: usize = 20;

pub(super) fn string_2(v: &Values) -> String {
    let mut out = String::with_capacity("ORDER##".len() + v.region.len() + v.order.len());
    out.push_str("ORDER#");
    out.push_str(&v.region);
    out.push('#');
    out.push_str(&v.order);
    out
}

pub(super) fn string_4(v: &Values) -> String {
    let values = v.tenant.len() + v.region.len() + v.user.len() + v.order.len();
    let mut out = String::with_capacity("TENANT###USER##ORDER#".len() + values);
    out.push_str("TENANT#");
    out.push_str(&v.tenant);
    out.push('#');
    out.push_str(&v.region);
    out.push_str("#USER#");
    out.push_str(&v.user);
    out.push_str("#ORDER#");
    out.push_str(&v.order);
    out
}

pub(super) fn uuid(v: &Values) -> String {
    let mut out = String::with_capacity("EVENT#".len() + Hyphenated::LENGTH);
    out.push_str("EVENT#");
    push_uuid(v.id, &mut out);
    out
}

pub(super) fn time(v: &Values) -> String {
    let mut out = String::with_capacity("EVENT#".len() + TIME);
    out.push_str("EVENT#");
    push_time(v.at, &mut out);
    out
}

pub(super) fn padded(v: &Values) -> String {
    let mut out = String::with_capacity("INVOICE#".len() + PADDED);
    out.push_str("INVOICE#");
    push_padded(v.number, &mut out);
    out
}

pub(super) fn mixed_4(v: &Values) -> String {
    let fixed = TIME + Hyphenated::LENGTH + PADDED;
    let mut out = String::with_capacity("TENANT####".len() + v.tenant.len() + fixed);
    out.push_str("TENANT#");
    out.push_str(&v.tenant);
    out.push('#');
    push_time(v.at, &mut out);
    out.push('#');
    push_uuid(v.id, &mut out);
    out.push('#');
    push_padded(v.number, &mut out);
    out
}

fn push_uuid(id: Uuid, out: &mut String) {
    out.push_str(id.hyphenated().encode_lower(&mut Uuid::encode_buffer()));
}

fn push_time(at: Timestamp, out: &mut String) {
    let t = Offset::UTC.to_datetime(at);
    let mut text = *b"0000-00-00T00:00:00.000Z";
    put(&mut text[0..4], t.year().unsigned_abs());
    put(&mut text[5..7], t.month().unsigned_abs().into());
    put(&mut text[8..10], t.day().unsigned_abs().into());
    put(&mut text[11..13], t.hour().unsigned_abs().into());
    put(&mut text[14..16], t.minute().unsigned_abs().into());
    put(&mut text[17..19], t.second().unsigned_abs().into());
    put(&mut text[20..23], t.millisecond().unsigned_abs());
    push_ascii(&text, out);
}

fn push_padded(mut number: u64, out: &mut String) {
    let mut text = [b'0'; PADDED];
    for pair in text.as_chunks_mut::<2>().0.iter_mut().rev() {
        let two = (number % 100) as u8;
        *pair = [b'0' + two / 10, b'0' + two % 10];
        number /= 100;
    }
    push_ascii(&text, out);
}

/// The last digits of `number`, as many as there is room for.
#[inline]
fn put(digits: &mut [u8], mut number: u16) {
    for digit in digits.iter_mut().rev() {
        *digit = b'0' + (number % 10) as u8;
        number /= 10;
    }
}

fn push_ascii(text: &[u8], out: &mut String) {
    out.push_str(core::str::from_utf8(text).unwrap_or_default());
}
