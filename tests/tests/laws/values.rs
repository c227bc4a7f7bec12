//! Keys and their halves as values: they are equal, hash and are shown as their text.

use dynamo_model::error::KeyErrorKind;
use dynamo_model::key::{KeyPrefix, KeyRef, KeyValue, PartitionKey};
use dynamo_model::{DynamoEntity, DynamoTable};
use std::cmp::Ordering;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hash};

#[derive(DynamoTable)]
#[table(name = "App", pk = "PK", sk = "SK", items = AppItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct App;

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("USER#<user_id>")]
#[sk("ORDER#<number:06>")]
#[gsi1(pk = "TEAM#<team>", sk = "<user_id>#<code>", as = by_team)]
struct Order {
    user_id: String,
    number: u32,
    team: Option<String>,
    code: Option<String>,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = App)]
enum AppItem {
    Order(Order),
    Event(Event),
    File(File),
}

/// Whether each two are equal exactly if they are at the same place, and equal ones have equal
/// hashes.
fn assert_distinct<T: PartialEq + Hash + Clone>(values: &[T]) {
    let hashes = RandomState::new();
    for (i, one) in values.iter().enumerate() {
        for (j, other) in values.iter().enumerate() {
            assert_eq!(one == other, i == j);
        }
        assert_eq!(hashes.hash_one(one), hashes.hash_one(one.clone()));
    }
    // Some of many hashes may collide, not all of them.
    let distinct: std::collections::HashSet<_> =
        values.iter().map(|it| hashes.hash_one(it)).collect();
    assert!(distinct.len() > 1);
}

#[test]
fn a_partition_key_is_its_text() {
    let keys: Vec<PartitionKey<Order>> = ["u1", "u2", "u10"]
        .map(|user| Order::partition_key(user).unwrap())
        .to_vec();
    assert_distinct(&keys);
    let key = &keys[0];
    assert_eq!(key.as_str(), Some("USER#u1"));
    assert_eq!(key.to_string(), "USER#u1");
    assert_eq!(format!("{key:?}"), "PartitionKey<Order>(USER#u1)");
    assert!(*key == "USER#u1" && *key == *"USER#u1");
    assert!(*key != "USER#u2" && *key != *"USER#u2");
    assert_eq!(key.value(), &KeyValue::S("USER#u1".to_owned()));
    assert_eq!(KeyRef::from(key), KeyRef::S("USER#u1"));
    assert_eq!(*key, Order::key("u1", 1).unwrap().partition_key());
}

#[test]
fn a_prefix_matches_its_extensions_and_a_whole_key_only_itself() {
    let open: KeyPrefix<Order> = Order::sort_key().build().unwrap();
    let whole: KeyPrefix<Order> = Order::sort_key().number(42).build().unwrap();
    assert!(!open.is_whole() && whole.is_whole());
    assert!(open.matches("ORDER#000042") && !open.matches("INVOICE#000042"));
    assert!(whole.matches("ORDER#000042") && !whole.matches("ORDER#0000421"));
    assert_eq!((open.as_str(), whole.as_str()), ("ORDER#", "ORDER#000042"));
    assert_eq!(whole.to_string(), "ORDER#000042");
    assert!(format!("{whole:?}").contains("ORDER#000042"));
    assert!(open == "ORDER#" && open != "ORDER#000042");
    assert_eq!(String::from(whole.clone()), "ORDER#000042");
    let other = Order::sort_key().number(43).build().unwrap();
    assert_distinct(&[open, whole, other]);
}

#[test]
fn a_key_value_equals_its_own_text_alone() {
    let text = KeyValue::S("a".to_owned());
    assert!(text == "a" && text != "b" && text == *"a" && text != *"b");
    let number = Order::key("u1", 1).unwrap();
    assert!(number.pk() != "USER#u2" && number.pk() == "USER#u1");
}

#[test]
fn an_empty_part_without_or_empty_is_not_an_absent_field() {
    let parsed = Order::parse_by_team_key("TEAM#", "u1#x");
    let kind = parsed.unwrap_err();
    assert!(
        matches!(kind.kind(), KeyErrorKind::Malformed | KeyErrorKind::Empty),
        "{kind}"
    );
}

#[test]
fn a_stored_key_over_the_limit_is_refused() {
    let (pk, sk) = ("USER#".len(), "ORDER#000042");
    let at_most = format!("USER#{}", "x".repeat(2_048 - pk));
    assert!(Order::parse_key(&at_most, sk).is_ok());
    let error = Order::parse_key(&format!("{at_most}x"), sk).unwrap_err();
    let (bytes, max) = (2_049, 2_048);
    assert_eq!(error.kind(), &KeyErrorKind::TooLong { bytes, max });
    let error = Order::parse_key("", sk).unwrap_err();
    assert_eq!(error.kind(), &KeyErrorKind::Empty);
}

#[test]
fn numbers_are_ordered_by_value_and_shown_as_written() {
    assert!(KeyRef::N("2") < KeyRef::N("10") && KeyRef::N("-1") < KeyRef::N("0"));
    assert!(KeyRef::S("10") < KeyRef::S("2"));
    let one = KeyRef::N("1");
    assert_eq!(one.cmp(&KeyRef::N("1.0")), Ordering::Equal);
    assert_eq!(one.cmp(&KeyRef::N("1")), Ordering::Equal);
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("EVENT#<id:shard(4)>")]
#[sk("<number>")]
struct Event {
    id: String,
    number: u32,
}

#[derive(DynamoEntity)]
#[dynamo(table = App)]
#[pk("FILES")]
#[sk("FILE#<path>")]
struct File {
    path: String,
}

#[test]
fn a_sort_key_may_have_1024_bytes() {
    let path = |bytes: usize| "x".repeat(bytes - "FILE#".len());
    let prefix = |bytes| File::sort_key().path(path(bytes)).build();
    assert_eq!(prefix(1_024).unwrap().as_str().len(), 1_024);
    assert!(File::key(path(1_024)).is_ok());
    for error in [
        prefix(1_025).unwrap_err(),
        File::key(path(1_025)).unwrap_err(),
    ] {
        let (bytes, max) = (1_025, 1_024);
        assert_eq!(error.kind(), &KeyErrorKind::TooLong { bytes, max });
    }
}

#[test]
fn a_shard_is_below_the_number_of_shards() {
    for shard in 0..4_u32 {
        let parsed = Event::parse_key(&*format!("EVENT#{shard}"), "7").unwrap();
        assert_eq!((parsed.id.number(), parsed.number), (shard, 7));
    }
    for shard in ["4", "5", "-1", "+1", "01"] {
        let error = Event::parse_key(&*format!("EVENT#{shard}"), "7").unwrap_err();
        assert!(
            matches!(
                error.kind(),
                KeyErrorKind::Malformed | KeyErrorKind::NoMatch { .. }
            ),
            "{shard}: {error}"
        );
    }
}
