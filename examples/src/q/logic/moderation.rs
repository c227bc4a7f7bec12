//! Reports, forbidden words, bans; and the log of administrators' actions.

use super::{Result, refused};
use crate::q::{
    AdminAction, AdminLog, Answer, Email, LogId, NgWord, QError, Report, ReportCategory, ReportId,
    ReportStatus, ReportTarget, User, UserId, Word,
};
use crate::whole_seconds;
use dynamo_model::batch::IntoKey;
use dynamo_model::{Dynamo, Entity, Error, Transaction, Value};
use jiff::Timestamp;
use jiff::civil::Date;
use std::collections::BTreeMap;
use std::fmt;

/// Logs are deleted after ninety days.
const KEPT_SECONDS: i64 = 90 * 24 * 60 * 60;

/// An administrator. Each action checks in its transaction that the user is one.
#[derive(Debug, Clone)]
pub struct Admin {
    /// `adminId`.
    pub user_id: UserId,
    /// `adminEmail`.
    pub email: Option<Email>,
    /// `ipAddress`.
    pub ip_address: Option<String>,
}

impl Admin {
    /// Returns the log entry of an action.
    #[must_use]
    pub fn log(
        &self,
        action: AdminAction,
        target_type: &str,
        target_id: impl fmt::Display,
        now: Timestamp,
    ) -> AdminLog {
        AdminLog {
            log_id: LogId::random(),
            admin_id: self.user_id,
            admin_email: self.email.clone(),
            action,
            target_type: Some(target_type.into()),
            target_id: Some(target_id.to_string()),
            details: BTreeMap::new(),
            ip_address: self.ip_address.clone(),
            timestamp: whole_seconds(now),
            ttl: u64::try_from(now.as_second() + KEPT_SECONDS).unwrap_or_default(),
        }
    }

    /// Returns a transaction that requires the permission and writes the log together with the
    /// action.
    pub(super) fn transaction(&self, log: &AdminLog) -> Transaction {
        Transaction::new()
            .add(
                User::key(self.user_id)
                    .must_meet(|user| user.is_admin().eq(true) & user.is_banned().eq(false)),
            )
            .add(log.create())
    }
}

impl AdminLog {
    /// Adds a detail to the log.
    #[must_use]
    pub(super) fn detail(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.details.insert(name.into(), value.into());
        self
    }
}

/// The first check is that of the administrator; any other failure belongs to the action.
pub(super) fn admin_refused(otherwise: QError) -> impl FnOnce(Error) -> QError {
    |error| {
        refused(error, |entity, _| match entity {
            "User" => Some(QError::NotAdmin),
            _ => Some(otherwise),
        })
    }
}

/// The target of a report.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Target<'a> {
    User(&'a UserId),
    Answer(Date, &'a UserId),
}

impl Target<'_> {
    fn parts(self) -> (ReportTarget, String) {
        match self {
            Self::User(user) => (ReportTarget::User, user.to_string()),
            Self::Answer(date, user) => (ReportTarget::Answer, format!("{date}#{user}")),
        }
    }
}

/// Reports an existing user or answer.
pub async fn report(
    db: &Dynamo,
    reporter: &UserId,
    target: Target<'_>,
    (category, description): (ReportCategory, Option<&str>),
    now: Timestamp,
) -> Result<Report> {
    let (target_type, target_id) = target.parts();
    let report = Report {
        report_id: ReportId::random(),
        reporter_id: *reporter,
        target_type,
        target_id,
        category,
        description: description.map(str::to_owned),
        status: ReportStatus::Pending,
        created_at: whole_seconds(now),
        resolved_at: None,
        resolved_by: None,
    };
    let transaction = Transaction::new()
        .add(report.create())
        .add(User::key(reporter).must_exist());
    let transaction = match target {
        Target::User(user) if user == reporter => return Err(QError::Yourself),
        Target::User(user) => transaction.add(User::key(user).must_exist()),
        Target::Answer(date, user) => transaction.add(Answer::key(date, user).must_exist()),
    };
    transaction.send(db).await.map_err(|error| {
        refused(error, |entity, _| match entity {
            "User" => Some(QError::NoSuchUser),
            "Answer" => Some(QError::NoSuchAnswer),
            _ => None,
        })
    })?;
    Ok(report)
}

