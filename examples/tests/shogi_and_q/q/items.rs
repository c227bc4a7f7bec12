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
async fn an_item_of_every_table_round_trips() -> Outcome {
    // The clock determines `updatedAt`.
    let db = &app().await?.with_clock(|| now().into());
    DailyQuestion::delete(daily_question()?.date)
        .send(db)
        .await?;
    round_trip!(db, Users, User, user()?, USER);
    round_trip!(
        db,
        DailyQuestions,
        DailyQuestion,
        daily_question()?,
        DAILY_QUESTION
    );
    round_trip!(db, Questions, Question, question()?, QUESTION);
    round_trip!(db, Answers, Answer, answer()?, ANSWER);
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
    round_trip!(db, NgWords, NgWord, ng_word()?, NG_WORD);
    round_trip!(db, PushTokens, PushToken, push_token(), PUSH_TOKEN);
    round_trip!(db, AdminLogs, AdminLog, admin_log()?, ADMIN_LOG);
    Ok(())
}

const USER: &str = r#"{
    "userId": "1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "appId": "hanako_01", "username": "hanako", "displayName": null,
    "bio": "毎日答えます", "email": "hanako@example.com", "birthDate": "2000-04-01", "isPrivate": false,
    "visibilityType": "mutual", "followingCount": 1, "followerCount": 0, "isBanned": false,
    "isAdmin": false, "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const DAILY_QUESTION: &str = r#"{
    "date": "2026-02-05", "questionId": "e91b4f60-8d27-4c35-a0f2-1b6c7d8e9f03", "questionText": "今日いちばん笑ったことは？",
    "scheduledPublishTime": "21:00", "publishedAt": "2026-02-05T12:00:00Z", "isFallback": false,
    "createdAt": "2026-02-05T12:00:00Z"
}"#;
const QUESTION: &str = r#"{
    "questionId": "e91b4f60-8d27-4c35-a0f2-1b6c7d8e9f03", "text": "今日いちばん笑ったことは？", "type": "user", "submittedBy": "7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58",
    "status": "approved", "isFlagged": false, "lastUsedAt": "2026-01-01T12:00:00Z",
    "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const ANSWER: &str = r#"{
    "date": "2026-02-05", "userId": "1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "questionId": "e91b4f60-8d27-4c35-a0f2-1b6c7d8e9f03", "text": "猫が寝言を言った",
    "isOnTime": true, "lateMinutes": 0, "isFlagged": false, "isDeleted": false,
    "createdAt": "2026-02-05T12:00:00Z"
}"#;
const FOLLOW: &str = r#"{
    "followerId": "1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "followeeId": "7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58", "createdAt": "2026-02-05T12:00:00Z"
}"#;
const BLOCK: &str = r#"{
    "blockerId": "1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "blockedId": "7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58", "createdAt": "2026-02-05T12:00:00Z"
}"#;
const REACTION: &str = r#"{
    "answerId": "2026-02-05#1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "reactorId": "7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58", "reactionType": "❤️",
    "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const REPORT: &str = r#"{
    "reportId": "48a7c0d3-6e15-4b92-8f4a-d7e0c1b29365", "reporterId": "1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "targetType": "answer",
    "targetId": "2026-02-05#7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58", "category": "spam", "status": "pending",
    "createdAt": "2026-02-05T12:00:00Z"
}"#;
const SUBMISSION: &str = r#"{
    "date": "2026-02-05", "userId": "7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58", "questionId": "e91b4f60-8d27-4c35-a0f2-1b6c7d8e9f03", "createdAt": "2026-02-05T12:00:00Z"
}"#;
const NG_WORD: &str = r#"{
    "word": "ばか", "createdAt": "2026-02-05T12:00:00Z", "createdBy": "c3e85d17-42fb-4a09-b7d1-95f0a8e6c264"
}"#;
const PUSH_TOKEN: &str = r#"{
    "userId": "1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731", "token": "ExponentPushToken[abc]", "deviceType": "ios",
    "createdAt": "2026-02-05T12:00:00Z", "updatedAt": "2026-02-05T12:00:00Z"
}"#;
const ADMIN_LOG: &str = r#"{
    "pk": "LOG", "sk": "2026-02-05T12:00:00Z#b05f6e21-9c8d-4e7a-92b3-3a4c5d6e7f18", "logId": "b05f6e21-9c8d-4e7a-92b3-3a4c5d6e7f18", "adminId": "c3e85d17-42fb-4a09-b7d1-95f0a8e6c264",
    "adminEmail": "admin@example.com", "action": "ADD_NG_WORD", "targetType": "ngWord",
    "targetId": "ばか", "details": {"word": "ばか"}, "timestamp": "2026-02-05T12:00:00Z",
    "ttl": 1778068800
}"#;
