//! The large one: "3.2 Bookings" of the studio's document, with its sample, its three indexes, and
//! an entity type, without which modyne does not read.

use super::Bench;
use dynamo_model::{DynamoEntity, KeyPart};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use std::fmt;
use uuid::Uuid;

/// In a key, and an attribute.
#[derive(KeyPart, Serialize, Deserialize, Debug, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)]
pub enum BookingStatus {
    Pending,
    Approved,
}

/// For keys that are made by `format!`.
impl fmt::Display for BookingStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
        })
    }
}

/// `insurance`.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct Insurance {
    pub selected: bool,
    pub name: String,
    pub price: u32,
    pub tax_included_price: u32,
}

/// One of the `options`.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[allow(missing_docs)]
pub struct BookingOption {
    pub id: String,
    pub name: String,
    pub quantity: u32,
    pub price: u32,
    pub tax_included_price: u32,
    pub category: String,
}

/// 25 attributes, a map and a list of four maps among them, besides keys and entity type.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[serde(rename_all = "camelCase")]
#[dynamo(table = Bench, entity_type = "BOOKING")]
#[pk("BOOKING#<booking_id>")]
#[sk("USER#<user_id>")]
#[gsi1(pk = "USER#<user_id>", sk = "BOOKING#<created_at:s>", as = by_user)]
#[gsi2(pk = "STATUS#<status>", sk = "<start_time:s>", as = by_state)]
#[gsi3(pk = "DATE#<start_time:%Y-%m-%d>", sk = "TIME#<start_time:%H:%M:%SZ>", as = by_date)]
#[allow(missing_docs)]
pub struct Booking {
    pub booking_id: String,
    pub user_id: Uuid,
    pub user_email: String,
    pub user_name: String,
    pub company_name: String,
    pub photographer_name: String,
    pub plan: String,
    pub plan_details: String,
    pub insurance: Insurance,
    pub start_time: Timestamp,
    pub end_time: Timestamp,
    pub status: BookingStatus,
    pub booking_type: String,
    pub purpose: String,
    pub shooting_details: String,
    pub protection: String,
    pub people_count: u32,
    pub confirmation_deadline: Option<Timestamp>,
    pub automatic_cancellation: bool,
    pub cancellation_fee_percent: u32,
    pub options: Vec<BookingOption>,
    pub approved_by: Option<String>,
    pub approved_at: Option<Timestamp>,
    pub created_at: Timestamp,
    pub updated_at: Timestamp,
}

/// 2025-06-15T13:00:00Z, when the document's booking starts.
const START: Timestamp = Timestamp::constant(1_749_992_400, 0);

impl Booking {
    /// The user of all bookings.
    pub const USER: Uuid = Uuid::from_u128(0x123e_4567_e89b_12d3_a456_4266_1417_4000);

    /// Returns the document's booking, moved by so many hours.
    #[must_use]
    pub fn sample(number: u32) -> Self {
        let start_time = START + SignedDuration::from_hours(i64::from(number));
        let created_at = start_time - SignedDuration::from_hours(14 * 24 + 3);
        Self {
            booking_id: format!("b123e{number:03}"),
            user_id: Self::USER,
            user_email: "user@example.com".into(),
            user_name: "山田太郎".into(),
            company_name: "株式会社スタジオ".into(),
            photographer_name: "佐藤カメラマン".into(),
            plan: "A".into(),
            plan_details: "10人以下でのご利用 ¥5,000/1h（税込￥5,500/1h）".into(),
            insurance: insurance(),
            start_time,
            end_time: start_time + SignedDuration::from_hours(4),
            status: BookingStatus::Pending,
            booking_type: "temporary".into(),
            purpose: "商品撮影".into(),
            shooting_details:
                "商品カタログ用のアパレル撮影。モデル2名とスタイリスト1名が参加予定。".into(),
            protection: "あり".into(),
            people_count: 3,
            confirmation_deadline: Some(start_time - SignedDuration::from_hours(7 * 24 - 5)),
            automatic_cancellation: true,
            cancellation_fee_percent: 0,
            options: options(),
            approved_by: None,
            approved_at: None,
            created_at,
            updated_at: created_at,
        }
    }

    /// So many of them, in the order of their index keys.
    #[must_use]
    pub fn samples(count: u32) -> Vec<Self> {
        (0..count).map(Self::sample).collect()
    }
}

fn insurance() -> Insurance {
    Insurance {
        selected: true,
        name: "機材保険の付帯".into(),
        price: 1000,
        tax_included_price: 1100,
    }
}

fn options() -> Vec<BookingOption> {
    [
        ("LED", "LEDライト", 2, 1000, "equipment"),
        ("backPaper", "背景紙", 3, 2300, "equipment"),
        (
            "workshop",
            "6人以上のワークショップでご利用",
            1,
            2000,
            "service",
        ),
        (
            "glitter",
            "ラメやグリッターを多用した衣装（小道具）のお持ち込み",
            1,
            2000,
            "service",
        ),
    ]
    .map(|(id, name, quantity, price, category)| BookingOption {
        id: id.into(),
        name: name.into(),
        quantity,
        price,
        tax_included_price: price / 10 * 11,
        category: category.into(),
    })
    .into()
}
