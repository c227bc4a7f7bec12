//! The document has key patterns and attribute lists, and no items.

use crate::support::{assert_attributes, assert_entity, assert_keys};
use dynamo_model::Table;
use dynamo_model::schema::{Billing, Encryption, Projection};
use dynamo_model_examples::exam::{
    ANALYTICS_SHARDS, AnswerHistory, ExamItem, ExamStudyApp, ExamType, Question, User,
    WeakAreaAnalytics, answer_history, migration::OnePartitionAnalytics, question, user,
    weak_area_analytics,
};
use dynamo_model_tools::{Capacity, Model, Rate};
use serde_json::Value;
use std::collections::BTreeSet;

#[test]
fn the_table_is_as_in_the_document() {
    let schema = ExamStudyApp::SCHEMA;
    assert_eq!(schema.name, "ExamStudyApp");
    assert_eq!(schema.encryption, Encryption::Kms(None));
    assert_eq!(schema.billing, Billing::OnDemand);
    assert!(schema.point_in_time_recovery);
    assert!(
        schema
            .indexes
            .iter()
            .all(|index| index.projection == Projection::All)
    );
}

#[test]
fn items_have_the_keys_of_the_document() {
    assert_keys(&user().unwrap(), &[("PK", "USER#u1"), ("SK", "PROFILE")]);
    assert_keys(
        &question().unwrap(),
        &[
            ("PK", "QUESTION#FE-2023-01"),
            ("SK", "METADATA"),
            ("GSI1PK", "EXAM#FE#CATEGORY#network"),
            ("GSI1SK", "QUESTION#FE-2023-01"),
            ("GSI2PK", "EXAM#FE#CATEGORY#ALL"),
            ("GSI2SK", "QUESTION#FE-2023-01"),
        ],
    );
    assert_keys(
        &answer_history().unwrap(),
        &[
            ("PK", "USER#u1"),
            ("SK", "ANSWER#2025-06-01T10:00:00Z#FE-2023-01"),
            ("GSI1PK", "QUESTION#FE-2023-01"),
            ("GSI1SK", "USER#u1#2025-06-01T10:00:00Z"),
        ],
    );
    assert_keys(
        &weak_area_analytics().unwrap(),
        &[
            ("PK", "USER#u1"),
            ("SK", "ANALYTICS#FE#network"),
            // The shard of the user follows the document's key.
            ("GSI1PK", "ANALYTICS#FE#1"),
            ("GSI1SK", "USER#u1#CATEGORY#network"),
        ],
    );
}

#[test]
fn keys_parse_back() {
    assert_eq!(
        User::parse_key("USER#u1", "PROFILE").unwrap().user_id.0,
        "u1"
    );

    // The two keys of the document's batch get.
    for id in ["FE-2023-01", "FE-2023-02"] {
        let key = Question::parse_key(format!("QUESTION#{id}").as_str(), "METADATA").unwrap();
        assert_eq!(key.question_id.0, id);
    }
    let key = Question::parse_by_category_key("EXAM#AP#CATEGORY#network", "QUESTION#AP-2023-01");
    let key = key.unwrap();
    assert_eq!(
        (key.exam_type, key.category.as_str()),
        (ExamType::Ap, "network")
    );
    assert_eq!(key.question_id.0, "AP-2023-01");

    let expected = answer_history().unwrap();
    let key = AnswerHistory::parse_key("USER#u1", "ANSWER#2025-06-01T10:00:00Z#FE-2023-01");
    let key = key.unwrap();
    assert_eq!(key.answered_at, expected.answered_at);
    assert_eq!(
        (key.user_id, key.question_id),
        (expected.user_id, expected.question_id)
    );

    let key = WeakAreaAnalytics::parse_key("USER#u1", "ANALYTICS#FE#network").unwrap();
    assert_eq!(
        (key.exam_type, key.category.as_str()),
        (ExamType::Fe, "network")
    );
}

#[test]
fn items_have_the_attributes_of_the_document() {
    let user_names = "userId email displayName createdAt updatedAt version";
    assert_attributes(&user().unwrap(), user_names);
    assert_attributes(
        &question().unwrap(),
        "questionId examType category subCategory difficulty text choices answerIndex explanation
         createdAt",
    );
    assert_attributes(
        &answer_history().unwrap(),
        "userId questionId selectedIndex isCorrect answeredAt examType",
    );
    assert_attributes(
        &weak_area_analytics().unwrap(),
        "userId examType category totalAnswers correctAnswers accuracyRate lastUpdatedAt",
    );
}

#[test]
fn a_partition_distinguishes_its_entities() {
    assert_entity::<ExamItem>("USER#u1", "PROFILE", "User");
    assert_entity::<ExamItem>("QUESTION#FE-2023-01", "METADATA", "Question");
    let answer = "ANSWER#2025-06-01T10:00:00Z#FE-2023-01";
    assert_entity::<ExamItem>("USER#u1", answer, "AnswerHistory");
    assert_entity::<ExamItem>("USER#u1", "ANALYTICS#FE#network", "WeakAreaAnalytics");
}

