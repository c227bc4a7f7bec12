//! No user reaches another user's items, with any texts.

use crate::attacker::{Attacker, Loot};
use crate::support::{Db, Item, Outcome, everything};
use crate::vault::{SECRET, VICTIM, Vault, vault};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};

/// Pieces of the victim's keys, and their delimiters.
const PIECES: &[&str] = &[
    "victim",
    "vict",
    "im",
    "#",
    "##",
    ":",
    "%",
    "%3A",
    "%25",
    "$",
    "$23",
    "$24",
    "\"",
    "!",
    " ",
    "\u{0}",
    "\u{1f}",
    "\u{7f}",
    "\u{10ffff}",
    "USER#",
    "USER#victim",
    "PROFILE",
    "NOTE#",
    "NOTE#work#diary",
    "OF#",
    "OF#victim#",
    "FILES",
    "work",
    "diary",
    "private",
    "VISIT:victim:",
    "2025-06-01",
    ":0",
    "HANDLE#",
    "#unique",
    "/",
    "_",
    "1",
    "a",
    "山",
    "e\u{301}",
    "*",
    "' OR '1'='1",
    ":v0",
    "#n0",
    "type",
    "PK",
];

fn word() -> impl Strategy<Value = String> {
    let pieces = proptest::collection::vec(proptest::sample::select(PIECES), 1..5);
    prop_oneof![
        8 => pieces.prop_map(|pieces| pieces.concat()),
        1 => any::<String>(),
        1 => Just(String::new()),
    ]
}

fn attacker() -> impl Strategy<Value = Attacker> {
    let user = word().prop_filter("it is the victim", |user| user != VICTIM);
    (user, [word(), word(), word()]).prop_map(|(user, words)| Attacker { user, words })
}

/// The victim's items are unchanged.
async fn unharmed(db: &Db, before: &[Item]) -> Outcome {
    let now = everything::<Vault>(db).await?;
    for item in before {
        assert!(now.contains(item), "{item:?} is gone or changed");
    }
    let secrets = now
        .iter()
        .filter(|item| format!("{item:?}").contains(SECRET));
    let known = before
        .iter()
        .filter(|item| format!("{item:?}").contains(SECRET));
    assert_eq!(secrets.count(), known.count(), "a secret was copied");
    Ok(())
}

async fn attack(db: &Db, before: &[Item], attacker: &Attacker) -> Outcome {
    let mut loot = Loot::default();
    // Before the attacker's items exist, while they exist, and after they are deleted.
    attacker.gets(db, &mut loot).await;
    attacker.queries(db, &mut loot).await;
    attacker.writes(db, &mut loot).await;
    attacker.queries(db, &mut loot).await;
    attacker.indexes(db, &mut loot).await;
    attacker.gets(db, &mut loot).await;
    attacker.takes(db, &mut loot).await;
    for found in &loot.0 {
        assert!(!found.contains(SECRET), "{attacker:?} got {found}");
    }
    unharmed(db, before).await
}

/// `PROPTEST_CASES` for more.
#[tokio::test(flavor = "multi_thread")]
async fn no_text_reaches_another_user() -> Outcome {
    let (db, before) = vault().await?;
    let default = Config::default();
    let cases = if default.cases == 256 {
        48
    } else {
        default.cases
    };
    let config = Config {
        cases,
        failure_persistence: None,
        ..default
    };
    let runtime = tokio::runtime::Handle::current();
    let run = |attacker: Attacker| {
        tokio::task::block_in_place(|| {
            let attack = attack(&db, &before, &attacker);
            runtime
                .block_on(attack)
                .map_err(|error| TestCaseError::fail(error.to_string()))
        })
    };
    TestRunner::new(config).run(&attacker(), run).unwrap();
    Ok(())
}

/// Texts that are known to break other libraries: see each name.
#[tokio::test]
async fn well_known_attacks_reach_no_other_user() -> Outcome {
    let (db, before) = vault().await?;
    let attempts = [
        ["vict", "im", "work", "diary"],
        ["victim#", "work", "diary", "private"],
        ["victim#NOTE#work", "diary", "x", "y"],
        ["victim$", "$23", "$24", "%"],
        ["victi", "m#work", "#", "#"],
        ["victim:2025-06-01", "0", "1", "2"],
        ["USER#victim", "PROFILE", "HANDLE#diary", "diary"],
        ["a", "x#LABEL#private#diary", "diary", "diary"],
        ["a", "HANDLE#diary", "diary", "#unique"],
        ["\u{10ffff}", "\u{0}", "\u{10ffff}", "\u{0}"],
        ["Victim", "WORK", "DIARY", "PRIVATE"],
        ["victim\u{0}", "work\u{0}", "diary\u{0}", "private\u{0}"],
    ];
    for [user, words @ ..] in attempts {
        let attacker = Attacker {
            user: user.into(),
            words: words.map(String::from),
        };
        attack(&db, &before, &attacker).await?;
    }
    Ok(())
}

/// The same calls, by the victim, find nearly all items: a failed attack is not one that reads
/// nothing.
#[tokio::test]
async fn the_victims_own_calls_find_the_items() -> Outcome {
    let (db, _) = vault().await?;
    let victim = Attacker {
        user: VICTIM.into(),
        words: ["work", "diary", "private"].map(String::from),
    };
    let mut loot = Loot::default();
    victim.gets(&db, &mut loot).await;
    victim.queries(&db, &mut loot).await;
    victim.indexes(&db, &mut loot).await;
    let found = loot.0.iter().filter(|it| it.contains(SECRET)).count();
    assert!(found >= loot.0.len() - 8, "{found} of {}", loot.0.len());
    Ok(())
}
