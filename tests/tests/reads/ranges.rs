//! Ranges over a part of the sort key, against the engine: the same as filtering in Rust.

use crate::support::{self, Outcome, store};
use dynamo_model::{DynamoEntity, DynamoTable};
use serde::{Deserialize, Serialize};
use std::ops::Bound::{Excluded, Included, Unbounded};
use std::ops::RangeBounds;

#[derive(DynamoTable)]
#[table(name = "Words", pk = "PK", sk = "SK", items = WordsItem)]
struct Words;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Words)]
#[pk("P#<group>")]
#[sk("W#<number:04>#<word>")]
struct Word {
    group: String,
    number: i32,
    word: String,
}

/// The same partition, and keys around those of `Word`: no range may reach them.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Words)]
#[pk("P#<group>")]
#[sk("V#<name>")]
struct Before {
    group: String,
    name: String,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Words)]
#[pk("P#<group>")]
#[sk("X#<name>")]
struct After {
    group: String,
    name: String,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Words)]
enum WordsItem {
    Word(Word),
    Before(Before),
    After(After),
    Log(Log),
}

const TEXTS: [&str; 12] = [
    "!",
    "#",
    "$",
    "a",
    "a#b",
    "a$",
    "ab",
    "b",
    "~",
    "四間飛車",
    "山",
    "𠮷",
];
const NUMBERS: [i32; 6] = [-20, -3, 0, 3, 20, 9999];

async fn words() -> Outcome<(support::Db, Vec<Word>)> {
    let db = support::db::<Words>().await;
    let mut all = Vec::new();
    for number in NUMBERS {
        all.extend(TEXTS.map(|word| Word {
            group: "g".into(),
            number,
            word: word.into(),
        }));
    }
    store(&db, &all).await?;
    let name = String::from("~");
    store(
        &db,
        &[Before {
            group: "g".into(),
            name: name.clone(),
        }],
    )
    .await?;
    store(
        &db,
        &[After {
            group: "g".into(),
            name,
        }],
    )
    .await?;
    Ok((db, all))
}

fn is_within<T: PartialOrd>(bounds: &impl RangeBounds<T>, value: &T) -> bool {
    bounds.contains(value)
}

/// The range as a query, and the same range as a condition in Rust, for all six forms and for
/// bounds that exclude the start.
macro_rules! same_as_in_rust {
    ($db:expr, $all:expr, $query:expr, $range:ident, $field:expr, $low:expr, $high:expr) => {
        same_as_in_rust!($db, $all, $query, $range, $field;
            $low..$high, $low..=$high, $low.., ..$high, ..=$high, ..,
            (Excluded($low), Included($high)), (Excluded($low), Excluded($high)),
            (Excluded($low), Unbounded), (Unbounded, Excluded($high)))
    };
    ($db:expr, $all:expr, $query:expr, $range:ident, $field:expr; $($bounds:expr),*) => {$({
        let mut found = $query.$range($bounds).all($db).await?;
        let expected: Vec<_> = $all
            .iter()
            .filter(|item| is_within(&$bounds, &$field(item)))
            .cloned()
            .collect();
        assert_eq!(found, expected, "{}", stringify!($bounds));
        found = $query.$range($bounds).descending().all($db).await?;
        found.reverse();
        assert_eq!(found, expected, "{}, falling", stringify!($bounds));
    })*};
}

#[tokio::test]
async fn a_range_of_numbers_before_another_part_is_exact() -> Outcome {
    let (db, all) = words().await?;
    let field = |word: &Word| word.number;
    for (low, high) in [(-3, 20), (-100, 0), (1, 2), (3, 3), (0, 9999), (21, 22)] {
        same_as_in_rust!(&db, all, Word::query("g"), number_in, field, low, high);
    }
    Ok(())
}

