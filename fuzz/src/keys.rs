//! The key parser: an accepted key, built again, is the same text.

use dynamo_model::key::KeyRef;
use dynamo_model::{DynamoEntity, DynamoTable};
use jiff::Timestamp;

/// Pieces of keys.
pub const WORDS: &[&str] = &[
    "#",
    "$23",
    "$24",
    "$",
    "%",
    "%3A",
    "%25",
    ":",
    "/",
    "_",
    "\n",
    "T#",
    "D#",
    "M#",
    "S#202497",
    "~",
    "7974-93-98T89:99:99.999999Z",
    "SS",
    "0",
    "00",
    "-",
    "-9",
    "99999",
    "2025-06-01",
    "2025-06-01T10:00:00.000Z",
    "9999-12-31",
    "0000-01-01",
    "2025-02-29",
    "23:59:60",
    "true",
    "false",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
    "7ZZZZZZZZZZZZZZZZZZZZZZZZZ",
    "67e55044-10b1-426f-9247-bb680e5fe0c8",
    "山",
    "😀",
    "\u{0}",
    "\u{7f}",
    "\u{10ffff}",
    "é",
    "e\u{301}",
    "İ",
    "ß",
];

#[derive(DynamoTable)]
#[table(name = "Texts", pk = "PK", sk = "SK", items = TextsItem)]
struct Texts;

#[derive(DynamoEntity)]
#[dynamo(table = Texts)]
#[pk("T#<a>")]
#[sk("<b>#<c>")]
struct Plain {
    a: String,
    b: String,
    c: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = Texts)]
#[pk("D#<at:%Y-%m-%d>#<who:shard(4)>")]
#[sk("<at:ms>#<n:06>#<who>")]
struct Timed {
    at: Timestamp,
    n: i32,
    who: String,
}

#[derive(DynamoEntity)]
#[dynamo(table = Texts)]
#[pk("M#<id>/<flag>")]
#[sk("<ulid>:<n>_<name:lower>|<big:039>")]
struct Mixed {
    id: uuid::Uuid,
    flag: bool,
    ulid: ulid::Ulid,
    n: i128,
    name: String,
    big: u128,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Texts)]
enum TextsItem {
    Plain(Plain),
    Timed(Timed),
    Mixed(Mixed),
    Combined(Combined),
}

#[derive(DynamoTable)]
#[table(name = "Numbers", pk = N("n"), sk = B("b"))]
struct Numbers;

#[derive(DynamoEntity)]
#[dynamo(table = Numbers)]
#[pk("<n>")]
#[sk("<b>")]
struct Number {
    n: i64,
    b: Vec<u8>,
}

#[derive(DynamoEntity)]
#[dynamo(table = Texts)]
#[pk("S#<year:04><month:02+desc>")]
#[sk("<i:06+desc>#<at:us+desc>#<name:upper>#<email:lower+raw>")]
struct Combined {
    year: u16,
    month: u8,
    i: i32,
    at: Timestamp,
    name: String,
    email: String,
}

/// The partition key, a line break, the sort key.
pub fn check(data: &[u8]) {
    let end = data.iter().position(|&byte| byte == b'\n');
    let (pk, sk) = data.split_at(end.unwrap_or(data.len()));
    let sk = sk.get(1..).unwrap_or_default();
    let (text_pk, text_sk) = (String::from_utf8_lossy(pk), String::from_utf8_lossy(sk));
    texts(&text_pk, &text_sk);
    if let Ok(it) = Number::parse_key(KeyRef::N(&text_pk), KeyRef::B(sk)) {
        let key = Number::key(it.n, &it.b);
        let same = key.is_ok_and(|key| {
            let sk = key.sk().is_some_and(|it| it.as_ref() == KeyRef::B(sk));
            sk && key.pk() == &*text_pk
        });
        assert!(same, "{pk:?} {sk:?}");
    }
}

fn texts(pk: &str, sk: &str) {
    let keys = [
        Plain::parse_key(pk, sk)
            .map(|it| Plain::key(&it.a, &it.b, &it.c).map(|key| key.into_parts())),
        Timed::parse_key(pk, sk)
            .map(|it| Timed::key(it.at, &it.who, it.n).map(|key| key.into_parts())),
        Mixed::parse_key(pk, sk).map(|it| {
            Mixed::key(it.id, it.flag, it.ulid, it.n, &it.name, it.big).map(|key| key.into_parts())
        }),
        Combined::parse_key(pk, sk).map(|it| {
            Combined::key(it.year, it.month, it.i, it.at, &it.name, &it.email)
                .map(|key| key.into_parts())
        }),
    ];
    for parsed in keys {
        let Ok(built) = parsed else { continue };
        let same =
            built.is_ok_and(|(own_pk, own_sk)| own_pk == pk && own_sk.is_some_and(|own| own == sk));
        assert!(same, "{pk:?} {sk:?}");
    }
}
