//! Fifty users and two weeks: always the same, so that the results of queries are known.

use super::samples::{NOW, TODAY, admin, hanako, question_id, taro};
use super::{
    AdminAction, AdminLog, Answer, AnswerText, AppId, Block, DailyQuestion, DeviceType,
    DisplayName, Email, Follow, LogId, NgWord, PublishTime, PushToken, QError, Question,
    QuestionId, QuestionStatus, QuestionText, QuestionType, Reaction, ReactionType, Report,
    ReportCategory, ReportId, ReportStatus, ReportTarget, User, UserId, UserQuestionSubmission,
    Username, VisibilityType, Word, user,
};
use jiff::civil::Date;
use jiff::{Span, Timestamp};
use std::collections::BTreeMap;
use uuid::Uuid;

type Made<T> = Result<T, QError>;

pub(super) const USERS: usize = 50;
/// The followees of user `n`, as offsets. The last one follows back.
const FOLLOWED: [usize; 7] = [1, 2, 3, 4, 5, 6, USERS - 1];
/// Days before today with a question and answers.
pub(super) const DAYS: usize = 13;
/// In 2100. Ninety days after the log would be past, and engines would delete it while the tour
/// runs.
const LATE: u64 = 4_102_444_800;

pub(super) fn minutes(minutes: usize) -> Timestamp {
    seconds(i64::try_from(minutes).unwrap_or_default() * 60)
}

fn days_ago(days: usize) -> Timestamp {
    seconds(-i64::try_from(days).unwrap_or_default() * 86_400)
}

/// After now.
fn seconds(seconds: i64) -> Timestamp {
    Timestamp::from_second(NOW.as_second() + seconds).unwrap_or(NOW)
}

fn date(days_ago: usize) -> Date {
    let days = Span::new().days(i64::try_from(days_ago).unwrap_or_default());
    TODAY.checked_sub(days).unwrap_or(TODAY)
}

/// Returns a UUID of version 4 that contains the kind and the number of its item:
/// `10000000-0000-4000-8000-000000000007`.
const fn uuid(of: u128, n: usize) -> Uuid {
    Uuid::from_u128((of << 124) | (0x4000_8000 << 48) | n as u128)
}

pub(super) const fn id(n: usize) -> UserId {
    UserId(uuid(1, n % USERS))
}

pub(super) const fn report_id(n: usize) -> ReportId {
    ReportId(uuid(3, n))
}

fn generated_user(n: usize) -> Made<User> {
    Ok(User {
        user_id: id(n),
        app_id: AppId::new(format!("user_{n:03}"))?,
        username: match n.is_multiple_of(2) {
            true => Some(Username::new(format!("User_{n:03}"))?),
            false => None,
        },
        display_name: Some(DisplayName::new(format!("ユーザー{n}"))?),
        email: Email::new(format!("user{n:03}@example.com"))?,
        visibility_type: match n % 3 {
            0 => VisibilityType::Followers,
            _ => VisibilityType::Mutual,
        },
        following_count: FOLLOWED.len() as u64,
        follower_count: FOLLOWED.len() as u64,
        created_at: days_ago(30),
        ..user()?
    })
}

/// With those of the samples.
pub(super) fn users() -> impl Iterator<Item = Made<User>> {
    let others = [("taro", taro()), ("admin", admin())].map(|(name, user_id)| {
        Ok(User {
            app_id: AppId::new(format!("{name}_01"))?,
            username: Some(Username::new(name)?),
            email: Email::new(format!("{name}@example.com"))?,
            following_count: 0,
            follower_count: u64::from(name == "taro"),
            is_admin: name == "admin",
            user_id,
            ..user()?
        })
    });
    (0..USERS).map(generated_user).chain(others).chain([user()])
}

pub(super) fn follows() -> impl Iterator<Item = Follow> {
    (0..USERS).flat_map(|n| {
        FOLLOWED.map(|further| Follow {
            follower_id: id(n),
            followee_id: id(n + further),
            created_at: NOW,
        })
    })
}