#[tokio::test]
async fn a_range_of_text_at_the_end_is_exact() -> Outcome {
    let (db, all) = words().await?;
    let all: Vec<_> = all.into_iter().filter(|word| word.number == 3).collect();
    for (low, high) in [
        ("a", "b"),
        ("a", "a"),
        ("#", "$"),
        ("a#", "山"),
        ("c", "d"),
        ("山", "𠮷"),
    ] {
        let field = |word: &Word| word.word.clone();
        let (low, high) = (low.to_owned(), high.to_owned());
        let query = || Word::query("g").number(3);
        same_as_in_rust!(&db, all, query(), word_in, field, low.clone(), high.clone());
    }
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Numbered", pk = "PK", sk = N("seq"))]
struct Numbered;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Numbered)]
#[pk("P#<group>")]
#[sk("<seq>")]
struct Entry {
    group: String,
    seq: i64,
}

#[tokio::test]
async fn a_range_of_a_number_key_is_exact() -> Outcome {
    let db = support::db::<Numbered>().await;
    let entry = |seq| Entry {
        group: "g".into(),
        seq,
    };
    let all = [i64::MIN, -100, -9, -1, 0, 1, 9, 10, 100, i64::MAX].map(entry);
    store(&db, &all).await?;
    let field = |entry: &Entry| entry.seq;
    for (low, high) in [(-9, 10), (0, 0), (2, 8), (i64::MIN, i64::MAX)] {
        same_as_in_rust!(&db, all, Entry::query("g"), seq_in, field, low, high);
    }
    assert_eq!(Entry::query("g").seq(-9).one(&db).await?, entry(-9));
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Digests", pk = "PK", sk = B("digest"))]
struct Digests;

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Digests)]
#[pk("P#<group>")]
#[sk("<digest>")]
struct Digest {
    group: String,
    #[serde(with = "as_binary")]
    digest: Vec<u8>,
}

/// Serde's plain form of `Vec<u8>` is a list of numbers.
mod as_binary {
    use serde::de::{Deserializer, Error, Visitor};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(bytes: &[u8], serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(bytes)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
        deserializer.deserialize_byte_buf(Bytes)
    }

    struct Bytes;

    impl Visitor<'_> for Bytes {
        type Value = Vec<u8>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("bytes")
        }

        fn visit_bytes<E: Error>(self, bytes: &[u8]) -> Result<Vec<u8>, E> {
            Ok(bytes.to_vec())
        }

        fn visit_byte_buf<E: Error>(self, bytes: Vec<u8>) -> Result<Vec<u8>, E> {
            Ok(bytes)
        }
    }
}

#[tokio::test]
async fn a_range_of_a_binary_key_is_exact() -> Outcome {
    let db = support::db::<Digests>().await;
    let all: [&[u8]; 7] = [&[0], &[0, 0], &[0, 255], &[1], &[1, 0], &[128], &[255, 255]];
    let all = all.map(|digest| Digest {
        group: "g".into(),
        digest: digest.to_vec(),
    });
    store(&db, &all).await?;
    let field = |digest: &Digest| digest.digest.clone();
    for (low, high) in [
        (vec![0], vec![1]),
        (vec![0, 1], vec![1, 0]),
        (vec![1], vec![1]),
    ] {
        let query = || Digest::query("g");
        same_as_in_rust!(
            &db,
            all,
            query(),
            digest_in,
            field,
            low.clone(),
            high.clone()
        );
    }
    Ok(())
}

/// An empty range is answered without asking: there is not even a table.
#[tokio::test]
async fn an_empty_range_sends_nothing() -> Outcome {
    let db = support::bare();
    #[allow(clippy::reversed_empty_ranges)]
    let backwards = || Word::query("g").number_in(5..3);
    assert!(backwards().all(&db).await?.is_empty());
    assert!(Word::query("g").number_in(5..5).first(&db).await?.is_none());
    assert_eq!(backwards().count(&db).await?, 0);
    let page = backwards().limit(3).page(&db).await?;
    assert!(page.items.is_empty() && page.next.is_none());
    assert!(backwards().explain(&db)?.nothing);
    let text = Word::query("g").number(1).word_in("b".."a");
    assert!(text.all(&db).await?.is_empty());
    Ok(())
}

