//! One item for each table. The document has no items: these are invented in its form.

use super::{
    AdminAction, AdminLog, Answer, AnswerText, AppId, Bio, Block, DailyQuestion, DeviceType, Email,
    Follow, LogId, NgWord, PublishTime, PushToken, QError, Question, QuestionId, QuestionStatus,
    QuestionText, QuestionType, Reaction, ReactionType, Report, ReportCategory, ReportId,
    ReportStatus, ReportTarget, User, UserId, UserQuestionSubmission, Username, VisibilityType,
    Word,
};
use crate::Sample;
use dynamo_model::index::{Gsi1, Gsi2, Gsi3};
use jiff::Timestamp;
use jiff::civil::{Date, date};
use uuid::uuid;

/// Of most samples.
#[must_use]
pub const fn hanako() -> UserId {
    UserId(uuid!("1f0e7c52-3b9a-4d64-8c1e-6a5d2f90b731"))
}

/// Returns the user whom hanako follows.
#[must_use]
pub const fn taro() -> UserId {
    UserId(uuid!("7d2a9b10-5c4e-4f83-9a6d-0e1b2c3d4f58"))
}

/// Returns an administrator.
#[must_use]
pub const fn admin() -> UserId {
    UserId(uuid!("c3e85d17-42fb-4a09-b7d1-95f0a8e6c264"))
}

/// Of the question of the day.
#[must_use]
pub const fn question_id() -> QuestionId {
    QuestionId(uuid!("e91b4f60-8d27-4c35-a0f2-1b6c7d8e9f03"))
}

pub(super) const TODAY: Date = date(2026, 2, 5);

/// `2026-02-05T12:00:00Z`.
pub(super) const NOW: Timestamp = Timestamp::constant(1_770_292_800, 0);

/// "3.1 Users".
pub fn user() -> Result<User, QError> {
    Ok(User {
        user_id: hanako(),
        app_id: AppId::new("hanako_01")?,
        username: Some(Username::new("hanako")?),
        display_name: None,
        bio: Some(Bio::new("毎日答えます")?),
        email: Email::new("hanako@example.com")?,
        birth_date: date(2000, 4, 1),
        profile_image_url: None,
        is_private: false,
        visibility_type: VisibilityType::default(),
        following_count: 1,
        follower_count: 0,
        is_banned: false,
        is_admin: false,
        created_at: NOW,
        updated_at: NOW,
    })
}

/// "3.2 DailyQuestions".
pub fn daily_question() -> Result<DailyQuestion, QError> {
    Ok(DailyQuestion {
        date: TODAY,
        question_id: question_id(),
        question_text: QuestionText::new("今日いちばん笑ったことは？")?,
        scheduled_publish_time: PublishTime::new("21:00")?,
        published_at: Some(NOW),
        is_fallback: false,
        created_at: NOW,
    })
}

/// "3.3 Questions".
pub fn question() -> Result<Question, QError> {
    Ok(Question {
        question_id: question_id(),
        text: QuestionText::new("今日いちばん笑ったことは？")?,
        question_type: QuestionType::User,
        submitted_by: Some(taro()),
        status: QuestionStatus::Approved,
        is_flagged: false,
        last_used_at: Some(Timestamp::constant(1_767_268_800, 0)),
        created_at: NOW,
        updated_at: NOW,
    })
}

/// "3.4 Answers".
pub fn answer() -> Result<Answer, QError> {
    Ok(Answer {
        date: TODAY,
        user_id: hanako(),
        question_id: question_id(),
        text: AnswerText::new("猫が寝言を言った")?,
        is_on_time: true,
        late_minutes: 0,
        is_flagged: false,
        is_deleted: false,
        created_at: NOW,
        deleted_at: None,
    })
}

/// "3.5 Follows".
#[must_use]
pub fn follow() -> Follow {
    Follow {
        follower_id: hanako(),
        followee_id: taro(),
        created_at: NOW,
    }
}

/// "3.6 Blocks".
#[must_use]
pub fn block() -> Block {
    Block {
        blocker_id: hanako(),
        blocked_id: taro(),
        created_at: NOW,
    }
}

/// "3.7 Reactions".
#[must_use]
pub fn reaction() -> Reaction {
    Reaction {
        date: TODAY,
        user_id: hanako(),
        reactor_id: taro(),
        reaction_type: ReactionType::Heart,
        created_at: NOW,
        updated_at: NOW,
    }
}