/// A report was right, and is resolved; or was not, and is dismissed.
pub async fn resolve_report(
    db: &Dynamo,
    admin: &Admin,
    report_id: &ReportId,
    was_right: bool,
    now: Timestamp,
) -> Result<()> {
    let status = if was_right {
        ReportStatus::Resolved
    } else {
        ReportStatus::Dismissed
    };
    let report = Report::get(report_id).consistent().send(db).await?;
    let report = report.ok_or(QError::NoSuchReport)?;
    let update = report
        .update()
        .set(|report| report.status(), status)
        .set(|report| report.resolved_at(), whole_seconds(now))
        .set(|report| report.resolved_by(), admin.user_id)
        .condition(|report| report.status().eq(ReportStatus::Pending));
    let log = admin.log(AdminAction::UpdateReport, "report", report_id, now);
    let log = log.detail("wasRight", was_right);
    let transaction = admin.transaction(&log).add(update);
    transaction
        .send(db)
        .await
        .map_err(admin_refused(QError::NoSuchReport))
}

/// Forbids a word, in lower case.
pub async fn add_ng_word(db: &Dynamo, admin: &Admin, word: &str, now: Timestamp) -> Result<()> {
    let word = NgWord {
        word: Word::lower(word)?,
        created_at: whole_seconds(now),
        created_by: admin.user_id,
    };
    let log = admin.log(AdminAction::AddNgWord, "ngWord", &word.word, now);
    let transaction = admin.transaction(&log).add(word.create());
    transaction
        .send(db)
        .await
        .map_err(admin_refused(QError::AlreadyThere))
}

/// Allows a word again.
pub async fn delete_ng_word(db: &Dynamo, admin: &Admin, word: &str, now: Timestamp) -> Result<()> {
    let word = Word::lower(word)?;
    let log = admin.log(AdminAction::DeleteNgWord, "ngWord", &word, now);
    let transaction = admin
        .transaction(&log)
        .add(NgWord::delete(&word).must_exist());
    transaction
        .send(db)
        .await
        .map_err(admin_refused(QError::NoSuchWord))
}

/// Bans a user.
pub async fn ban_user(db: &Dynamo, admin: &Admin, user_id: &UserId, now: Timestamp) -> Result<()> {
    set_banned(db, admin, user_id, true, now).await
}

/// Ends a ban.
pub async fn unban_user(
    db: &Dynamo,
    admin: &Admin,
    user_id: &UserId,
    now: Timestamp,
) -> Result<()> {
    set_banned(db, admin, user_id, false, now).await
}

async fn set_banned(
    db: &Dynamo,
    admin: &Admin,
    user_id: &UserId,
    banned: bool,
    now: Timestamp,
) -> Result<()> {
    if *user_id == admin.user_id {
        return Err(QError::Yourself);
    }
    let action = if banned {
        AdminAction::BanUser
    } else {
        AdminAction::UnbanUser
    };
    let log = admin.log(action, "user", user_id, now);
    let update = User::update(user_id).set(|user| user.is_banned(), banned);
    let transaction = admin.transaction(&log).add(update);
    // Both the administrator and the user are users: the key shows whose check failed.
    transaction.send(db).await.map_err(|error| {
        let is_target = error.key_text() == Some(user_id.to_string().as_str());
        let why = if is_target {
            QError::NoSuchUser
        } else {
            QError::NotAdmin
        };
        refused(error, |_, _| Some(why))
    })
}

/// An answer that was flagged stays, or is deleted.
pub async fn review_flagged_answer(
    db: &Dynamo,
    admin: &Admin,
    (date, user_id): (Date, &UserId),
    delete: bool,
    now: Timestamp,
) -> Result<()> {
    let update = Answer::update(date, user_id)
        .set(|answer| answer.is_flagged(), false)
        .condition(|answer| answer.is_flagged().eq(true));
    let update = match delete {
        true => update
            .set(|answer| answer.is_deleted(), true)
            .set(|answer| answer.deleted_at(), whole_seconds(now)),
        false => update,
    };
    let target = format!("{date}#{user_id}");
    let log = admin.log(AdminAction::ReviewFlaggedPost, "answer", target, now);
    let log = log.detail("deleted", delete);
    let transaction = admin.transaction(&log).add(update);
    transaction
        .send(db)
        .await
        .map_err(admin_refused(QError::NoSuchAnswer))
}
