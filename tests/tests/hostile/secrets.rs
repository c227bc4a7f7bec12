//! A sensitive field, in keys and beside them, is in no debug output of a builder, no explanation,
//! no error and no trace, of any operation.

use crate::support::{self, Db, Outcome, put_json};
use dynamo_model::batch::IntoKey;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{
    BatchGet, BatchWrite, Dynamo, DynamoEntity, DynamoItems, DynamoProjection, DynamoTable, Entity,
    Error, Transaction,
};
use serde::{Deserialize, Serialize};
use serde_json::json;
use std::error::Error as _;
use std::fmt::Debug;

use crate::support::trace::{Recorder, alone};

/// In every sensitive value.
const HUSH: &str = "hush";

#[derive(DynamoTable)]
#[table(name = "Bank", pk = "PK", sk = "SK", entity_type = "type", items = BankItem)]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Bank;

#[derive(DynamoEntity, Serialize, Deserialize, Clone, PartialEq)]
#[dynamo(table = Bank, entity_type = "ACCOUNT")]
#[pk("ACCOUNT#<number>")]
#[sk("CARD#<card>")]
#[gsi1(pk = "OWNER#<owner>", sk = "CARD#<card>", as = by_owner)]
#[unique("PIN#<pin>")]
struct Account {
    #[dynamo(sensitive)]
    number: String,
    #[dynamo(sensitive)]
    card: String,
    #[dynamo(sensitive)]
    owner: String,
    #[dynamo(sensitive)]
    pin: String,
    #[dynamo(sensitive)]
    codes: Vec<String>,
    points: u32,
    #[dynamo(version)]
    version: u64,
}

/// Without a constraint, for batches.
#[derive(DynamoEntity, Serialize, Deserialize, Clone, PartialEq)]
#[dynamo(table = Bank, entity_type = "ENTRY")]
#[pk("ENTRIES#<number>")]
#[sk("<text>")]
struct Entry {
    #[dynamo(sensitive)]
    number: String,
    #[dynamo(sensitive)]
    text: String,
}

#[derive(DynamoItems)]
#[items(table = Bank)]
enum BankItem {
    Account(Account),
    Entry(Entry),
}

#[derive(DynamoProjection, Deserialize)]
#[projection(of = Account)]
#[allow(dead_code)]
struct Points {
    points: u32,
}

fn account() -> Account {
    Account {
        number: "hush-number".into(),
        card: "hush-card".into(),
        owner: "hush-owner".into(),
        pin: "hush-pin".into(),
        codes: vec!["hush-code".into()],
        points: 1,
        version: 0,
    }
}

fn entry() -> Entry {
    Entry {
        number: "hush-number".into(),
        text: "hush-text".into(),
    }
}

/// The `Debug` of a sensitive type.
macro_rules! shows_nothing {
    ($($name:ident)*) => {$(
        impl Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(stringify!($name))
            }
        }
    )*};
}

shows_nothing!(Account Entry BankItem Points);

/// The collected texts.
#[derive(Default)]
struct Shown(Vec<String>);

impl Shown {
    fn debug(&mut self, value: impl Debug) {
        self.0.push(format!("{value:?}"));
        self.0.push(format!("{value:#?}"));
    }

    fn outcome<T>(&mut self, result: Result<T, Error>) {
        let Err(error) = result else { return };
        self.debug(&error);
        let mut cause: Option<&dyn std::error::Error> = Some(&error);
        while let Some(error) = cause {
            self.0.push(error.to_string());
            cause = error.source();
        }
        for inner in error.cancellations() {
            self.0
                .push(format!("{inner} {inner:?} {:?}", inner.source()));
        }
        self.debug(error.unwritten());
    }

    fn check(&self) {
        for shown in &self.0 {
            assert!(!shown.contains(HUSH), "{shown}");
        }
    }
}

const NUMBER: &str = "hush-number";
const CARD: &str = "hush-card";

