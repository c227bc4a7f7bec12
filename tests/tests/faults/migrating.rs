//! A migration on a bad network, killed and run again, while others write: every item is there
//! once, changed once, and no acknowledged write of theirs is lost.

use super::seeds;
use super::support::network::Network;
use super::support::random::Random;
use super::support::{Item, Outcome, everything, stored};
use super::workload::is_transient;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::migrate::Migration;
use dynamo_model::{Dynamo, DynamoEntity, DynamoTable, Entity, Error, ErrorKind, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

const MEMBERS: u32 = 12;
const WRITERS: u64 = 2;
const VISITS: usize = 6;
/// The migration adds this, so that a repeated migration of an item is detected.
const BONUS: u64 = 1_000;
/// More than a network of such a kind can need.
const RUNS: usize = 200;

#[derive(DynamoTable)]
#[table(name = "Members", pk = "PK", sk = "SK", entity_type = "type")]
#[gsi1(name = "GSI1", pk = "GSI1PK", sk = "GSI1SK")]
struct Members;

/// Before: under its number, by its name once.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Members, entity_type = "MEMBER", former)]
#[pk("MEMBER#<id>")]
#[sk("PROFILE")]
#[unique("NAME#<name>")]
struct Old {
    id: u32,
    name: String,
    visits: u64,
    #[dynamo(version)]
    version: u64,
}

/// In between: the same place, another attribute.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Members, entity_type = "MEMBER", former)]
#[pk("MEMBER#<id>")]
#[sk("PROFILE")]
#[unique("NAME#<name>")]
struct Renamed {
    id: u32,
    name: String,
    points: u64,
    #[dynamo(version)]
    version: u64,
}

/// After: elsewhere, and in an index.
#[derive(DynamoEntity, Serialize, Deserialize, Debug, Clone, PartialEq)]
#[dynamo(table = Members, entity_type = "MEMBER")]
#[pk("PERSON#<id:04>")]
#[sk("PROFILE")]
#[gsi1(pk = "PEOPLE", sk = "<name>", as = by_name)]
#[unique("NAME#<name>")]
struct New {
    id: u32,
    name: String,
    points: u64,
    #[dynamo(version)]
    version: u64,
}

fn rename(old: Old) -> Renamed {
    Renamed {
        id: old.id,
        name: old.name,
        points: old.visits + BONUS,
        version: old.version,
    }
}

fn relocate(old: Renamed) -> New {
    New {
        id: old.id,
        name: old.name,
        points: old.points + BONUS,
        version: old.version,
    }
}

/// Both migrations, one after the other; how often each item was changed is seen in its points.
async fn migrate(db: &Dynamo, random: &mut Random, renamed: &mut bool) -> Result<(), Error> {
    let segments = 1 + u32::try_from(random.below(3)).unwrap();
    if !*renamed {
        let renaming = Migration::new("rename", rename).segments(segments);
        renaming.page_size(4).concurrency(3).run(db).await?;
        *renamed = true;
    }
    let moving = Migration::new("move", relocate).segments(segments);
    moving.page_size(5).concurrency(3).run(db).await?;
    Ok(())
}

/// Runs it until it completes: each time in another process, which may be killed at any time.
async fn until_done(own: &Dynamo, network: &Network, mut random: Random) -> Outcome<usize> {
    let mut renamed = false;
    for run in 1..=RUNS {
        let db = network.handle(own, 1 + u32::try_from(random.below(4))?);
        let patience = Duration::from_millis(random.one_of(&[20, 200, 60_000]));
        let migration = migrate(&db, &mut random, &mut renamed);
        match tokio::time::timeout(patience, migration).await {
            Ok(Ok(())) => return Ok(run),
            Ok(Err(error)) if is_transient(error.kind()) => {}
            Ok(Err(error)) if *error.kind() == ErrorKind::TakenOver => {}
            Ok(Err(error)) => return Err(error.into()),
            Err(_killed) => {}
        }
    }
    Err(format!("not done after {RUNS} runs").into())
}

/// How often a member was visited: for certain, and perhaps.
type Visits = BTreeMap<u32, (u64, u64)>;

/// Counts visits, whichever form an item has, by the version that was read.
async fn visit(db: Dynamo, mut random: Random) -> Outcome<Visits> {
    let mut visits = Visits::new();
    for _ in 0..VISITS {
        let id = u32::try_from(random.below(MEMBERS.into()))?;
        tokio::time::sleep(Duration::from_millis(random.below(150))).await;
        let (done, perhaps) = visits.entry(id).or_default();
        match count(&db, id).await {
            Ok(counted) => *done += u64::from(counted),
            Err(error) if error.outcome() == dynamo_model::error::Outcome::Done => *done += 1,
            Err(error) if error.is_uncertain() => *perhaps += 1,
            // Changed, or migrated, between reading and writing it: a put reads the stored unique
            // value.
            Err(error) if error.is_condition_failed() || error.is_decode() => {}
            Err(error) if is_transient(error.kind()) => {}
            Err(error) => return Err(error.into()),
        }
    }
    Ok(visits)
}

/// Returns whether the item was found; it may move between the two reads.
async fn count(db: &Dynamo, id: u32) -> Result<bool, Error> {
    if let Some(mut new) = New::get(id).consistent().send(db).await? {
        new.points += 1;
        return new.put().send(db).await.map(|()| true);
    }
    match Renamed::get(id).consistent().send(db).await {
        Ok(Some(mut renamed)) => {
            renamed.points += 1;
            return renamed.put().send(db).await.map(|()| true);
        }
        Ok(None) => return Ok(false),
        Err(error) if error.is_decode() => {}
        Err(error) => return Err(error),
    }
    match Old::get(id).consistent().send(db).await {
        Ok(Some(mut old)) => {
            old.visits += 1;
            old.put().send(db).await.map(|()| true)
        }
        Ok(None) => Ok(false),
        Err(error) if error.is_decode() => Ok(false),
        Err(error) => Err(error),
    }
}

#[test]
fn a_migration_changes_each_item_once() {
    seeds::each("a_migration_changes_each_item_once", 20, run);
}

async fn run(seed: u64) -> Outcome {
    let own = Dynamo::embedded()?;
    Members::create_table(&own).await?;
    for id in 0..MEMBERS {
        let name = format!("n{id}");
        let old = Old {
            id,
            name,
            visits: 0,
            version: 0,
        };
        old.create().send(&own).await?;
    }
    let mut random = Random::new(seed);
    let percent = random.one_of(&[5, 15, 30]);
    let network = Network::seeded(&own, random.next(), percent);
    let migrated = until_done(&own, &network, Random::new(random.next()));
    let writers = (0..WRITERS).map(|_| {
        let network = Network::seeded(&own, random.next(), percent);
        visit(network.handle(&own, 3), Random::new(random.next()))
    });
    let writers = futures_util::future::try_join_all(writers);
    let (_, visits) = futures_util::future::try_join(migrated, writers).await?;
    check(&own, &visits).await
}

/// Checks every attribute of every member, and that no other item exists.
async fn check(own: &Dynamo, visits: &[Visits]) -> Outcome {
    let mut items = everything::<Members>(own).await?;
    for id in 0..MEMBERS {
        let new = New::get(id).consistent().send(own).await?;
        let new = new.ok_or_else(|| format!("member {id} is lost"))?;
        let own = visits.iter().filter_map(|it| it.get(&id));
        let (done, perhaps) = own.fold((0, 0), |sum, it| (sum.0 + it.0, sum.1 + it.1));
        let visited = new.points.checked_sub(2 * BONUS);
        if !visited.is_some_and(|visited| (done..=done + perhaps).contains(&visited)) {
            return Err(format!("{new:?}: visited {done} times, perhaps {perhaps} more").into());
        }
        // Created, migrated twice, and visited.
        if new.version != 3 + new.points - 2 * BONUS {
            return Err(format!("{new:?}: the version").into());
        }
        for expected in [stored(&new)?, sentinel(&new)] {
            let at = items.iter().position(|item| *item == expected);
            let at = at.ok_or_else(|| format!("not stored: {expected:?}\n  but {items:?}"))?;
            items.swap_remove(at);
        }
    }
    match items.is_empty() {
        true => Ok(()),
        false => Err(format!("left: {items:?}").into()),
    }
}

/// Returns the unique item of a name.
fn sentinel(new: &New) -> Item {
    let text = |text: String| AttributeValue::S(text);
    let value = format!("NAME#{}", new.name);
    let owner = [format!("PERSON#{:04}", new.id), "PROFILE".to_owned()].map(text);
    Item::from([
        ("PK".to_owned(), text(value.clone())),
        ("SK".to_owned(), text(value)),
        ("type".to_owned(), text("#unique".into())),
        ("unique_owner".to_owned(), AttributeValue::L(owner.to_vec())),
    ])
}
