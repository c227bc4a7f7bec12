//! The document has an item an entity.

use crate::support::{assert_document, assert_entity, assert_keys, document};
use dynamo_model::schema::Projection;
use dynamo_model::{Entity, Table};
use dynamo_model_examples::shogi::{
    AllowedKifu, AllowedUser, Analysis, Kifu, KifuTag, ShogiItem, ShogiProject, SystemSettings,
    Tag, UserSettings, allowed_kifu, allowed_user, analysis, kifu, kifu_tag, system_settings, tag,
    user_settings,
};

const TIME: &str = "2025-12-31T11:11:31Z";

macro_rules! sample {
    ($name:literal) => {
        document(include_str!(concat!(
            "../../src/shogi/sample/",
            $name,
            ".json"
        )))
    };
}

#[test]
fn every_index_of_the_document_is_declared() {
    let indexes: Vec<_> = ShogiProject::SCHEMA
        .indexes
        .iter()
        .map(|index| {
            (
                index.name,
                index.pk.name,
                index.sk.unwrap().name,
                index.projection,
            )
        })
        .collect();
    let named = Projection::Include(&["cgsi_pk", "clsi_sk"]);
    let listed = Projection::Include(&["cgsi_pk", "clsi_sk", "share"]);
    let expected = [
        ("SwapIndex", "sk", "pk", Projection::All),
        ("CommonGSI", "cgsi_pk", "sk", Projection::All),
        ("CommonLSI", "pk", "clsi_sk", named),
        ("CreatedIndex", "pk", "created", listed),
        ("LatestAccessIndex", "pk", "latest_access", listed),
        ("LatestUpdateIndex", "pk", "latest_update", listed),
    ];
    assert_eq!(indexes, expected);
    assert_eq!(ShogiProject::SCHEMA.ttl, Some("expired"));
}

#[test]
fn items_have_the_attributes_of_the_document() {
    assert_document(&kifu(), &sample!("kifu"));
    assert_document(&user_settings(), &sample!("user_settings"));
    assert_document(&system_settings(), &sample!("system_settings"));
    assert_document(&tag(), &sample!("tag"));
    assert_document(&kifu_tag(), &sample!("kifu_tag"));
    assert_document(&allowed_kifu(), &sample!("allowed_kifu"));
    assert_document(&allowed_user(), &sample!("allowed_user"));
    assert_document(&analysis(), &sample!("analysis"));
}

#[test]
fn items_have_the_keys_of_the_document() {
    assert_keys(
        &kifu(),
        &[
            ("pk", "kifu#uname#h-akira"),
            ("sk", "kid#fdsaj9d9s0"),
            ("cgsi_pk", "kifu#scode#lkihofkwif4tF"),
            ("clsi_sk", "slug#社団戦/2025/鈴木"),
            ("created", TIME),
            ("latest_access", TIME),
            ("latest_update", TIME),
        ],
    );
    assert_keys(
        &user_settings(),
        &[("pk", "users"), ("sk", "uname#h-akira")],
    );
    assert_keys(&system_settings(), &[("pk", "system"), ("sk", "none")]);
    assert_keys(
        &tag(),
        &[
            ("pk", "tag#uname#h-akira"),
            ("sk", "tid#jko2kdl"),
            ("clsi_sk", "tname#四間飛車"),
            ("created", TIME),
            ("latest_access", TIME),
            ("latest_update", TIME),
        ],
    );
    assert_keys(
        &kifu_tag(),
        &[("pk", "tag#kid#fdsaj9d9s1"), ("sk", "tid#jko2kdl")],
    );
    assert_keys(
        &allowed_kifu(),
        &[("pk", "kallowed#kid#fdsaj9d9s1"), ("sk", "uname#h-akira2")],
    );
    assert_keys(
        &allowed_user(),
        &[("pk", "uallowed#uname#h-akira"), ("sk", "uname#h-akira2")],
    );
    assert_keys(
        &analysis(),
        &[
            ("pk", "analysis"),
            ("sk", "aid#fdjsklfadf"),
            ("cgsi_pk", "analysis#uname#h-akira"),
            ("created", TIME),
        ],
    );
}

