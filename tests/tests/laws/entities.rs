//! Declarations that use every delimiter, kind and spec.

use dynamo_model::{DynamoEntity, DynamoItems, DynamoTable, KeyPart};

/// Independent entities: their keys overlap, so no items enum could contain them.
#[derive(DynamoTable)]
#[table(name = "Laws", pk = "PK", sk = "SK")]
pub struct Laws;

macro_rules! strings {
    ($($name:ident $sk:literal),* $(,)?) => {$(
        #[derive(DynamoEntity, Debug, Clone, PartialEq)]
        #[dynamo(table = Laws, former)]
        #[pk("STRINGS")]
        #[sk($sk)]
        pub struct $name {
            pub a: String,
            pub b: String,
            pub c: String,
        }
    )*};
}

strings! {
    Hash "S#<a>#<b>#<c>",
    Words "S#<a>#AND#<b>#OR#<c>#",
    Space "<a> <b> <c>",
    Plus "<a>+<b>+<c>",
    Slash "<a>/<b>/<c>",
    Colon "<a>:<b>:<c>",
    Underscore "<a>_<b>_<c>",
    Dash "<a>-<b>-<c>",
    Pipe "<a>|<b>|<c>",
    Brackets "<<<a>>,<b>><c>",
}

#[derive(KeyPart, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    Easy,
    Medium,
    Hard,
}

#[derive(KeyPart, Debug, Clone, PartialEq)]
pub struct UserId(pub String);

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("U#<u8>#<u16>#<u32>#<u64>#<u128>")]
#[sk("I#<i8>#<i16>#<i32>#<i64>#<i128>")]
pub struct Integers {
    pub u8: u8,
    pub u16: u16,
    pub u32: u32,
    pub u64: u64,
    pub u128: u128,
    pub i8: i8,
    pub i16: i16,
    pub i32: i32,
    pub i64: i64,
    pub i128: i128,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("<u128:039>")]
#[sk("<i8:04>#<u64:020>#<i64:020>#<i32:011>")]
pub struct Padded {
    pub u128: u128,
    pub i8: i8,
    pub u64: u64,
    pub i64: i64,
    pub i32: i32,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("T#<jiff>#<chrono>#<time>")]
#[sk("T#<jiff:ns>#<chrono:ns>#<time:ns>")]
pub struct Times {
    pub jiff: jiff::Timestamp,
    pub chrono: chrono::DateTime<chrono::Utc>,
    pub time: time::OffsetDateTime,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("P#<at:s>")]
#[sk("<at:ms>#<at:us>")]
pub struct Precisions {
    pub at: jiff::Timestamp,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("D#<jiff>#<chrono>#<time>")]
#[sk("<jiff:%Y%j>#<name>")]
pub struct Dates {
    pub jiff: jiff::civil::Date,
    pub chrono: chrono::NaiveDate,
    pub time: time::Date,
    pub name: String,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("M#<uuid>-<ulid>-<flag>-<level>")]
#[sk("<user>#<ulid>#<uuid>")]
pub struct Mixed {
    pub uuid: uuid::Uuid,
    pub ulid: ulid::Ulid,
    pub flag: bool,
    pub level: Level,
    pub user: UserId,
}

#[derive(DynamoEntity, Debug, Clone, PartialEq)]
#[dynamo(table = Laws, former)]
#[pk("B#<at:%Y-%m-%d>#<user:shard(16)>")]
#[sk("<at:%H:%M:%S.%9f>#<email:lower>#<note:raw>")]
pub struct Buckets {
    pub at: jiff::Timestamp,
    pub user: String,
    pub email: String,
    pub note: String,
}

/// Entities as close to each other as the compiler allows.
#[derive(DynamoTable)]
#[table(name = "Crowd", pk = "PK", sk = "SK", items = CrowdItem)]
pub struct Crowd;

macro_rules! crowd {
    ($($name:ident $pk:literal $sk:literal ($($field:ident: $ty:ty),*)),* $(,)?) => {
        $(
            #[derive(DynamoEntity, Debug, Clone, PartialEq)]
            #[dynamo(table = Crowd)]
            #[pk($pk)]
            #[sk($sk)]
            pub struct $name {
                $(pub $field: $ty,)*
            }
        )*

        #[derive(DynamoItems, Debug, Clone, PartialEq)]
        #[items(table = Crowd)]
        pub enum CrowdItem {
            $($name($name),)*
        }
    };
}

crowd! {
    Profile "USER#<a>" "PROFILE" (a: String),
    Profiles "USER#<a>" "PROFILES" (a: String),
    Order "USER#<a>" "ORDER#<b>" (a: String, b: String),
    OrderLine "USER#<a>" "ORDERLINE#<b>#<n:03>" (a: String, b: String, n: u16),
    Number "USER#<a>" "<n>" (a: String, n: i32),
    Padding "USER#<a>" "#<n:03>" (a: String, n: u16),
    At "USER#<a>" "##<t:ms>" (a: String, t: jiff::Timestamp),
    LevelOf "USER#<a>" "LEVEL<level>" (a: String, level: Level),
    Group "GROUP#<a>" "<b>" (a: String, b: String),
    Member "GROUP" "MEMBER#<a>#<b>" (a: String, b: String),
    Users "USERS#<a>" "PROFILE" (a: String),
    Empty "USER" "PROFILE" (a: String),
}