/// Every read, sent.
async fn reads(db: &Dynamo, shown: &mut Shown) {
    shown.outcome(Account::get(NUMBER, CARD).send(db).await);
    shown.outcome(Account::query(NUMBER).all(db).await);
    shown.outcome(Account::query(NUMBER).card_prefix("hush").page(db).await);
    shown.outcome(Account::query(NUMBER).card_in("hush"..).count(db).await);
    shown.outcome(Account::query(NUMBER).project::<Points>().all(db).await);
    shown.outcome(Account::by_owner("hush-owner").one(db).await);
    shown.outcome(Account::by_owner("hush-owner").hydrate(db).await);
    shown.outcome(
        Account::scan()
            .filter(|it| it.pin().eq("hush-pin"))
            .all(db)
            .await,
    );
    shown.outcome(Account::scan().segments(2).all(db).await);
    shown.outcome(
        BankItem::collection(Account::partition_key(NUMBER))
            .all(db)
            .await,
    );
    shown.outcome(BatchGet::new([Account::key(NUMBER, CARD)]).send(db).await);
    shown.outcome(
        TransactGet::new((Account::key(NUMBER, CARD), Entry::key(NUMBER, "hush")))
            .send(db)
            .await,
    );
    shown.outcome(Account::query(NUMBER).after("hush").all(db).await);
}

/// Every write, sent; most of them twice, so that conditions fail.
async fn writes(db: &Dynamo, shown: &mut Shown) {
    for _ in 0..2 {
        shown.outcome(account().create().send(db).await);
        shown.outcome(account().put().send(db).await);
        shown.outcome(
            BatchWrite::new()
                .put(&entry())
                .delete(Entry::key(NUMBER, "hush"))
                .send(db)
                .await,
        );
        let update = Account::update(NUMBER, CARD).set(|it| it.pin("hush-pin"), "hush-other");
        shown.outcome(
            update
                .condition(|it| it.codes().contains("hush"))
                .send(db)
                .await,
        );
        let update = Account::update(NUMBER, CARD).append(|it| it.codes(), ["hush"]);
        shown.outcome(update.expect_version(99).send(db).await);
        shown.outcome(
            account()
                .update()
                .set(|it| it.owner(), "hush")
                .send(db)
                .await,
        );
        let other = Account {
            number: "hush-2".into(),
            ..account()
        };
        shown.outcome(other.create().send(db).await);
        let transaction = Transaction::new()
            .add(account().create())
            .add(entry().put());
        shown.outcome(
            transaction
                .add(Entry::key(NUMBER, "hush-none").must_not_exist())
                .send(db)
                .await,
        );
        shown.outcome(account().delete().send(db).await);
        shown.outcome(Account::delete(NUMBER, CARD).must_exist().send(db).await);
    }
}

#[tokio::test]
async fn no_error_shows_a_sensitive_value() -> Outcome {
    let mut shown = Shown::default();
    // A missing table, then an empty one, then one in use.
    let missing = support::bare();
    let db = support::db::<Bank>().await;
    for db in [&missing, &db, &db] {
        reads(db, &mut shown).await;
        writes(db, &mut shown).await;
    }
    let long = "hush".repeat(600);
    shown.outcome(Account::get(&long, CARD).send(&db).await);
    shown.outcome(Account::query(NUMBER).card(&long).all(&db).await);
    shown.outcome(
        Account {
            number: long.clone(),
            ..account()
        }
        .put()
        .send(&db)
        .await,
    );
    shown.outcome(
        Account {
            pin: "hush".repeat(200_000),
            ..account()
        }
        .put()
        .send(&db)
        .await,
    );
    shown.outcome(
        BatchWrite::new()
            .put(&Entry {
                text: long,
                ..entry()
            })
            .send(&db)
            .await,
    );
    assert!(shown.0.len() > 100, "{}", shown.0.len());
    shown.check();
    Ok(())
}

