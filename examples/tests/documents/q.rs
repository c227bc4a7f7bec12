//! The document has attribute lists and keys, and no items.

use crate::support::{assert_attributes, assert_document, assert_keys, document};
use dynamo_model::{Entity, Table};
use dynamo_model_examples::q::{
    AdminAction, AdminLog, AdminLogs, Answer, Answers, Blocks, DailyQuestion, DailyQuestions,
    Follow, Follows, NgWord, NgWords, PushToken, PushTokens, Question, QuestionStatus, Questions,
    Reaction, Reactions, Reports, UserQuestionSubmission, UserQuestionSubmissions, Users,
    admin_log, answer, block, daily_question, follow, ng_word, push_token, question, reaction,
    report, user, user_question_submission,
};

const NOW: &str = "2026-02-05T12:00:00Z";
const TODAY: &str = "2026-02-05";

/// "4. Summary": names, keys and number of indexes.
#[test]
fn tables() {
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
    }
    assert_eq!(tables.map(|table| table.4).iter().sum::<usize>(), 11);
    assert_eq!(AdminLogs::SCHEMA.ttl, Some("ttl"));
}

#[test]
fn keys_of_people() {
    let app_id = ("appId", "hanako_01");
    let email = ("email", "hanako@example.com");
    let keys = [
        ("userId", "u-hanako"),
        app_id,
        email,
        ("username", "hanako"),
    ];
    assert_keys(&user(), &keys);
    let token = ("token", "ExponentPushToken[abc]");
    assert_keys(&push_token(), &[("userId", "u-hanako"), token]);
    let keys = [("followerId", "u-hanako"), ("followeeId", "u-taro")];
    assert_keys(&follow(), &keys);
    assert_keys(
        &block(),
        &[("blockerId", "u-hanako"), ("blockedId", "u-taro")],
    );
}

#[test]
fn keys_of_questions_and_answers() {
    assert_keys(&daily_question(), &[("date", TODAY)]);
    assert_keys(
        &question(),
        &[
            ("questionId", "q-001"),
            ("status", "approved"),
            ("createdAt", NOW),
            ("lastUsedAt", "2026-01-01T12:00:00Z"),
        ],
    );
    assert_keys(&answer(), &[("date", TODAY), ("userId", "u-hanako")]);
    let keys = [("answerId", "2026-02-05#u-hanako"), ("reactorId", "u-taro")];
    assert_keys(&reaction(), &keys);
    let submission = user_question_submission();
    assert_keys(&submission, &[("date", TODAY), ("userId", "u-taro")]);
}

#[test]
fn keys_of_moderation() {
    let keys = [
        ("reportId", "r-001"),
        ("status", "pending"),
        ("createdAt", NOW),
    ];
    assert_keys(&report(), &keys);
    assert_keys(&ng_word(), &[("word", "ばか")]);
    assert_keys(
        &admin_log(),
        &[
            ("pk", "LOG"),
            ("sk", "2026-02-05T12:00:00Z#l-001"),
            ("action", "ADD_NG_WORD"),
            ("timestamp", NOW),
            ("adminId", "u-admin"),
        ],
    );
}

#[test]
fn keys_parse_back() {
    let today = answer().date;
    assert_eq!(DailyQuestion::parse_key(TODAY).unwrap().date, today);
    let key = Answer::parse_by_user_key("u-hanako", TODAY).unwrap();
    assert_eq!((key.user_id.0.as_str(), key.date), ("u-hanako", today));
    let key = Reaction::parse_key("2026-02-05#u-hanako", "u-taro").unwrap();
    assert_eq!((key.date, key.user_id.0.as_str()), (today, "u-hanako"));
    assert_eq!(key.reactor_id.0, "u-taro");
    let key = Question::parse_by_status_key("pending", NOW).unwrap();
    assert_eq!(key.status, QuestionStatus::Pending);
    let key = Follow::parse_followers_key("u-taro", "u-hanako").unwrap();
    assert_eq!(
        (key.followee_id.0.as_str(), key.follower_id.0.as_str()),
        ("u-taro", "u-hanako")
    );
    let key = UserQuestionSubmission::parse_key(TODAY, "u-taro").unwrap();
    assert_eq!(key.user_id.0, "u-taro");
    assert_eq!(NgWord::parse_key("ばか").unwrap().word, "ばか");
    let key = PushToken::parse_key("u-hanako", "ExponentPushToken[abc]").unwrap();
    assert_eq!(key.token, "ExponentPushToken[abc]");
    let key = AdminLog::parse_key("LOG", "2026-02-05T12:00:00Z#l-001").unwrap();
    assert_eq!(
        (key.timestamp.to_string().as_str(), key.log_id.as_str()),
        (NOW, "l-001")
    );
    let key = AdminLog::parse_by_action_key("UNBAN_USER", NOW).unwrap();
    assert_eq!(key.action, AdminAction::UnbanUser);
}

#[test]
fn attributes() {
    assert_attributes(
        &user(),
        "userId appId username displayName bio email birthDate isPrivate visibilityType
         followingCount followerCount isBanned isAdmin createdAt updatedAt",
    );
    assert_attributes(
        &daily_question(),
        "date questionId questionText scheduledPublishTime publishedAt isFallback createdAt",
    );
    assert_attributes(
        &question(),
        "questionId text type submittedBy status isFlagged lastUsedAt createdAt updatedAt",
    );
    assert_attributes(
        &answer(),
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
    assert_attributes(&ng_word(), "word createdAt createdBy");
    assert_attributes(&push_token(), "userId token deviceType createdAt updatedAt");
    assert_attributes(
        &admin_log(),
        "logId adminId adminEmail action targetType targetId details timestamp ttl",
    );
}

/// A log as the table holds it, in the document's attributes.
#[test]
fn an_admin_log_as_stored() {
    let stored = r#"{
        "pk": "LOG", "sk": "2026-02-05T12:00:00Z#l-001", "logId": "l-001", "adminId": "u-admin",
        "adminEmail": "admin@example.com", "action": "ADD_NG_WORD", "targetType": "ngWord",
        "targetId": "ばか", "details": {"word": "ばか"}, "timestamp": "2026-02-05T12:00:00Z",
        "ttl": 1778068800
    }"#;
    assert_document(&admin_log(), &document(stored));
    let log = admin_log();
    assert_eq!(
        i64::try_from(log.ttl).unwrap() - log.timestamp.as_second(),
        90 * 24 * 60 * 60
    );
}

/// `answerId` is in the table, though no field has it.
#[test]
fn a_reaction_as_stored() {
    let stored = r#"{
        "answerId": "2026-02-05#u-hanako", "reactorId": "u-taro", "reactionType": "❤️",
        "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
    }"#;
    assert_document(&reaction(), &document(stored));
}

#[test]
fn what_is_not_set_is_in_no_index() {
    let mut unnamed = user();
    unnamed.username = None;
    let attributes = unnamed.key_attributes().unwrap();
    let username = attributes
        .iter()
        .find(|attribute| attribute.name == "username");
    assert_eq!(username.unwrap().value, None);

    let mut unused = question();
    unused.last_used_at = None;
    // The other index still has the status.
    let keys = [
        ("questionId", "q-001"),
        ("status", "approved"),
        ("createdAt", NOW),
    ];
    assert_keys(&unused, &keys);
}
