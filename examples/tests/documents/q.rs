//! The document has attribute lists and keys, and no items.

use crate::support::{assert_attributes, assert_document, assert_keys, document};
use dynamo_model::schema::Billing;
use dynamo_model::{Entity, KeyPart, Table};
use dynamo_model_examples::q::{
    AdminAction, AdminLog, AdminLogs, Answer, Answers, Blocks, DailyQuestion, DailyQuestions,
    Follow, Follows, NgWord, NgWords, PushToken, PushTokens, Question, QuestionStatus, Questions,
    Reaction, ReactionType, Reactions, ReportCategory, ReportStatus, Reports,
    UserQuestionSubmission, UserQuestionSubmissions, Users, VisibilityType, admin_log, answer,
    block, daily_question, follow, hanako, ng_word, push_token, question, reaction, report, taro,
    user, user_question_submission,
};
use serde::Serialize;

const NOW: &str = "2026-02-05T12:00:00Z";
const TODAY: &str = "2026-02-05";
const HANAKO: &str = "1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731";
const TARO: &str = "7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58";
const ADMIN: &str = "c3e85d17-42fb-4a09-b7d1-95f0a8e6c264";
const QUESTION: &str = "e91b4f60-8d27-4c35-a0f2-1b6c7d8e9f03";
const REPORT: &str = "48a7c0d3-6e15-4b92-8f4a-d7e0c1b29365";
const LOG: &str = "b05f6e21-9c8d-4e7a-92b3-3a4c5d6e7f18";
/// The key of hanako's answer.
const ANSWER: &str = "2026-02-05#1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731";
const LOG_KEY: &str = "2026-02-05T12:00:00Z#b05f6e21-9c8d-4e7a-92b3-3a4c5d6e7f18";

/// "4. Summary": names, keys and number of indexes.
#[test]
fn every_table_of_the_document_is_declared() {
    let tables = [
        (Users::SCHEMA, "Users", "userId", None, 3),
        (DailyQuestions::SCHEMA, "DailyQuestions", "date", None, 0),
        (Questions::SCHEMA, "Questions", "questionId", None, 2),
        (Answers::SCHEMA, "Answers", "date", Some("userId"), 1),
        (
            Follows::SCHEMA,
            "Follows",
            "followerId",
            Some("followeeId"),
            1,
        ),
        (Blocks::SCHEMA, "Blocks", "blockerId", Some("blockedId"), 1),
        (
            Reactions::SCHEMA,
            "Reactions",
            "answerId",
            Some("reactorId"),
            0,
        ),
        (Reports::SCHEMA, "Reports", "reportId", None, 1),
        (
            UserQuestionSubmissions::SCHEMA,
            "UserQuestionSubmissions",
            "date",
            Some("userId"),
            0,
        ),
        (NgWords::SCHEMA, "NGWords", "word", None, 0),
        (PushTokens::SCHEMA, "PushTokens", "userId", Some("token"), 0),
        (AdminLogs::SCHEMA, "AdminLogs", "pk", Some("sk"), 2),
    ];
    for (schema, name, pk, sk, indexes) in tables {
        assert_eq!((schema.name, schema.pk.name), (name, pk));
        assert_eq!(schema.sk.map(|sk| sk.name), sk);
        assert_eq!(schema.indexes.len(), indexes, "{name}");
        assert!(schema.point_in_time_recovery, "{name}");
        assert_eq!(schema.billing, Billing::OnDemand, "{name}");
    }
    assert_eq!(tables.map(|table| table.4).iter().sum::<usize>(), 11);
    assert_eq!(AdminLogs::SCHEMA.ttl, Some("ttl"));
    let indexes = tables.iter().flat_map(|table| {
        let indexes = table.0.indexes.iter();
        indexes.map(|it| (it.name, it.pk.name, it.sk.map(|sk| sk.name)))
    });
    let expected = [
        ("GSI1_AppId", "appId", None),
        ("email-index", "email", None),
        ("username-index", "username", None),
        ("GSI1_Status", "status", Some("createdAt")),
        ("GSI2_Approved", "status", Some("lastUsedAt")),
        ("GSI1_UserHistory", "userId", Some("date")),
        ("GSI1_Followers", "followeeId", Some("followerId")),
        ("GSI1_BlockedBy", "blockedId", Some("blockerId")),
        ("GSI1_Status", "status", Some("createdAt")),
        ("GSI1_Action", "action", Some("timestamp")),
        ("GSI2_Admin", "adminId", Some("timestamp")),
    ];
    assert_eq!(indexes.collect::<Vec<_>>(), expected);
}

