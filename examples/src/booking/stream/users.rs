//! The stream of the users: a welcome mail to new ones, and a notice of a changed profile, so that
//! the owner learns of changes by others.

use super::{KEEP, once, written_at};
use crate::booking::{BookingError, Channel, Message, Messenger, Notification, User};
use dynamo_model::Dynamo;
use dynamo_model::stream::{BatchFailures, Change, StreamEvent, StreamRecord};

/// Handles a Lambda event of the stream of the users.
pub async fn on_users(
    db: &Dynamo,
    messenger: &impl Messenger,
    event: StreamEvent,
) -> BatchFailures {
    let handle =
        |change, record: StreamRecord| async move { on_user(db, messenger, change, &record).await };
    event.for_each(handle).await
}

/// Reacts to one change of a user.
pub async fn on_user(
    db: &Dynamo,
    messenger: &impl Messenger,
    change: Change<User>,
    record: &StreamRecord,
) -> Result<(), BookingError> {
    match change {
        Change::Inserted(user) => {
            let content = format!("{}様、ご登録ありがとうございます。", user.full_name);
            let welcome = mail(record, &user, "ご登録ありがとうございます", content);
            messenger.send(welcome).await.map_err(BookingError::NotSent)
        }
        Change::Modified { old, new } => match changed(&old, &new).as_slice() {
            // The number of bookings is not part of the profile.
            [] => Ok(()),
            fields => notice(db, messenger, &old, fields, record).await,
        },
        Change::Removed(_) | Change::Expired(_) => Ok(()),
    }
}

/// Reports by notification and mail which fields changed, without their values, because others may
/// read both. The mail goes to the previous address, because a thief would change the address
/// first.
async fn notice(
    db: &Dynamo,
    messenger: &impl Messenger,
    old: &User,
    fields: &[&str],
    record: &StreamRecord,
) -> Result<(), BookingError> {
    let title = "プロフィールが変更されました";
    let content = format!(
        "変更された項目: {}。お心当たりがない場合はご連絡ください。",
        fields.join("、")
    );
    let told = Notification {
        user_id: old.user_id,
        title: title.into(),
        content: content.clone(),
        notification_type: "security".into(),
        is_read: false,
        related_entity_id: None,
        created_at: written_at(record.created_at),
        read_at: None,
        expires_at: None,
    };
    once(db, told, KEEP, None).await?;
    let sent = messenger.send(mail(record, old, title, content)).await;
    sent.map_err(BookingError::NotSent)
}

fn mail(record: &StreamRecord, to: &User, title: &str, content: String) -> Message {
    Message {
        id: record.event_id.clone(),
        channel: Channel::Mail(to.email.clone()),
        title: title.into(),
        content,
    }
}

/// Returns the changed fields of a profile.
fn changed(old: &User, new: &User) -> Vec<&'static str> {
    let fields = [
        ("メールアドレス", old.email != new.email),
        ("パスワード", old.hashed_password != new.hashed_password),
        ("氏名", old.full_name != new.full_name),
        ("会社名", old.company_name != new.company_name),
        ("住所", old.address != new.address),
        ("電話番号", old.phone != new.phone),
        ("権限", old.is_admin != new.is_admin),
    ];
    let differ = fields.into_iter().filter(|(_, differs)| *differs);
    differ.map(|(name, _)| name).collect()
}