#[test]
fn query_keys_are_as_in_the_document() {
    // PK = USER#{userId}, SK begins_with ANSWER# and ANALYTICS#
    assert_eq!(AnswerHistory::partition_key("u1").unwrap(), "USER#u1");
    assert_eq!(AnswerHistory::sort_key().build().unwrap(), "ANSWER#");
    assert_eq!(WeakAreaAnalytics::sort_key().build().unwrap(), "ANALYTICS#");
    let all = Question::by_exam_type_partition_key(ExamType::Fe).unwrap();
    assert_eq!(all, "EXAM#FE#CATEGORY#ALL");
    let one = AnswerHistory::by_question_partition_key("FE-2023-01").unwrap();
    assert_eq!(one, "QUESTION#FE-2023-01");
}

/// "Distribute partition keys evenly": each names a user or a question.
#[test]
fn every_partition_key_of_the_table_has_an_id() {
    for sample in dynamo_model_examples::exam::samples().unwrap() {
        let template = &sample.keys[0].template;
        let has_id = ["USER#<user_id>", "QUESTION#<question_id>"];
        assert!(
            has_id.iter().any(|it| template.starts_with(it)),
            "{template}"
        );
    }
}

#[test]
fn the_number_of_shards_equals_the_constant() {
    let shard = |user: usize| {
        let key = WeakAreaAnalytics::by_exam_type_partition_key(ExamType::Fe, format!("u{user}"));
        key.unwrap().to_string()
    };
    let shards: BTreeSet<_> = (0..100).map(shard).collect();
    let expected = (0..ANALYTICS_SHARDS).map(|shard| format!("ANALYTICS#FE#{shard}"));
    assert!(shards.into_iter().eq(expected));
}

/// "Do not leave hot partitions": a peak of 3000 answers a second is too much for one partition of
/// an exam, not for four.
#[test]
fn shards_cure_the_hot_partition_of_analytics() {
    let capacity = |entity: &str| {
        let peak = Rate::per_second(30.0).peak(100.0);
        Capacity::new()
            .size(entity, 209)
            .rate(format!("{entity}::put"), peak)
    };
    let before = Model::new("before").entity::<OnePartitionAnalytics>();
    let before = before.capacity(&capacity("OnePartitionAnalytics")).unwrap();
    let hot: Vec<_> = before.hot.iter().map(ToString::to_string).collect();
    assert!(
        hot.len() == 1 && hot[0].starts_with("`ANALYTICS#<exam_type>` in ExamStudyApp GSI1"),
        "{hot:?}"
    );
    let after = Model::new("after").entity::<WeakAreaAnalytics>();
    let after = after.capacity(&capacity("WeakAreaAnalytics")).unwrap();
    assert!(after.hot.is_empty(), "{:?}", after.hot);
}

/// Returns the operations of each access pattern, from the generated model.
fn operations() -> Vec<(String, Vec<String>)> {
    let model: Value =
        serde_json::from_str(include_str!("../../generated/exam/model.json")).unwrap();
    let patterns = model["patterns"].as_array().unwrap().iter();
    let patterns = patterns.map(|pattern| {
        let requests = pattern["requests"].as_array().unwrap().iter();
        let sent = requests.map(|it| it["operation"].as_str().unwrap().to_owned());
        (
            pattern["number"].as_str().unwrap().to_owned(),
            sent.collect(),
        )
    });
    patterns.collect()
}

fn patterns_that_send(operation: &str) -> Vec<String> {
    let all = operations().into_iter();
    let sending = all.filter(|(_, sent)| sent.iter().any(|it| it == operation));
    sending.map(|(number, _)| number).collect()
}

/// "Transactions: only where they are needed".
#[test]
fn only_an_answer_is_a_transaction() {
    assert_eq!(patterns_that_send("TransactWriteItems"), ["integrity 1"]);
    assert_eq!(patterns_that_send("TransactGetItems"), [""; 0]);
}

/// "Forbidden: to scan much". The document's own migration scans.
#[test]
fn only_migrations_scan() {
    assert_eq!(patterns_that_send("Scan"), ["migration 1", "migration 2"]);
}

#[test]
fn users_of_the_first_release_have_a_name() {
    let mut user = user().unwrap();
    assert_eq!(user.shown_name(), "山田太郎");
    user.display_name = None;
    user.name = Some("Taro".into());
    assert_eq!(user.shown_name(), "Taro");
    user.name = None;
    assert_eq!(user.shown_name(), "Unknown");
}

#[test]
fn exam_types_and_difficulties_are_closed() {
    let question = serde_json::to_value(question().unwrap()).unwrap();
    for (attribute, values) in [
        ("examType", ["FE", "AP"].as_slice()),
        ("difficulty", &["easy", "medium", "hard"]),
    ] {
        let with = |value: &str| {
            let mut question = question.clone();
            question[attribute] = value.into();
            serde_json::from_value::<Question>(question)
        };
        assert!(
            values.iter().all(|value| with(value).is_ok()),
            "{attribute}"
        );
        assert!(
            ["", "fe", "Easy", "SG", "extreme"]
                .iter()
                .all(|value| with(value).is_err()),
            "{attribute}"
        );
    }
}