/// Items of another program: each attribute in turn is missing or of another type.
#[tokio::test]
async fn no_error_of_an_unreadable_item_shows_a_sensitive_value() -> Outcome {
    let db: Db = support::db::<Bank>().await;
    let mut shown = Shown::default();
    for attribute in [
        "number", "card", "owner", "pin", "codes", "points", "version", "type", "GSI1SK",
    ] {
        for value in [
            json!(null),
            json!("hush"),
            json!(["hush", 1]),
            json!({"hush": "hush"}),
            json!(7),
        ] {
            let mut item = json!({
                "PK": "ACCOUNT#hush-number", "SK": "CARD#hush-card", "type": "ACCOUNT", "GSI1PK": "OWNER#hush-owner",
                "GSI1SK": "CARD#hush-card", "number": "hush-number", "card": "hush-card", "owner": "hush-owner",
                "pin": "hush-pin", "codes": ["hush-code"], "points": 1, "version": 1,
            });
            match value.is_null() {
                true => drop(item.as_object_mut().unwrap().remove(attribute)),
                false => item[attribute] = value,
            }
            // An index accepts only text.
            if put_json::<Bank>(&db, item).await.is_ok() && attribute != "type" {
                reads(&db, &mut shown).await;
            }
        }
    }
    assert!(shown.0.len() > 100, "{}", shown.0.len());
    shown.check();
    Ok(())
}

#[tokio::test]
async fn no_debug_of_a_builder_shows_a_sensitive_value() -> Outcome {
    let mut shown = Shown::default();
    shown.debug(Account::key(NUMBER, CARD)?);
    shown.debug(Account::get(NUMBER, CARD));
    shown.debug(Account::query(NUMBER).limit(1));
    shown.debug(Account::query(NUMBER).card(CARD).limit(1));
    shown.debug(
        Account::query(NUMBER)
            .card_in(CARD..)
            .filter(|it| it.pin().eq("hush")),
    );
    shown.debug(Account::query(NUMBER).after("hush"));
    shown.debug(Account::query(NUMBER).project::<Points>());
    shown.debug(Account::by_owner("hush-owner").card(CARD).limit(1));
    shown.debug(
        Account::scan()
            .filter(|it| it.pin().begins_with("hush"))
            .after("hush"),
    );
    shown.debug(
        Account::scan()
            .segments(2)
            .filter(|it| it.codes().contains("hush")),
    );
    shown.debug(BankItem::collection(Account::partition_key(NUMBER)).after("hush"));
    shown.debug(BatchGet::new([Account::key(NUMBER, CARD)]));
    shown.debug(
        BatchWrite::new()
            .put(&entry())
            .delete(Entry::key(NUMBER, "hush")),
    );
    shown.debug(account().create());
    shown.debug(account().put());
    shown.debug(Account::update(NUMBER, CARD).set(|it| it.pin("hush-pin"), "hush"));
    shown.debug(Account::update(NUMBER, CARD).condition(|it| it.pin().eq("hush")));
    shown.debug(account().update().set(|it| it.owner(), "hush"));
    shown.debug(Account::delete(NUMBER, CARD).condition(|it| it.pin().eq("hush")));
    shown.debug(account().delete());
    shown.debug(
        Transaction::new()
            .add(account().create())
            .add(Entry::key(NUMBER, "hush").must_not_exist()),
    );
    shown.check();
    Ok(())
}

#[tokio::test]
async fn no_explanation_or_page_shows_a_sensitive_value() -> Outcome {
    let db = support::db::<Bank>().await;
    let mut shown = Shown::default();
    let query = || {
        Account::query(NUMBER)
            .card_in(CARD..)
            .filter(|it| it.pin().eq("hush"))
    };
    let scan = Account::scan().filter(|it| it.codes().contains("hush"));
    let explained = [
        query().explain(&db)?,
        Account::by_owner("hush-owner").card(CARD).explain(&db)?,
        Account::query(NUMBER).project::<Points>().explain(&db)?,
        scan.explain(&db)?,
    ];
    for explain in explained {
        shown.0.push(explain.to_string());
        shown.debug(explain);
    }
    BatchWrite::new()
        .put(&entry())
        .put(&Entry {
            text: "hush-2".into(),
            ..entry()
        })
        .send(&db)
        .await?;
    let page = Entry::query(NUMBER).limit(1).page(&db).await?;
    assert!(page.next.is_some());
    // Its items are the user's types; here, one that shows nothing.
    shown.debug(page);
    shown.check();
    Ok(())
}