#[tokio::test]
async fn a_prefix_within_a_part_matches_its_values() -> Outcome {
    let (db, _) = words().await?;
    for prefix in ["", "a", "a#", "a$", "四間", "ab", "c"] {
        let found = Word::query("g")
            .number(3)
            .word_prefix(prefix)
            .all(&db)
            .await?;
        let found: Vec<_> = found.iter().map(|word| word.word.as_str()).collect();
        let expected = TEXTS.into_iter().filter(|text| text.starts_with(prefix));
        assert_eq!(found, expected.collect::<Vec<_>>(), "{prefix}");
    }
    Ok(())
}

/// Newest first by its sort key, and a month in one number.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Words)]
#[pk("LOG#<year:04><month:02>")]
#[sk("L#<number:04+desc><at:ms+desc>#<name>")]
struct Log {
    year: u16,
    month: u8,
    number: i16,
    at: jiff::Timestamp,
    name: String,
}

/// Finding: "reversed numbers (`99999999 - n`)".
#[tokio::test]
async fn ranges_of_descending_parts_return_values_in_reverse() -> Outcome {
    let db = support::db::<Words>().await;
    let numbers = [-20, -3, 0, 3, 9, 10, 9_999];
    let second = |second| jiff::Timestamp::from_second(second).unwrap_or_default();
    let logs = numbers.iter().flat_map(|&number| {
        [0, 1].map(|at| Log {
            year: 2_025,
            month: 6,
            number,
            at: second(at),
            name: "x".into(),
        })
    });
    let logs: Vec<Log> = logs.collect();
    store(&db, &logs).await?;
    let mut newest: Vec<_> = logs.clone();
    newest.sort_by_key(|log| std::cmp::Reverse((log.number, log.at)));
    assert_eq!(Log::query(2_025_u16, 6_u8).all(&db).await?, newest);
    newest.reverse();
    let backwards = Log::query(2_025_u16, 6_u8).descending();
    assert_eq!(
        backwards.all(&db).await?,
        newest,
        "against the order of the key"
    );
    for range in [
        (Included(3), Included(9)),
        (Included(-3), Excluded(10)),
        (Excluded(0), Unbounded),
        (Unbounded, Excluded(0)),
        (Included(11), Included(12)),
    ] {
        let found = Log::query(2_025_u16, 6_u8)
            .number_in(range)
            .all(&db)
            .await?;
        let mut expected: Vec<_> = logs
            .iter()
            .filter(|log| range.contains(&log.number))
            .cloned()
            .collect();
        expected.sort_by_key(|log| std::cmp::Reverse((log.number, log.at)));
        assert_eq!(found, expected, "{range:?}");
    }
    let of_nine = Log::query(2_025_u16, 6_u8).number(9_i16).at_in(..second(1));
    assert_eq!(of_nine.all(&db).await?, [logs[8].clone()]);
    Ok(())
}

#[derive(DynamoTable)]
#[table(name = "Numbers", pk = "PK", sk = "SK")]
struct Numbers;

/// Its sort key begins with a placeholder.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Numbers)]
#[pk("P#<group>")]
#[sk("<number:04>#<word>")]
struct Number {
    group: String,
    number: u32,
    word: String,
}

/// DynamoDB refuses `begins_with` of an empty text.
#[tokio::test]
async fn a_range_without_ends_at_the_beginning_of_the_sort_key_is_no_condition() -> Outcome {
    let db = support::db::<Numbers>().await;
    let number = |number| Number {
        group: "g".into(),
        number,
        word: "w".into(),
    };
    store(&db, &[number(1), number(2)]).await?;
    let query = || Number::query("g").number_in(..);
    assert_eq!(
        query().explain(&db)?.key_condition.as_deref(),
        Some("#n0 = :v0")
    );
    assert_eq!(query().all(&db).await?, [number(1), number(2)]);
    Ok(())
}
