//! The document has no items: these have its attributes, in its forms.

use super::{app, now};
use crate::support::{Outcome, round_trip};
use dynamo_model_examples::q::{
    AdminLog, AdminLogs, Answer, Answers, Block, Blocks, DailyQuestion, DailyQuestions, Follow,
    Follows, NgWord, NgWords, PushToken, PushTokens, Question, Questions, Reaction, Reactions,
    Report, Reports, User, UserQuestionSubmission, UserQuestionSubmissions, Users, admin_log,
    answer, block, daily_question, follow, ng_word, push_token, question, reaction, report, user,
    user_question_submission,
};

#[tokio::test]
async fn an_item_of_every_table_there_and_back() -> Outcome {
    // `updatedAt` is what the clock says.
    let db = &app().await?.with_clock(|| now().into());
    DailyQuestion::delete(daily_question().date)
        .send(db)
        .await?;
    round_trip!(db, Users, User, user(), USER);
    round_trip!(
        db,
        DailyQuestions,
        DailyQuestion,
        daily_question(),
        DAILY_QUESTION
    );
    round_trip!(db, Questions, Question, question(), QUESTION);
    round_trip!(db, Answers, Answer, answer(), ANSWER);
    round_trip!(db, Follows, Follow, follow(), FOLLOW);
    round_trip!(db, Blocks, Block, block(), BLOCK);
    round_trip!(db, Reactions, Reaction, reaction(), REACTION);
    round_trip!(db, Reports, Report, report(), REPORT);
    let submission = user_question_submission();
    round_trip!(
        db,
        UserQuestionSubmissions,
        UserQuestionSubmission,
        submission,
        SUBMISSION
    );
    round_trip!(db, NgWords, NgWord, ng_word(), NG_WORD);
    round_trip!(db, PushTokens, PushToken, push_token(), PUSH_TOKEN);
    round_trip!(db, AdminLogs, AdminLog, admin_log(), ADMIN_LOG);
    Ok(())
}

const USER: &str = r#"{
    "userId": "u-hanako", "appId": "hanako_01", "username": "hanako", "displayName": null,
    "bio": "毎日答えます", "email": "hanako@example.com", "birthDate": "2000-04-01", "isPrivate": false,
    "visibilityType": "mutual", "followingCount": 1, "followerCount": 0, "isBanned": false,
    "isAdmin": false, "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const DAILY_QUESTION: &str = r#"{
    "date": "2026-02-05", "questionId": "q-001", "questionText": "今日いちばん笑ったことは？",
    "scheduledPublishTime": "21:00", "publishedAt": "2026-02-05T12:00:00Z", "isFallback": false,
    "createdAt": "2026-02-05T12:00:00Z"
}"#;
const QUESTION: &str = r#"{
    "questionId": "q-001", "text": "今日いちばん笑ったことは？", "type": "user", "submittedBy": "u-taro",
    "status": "approved", "isFlagged": false, "lastUsedAt": "2026-01-01T12:00:00Z",
    "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const ANSWER: &str = r#"{
    "date": "2026-02-05", "userId": "u-hanako", "questionId": "q-001", "text": "猫が寝言を言った",
    "isOnTime": true, "lateMinutes": 0, "isFlagged": false, "isDeleted": false,
    "createdAt": "2026-02-05T12:00:00Z"
}"#;
const FOLLOW: &str = r#"{
    "followerId": "u-hanako", "followeeId": "u-taro", "createdAt": "2026-02-05T12:00:00Z"
}"#;
const BLOCK: &str = r#"{
    "blockerId": "u-hanako", "blockedId": "u-taro", "createdAt": "2026-02-05T12:00:00Z"
}"#;
const REACTION: &str = r#"{
    "answerId": "2026-02-05#u-hanako", "reactorId": "u-taro", "reactionType": "❤️",
    "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const REPORT: &str = r#"{
    "reportId": "r-001", "reporterId": "u-hanako", "targetType": "answer",
    "targetId": "2026-02-05#u-taro", "category": "spam", "status": "pending",
    "createdAt": "2026-02-05T12:00:00Z"
}"#;
const SUBMISSION: &str = r#"{
    "date": "2026-02-05", "userId": "u-taro", "questionId": "q-001", "createdAt": "2026-02-05T12:00:00Z"
}"#;
const NG_WORD: &str = r#"{
    "word": "ばか", "createdAt": "2026-02-05T12:00:00Z", "createdBy": "u-admin"
}"#;
const PUSH_TOKEN: &str = r#"{
    "userId": "u-hanako", "token": "ExponentPushToken[abc]", "deviceType": "ios",
    "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const ADMIN_LOG: &str = r#"{
    "pk": "LOG", "sk": "2026-02-05T12:00:00Z#l-001", "logId": "l-001", "adminId": "u-admin",
    "adminEmail": "admin@example.com", "action": "ADD_NG_WORD", "targetType": "ngWord",
    "targetId": "ばか", "details": {"word": "ばか"}, "timestamp": "2026-02-05T12:00:00Z",
    "ttl": 1778068800
}"#;
