//! Each kind of change, its meaning for stored items, and its migration.

use dynamo_model_tools::{Change, Impact, Model};

/// A table with one entity, in a separate module.
macro_rules! version {
    ($name:ident { $(#[$table:meta])* } { $(#[$entity:meta])* } { $($field:tt)* }) => {
        mod $name {
            use dynamo_model::{DynamoEntity, DynamoTable, KeyPart};
            use serde::{Deserialize, Serialize};

            #[derive(DynamoTable)]
            $(#[$table])*
            pub struct App;

            #[derive(DynamoTable)]
            #[table(name = "Values", pk = "value")]
            #[allow(dead_code)]
            pub struct Values;

            #[derive(KeyPart, Serialize, Deserialize)]
            #[allow(dead_code)]
            pub enum Two { A, B }

            #[derive(KeyPart, Serialize, Deserialize)]
            #[allow(dead_code)]
            pub enum Three { A, B, C }

            #[derive(DynamoEntity, Serialize, Deserialize)]
            #[dynamo(table = App)]
            $(#[$entity])*
            #[allow(dead_code)]
            pub struct Item { $($field)* }
        }
    };
}

version! { first
    { #[table(name = "App", pk = "PK", sk = "SK")] #[gsi1(name = "GGG", pk = "GPK")] }
    { #[pk("I#<id>")] #[sk("S#<kind>")] #[gsi1(pk = "N#<name>", as = by_name)] }
    { id: String, kind: Two, name: String, count: u32, note: Option<String> }
}
version! { moved
    { #[table(name = "App", pk = "PK", sk = "SK")] #[gsi1(name = "GGG", pk = "GPK")] }
    { #[pk("ITEM#<id>")] #[sk("S#<kind>")] #[gsi1(pk = "NAME#<name>", as = by_name)] }
    { id: String, kind: Two, name: String, count: u32, note: Option<String> }
}
version! { grown
    { #[table(name = "App", pk = "PK", sk = "SK")] #[gsi1(name = "GGG", pk = "GPK")] #[gsi2(name = "HHH", pk = "count2")] }
    { #[pk("I#<id>")] #[sk("S#<kind>")] #[gsi1(pk = "N#<name>", as = by_name)] }
    { id: String, kind: Three, name: String, count: u64, note: Option<String>, extra: Option<String> }
}
version! { retyped
    { #[table(name = "App", pk = "PK", sk = "SK")] #[gsi1(name = "GGG", pk = "GPK")] }
    { #[pk("I#<id>")] #[sk("S#<kind>")] #[gsi1(pk = "N#<name>", as = by_name)] }
    { id: u64, kind: Two, #[serde(rename = "title")] name: String, count: String, note: String, must: u8 }
}
version! { reindexed
    { #[table(name = "App", pk = "PK", sk = "SK")] #[gsi1(name = "GGG", pk = "GPK", projection = keys_only)]
      #[gsi2(name = "HHH", pk = "HPK")] #[lsi1(name = "LLL", sk = "count2")] }
    { #[pk("I#<id>")] #[sk("S#<kind>")] #[gsi1(pk = "N#<name>", as = by_name)]
      #[gsi2(pk = "H#<count>", as = by_count)] #[unique("NAME#<name>")] }
    { id: String, kind: Two, name: String, count: u32, note: Option<String> }
}

fn changes(later: &Model) -> Vec<Change> {
    let lock = Model::new("app").entity::<first::Item>().lock();
    later.compare_with_lock(&lock).unwrap()
}

fn shown(changes: &[Change], impact: Impact) -> Vec<String> {
    let of = changes.iter().filter(|change| change.impact == impact);
    of.map(|change| change.to_string().replace("\n  ", " | "))
        .collect()
}

#[test]
fn an_unchanged_declaration_has_no_difference() {
    assert_eq!(changes(&Model::new("app").entity::<first::Item>()), []);
}

#[test]
fn changed_keys_are_breaking() {
    let changes = changes(&Model::new("app").entity::<moved::Item>());
    assert_eq!(
        shown(&changes, Impact::Breaking),
        [
            "App, Item, partition key: was `I#<id>`, is `ITEM#<id>` | needs: each item put under \
             its new key and deleted under the old one, in one transaction",
            "App, Item, index GGG, partition key: was `N#<name>`, is `NAME#<name>` | needs: each \
             item written again, so that its index attributes are stored",
        ]
    );
    assert_eq!(changes.len(), 2);
}

#[test]
fn additions_are_compatible() {
    let changes = changes(&Model::new("app").entity::<grown::Item>());
    assert!(
        changes.iter().all(|it| it.impact < Impact::Breaking),
        "{changes:#?}"
    );
    let fine = shown(&changes, Impact::Compatible);
    let expected = [
        "App, index HHH: new, global index on count2 (S), ALL",
        "App, Item, sort key, values of `<kind>`: was A, B, is A, B, C",
        "App, Item, attribute `count`: was `u32` (N), is `u64` (N)",
        "App, Item, attribute `extra`: new, `Option<String>`",
    ];
    assert_eq!(fine, expected);
    // The declaration of the field does not tell whether `Two` and `Three` are stored alike.
    assert_eq!(shown(&changes, Impact::Unclear).len(), 1);
}

#[test]
fn changed_attributes_are_compared() {
    let changes = changes(&Model::new("app").entity::<retyped::Item>());
    let broken = shown(&changes, Impact::Breaking);
    for expected in [
        "App, Item, partition key, `<id>`: was `text`, is `an integer`",
        "App, Item, attribute `count`: was `u32` (N), is `String` (S) | needs: this attribute \
         rewritten",
        "App, Item, attribute `id`: was `String` (S), is `u64` (N)",
        "App, Item, attribute `must`: new, `u8` | needs: each item updated to have it",
        "App, Item, attribute `name`: was this name, is `title` | needs: the attribute renamed on \
         every item; until then `#[serde(alias = \"name\")]`",
        "App, Item, attribute `note`: was optional, is required | needs: each item updated to have \
         it",
    ] {
        assert!(
            broken.iter().any(|it| it.starts_with(expected)),
            "{expected}\n{broken:#?}"
        );
    }
    assert_eq!(broken.len(), 6, "{broken:#?}");
}

#[test]
fn changed_indexes_are_compared() {
    let changes = changes(&Model::new("app").entity::<reindexed::Item>());
    let broken = shown(&changes, Impact::Breaking);
    for expected in [
        "App, index GGG: was global index on GPK (S), ALL, is global index on GPK (S), KEYS_ONLY | \
         needs: the index deleted",
        "App, index LLL: new, local index on PK (S) + count2 (S), ALL | needs: a new table",
        "App, Item, index HHH: new, `H#<count>` | needs: each item written again",
        "App, Item, unique `NAME#<name>`: new, a constraint | needs: an item for the value of each \
         item",
    ] {
        assert!(
            broken.iter().any(|it| it.starts_with(expected)),
            "{expected}\n{broken:#?}"
        );
    }
    assert_eq!(broken.len(), 4, "{broken:#?}");
}

#[test]
fn verify_lock_checks_and_writes_the_file() {
    let folder = std::env::temp_dir().join(format!("schema-lock-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let file = folder.join("schema.lock");
    let model = Model::new("app").entity::<first::Item>();
    let missing = model.verify_lock(&file).unwrap_err().to_string();
    assert!(missing.contains("UPDATE_EXPECT=1 to make it"), "{missing}");
    std::fs::write(&file, model.lock()).unwrap();
    model.verify_lock(&file).unwrap();

    let broken = Model::new("app")
        .entity::<moved::Item>()
        .verify_lock(&file)
        .unwrap_err();
    let text = format!("{broken:?}");
    assert!(
        text.contains("breaks stored items, or removes a protection:\n- App, Item, partition key"),
        "{text}"
    );
    assert!(
        text.ends_with("with UPDATE_EXPECT=breaking to update the lock"),
        "{text}"
    );

    let gone = Model::new("app")
        .verify_lock(&file)
        .unwrap_err()
        .to_string();
    assert!(gone.contains("App: gone"), "{gone}");
    std::fs::write(&file, "{}").unwrap();
    let other = model.verify_lock(&file).unwrap_err().to_string();
    assert!(other.contains("this is not a schema lock"), "{other}");
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn a_renamed_type_is_the_same_entity() {
    mod renamed {
        use super::first::{App, Two};
        #[derive(dynamo_model::DynamoEntity, serde::Serialize, serde::Deserialize)]
        #[dynamo(table = App, former)]
        #[pk("I#<id>")]
        #[sk("S#<kind>")]
        #[gsi1(pk = "N#<name>", as = by_name)]
        #[allow(dead_code)]
        pub struct Thing {
            pub id: String,
            pub kind: Two,
            pub name: String,
            pub count: u32,
            pub note: Option<String>,
        }
    }
    let changes = changes(&Model::new("app").entity::<renamed::Thing>());
    let texts: Vec<_> = changes.iter().map(ToString::to_string).collect();
    assert_eq!(
        texts,
        ["App, Thing: was the type `Item`, is the type `Thing`"]
    );
    assert_eq!(changes[0].impact, Impact::Compatible);
}

version! { constant_1
    { #[table(name = "App", pk = "PK")] }
    { #[pk("I#<id>")] #[dynamo(constant("v" = "1", "old" = true))] }
    { id: String, kind: Option<Two>, more: Option<Three>, rank: u8 }
}
version! { constant_2
    { #[table(name = "App", pk = "PK")] }
    { #[pk("I#<id>")] #[dynamo(constant("v" = "2", "new" = 3, "rank" = 4))] }
    { id: String, kind: Option<Two>, more: Option<Three> }
}

/// Finding: "constant attributes": a read fails on an item that has another value.
#[test]
fn another_value_of_a_constant_breaks_stored_items() {
    let lock = Model::new("app").entity::<constant_1::Item>().lock();
    let changes = Model::new("app")
        .entity::<constant_2::Item>()
        .compare_with_lock(&lock)
        .unwrap();
    assert_eq!(
        shown(&changes, Impact::Breaking),
        [
            "App, Item, constant `rank`: new, `N 4` | needs: this attribute rewritten on every \
             item, in place",
            "App, Item, constant `v`: was `S \"1\"`, is `S \"2\"` | needs: this attribute \
             rewritten on every item, in place",
        ]
    );
    let fine = shown(&changes, Impact::Compatible);
    for expected in [
        "App, Item, constant `new`: new, `N 3`",
        "App, Item, constant `old`: gone, was `BOOL true`",
    ] {
        assert!(fine.iter().any(|it| it.starts_with(expected)), "{fine:#?}");
    }
}

/// Finding: "constant attributes"
#[test]
fn documents_list_constants_with_their_values() {
    let model = Model::new("app").entity::<constant_1::Item>();
    let json = serde_json::to_value(&model).unwrap();
    assert_eq!(
        json["tables"][0]["entities"][0]["constants"],
        serde_json::json!([
            { "name": "v", "type": "S", "value": "1" },
            { "name": "old", "type": "BOOL", "value": "true" },
        ])
    );
    let markdown = model.markdown();
    assert!(
        markdown.contains("| `v` | String | | Always `1`. |"),
        "{markdown}"
    );
    let page = model.html();
    assert!(page.contains("constant</span> <code>true</code>"), "{page}");
    assert!(page.contains("<summary>6 attributes</summary>"), "{page}");
}

version! { protected
    { #[table(name = "App", pk = "PK", encryption = kms("alias/a"), point_in_time_recovery, deletion_protection)] }
    { #[pk("I#<id>")] #[unique("N#<name>", in = Values)] }
    { id: String, #[dynamo(immutable)] name: String, kind: Option<Two>, more: Option<Three> }
}
version! { unprotected
    { #[table(name = "App", pk = "PK", billing = provisioned(read = 5, write = 5))] }
    { #[pk("I#<id>")] #[unique("N#<name>")] }
    { id: String, name: String, kind: Option<Two>, more: Option<Three> }
}
version! { other_key
    { #[table(name = "App", pk = "PK", encryption = kms("alias/b"), point_in_time_recovery, deletion_protection)] }
    { #[pk("I#<id>")] #[unique("N#<name>", in = Values)] }
    { id: String, #[dynamo(immutable)] name: String, kind: Option<Two>, more: Option<Three> }
}

fn between(was: &Model, is: &Model) -> Vec<Change> {
    is.compare_with_lock(&was.lock()).unwrap()
}

/// Removing a protection is visible in a review.
#[test]
fn removing_a_protection_is_breaking_and_adding_one_is_not() {
    let [was, is] = [
        Model::new("app").entity::<protected::Item>(),
        Model::new("app").entity::<unprotected::Item>(),
    ];
    let changes = between(&was, &is);
    let broken = shown(&changes, Impact::Breaking);
    let expected = [
        "App, encryption: was KMS alias/a, is a key of AWS | needs: none for stored items",
        "App, point-in-time recovery: was on, is off | needs: a backup on demand",
        "App, deletion protection: was on, is off | needs: none for stored items",
        "App, Item, unique `N#<name>`, table: gone, was `Values` | needs: an item in the new table",
    ];
    for expected in expected {
        assert!(
            broken.iter().any(|it| it.starts_with(expected)),
            "{expected}\n{broken:#?}"
        );
    }
    let fine = shown(&changes, Impact::Compatible);
    for expected in [
        "App, billing: was on demand, is provisioned, 5 read and 5 write units",
        "App, Item, attribute `name`: was immutable, is mutable",
    ] {
        assert!(fine.iter().any(|it| it == expected), "{fine:#?}");
    }

    let back = between(&is, &was);
    let fine = shown(&back, Impact::Compatible);
    assert!(
        fine.iter()
            .any(|it| it == "App, point-in-time recovery: was off, is on")
    );
    assert!(
        fine.iter()
            .any(|it| it == "App, Item, attribute `name`: was mutable, is immutable")
    );
    let unclear = shown(&back, Impact::Unclear);
    assert!(
        unclear[0]
            .starts_with("App, encryption: was a key of AWS, is KMS alias/a | needs: the rights")
    );
}

#[test]
fn another_kms_key_asks_for_permissions_of_each_role() {
    let was = Model::new("app").entity::<protected::Item>();
    let changes = between(&was, &Model::new("app").entity::<other_key::Item>());
    assert_eq!(changes.len(), 1, "{changes:#?}");
    assert_eq!(changes[0].impact, Impact::Unclear);
}

/// A lock of an older release has no settings.
#[test]
fn a_lock_without_settings_is_compared_without_them() {
    let model = Model::new("app").entity::<protected::Item>();
    let mut lock: serde_json::Value = serde_json::from_str(&model.lock()).unwrap();
    let settings = lock["tables"]["App"].as_object_mut().unwrap();
    let expected = serde_json::json!({
        "encryption": "KMS alias/a",
        "point_in_time_recovery": true,
        "deletion_protection": true,
        "billing": "on demand",
    });
    assert_eq!(settings.remove("settings"), Some(expected));
    assert_eq!(model.compare_with_lock(&lock.to_string()).unwrap(), []);
}