/// Blocks that did not end a follow, so that a timeline has answers to filter.
pub(super) fn blocks() -> impl Iterator<Item = Block> {
    let pairs = [(6, 0), (7, 0), (0, 30), (0, 31)];
    pairs.into_iter().map(|(blocker, blocked)| Block {
        blocker_id: id(blocker),
        blocked_id: id(blocked),
        created_at: days_ago(1),
    })
}

/// Today's is the sample's.
pub(super) const fn question_of(days_ago: usize) -> QuestionId {
    match days_ago {
        0 => question_id(),
        _ => generated_question_id(QuestionStatus::Used, days_ago),
    }
}

const fn generated_question_id(status: QuestionStatus, n: usize) -> QuestionId {
    QuestionId(uuid(2, status as usize * 1_000 + n))
}

pub(super) fn daily_questions() -> impl Iterator<Item = Made<DailyQuestion>> {
    (1..=DAYS).map(|ago| {
        Ok(DailyQuestion {
            date: date(ago),
            question_id: question_of(ago),
            question_text: QuestionText::new(format!("{ago}日前の質問"))?,
            scheduled_publish_time: PublishTime::new("21:00")?,
            published_at: Some(days_ago(ago)),
            is_fallback: ago.is_multiple_of(7),
            created_at: days_ago(ago + 1),
        })
    })
}

pub(super) fn generated_question(status: QuestionStatus, n: usize) -> Made<Question> {
    Ok(Question {
        question_id: generated_question_id(status, n),
        text: QuestionText::new(format!("{n}番目の質問"))?,
        question_type: QuestionType::Admin,
        submitted_by: None,
        status,
        is_flagged: false,
        last_used_at: None,
        created_at: days_ago(60 - n),
        updated_at: NOW,
    })
}

/// Those of the last days, which are used.
pub(super) fn used_questions() -> impl Iterator<Item = Made<Question>> {
    (1..=DAYS).map(|ago| {
        Ok(Question {
            last_used_at: Some(days_ago(ago)),
            ..generated_question(QuestionStatus::Used, ago)?
        })
    })
}

pub(super) fn pending_question(n: usize) -> Made<Question> {
    Ok(Question {
        question_type: QuestionType::User,
        submitted_by: Some(id(n)),
        ..generated_question(QuestionStatus::Pending, n)?
    })
}

/// Of [`pending_question`].
pub(super) const fn pending_question_id(n: usize) -> QuestionId {
    generated_question_id(QuestionStatus::Pending, n)
}

pub(super) const PENDING: usize = 20;
pub(super) const APPROVED: usize = 40;

/// Of the approved ones, half were never used.
pub(super) fn questions() -> impl Iterator<Item = Made<Question>> {
    let approved = (0..APPROVED).map(|n| {
        Ok(Question {
            last_used_at: n.is_multiple_of(2).then(|| days_ago(100 + n)),
            ..generated_question(QuestionStatus::Approved, n)?
        })
    });
    let rejected = (0..10).map(|n| generated_question(QuestionStatus::Rejected, n));
    let archived = (0..3).map(|n| generated_question(QuestionStatus::Archived, n));
    let pending = (0..PENDING).map(pending_question);
    approved
        .chain(rejected)
        .chain(archived)
        .chain(pending)
        .chain(used_questions())
}

/// Of every ten users, one did not answer, and one deleted the answer.
pub(super) fn generated_answer(n: usize, ago: usize) -> Made<Answer> {
    let minutes_after = n * 7 % 60;
    let published = days_ago(ago).as_second();
    let created_at = published + i64::try_from(minutes_after).unwrap_or_default() * 60;
    let is_deleted = n % 10 == 8;
    Ok(Answer {
        date: date(ago),
        user_id: id(n),
        question_id: question_of(ago),
        text: AnswerText::new(format!("{ago}日前の答え"))?,
        is_on_time: minutes_after <= 30,
        late_minutes: u32::try_from(minutes_after.saturating_sub(30)).unwrap_or_default(),
        is_flagged: n % 10 == 5,
        is_deleted,
        created_at: Timestamp::from_second(created_at).unwrap_or(NOW),
        deleted_at: is_deleted.then_some(NOW),
    })
}

