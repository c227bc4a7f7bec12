//! "Input → what the user sees": a computed table, which must equal the one in
//! `docs/reliability.md`. `UPDATE_EXPECT=1 cargo test -p dynamo-model-tests --test hostile seen`
//! writes it there.

use crate::support::{self, Db, Item, Outcome, from_json, put};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::key::KeyValue;
use dynamo_model::{DynamoEntity, DynamoTable, Entity};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Display;

#[derive(DynamoTable)]
#[table(name = "Seen", pk = "PK", sk = "SK", entity_type = "type", items = SeenItem)]
struct Seen;

/// Lists within lists.
#[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
struct Tree(Vec<Tree>);

#[derive(Serialize, Deserialize, Debug, Clone, PartialEq)]
struct Line {
    price: u32,
}

#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq, Default)]
#[dynamo(table = Seen, entity_type = "ORDER")]
#[pk("USER#<user>")]
#[sk("ORDER#<number:04>#<note>")]
struct Order {
    user: String,
    number: u32,
    note: String,
    total: u64,
    ratio: f64,
    rate: f32,
    paid: Option<bool>,
    lines: Vec<Line>,
    tree: Tree,
    answers: BTreeMap<String, String>,
}

fn order() -> Order {
    Order {
        user: "u1".into(),
        number: 1,
        note: "n".into(),
        ..Order::default()
    }
}

/// An account with more on it than there is.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Seen, entity_type = "ACCOUNT")]
#[pk("ACCOUNT#<id>")]
#[sk("ACCOUNT")]
struct Account {
    id: String,
    balance: u128,
}

#[derive(dynamo_model::DynamoItems)]
#[items(table = Seen)]
enum SeenItem {
    Order(Order),
    Account(Account),
}

type Rows = Vec<(String, String)>;

/// Returns the text of an error, or `well` of a success.
fn said<T, E: Display>(result: Result<T, E>, well: impl FnOnce(T) -> String) -> String {
    match result {
        Ok(value) => well(value),
        Err(error) => error.to_string(),
    }
}

fn keys() -> Rows {
    let key = |user: &str, note: &str| {
        said(Order::key(user, 1, note), |key| {
            let bytes = |half: Option<&KeyValue>| half.map_or(0, |half| half.to_string().len());
            match (bytes(Some(key.pk())), bytes(key.sk())) {
                (pk @ 100.., _) => format!("a partition key of {pk} bytes"),
                (_, sk @ 100..) => format!("a sort key of {sk} bytes"),
                _ => format!("the key {:?}", key.to_string()),
            }
        })
    };
    let rows = [
        ("user `a#ADMIN`", key("a#ADMIN", "n")),
        ("user `a$23`", key("a$23", "n")),
        ("user `a\\0\\n`, note `\\u{7f}`", key("a\0\n", "\u{7f}")),
        ("user `山😀`", key("山😀", "n")),
        ("user of no characters", key("", "n")),
        (
            "user of 2 043 bytes: 2 048 with `USER#`",
            key(&"u".repeat(2_043), "n"),
        ),
        ("user of 2 044 bytes", key(&"u".repeat(2_044), "n")),
        ("user of 512 `😀`", key(&"😀".repeat(512), "n")),
        (
            "user of 700 `#`, each three bytes when escaped",
            key(&"#".repeat(700), "n"),
        ),
        (
            "note of 1 013 bytes: 1 024 in all",
            key("u", &"n".repeat(1_013)),
        ),
        ("note of 1 014 bytes", key("u", &"n".repeat(1_014))),
        (
            "number 12 345, padded to four",
            said(Order::key("u", 12_345, "n"), |key| key.to_string()),
        ),
        (
            "stored key `USER#a#b`, read back",
            said(Order::parse_key("USER#a#b", "ORDER#0001#n"), |it| it.user),
        ),
        (
            "stored key `ORDER#1#n`, read back",
            said(Order::parse_key("USER#a", "ORDER#1#n"), |it| it.note),
        ),
        (
            "stored key `ORDER#00٣1#n`, read back",
            said(Order::parse_key("USER#a", "ORDER#00٣1#n"), |it| it.note),
        ),
    ];
    let rows = rows.into_iter();
    rows.map(|(input, seen)| (input.to_owned(), seen)).collect()
}