#[test]
fn primary_keys_parse_back() {
    let key = Kifu::parse_key("kifu#uname#h-akira", "kid#fdsaj9d9s0").unwrap();
    assert_eq!(
        (key.username.0.as_str(), key.kifu_id.0.as_str()),
        ("h-akira", "fdsaj9d9s0")
    );
    let key = UserSettings::parse_key("users", "uname#h-akira").unwrap();
    assert_eq!(key.username.0, "h-akira");
    assert!(SystemSettings::parse_key("system", "none").is_ok());
    let key = Tag::parse_key("tag#uname#h-akira", "tid#jko2kdl").unwrap();
    assert_eq!(
        (key.username.0.as_str(), key.tag_id.0.as_str()),
        ("h-akira", "jko2kdl")
    );
    let key = KifuTag::parse_key("tag#kid#fdsaj9d9s1", "tid#jko2kdl").unwrap();
    assert_eq!(
        (key.kifu_id.0.as_str(), key.tag_id.0.as_str()),
        ("fdsaj9d9s1", "jko2kdl")
    );
    let key = AllowedKifu::parse_key("kallowed#kid#fdsaj9d9s1", "uname#h-akira2").unwrap();
    assert_eq!(
        (key.kifu_id.0.as_str(), key.username.0.as_str()),
        ("fdsaj9d9s1", "h-akira2")
    );
    let key = AllowedUser::parse_key("uallowed#uname#h-akira", "uname#h-akira2").unwrap();
    let names = (key.username.0.as_str(), key.allowed_username.0.as_str());
    assert_eq!(names, ("h-akira", "h-akira2"));
    let key = Analysis::parse_key("analysis", "aid#fdjsklfadf").unwrap();
    assert_eq!(key.analysis_id, "fdjsklfadf");
}

#[test]
fn index_keys_parse_back() {
    let item = kifu();
    let (pk, sk) = ("kifu#uname#h-akira", "kid#fdsaj9d9s0");
    assert_eq!(
        Kifu::parse_by_kifu_id_key(sk, pk).unwrap().username,
        item.username
    );
    let key = Kifu::parse_by_share_code_key("kifu#scode#lkihofkwif4tF", sk).unwrap();
    assert_eq!(
        (Some(key.share_code), key.kifu_id),
        (item.share_code, item.kifu_id)
    );
    let key = Kifu::parse_by_slug_key(pk, "slug#社団戦/2025/鈴木").unwrap();
    assert_eq!(Some(key.slug), item.slug);
    assert_eq!(
        Kifu::parse_by_created_key(pk, TIME).unwrap().created,
        item.created
    );
    let key = Tag::parse_by_name_key("tag#uname#h-akira", "tname#四間飛車").unwrap();
    assert_eq!(key.tag_name, "四間飛車");
    let key = KifuTag::parse_by_tag_key("tid#jko2kdl", "tag#kid#fdsaj9d9s1").unwrap();
    assert_eq!(key.kifu_id.0, "fdsaj9d9s1");
    let key = Analysis::parse_by_username_key("analysis#uname#h-akira", "aid#fdjsklfadf").unwrap();
    assert_eq!(key.username.0, "h-akira");
}

#[test]
fn the_table_distinguishes_its_entities() {
    for (pk, sk, entity) in [
        ("kifu#uname#h-akira", "kid#fdsaj9d9s0", "Kifu"),
        ("users", "uname#h-akira", "UserSettings"),
        ("system", "none", "SystemSettings"),
        ("tag#uname#h-akira", "tid#jko2kdl", "Tag"),
        ("tag#kid#fdsaj9d9s1", "tid#jko2kdl", "KifuTag"),
        ("kallowed#kid#fdsaj9d9s1", "uname#h-akira2", "AllowedKifu"),
        ("uallowed#uname#h-akira", "uname#h-akira2", "AllowedUser"),
        ("analysis", "aid#fdjsklfadf", "Analysis"),
    ] {
        assert_entity::<ShogiItem>(pk, sk, entity);
    }
}

/// "Query patterns".
#[test]
fn query_keys_are_as_in_the_document() {
    let shared = Kifu::by_share_code_partition_key("ABC123").unwrap();
    assert_eq!(shared, "kifu#scode#ABC123");
    let named = Tag::by_name_sort_key().tag_name_prefix("四間飛車").build();
    assert_eq!(named.unwrap(), "tname#四間飛車");
    let own = Analysis::by_username_partition_key("h-akira").unwrap();
    assert_eq!(own, "analysis#uname#h-akira");
}

#[test]
fn an_unshared_record_is_not_in_the_share_code_index() {
    let mut item = kifu();
    item.share_code = None;
    let attributes = item.key_attributes().unwrap();
    let absent = attributes
        .iter()
        .filter(|attribute| attribute.value.is_none());
    // The sort key of CommonGSI is the table's own, and stays.
    assert_eq!(
        absent.map(|attribute| attribute.name).collect::<Vec<_>>(),
        ["cgsi_pk"]
    );
}