/// Returns the values of an enum, as they are stored.
fn texts<T: Serialize>(values: &[T]) -> String {
    let text = |value| serde_json::to_value(value).unwrap();
    let texts: Vec<_> = values.iter().map(text).collect();
    let texts: Vec<_> = texts.iter().filter_map(|text| text.as_str()).collect();
    texts.join(" ")
}

#[test]
fn the_default_visibility_is_mutual() {
    assert_eq!(texts(&[VisibilityType::default()]), "mutual");
    assert_eq!(texts(&[VisibilityType::Followers]), "followers");
}

#[test]
fn reaction_types_are_five_emoji() {
    use ReactionType::{Eyes, Fire, Heart, Laughing, Thinking};
    assert_eq!(
        texts(&[Heart, Fire, Laughing, Thinking, Eyes]),
        "❤️ 🔥 😂 🤔 👀"
    );
}

#[test]
fn reports_have_the_categories_and_statuses_of_the_document() {
    use ReportCategory::{Harassment, Impersonation, Inappropriate, Other, Privacy, Spam};
    let categories = [
        Spam,
        Harassment,
        Inappropriate,
        Impersonation,
        Privacy,
        Other,
    ];
    let expected = "spam harassment inappropriate impersonation privacy other";
    assert_eq!(texts(&categories), expected);
    use ReportStatus::{Dismissed, Pending, Resolved};
    assert_eq!(
        texts(&[Pending, Resolved, Dismissed]),
        "pending resolved dismissed"
    );
}

/// The document's nine, and one more.
#[test]
fn administrators_have_the_actions_of_the_document() {
    let values = <AdminAction as KeyPart>::VALUES.unwrap();
    let expected = [
        "ADD_NG_WORD",
        "DELETE_NG_WORD",
        "CREATE_QUESTION",
        "SET_DAILY_QUESTION",
        "UPDATE_REPORT",
        "REVIEW_SUBMISSION",
        "BAN_USER",
        "UNBAN_USER",
        "REVIEW_FLAGGED_POST",
        "ARCHIVE_QUESTION",
    ];
    assert_eq!(values, expected);
}

#[test]
fn users_and_relations_have_the_keys_of_the_document() {
    let app_id = ("appId", "hanako_01");
    let email = ("email", "hanako@example.com");
    let keys = [("userId", HANAKO), app_id, email, ("username", "hanako")];
    assert_keys(&user().unwrap(), &keys);
    let token = ("token", "ExponentPushToken[abc]");
    assert_keys(&push_token(), &[("userId", HANAKO), token]);
    let keys = [("followerId", HANAKO), ("followeeId", TARO)];
    assert_keys(&follow(), &keys);
    assert_keys(&block(), &[("blockerId", HANAKO), ("blockedId", TARO)]);
}

#[test]
fn questions_and_answers_have_the_keys_of_the_document() {
    assert_keys(&daily_question().unwrap(), &[("date", TODAY)]);
    assert_keys(
        &question().unwrap(),
        &[
            ("questionId", QUESTION),
            ("status", "approved"),
            ("createdAt", NOW),
            ("lastUsedAt", "2026-01-01T12:00:00Z"),
        ],
    );
    assert_keys(&answer().unwrap(), &[("date", TODAY), ("userId", HANAKO)]);
    let keys = [("answerId", ANSWER), ("reactorId", TARO)];
    assert_keys(&reaction(), &keys);
    let submission = user_question_submission();
    assert_keys(&submission, &[("date", TODAY), ("userId", TARO)]);
}

#[test]
fn moderation_items_have_the_keys_of_the_document() {
    let keys = [
        ("reportId", REPORT),
        ("status", "pending"),
        ("createdAt", NOW),
    ];
    assert_keys(&report(), &keys);
    assert_keys(&ng_word().unwrap(), &[("word", "ばか")]);
    assert_keys(
        &admin_log().unwrap(),
        &[
            ("pk", "LOG"),
            ("sk", LOG_KEY),
            ("action", "ADD_NG_WORD"),
            ("timestamp", NOW),
            ("adminId", ADMIN),
        ],
    );
}