async fn values(db: &Db) -> Rows {
    let deep = |lists: usize| (1..lists).fold(Tree::default(), |tree, _| Tree(vec![tree]));
    let named = |name: &str| Order {
        answers: [(name.to_owned(), "x".to_owned())].into(),
        ..order()
    };
    let mut rows = Vec::new();
    for (input, order) in [
        ("an attribute named `#n0`", named("#n0")),
        ("… `:v0`", named(":v0")),
        ("… `a.b`", named("a.b")),
        ("… `a[0]`", named("a[0]")),
        ("… `SELECT`", named("SELECT")),
        (
            "lists nested 32 deep",
            Order {
                tree: deep(32),
                ..order()
            },
        ),
        (
            "lists nested 40 deep",
            Order {
                tree: deep(40),
                ..order()
            },
        ),
        (
            "the float 1e126",
            Order {
                ratio: 1e126,
                ..order()
            },
        ),
        (
            "the float 1e-131",
            Order {
                ratio: 1e-131,
                ..order()
            },
        ),
        (
            "the float NaN",
            Order {
                ratio: f64::NAN,
                ..order()
            },
        ),
        (
            "a text of 400 KB",
            Order {
                answers: [("text".to_owned(), "x".repeat(409_600))].into(),
                ..order()
            },
        ),
    ] {
        let written = order.put().send(db).await;
        let read = Order::get("u1", 1, "n").send(db).await;
        let same = matches!(&read, Ok(Some(read)) if *read == order);
        rows.push((
            input.to_owned(),
            said(written, |_| {
                format!("stored, and the same when read: {same}")
            }),
        ));
    }
    rows
}

async fn numbers(db: &Db) -> Rows {
    let mut rows = Vec::new();
    for (input, balance) in [
        ("a number of 38 digits", 10_u128.pow(38) - 1),
        ("10 to the 38th", 10_u128.pow(38)),
        ("a number of 39 digits, not all zeros at the end", u128::MAX),
    ] {
        let account = Account {
            id: "a".into(),
            balance,
        };
        let written = account.put().send(db).await;
        let read = Account::get("a").send(db).await;
        let same = matches!(&read, Ok(Some(read)) if *read == account);
        let seen = said(written, |_| {
            format!("stored, and the same when read: {same}")
        });
        rows.push((input.to_owned(), seen));
    }
    rows
}

/// An order as another tool may have written it.
fn stored() -> Item {
    from_json(json!({
        "PK": "USER#u1", "SK": "ORDER#0001#n", "type": "ORDER", "user": "u1", "number": 1, "note": "n", "total": 1,
        "ratio": 0.5, "rate": 0.5, "paid": true, "lines": [{"price": 1}], "tree": [], "answers": {},
    }))
}

fn changes() -> Vec<(&'static str, &'static str, Option<AttributeValue>)> {
    let s = |text: &str| Some(AttributeValue::S(text.into()));
    let n = |number: &str| Some(AttributeValue::N(number.into()));
    let line = |value| AttributeValue::M([("price".to_owned(), value)].into());
    vec![
        ("nothing changed", "extra", None),
        ("an attribute too many", "extra", s("x")),
        ("no `total`", "total", None),
        ("no `paid`, which is an `Option`", "paid", None),
        ("`paid` is NULL", "paid", Some(AttributeValue::Null(true))),
        ("`total` is NULL", "total", Some(AttributeValue::Null(true))),
        ("`total` is the text `1`", "total", s("1")),
        ("`total` is -1", "total", n("-1")),
        ("`total` is 1.5", "total", n("1.5")),
        (
            "`total` is 2 to the 64th",
            "total",
            n("18446744073709551616"),
        ),
        ("`rate`, an `f32`, is 1e39", "rate", n("1e39")),
        (
            "`lines` is a string set",
            "lines",
            Some(AttributeValue::Ss(vec!["1".into()])),
        ),
        (
            "`lines[0].price` is a BOOL",
            "lines",
            Some(AttributeValue::L(vec![line(AttributeValue::Bool(true))])),
        ),
        (
            "`lines` is a map with the key `0`",
            "lines",
            Some(AttributeValue::M(
                [("0".into(), line(AttributeValue::N("1".into())))].into(),
            )),
        ),
        (
            "`user` is binary",
            "user",
            Some(AttributeValue::B(b"u1".to_vec().into())),
        ),
        ("`type` is `INVOICE`", "type", s("INVOICE")),
        ("no `type`", "type", None),
        ("`type` is a number", "type", n("1")),
        ("`note` disagrees with the key", "note", s("another")),
    ]
}

