//! The document has key patterns and attribute lists, and no items.

use crate::support::{assert_attributes, assert_entity, assert_keys};
use dynamo_model::Table;
use dynamo_model::schema::{Billing, Encryption, Projection};
use dynamo_model_examples::exam::{
    AnswerHistory, ExamItem, ExamStudyApp, ExamType, Question, User, WeakAreaAnalytics,
    answer_history, question, user, weak_area_analytics,
};

#[test]
fn table() {
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
fn keys() {
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
            ("GSI1PK", "ANALYTICS#FE"),
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
fn attributes() {
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
fn a_partition_tells_its_entities_apart() {
    assert_entity::<ExamItem>("USER#u1", "PROFILE", "User");
    assert_entity::<ExamItem>("QUESTION#FE-2023-01", "METADATA", "Question");
    let answer = "ANSWER#2025-06-01T10:00:00Z#FE-2023-01";
    assert_entity::<ExamItem>("USER#u1", answer, "AnswerHistory");
    assert_entity::<ExamItem>("USER#u1", "ANALYTICS#FE#network", "WeakAreaAnalytics");
}

#[test]
fn access_patterns() {
    // PK = USER#{userId}, SK begins_with ANSWER# and ANALYTICS#
    assert_eq!(AnswerHistory::partition_key("u1").unwrap(), "USER#u1");
    assert_eq!(AnswerHistory::sort_key().build().unwrap(), "ANSWER#");
    assert_eq!(WeakAreaAnalytics::sort_key().build().unwrap(), "ANALYTICS#");
    let all = Question::by_exam_type_partition_key(ExamType::Fe).unwrap();
    assert_eq!(all, "EXAM#FE#CATEGORY#ALL");
    let one = AnswerHistory::by_question_partition_key("FE-2023-01").unwrap();
    assert_eq!(one, "QUESTION#FE-2023-01");
}

#[test]
fn old_users_have_a_name() {
    let mut user = user().unwrap();
    assert_eq!(user.shown_name(), "山田太郎");
    user.display_name = None;
    user.name = Some("Taro".into());
    assert_eq!(user.shown_name(), "Taro");
    user.name = None;
    assert_eq!(user.shown_name(), "Unknown");
}