#[tokio::test]
async fn no_span_shows_a_sensitive_value() -> Outcome {
    if !alone("secrets::no_span_shows_a_sensitive_value") {
        return Ok(());
    }
    let db = support::db::<Bank>().await;
    let recorder = Recorder::default();
    let guard = tracing::subscriber::set_default(recorder.clone());
    let mut shown = Shown::default();
    writes(&db, &mut shown).await;
    account().put().any_version().send(&db).await?;
    reads(&db, &mut shown).await;
    drop(guard);
    let text = recorder.text();
    for operation in [
        "get",
        "query",
        "scan",
        "batch get",
        "transact get",
        "put",
        "create",
        "update",
        "delete",
        "batch write",
        "transaction",
    ] {
        assert!(
            text.contains(&format!("operation={operation:?}")),
            "{operation}"
        );
    }
    shown.0.push(text);
    shown.check();
    Ok(())
}

/// A map whose keys are as sensitive as its values.
#[derive(DynamoTable)]
#[table(name = "Safes", pk = "PK")]
struct Safes;

#[derive(DynamoEntity, Serialize, Deserialize, Clone, PartialEq)]
#[dynamo(table = Safes)]
#[pk("SAFE#<id>")]
struct Safe {
    id: String,
    #[dynamo(sensitive)]
    codes: Option<std::collections::BTreeMap<String, u32>>,
    notes: Option<std::collections::BTreeMap<String, u32>>,
}

shows_nothing!(Safe);

#[tokio::test]
async fn no_key_of_a_sensitive_map_is_shown() -> Outcome {
    let db = support::db::<Safes>().await;
    let mut shown = Shown::default();
    let query = || Safe::query("s1").filter(|it| it.codes().entry("hush-key").eq(7_u32));
    let explained = query().explain(&db)?;
    assert_eq!(
        explained.to_string().lines().last(),
        Some("  filter: codes.*** = ***")
    );
    // The request itself has the name.
    assert!(explained.names.values().any(|name| name == "hush-key"));
    shown.0.push(explained.to_string());
    shown.debug(explained);
    shown.debug(query());
    shown.debug(Safe::scan().filter(|it| it.codes().entry("hush-key").exists()));
    let update = || Safe::update("s1").set(|it| it.codes().entry("hush-key"), 7_u32);
    shown.debug(update());
    shown.debug(Safe::update("s1").remove(|it| it.codes().entry("hush-key")));
    shown.debug(Safe::delete("s1").condition(|it| it.codes().entry("hush-key").eq(7_u32)));
    // No item, no map in it, and a value of another type in it.
    shown.outcome(update().send(&db).await);
    put_json::<Safes>(&db, json!({ "PK": "SAFE#s1", "id": "s1" })).await?;
    let absent = update().send(&db).await.unwrap_err();
    assert!(absent.is_absent_parent(), "{absent}");
    shown.outcome(Err::<(), _>(absent));
    let other = json!({ "PK": "SAFE#s1", "id": "s1", "codes": { "hush-key": "hush" } });
    put_json::<Safes>(&db, other).await?;
    let decode = Safe::get("s1").send(&db).await.map(drop).unwrap_err();
    assert!(decode.is_decode(), "{decode}");
    shown.outcome(Err::<(), _>(decode));
    let add = Safe::update("s1").add(|it| it.codes().entry("hush-key"), 1_u32);
    shown.outcome(add.send(&db).await);
    let twice = update().set(|it| it.codes().entry("hush-key"), 8_u32);
    shown.outcome(twice.send(&db).await);
    assert!(shown.0.len() > 20, "{}", shown.0.len());
    shown.check();
    // Of another map they are shown.
    let open = Safe::query("s1").filter(|it| it.notes().entry("hush-key").eq(7_u32));
    let open = open.explain(&db)?.to_string();
    assert!(open.ends_with("filter: notes.hush-key = 7"), "{open}");
    Ok(())
}
