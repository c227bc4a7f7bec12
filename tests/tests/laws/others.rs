//! No value of one entity can produce another entity's key.

use crate::entities::*;
use crate::strategies::*;
use dynamo_model::key::KeyValue;
use dynamo_model::{Entity, Items};
use proptest::prelude::*;

fn item() -> impl Strategy<Value = CrowdItem> {
    let level = proptest::sample::select(vec![Level::Easy, Level::Medium, Level::Hard]);
    let text = || {
        let aimed =
            proptest::sample::select(vec!["PROFILE", "1#x", "MEMBER#a#b", "S#a", "INE#1", "007"]);
        prop_oneof![4 => hostile(), 1 => aimed.prop_map(String::from)]
    };
    (
        0..12_usize,
        text(),
        text(),
        any::<i32>(),
        0..1_000_u16,
        seconds(),
        level,
    )
        .prop_map(|(which, a, b, i, n, seconds, level)| match which {
            0 => Profile { a }.into(),
            1 => Profiles { a }.into(),
            2 => Order { a, b }.into(),
            3 => OrderLine { a, b, n }.into(),
            4 => Number { a, n: i }.into(),
            5 => Padding { a, n }.into(),
            6 => At {
                a,
                t: jiff::Timestamp::new(seconds, 0).unwrap(),
            }
            .into(),
            7 => LevelOf { a, level }.into(),
            8 => Group { a, b }.into(),
            9 => Member { a, b }.into(),
            10 => Users { a }.into(),
            _ => Empty { a }.into(),
        })
}

fn key(item: &CrowdItem) -> Vec<KeyValue> {
    item.key_attributes()
        .unwrap()
        .into_iter()
        .filter_map(|attribute| attribute.value)
        .collect()
}

proptest! {
    #![proptest_config(thousands())]

    #[test]
    fn only_one_entity_parses_a_key(item in item()) {
        let key = key(&item);
        let found = CrowdItem::entity_of((&key[0]).into(), Some((&key[1]).into())).unwrap();
        prop_assert_eq!(found.entity, item.entity().unwrap().entity);
        let owners = CrowdItem::ENTITIES.iter().filter(|entity| {
            // Asked one by one: not the first that fits, but the only one.
            owns(entity.entity, &key)
        });
        prop_assert_eq!(owners.count(), 1);
    }

    #[test]
    fn two_items_of_different_entities_never_share_a_key(x in item(), y in item()) {
        if x.entity().unwrap().entity != y.entity().unwrap().entity {
            prop_assert_ne!(key(&x), key(&y));
        }
    }
}

fn owns(entity: &str, key: &[KeyValue]) -> bool {
    fn parses<E: dynamo_model::bounds::IndexedBy<dynamo_model::index::Primary>>(
        key: &[KeyValue],
    ) -> bool {
        E::parse((&key[0]).into(), Some((&key[1]).into())).is_ok()
    }
    match entity {
        "Profile" => parses::<Profile>(key),
        "Profiles" => parses::<Profiles>(key),
        "Order" => parses::<Order>(key),
        "OrderLine" => parses::<OrderLine>(key),
        "Number" => parses::<Number>(key),
        "Padding" => parses::<Padding>(key),
        "At" => parses::<At>(key),
        "LevelOf" => parses::<LevelOf>(key),
        "Group" => parses::<Group>(key),
        "Member" => parses::<Member>(key),
        "Users" => parses::<Users>(key),
        "Empty" => parses::<Empty>(key),
        other => panic!("{other}"),
    }
}

#[test]
fn a_key_of_no_entity_is_an_error() {
    let error = CrowdItem::entity_of("NOBODY".into(), Some("x".into())).unwrap_err();
    assert_eq!(
        error.to_string(),
        "CrowdItem: no entity of the table builds this key"
    );
    assert_eq!(Profile::SCHEMA.entity, "Profile");
}
