//! The document's items, one a table; and one of each of the two entities that the document does
//! not have.

use super::{
    Booking, BookingId, BookingOption, BookingStatus, BookingType, CalendarDay, CalendarSlot,
    Insurance, Notification, OptionCategory, OptionService, Terms, TermsStatus, TermsVersion,
    UnreadCount, User, UserAgreement, UserId,
};
use crate::{Result, Sample};
use dynamo_model::index::{Gsi1, Gsi2, Gsi3, Gsi4};
use jiff::{Timestamp, civil::date};

fn user_id() -> Result<UserId> {
    Ok(UserId("123e4567-e89b-12d3-a456-426614174000".parse()?))
}

fn booking_id() -> BookingId {
    BookingId("b123e456".into())
}

fn version() -> TermsVersion {
    TermsVersion("1.0".into())
}

/// "3.1 Users".
pub fn user() -> Result<User> {
    Ok(User {
        user_id: user_id()?,
        email: "user@example.com".into(),
        hashed_password: "bcrypt-hashed-password-string".into(),
        full_name: "山田太郎".into(),
        company_name: "株式会社スタジオ".into(),
        address: "東京都渋谷区...".into(),
        phone: "090-1234-5678".into(),
        is_admin: false,
        total_usage_minutes: 480,
        booking_count: 5,
        created_at: "2025-06-01T10:00:00Z".parse()?,
        updated_at: "2025-06-10T15:30:00Z".parse()?,
    })
}

/// "3.2 Bookings".
pub fn booking() -> Result<Booking> {
    Ok(Booking {
        booking_id: booking_id(),
        user_id: user_id()?,
        user_email: "user@example.com".into(),
        user_name: "山田太郎".into(),
        company_name: "株式会社スタジオ".into(),
        photographer_name: "佐藤カメラマン".into(),
        plan: "A".into(),
        plan_details: "10人以下でのご利用 ¥5,000/1h（税込￥5,500/1h）".into(),
        insurance: Insurance {
            selected: true,
            name: "機材保険の付帯".into(),
            price: 1000,
            tax_included_price: 1100,
        },
        start_time: "2025-06-15T13:00:00Z".parse()?,
        end_time: "2025-06-15T17:00:00Z".parse()?,
        status: BookingStatus::Pending,
        booking_type: BookingType::Temporary,
        purpose: "商品撮影".into(),
        shooting_details: "商品カタログ用のアパレル撮影。モデル2名とスタイリスト1名が参加予定。"
            .into(),
        protection: "あり".into(),
        people_count: 3,
        confirmation_deadline: Some("2025-06-08T18:00:00Z".parse()?),
        automatic_cancellation: true,
        cancellation_fee_percent: 0,
        options: booking_options(),
        approved_by: None,
        approved_at: None,
        created_at: "2025-06-01T10:00:00Z".parse()?,
        updated_at: "2025-06-01T10:00:00Z".parse()?,
    })
}

fn booking_options() -> Vec<BookingOption> {
    use OptionCategory::{Equipment, Service};
    let workshop = "6人以上のワークショップでご利用";
    let glitter = "ラメやグリッターを多用した衣装（小道具）のお持ち込み";
    let options = [
        ("LED", "LEDライト", 2, (1000, 1100), Equipment),
        ("backPaper", "背景紙", 3, (2300, 2530), Equipment),
        ("workshop", workshop, 1, (2000, 2200), Service),
        ("glitter", glitter, 1, (2000, 2200), Service),
    ];
    options
        .map(
            |(id, name, quantity, (price, tax_included_price), category)| BookingOption {
                id: id.into(),
                name: name.into(),
                quantity,
                price,
                tax_included_price,
                category,
            },
        )
        .into()
}

/// "3.3 Calendar".
pub fn calendar_slot() -> Result<CalendarSlot> {
    Ok(CalendarSlot {
        booking_id: booking_id(),
        user_id: user_id()?,
        status: BookingStatus::Pending,
        booking_type: BookingType::Temporary,
        start_time: "2025-06-15T13:00:00Z".parse()?,
        end_time: "2025-06-15T17:00:00Z".parse()?,
    })
}

/// Returns the day of the document's slot, as the booking that made the slot left it. Not in the
/// document.
#[must_use]
pub fn calendar_day() -> CalendarDay {
    CalendarDay {
        date: date(2025, 6, 15),
        version: 1,
    }
}

