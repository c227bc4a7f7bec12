//! Buckets and their neighbours, at every unit and every edge.

use super::*;

fn at(text: &str) -> Civil {
    let number = |range: Range<usize>| text.get(range).map_or(0, |it| it.parse().unwrap());
    Civil {
        year: number(0..4) as i32,
        month: number(5..7) as u8,
        day: number(8..10) as u8,
        hour: number(11..13) as u8,
        minute: number(14..16) as u8,
        second: number(17..19) as u8,
        nanos: number(20..29),
    }
}

fn time(text: &str) -> PartValue<'static> {
    let (seconds, nanos) = at(text).to_unix().unwrap();
    PartValue::Time { seconds, nanos }
}

fn day(text: &str) -> PartValue<'static> {
    PartValue::Date {
        days: at(text).to_days().unwrap(),
    }
}

#[test]
fn an_instant_is_in_the_bucket_that_begins_last_before_it() {
    let instant = at("2024-02-29T23:59:58.123456789");
    for (unit, begins, next) in [
        (Unit::Second, "2024-02-29T23:59:58", "2024-02-29T23:59:59"),
        (Unit::Minute, "2024-02-29T23:59:00", "2024-03-01T00:00:00"),
        (Unit::Hour, "2024-02-29T23:00:00", "2024-03-01T00:00:00"),
        (Unit::Day, "2024-02-29T00:00:00", "2024-03-01T00:00:00"),
        (Unit::Month, "2024-02-01T00:00:00", "2024-03-01T00:00:00"),
        (Unit::Year, "2024-01-01T00:00:00", "2025-01-01T00:00:00"),
    ] {
        assert_eq!(unit.floor(instant), at(begins), "{unit:?}");
        assert_eq!(unit.next(at(begins)), at(next), "{unit:?}");
    }
}

#[test]
fn a_bucket_follows_another_within_and_across_longer_units() {
    for (unit, begins, next) in [
        (Unit::Second, "2025-06-15T10:20:30", "2025-06-15T10:20:31"),
        (Unit::Second, "2025-12-31T23:59:59", "2026-01-01T00:00:00"),
        (Unit::Minute, "2025-06-15T10:20:00", "2025-06-15T10:21:00"),
        (Unit::Hour, "2025-06-15T10:00:00", "2025-06-15T11:00:00"),
        (Unit::Hour, "2025-06-30T23:00:00", "2025-07-01T00:00:00"),
        (Unit::Day, "2025-06-15T00:00:00", "2025-06-16T00:00:00"),
        (Unit::Day, "2025-12-31T00:00:00", "2026-01-01T00:00:00"),
        (Unit::Month, "2025-06-01T00:00:00", "2025-07-01T00:00:00"),
        (Unit::Month, "2025-11-01T00:00:00", "2025-12-01T00:00:00"),
        (Unit::Month, "2025-12-01T00:00:00", "2026-01-01T00:00:00"),
        (Unit::Year, "1999-01-01T00:00:00", "2000-01-01T00:00:00"),
    ] {
        assert_eq!(unit.next(at(begins)), at(next), "{unit:?}");
    }
}

#[test]
fn each_bucket_format_has_its_unit() {
    let units = [
        (TimePiece::Year, Unit::Year),
        (TimePiece::Month, Unit::Month),
        (TimePiece::Day, Unit::Day),
        (TimePiece::DayOfYear, Unit::Day),
        (TimePiece::Hour, Unit::Hour),
        (TimePiece::Minute, Unit::Minute),
        (TimePiece::Second, Unit::Second),
        (TimePiece::Fraction(3), Unit::Second),
    ];
    for (piece, expected) in units {
        assert_eq!(unit(&piece), Some(expected));
    }
    assert_eq!(unit(&TimePiece::Literal("-")), None);
}

#[test]
fn a_range_contains_its_beginning_and_not_an_excluded_end() {
    let (from, to) = (time("2025-06-01T00:00:00"), time("2025-06-03T00:00:00"));
    let nearly = time("2025-06-02T23:59:59");
    let excluded: Ends = (from, Bound::Excluded(to));
    let included: Ends = (from, Bound::Included(to));
    for ends in [&excluded, &included] {
        assert!(contains(ends, from) && contains(ends, nearly) && !is_empty(ends));
        assert!(!contains(ends, time("2025-05-31T23:59:59")));
    }
    assert!(!contains(&excluded, to) && contains(&included, to));
    assert!(contains(&(from, Bound::Unbounded), to));
    let (date, next) = (day("2025-06-01"), day("2025-06-02"));
    assert!(!contains(&(date, Bound::Excluded(next)), next));
    assert!(contains(&(date, Bound::Excluded(next)), date));
}

#[test]
fn a_range_is_empty_if_nothing_lies_between_its_ends() {
    let (early, late) = (day("2025-06-01"), day("2025-06-02"));
    assert!(is_empty(&(early, Bound::Excluded(early))));
    assert!(!is_empty(&(early, Bound::Included(early))));
    assert!(is_empty(&(late, Bound::Included(early))));
    assert!(is_empty(&(late, Bound::Excluded(early))));
    assert!(!is_empty(&(early, Bound::Excluded(late))));
    assert!(!is_empty(&(early, Bound::Unbounded)));
}

#[test]
fn a_date_is_its_first_moment() {
    assert_eq!(moment(day("1970-01-03")), (2 * 86_400, 0));
    assert_eq!(moment(time("1970-01-01T00:01:00.000000005")), (60, 5));
    assert_eq!(value(at("1970-01-03"), true), Some(day("1970-01-03")));
    assert_eq!(
        value(at("9999-12-31T00:00:00"), false),
        Some(time("9999-12-31T00:00:00"))
    );
    let year = |year| Civil {
        year,
        ..at("2025-01-01")
    };
    assert_eq!(value(year(10_000), true), None);
    assert_eq!(value(year(-1), false), None);
}