async fn items(db: &Db) -> Outcome<Rows> {
    let mut rows = Vec::new();
    for (input, attribute, value) in changes() {
        let mut item = stored();
        item.remove(attribute);
        item.extend(value.map(|value| (attribute.to_owned(), value)));
        put::<Seen>(db, item).await?;
        let read = Order::get("u1", 1, "n").send(db).await;
        let seen = said(read, |read| {
            read.map_or("nothing".into(), |it| {
                format!(
                    "read; total {}, paid {:?}, note {}",
                    it.total, it.paid, it.note
                )
            })
        });
        rows.push((input.to_owned(), seen));
    }
    Ok(rows)
}

async fn cursors(db: &Db) -> Outcome<Rows> {
    for number in [1, 2] {
        Order { number, ..order() }.put().send(db).await?;
    }
    let page = Order::query("u1").limit(1).page(db).await?;
    let own = page.next.unwrap();
    let signed = (**db).clone().with_signed_cursors("key");
    let mut rows = Vec::new();
    let texts = ["", "x", "山", "../../etc/passwd"].map(String::from);
    let cut = own[..own.len() - 4].to_owned();
    for (input, cursor) in texts
        .iter()
        .map(|text| (format!("the cursor `{text}`"), text.clone()))
        .chain([("a cursor cut short".to_owned(), cut)])
    {
        let read = Order::query("u1").after(cursor).all(db).await;
        rows.push((input, said(read, |it| format!("{} items", it.len()))));
    }
    let read = Order::query("u2").after(&own).all(db).await;
    rows.push((
        "another user's cursor".into(),
        said(read, |it| format!("{} items", it.len())),
    ));
    let old = "AaP2u4969Yw4AAAAAAAAAAdTAAhVU0VSI-WxsUIAAgD_";
    let read = Order::query("u1").after(old).all(db).await;
    rows.push((
        "a cursor of an older release".into(),
        said(read, |it| format!("{} items", it.len())),
    ));
    let filtered = Order::query("u1").filter(|it| it.total().eq(1_u64));
    let read = filtered.after(&own).all(db).await;
    rows.push((
        "a cursor, and another filter".into(),
        said(read, |it| format!("{} items", it.len())),
    ));
    let read = Order::query("u1").limit(2).page(db).await;
    rows.push((
        "a page of 2, of 2 items".into(),
        said(read, |it| {
            format!("{} items, a cursor: {}", it.items.len(), it.next.is_some())
        }),
    ));
    let read = Order::query("u1").limit(0).page(db).await;
    rows.push((
        "a page of 0 items".into(),
        said(read, |it| format!("{} items", it.items.len())),
    ));
    let read = Order::query("u1").after(&own).all(&signed).await;
    rows.push((
        "an unsigned cursor where they are signed".into(),
        said(read, |it| format!("{} items", it.len())),
    ));
    Ok(rows)
}

fn table(title: &str, rows: Rows) -> String {
    let mut out = format!("\n**{title}**\n\n| input | what the user sees |\n| --- | --- |\n");
    for (input, seen) in rows {
        out += &format!(
            "| {} | {} |\n",
            input.replace('|', "\\|"),
            seen.replace('|', "\\|")
        );
    }
    out
}

const BEGIN: &str = "<!-- seen: written by tests/tests/hostile/seen.rs -->\n";
const END: &str = "\n<!-- end of seen -->";

#[tokio::test]
async fn the_documented_messages_are_current() -> Outcome {
    let db = support::db::<Seen>().await;
    let tables = [
        table("Keys", keys()),
        table("Values that are written", values(&db).await),
        table("Large numbers", numbers(&db).await),
        table("Items that another tool wrote", items(&db).await?),
        table("Cursors", cursors(&db).await?),
    ];
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/reliability.md");
    let page = std::fs::read_to_string(path)?;
    let (before, rest) = page.split_once(BEGIN).expect("where it begins");
    let (known, after) = rest.split_once(END).expect("where it ends");
    let now = tables.concat();
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        std::fs::write(path, [before, BEGIN, &now, END, after].concat())?;
        return Ok(());
    }
    for (known, now) in known.lines().zip(now.lines()) {
        assert_eq!(known, now, "UPDATE_EXPECT=1 writes the table anew");
    }
    assert_eq!(known.lines().count(), now.lines().count());
    Ok(())
}