/// "3.4 Options".
pub fn option_service() -> Result<OptionService> {
    Ok(OptionService {
        option_id: "opt1".into(),
        name: "LEDライト".into(),
        description: "1回の利用につき1,000円の追加料金が発生します。".into(),
        unit_price: 1000,
        unit: "台".into(),
        is_active: true,
        created_at: "2025-01-01T10:00:00Z".parse()?,
        updated_at: "2025-01-01T10:00:00Z".parse()?,
    })
}

/// "3.5 Notifications".
pub fn notification() -> Result<Notification> {
    Ok(Notification {
        user_id: user_id()?,
        title: "予約申請を承認しました".into(),
        content: "6月15日13:00～17:00の予約申請が承認されました。".into(),
        notification_type: "booking".into(),
        is_read: false,
        related_entity_id: Some(booking_id()),
        created_at: "2025-06-01T10:30:00Z".parse()?,
        read_at: None,
        expires_at: None,
    })
}

/// The document's notification is not read. Where the number is kept is not in the document.
pub fn unread_count_of_user() -> Result<UnreadCount> {
    Ok(UnreadCount {
        user_id: user_id()?,
        unread: 1,
        version: 1,
    })
}

/// "3.6 TermsOfService".
pub fn terms() -> Result<Terms> {
    Ok(Terms {
        status: TermsStatus::Active,
        version: version(),
        title: "スタジオ利用規約 2025年版".into(),
        content: "利用規約の内容...".into(),
        effective_date: "2025-01-01T00:00:00Z".parse()?,
        created_at: "2024-12-01T10:00:00Z".parse()?,
        updated_at: "2024-12-01T10:00:00Z".parse()?,
    })
}

/// "3.7 UserAgreements".
pub fn user_agreement() -> Result<UserAgreement> {
    Ok(UserAgreement {
        user_id: user_id()?,
        version: version(),
        agreed_at: "2025-01-15T14:30:00Z".parse()?,
    })
}

fn booking_sample() -> Result<Sample> {
    Ok(
        Sample::of(&booking()?, |key| Booking::key(key.booking_id, key.user_id))
            .index::<Gsi1>(|key| Booking::by_user_key(key.user_id, key.created_at))
            .index::<Gsi2>(|key| Booking::by_status_key(key.status, key.start_time))
            .index::<Gsi3>(|key| {
                // The day and the time of day are in the two halves; together they are the instant.
                let start: Timestamp = key.start_time.start().unwrap_or_default();
                Booking::by_date_key(start)
            })
            .index::<Gsi4>(|key| {
                Booking::by_deadline_key(key.booking_type, key.confirmation_deadline)
            })
            .done(),
    )
}

fn calendar_sample() -> Result<Sample> {
    let slot = calendar_slot()?;
    Ok(Sample::of(&slot, |key| {
        let start: Timestamp = key.start_time.start().unwrap_or_default();
        // The key has only the time of day of the end.
        CalendarSlot::key(start, slot.end_time)
    })
    .done())
}

/// One item an entity, with all its keys.
pub fn samples() -> Result<Vec<Sample>> {
    Ok(vec![
        Sample::of(&user()?, |key| User::key(key.user_id))
            .index::<Gsi1>(|key| User::by_email_key(key.email))
            .done(),
        booking_sample()?,
        calendar_sample()?,
        Sample::of(&calendar_day(), |key| CalendarDay::key(key.date)).done(),
        Sample::of(&option_service()?, |key| OptionService::key(key.option_id)).done(),
        Sample::of(&notification()?, |key| {
            Notification::key(key.user_id, key.created_at)
        })
        .index::<Gsi1>(|key| Notification::by_type_key(key.notification_type, key.created_at))
        .done(),
        Sample::of(&unread_count_of_user()?, |key| {
            UnreadCount::key(key.user_id)
        })
        .done(),
        Sample::of(&terms()?, |key| Terms::key(key.version))
            .index::<Gsi1>(|key| Terms::by_status_key(key.status, key.effective_date))
            .done(),
        Sample::of(&user_agreement()?, |key| {
            UserAgreement::key(key.user_id, key.version)
        })
        .done(),
    ])
}