/// "3.8 Reports".
#[must_use]
pub fn report() -> Report {
    Report {
        report_id: ReportId(uuid!("48a7c0d3-6e15-4b92-8f4a-d7e0c1b29365")),
        reporter_id: hanako(),
        target_type: ReportTarget::Answer,
        target_id: format!("{TODAY}#{}", taro()),
        category: ReportCategory::Spam,
        description: None,
        status: ReportStatus::Pending,
        created_at: NOW,
        resolved_at: None,
        resolved_by: None,
    }
}

/// "3.9 UserQuestionSubmissions".
#[must_use]
pub fn user_question_submission() -> UserQuestionSubmission {
    UserQuestionSubmission {
        date: TODAY,
        user_id: taro(),
        question_id: question_id(),
        created_at: NOW,
    }
}

/// "3.10 NGWords".
pub fn ng_word() -> Result<NgWord, QError> {
    Ok(NgWord {
        word: Word::new("ばか")?,
        created_at: NOW,
        created_by: admin(),
    })
}

/// "3.11 PushTokens".
#[must_use]
pub fn push_token() -> PushToken {
    PushToken {
        user_id: hanako(),
        token: "ExponentPushToken[abc]".into(),
        device_type: DeviceType::Ios,
        created_at: NOW,
        updated_at: NOW,
    }
}

/// "3.12 AdminLogs".
pub fn admin_log() -> Result<AdminLog, QError> {
    Ok(AdminLog {
        log_id: LogId(uuid!("b05f6e21-9c8d-4e7a-92b3-3a4c5d6e7f18")),
        admin_id: admin(),
        admin_email: Some(Email::new("admin@example.com")?),
        action: AdminAction::AddNgWord,
        target_type: Some("ngWord".into()),
        target_id: Some("ばか".into()),
        details: [("word".into(), "ばか".into())].into(),
        ip_address: None,
        timestamp: NOW,
        ttl: 1_778_068_800,
    })
}

/// One item an entity, with all its keys.
pub fn samples() -> crate::Result<Vec<Sample>> {
    let mut samples = people_samples()?;
    samples.extend(question_samples()?);
    samples.extend(moderation_samples()?);
    Ok(samples)
}

fn people_samples() -> Result<Vec<Sample>, QError> {
    Ok(vec![
        Sample::of(&user()?, |key| User::key(key.user_id))
            .index::<Gsi1>(|key| User::by_app_id_key(key.app_id))
            .index::<Gsi2>(|key| User::by_email_key(key.email))
            .index::<Gsi3>(|key| User::by_username_key(key.username))
            .done(),
        Sample::of(&push_token(), |key| PushToken::key(key.user_id, key.token)).done(),
        Sample::of(&follow(), |key| {
            Follow::key(key.follower_id, key.followee_id)
        })
        .index::<Gsi1>(|key| Follow::followers_key(key.followee_id, key.follower_id))
        .done(),
        Sample::of(&block(), |key| Block::key(key.blocker_id, key.blocked_id))
            .index::<Gsi1>(|key| Block::blocked_by_key(key.blocked_id, key.blocker_id))
            .done(),
    ])
}

fn question_samples() -> Result<Vec<Sample>, QError> {
    Ok(vec![
        Sample::of(&daily_question()?, |key| DailyQuestion::key(key.date)).done(),
        Sample::of(&question()?, |key| Question::key(key.question_id))
            .index::<Gsi1>(|key| Question::by_status_key(key.status, key.created_at))
            .index::<Gsi2>(|key| Question::by_last_use_key(key.status, key.last_used_at))
            .done(),
        Sample::of(&user_question_submission(), |key| {
            UserQuestionSubmission::key(key.date, key.user_id)
        })
        .done(),
        Sample::of(&answer()?, |key| Answer::key(key.date, key.user_id))
            .index::<Gsi1>(|key| Answer::by_user_key(key.user_id, key.date))
            .done(),
        Sample::of(&reaction(), |key| {
            Reaction::key(key.date, key.user_id, key.reactor_id)
        })
        .done(),
    ])
}

fn moderation_samples() -> Result<Vec<Sample>, QError> {
    Ok(vec![
        Sample::of(&report(), |key| Report::key(key.report_id))
            .index::<Gsi1>(|key| Report::by_status_key(key.status, key.created_at))
            .done(),
        Sample::of(&ng_word()?, |key| NgWord::key(key.word)).done(),
        Sample::of(&admin_log()?, |key| {
            AdminLog::key(key.timestamp, key.log_id)
        })
        .index::<Gsi1>(|key| AdminLog::by_action_key(key.action, key.timestamp))
        .index::<Gsi2>(|key| AdminLog::by_admin_key(key.admin_id, key.timestamp))
        .done(),
    ])
}