pub(super) fn answers() -> impl Iterator<Item = Made<Answer>> {
    let everybody = (0..USERS).filter(|n| n % 10 != 7);
    everybody.flat_map(|n| (0..=DAYS).map(move |ago| generated_answer(n, ago)))
}

pub(super) fn reactions() -> impl Iterator<Item = Reaction> {
    let answered = (0..USERS).filter(|n| n % 10 < 7);
    answered.flat_map(|n| {
        let types = [
            ReactionType::Heart,
            ReactionType::Fire,
            ReactionType::Laughing,
            ReactionType::Eyes,
        ];
        types
            .into_iter()
            .enumerate()
            .map(move |(at, reaction_type)| Reaction {
                date: TODAY,
                user_id: id(n),
                reactor_id: id(n + at + 1),
                reaction_type,
                created_at: NOW,
                updated_at: NOW,
            })
    })
}

pub(super) const REPORTS: usize = 24;

pub(super) fn generated_report(n: usize) -> Report {
    let done = n.is_multiple_of(3);
    Report {
        report_id: report_id(n),
        reporter_id: id(n),
        target_type: ReportTarget::User,
        target_id: id(n + 9).to_string(),
        category: [
            ReportCategory::Spam,
            ReportCategory::Harassment,
            ReportCategory::Other,
        ][n % 3],
        description: n.is_multiple_of(2).then(|| "しつこい".into()),
        status: if done {
            ReportStatus::Resolved
        } else {
            ReportStatus::Pending
        },
        created_at: days_ago(n),
        resolved_at: done.then_some(NOW),
        resolved_by: done.then(admin),
    }
}

pub(super) fn submissions() -> impl Iterator<Item = UserQuestionSubmission> {
    (0..PENDING).map(|n| UserQuestionSubmission {
        date: date(n % 10 + 1),
        user_id: id(n),
        question_id: pending_question_id(n),
        created_at: days_ago(n % 10 + 1),
    })
}

pub(super) fn ng_words() -> impl Iterator<Item = Made<NgWord>> {
    let words = ["spam", "あほ", "きもい", "しね"];
    words.into_iter().map(|word| {
        Ok(NgWord {
            word: Word::new(word)?,
            created_at: days_ago(20),
            created_by: admin(),
        })
    })
}

pub(super) fn push_tokens() -> impl Iterator<Item = PushToken> {
    (0..USERS).flat_map(|n| {
        [DeviceType::Ios, DeviceType::Android].map(|device_type| PushToken {
            user_id: id(n),
            token: format!("ExponentPushToken[{n:03}-{device_type:?}]"),
            device_type,
            created_at: NOW,
            updated_at: NOW,
        })
    })
}

pub(super) const LOGS: usize = 120;

pub(super) fn logs() -> impl Iterator<Item = AdminLog> {
    let actions = [
        AdminAction::AddNgWord,
        AdminAction::DeleteNgWord,
        AdminAction::CreateQuestion,
        AdminAction::SetDailyQuestion,
        AdminAction::UpdateReport,
        AdminAction::ReviewSubmission,
        AdminAction::BanUser,
        AdminAction::UnbanUser,
    ];
    (0..LOGS).map(move |n| AdminLog {
        log_id: LogId(uuid(4, n)),
        admin_id: if n.is_multiple_of(2) {
            admin()
        } else {
            hanako()
        },
        admin_email: None,
        action: actions[n % actions.len()],
        target_type: None,
        target_id: None,
        details: BTreeMap::new(),
        ip_address: None,
        timestamp: seconds(-3_600 * i64::try_from(n + 1).unwrap_or_default()),
        ttl: LATE,
    })
}