#[test]
fn keys_parse_back() {
    let today = answer().unwrap().date;
    assert_eq!(DailyQuestion::parse_key(TODAY).unwrap().date, today);
    let key = Answer::parse_by_user_key(HANAKO, TODAY).unwrap();
    assert_eq!((key.user_id, key.date), (hanako(), today));
    let key = Reaction::parse_key(ANSWER, TARO).unwrap();
    assert_eq!((key.date, key.user_id), (today, hanako()));
    assert_eq!(key.reactor_id, taro());
    let key = Question::parse_by_status_key("pending", NOW).unwrap();
    assert_eq!(key.status, QuestionStatus::Pending);
    let key = Follow::parse_followers_key(TARO, HANAKO).unwrap();
    assert_eq!((key.followee_id, key.follower_id), (taro(), hanako()));
    let key = UserQuestionSubmission::parse_key(TODAY, TARO).unwrap();
    assert_eq!(key.user_id, taro());
    assert_eq!(NgWord::parse_key("ばか").unwrap().word.as_str(), "ばか");
    let key = PushToken::parse_key(HANAKO, "ExponentPushToken[abc]").unwrap();
    assert_eq!(key.token, "ExponentPushToken[abc]");
    let key = AdminLog::parse_key("LOG", LOG_KEY).unwrap();
    assert_eq!(
        (key.timestamp.to_string(), key.log_id.to_string()),
        (NOW.into(), LOG.into())
    );
    let key = AdminLog::parse_by_action_key("UNBAN_USER", NOW).unwrap();
    assert_eq!(key.action, AdminAction::UnbanUser);
}

#[test]
fn items_have_the_attributes_of_the_document() {
    assert_attributes(
        &user().unwrap(),
        "userId appId username displayName bio email birthDate isPrivate visibilityType
         followingCount followerCount isBanned isAdmin createdAt updatedAt",
    );
    assert_attributes(
        &daily_question().unwrap(),
        "date questionId questionText scheduledPublishTime publishedAt isFallback createdAt",
    );
    assert_attributes(
        &question().unwrap(),
        "questionId text type submittedBy status isFlagged lastUsedAt createdAt updatedAt",
    );
    assert_attributes(
        &answer().unwrap(),
        "date userId questionId text isOnTime lateMinutes isFlagged isDeleted createdAt",
    );
    assert_attributes(&follow(), "followerId followeeId createdAt");
    assert_attributes(&block(), "blockerId blockedId createdAt");
    assert_attributes(&reaction(), "reactorId reactionType createdAt updatedAt");
    assert_attributes(
        &report(),
        "reportId reporterId targetType targetId category status createdAt",
    );
    let submission = user_question_submission();
    assert_attributes(&submission, "date userId questionId createdAt");
    assert_attributes(&ng_word().unwrap(), "word createdAt createdBy");
    assert_attributes(&push_token(), "userId token deviceType createdAt updatedAt");
    assert_attributes(
        &admin_log().unwrap(),
        "logId adminId adminEmail action targetType targetId details timestamp ttl",
    );
}

#[test]
fn a_log_is_kept_for_ninety_days() {
    let log = admin_log().unwrap();
    let kept = i64::try_from(log.ttl).unwrap() - log.timestamp.as_second();
    assert_eq!(kept, 90 * 24 * 60 * 60);
}

/// `answerId` is in the table, though no field has it.
#[test]
fn a_reaction_has_the_attributes_of_the_document() {
    let stored = r#"{
        "answerId": "2026-02-05#1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "reactorId": "7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58",
        "reactionType": "❤️",
        "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
    }"#;
    assert_document(&reaction(), &document(stored));
}

#[test]
fn an_item_without_a_value_is_not_in_its_index() {
    let mut unnamed = user().unwrap();
    unnamed.username = None;
    let attributes = unnamed.key_attributes().unwrap();
    let username = attributes
        .iter()
        .find(|attribute| attribute.name == "username");
    assert_eq!(username.unwrap().value, None);

    let mut unused = question().unwrap();
    unused.last_used_at = None;
    // The other index still has the status.
    let keys = [
        ("questionId", QUESTION),
        ("status", "approved"),
        ("createdAt", NOW),
    ];
    assert_keys(&unused, &keys);
}
