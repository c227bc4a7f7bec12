//! Several clients work on the same items, each on its own bad network: in spite of lost responses,
//! their results add up.
//!
//! A seed gives each client the same faults again, but not the same order among clients.

use super::model::*;
use super::seeds;
use super::support::Outcome;
use super::support::network::{Fault, Network};
use super::support::random::Random;
use super::workload::is_transient;
use super::world::{World, Worlds};
use dynamo_model::error::Outcome as Became;
use dynamo_model::{Dynamo, Entity, Error, ErrorKind, Table, Transaction};
use futures_util::future::try_join_all;
use std::collections::{BTreeMap, BTreeSet};

const CLIENTS: u32 = 4;
const ROUNDS: u32 = 14;
/// Counters: one is added to by updates, one by transactions.
const BY_UPDATE: u32 = 1;
const BY_TRANSACTION: u32 = 2;
/// A task whose title is a number that every client reads and raises by one.
const SHARED: u32 = 0;

/// How often something was done, as far as a client knows.
#[derive(Debug, Default, Clone, Copy)]
struct Tally {
    done: u64,
    uncertain: u64,
}

fn may_be_done(error: &Error) -> bool {
    error.outcome() != Became::NotDone
}

impl Tally {
    /// Errors other than network errors must be expected.
    fn count<T>(
        &mut self,
        sent: Result<T, Error>,
        expected: impl Fn(&ErrorKind) -> bool,
    ) -> Outcome {
        match sent {
            Ok(_) => self.done += 1,
            Err(error) if error.outcome() == Became::Done => self.done += 1,
            Err(error) if error.is_uncertain() => self.uncertain += 1,
            Err(error) if is_transient(error.kind()) || expected(error.kind()) => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn allows(self, times: u64) -> bool {
        (self.done..=self.done + self.uncertain).contains(&times)
    }

    fn and(self, other: Self) -> Self {
        Self {
            done: self.done + other.done,
            uncertain: self.uncertain + other.uncertain,
        }
    }
}

/// The results that a client got.
#[derive(Debug, Default)]
struct Told {
    by_update: Tally,
    by_transaction: Tally,
    shared: Tally,
    /// The tasks that only this client created.
    won: BTreeSet<u32>,
    /// Those that it may have.
    perhaps: BTreeSet<u32>,
    account: AccountTold,
}

/// The client's knowledge of its account.
#[derive(Debug, Default)]
struct AccountTold {
    /// The address that it took, or that it has none; `None` if that is uncertain.
    known: Option<Option<String>>,
    /// A call is uncertain, and may still take effect.
    doubt: bool,
    /// It was closed, as far as the client knows: a later account begins again with version 1.
    closed: bool,
}

impl AccountTold {
    /// An uncertain call has the first account's version, and another account may have it again:
    /// then any result is allowed.
    fn allows(&self, stored: Option<&String>) -> bool {
        let nobody_knows = self.doubt && self.closed;
        let known = self.known.as_ref().filter(|_| !nobody_knows);
        known.is_none_or(|known| known.as_ref() == stored)
    }
}

struct Client {
    number: u32,
    network: Network,
    db: Dynamo,
    random: Random,
    told: Told,
}

impl Client {
    async fn work(mut self) -> Outcome<(u32, Told)> {
        for round in 0..ROUNDS {
            match self.random.below(8) {
                0 => self.add().await?,
                1 => self.add_in_a_transaction(round).await?,
                2 => self.replace().await?,
                3 => self.change().await?,
                4 => self.win().await?,
                5 => self.open_account().await?,
                6 if self.random.chance(50) => self.close_account().await?,
                _ => self.move_account().await?,
            }
        }
        Ok((self.number, self.told))
    }

    async fn add(&mut self) -> Outcome {
        let add = Counter::update(BY_UPDATE).add(|it| it.value(), 1_u64);
        self.told
            .by_update
            .count(add.send(&self.db).await, |_| false)
    }

    async fn add_in_a_transaction(&mut self, round: u32) -> Outcome {
        let add = Counter::update(BY_TRANSACTION).add(|it| it.value(), 1_u64);
        let transaction = Transaction::new().add(add);
        let sent = transaction
            .add(entry(self.number, round).create())
            .send(&self.db)
            .await;
        self.told.by_transaction.count(sent, |_| false)
    }

    /// Reads, and puts the item back with one more.
    async fn replace(&mut self) -> Outcome {
        let Ok(Some(mut task)) = Task::get(SHARED).consistent().send(&self.db).await else {
            return Ok(());
        };
        task.title += 1;
        let sent = task.put().send(&self.db).await;
        self.told
            .shared
            .count(sent, |kind| matches!(kind, ErrorKind::Conflict { .. }))
    }

    async fn change(&mut self) -> Outcome {
        let Ok(Some(task)) = Task::get(SHARED).consistent().send(&self.db).await else {
            return Ok(());
        };
        let sent = task
            .update()
            .add(|it| it.title(), 1_u64)
            .send(&self.db)
            .await;
        self.told
            .shared
            .count(sent, |kind| matches!(kind, ErrorKind::Conflict { .. }))
    }

    /// One of a few tasks, which only the first can create.
    async fn win(&mut self) -> Outcome {
        let id = 1 + u32::try_from(self.random.below(4))?;
        if self.told.won.contains(&id) {
            return Ok(());
        }
        let own = Task {
            title: u64::from(self.number),
            ..task(id)
        };
        match own.create().send(&self.db).await {
            Ok(()) => drop(self.told.won.insert(id)),
            // It may have been replaced since.
            Err(error) if error.outcome() == Became::Done => drop(self.told.perhaps.insert(id)),
            Err(error) if error.is_uncertain() => drop(self.told.perhaps.insert(id)),
            Err(error)
                if is_transient(error.kind()) || *error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    fn email(&mut self) -> String {
        format!("e{}@x", self.random.below(3))
    }

    async fn open_account(&mut self) -> Outcome {
        let (email, before) = (self.email(), self.network.requests());
        let sent = account(self.number, &email).create().send(&self.db).await;
        self.told_of_account(sent, Some(email), before)
    }

    async fn move_account(&mut self) -> Outcome {
        let Ok(Some(account)) = Account::get(self.number).consistent().send(&self.db).await else {
            return Ok(());
        };
        let (email, before) = (self.email(), self.network.requests());
        let moved = account.update().set(|it| it.email(), email.as_str());
        let sent = moved.send(&self.db).await;
        self.told_of_account(sent, Some(email), before)
    }

    /// Releases the address for all clients.
    async fn close_account(&mut self) -> Outcome {
        let Ok(Some(account)) = Account::get(self.number).consistent().send(&self.db).await else {
            return Ok(());
        };
        let before = self.network.requests();
        let sent = account.delete().send(&self.db).await;
        let perhaps = sent.as_ref().is_err_and(may_be_done) || self.is_late(before);
        self.told.account.closed |= sent.is_ok() || perhaps;
        self.told_of_account(sent, None, before)
    }

    fn told_of_account(
        &mut self,
        sent: Result<(), Error>,
        email: Option<String>,
        before: usize,
    ) -> Outcome {
        let late = self.is_late(before);
        let told = &mut self.told.account;
        match sent {
            Ok(()) => told.known = Some(email),
            Err(error) if may_be_done(&error) => (told.known, told.doubt) = (None, true),
            // It was refused when it was answered; a late one may find other conditions.
            Err(error) if error.is_condition_failed() && late => {
                (told.known, told.doubt) = (None, true);
            }
            Err(error) if is_transient(error.kind()) || error.is_condition_failed() => {}
            Err(error) => return Err(error.into()),
        }
        Ok(())
    }

    /// Returns whether an abandoned request, after the first so many, is still in flight.
    fn is_late(&self, after: usize) -> bool {
        let log = self.network.log().split_off(after);
        log.iter().any(|(_, fault)| *fault == Fault::Late)
    }
}

#[test]
fn concurrent_clients_lose_no_acknowledged_write() {
    seeds::each("concurrent_clients_lose_no_acknowledged_write", 50, run);
}

async fn run(seed: u64) -> Outcome {
    let own = Dynamo::embedded()?;
    Faults::create_table(&own).await?;
    counter(BY_UPDATE, 0).create().send(&own).await?;
    counter(BY_TRANSACTION, 0).create().send(&own).await?;
    Task {
        title: 0,
        ..task(SHARED)
    }
    .create()
    .send(&own)
    .await?;
    let mut random = Random::new(seed);
    let percent = random.one_of(&[10, 30, 50]);
    // In half of the seeds, abandoned requests may arrive late.
    let network = random.one_of(&[Network::seeded, Network::late]);
    let networks: Vec<_> = (0..CLIENTS)
        .map(|_| network(&own, random.next(), percent))
        .collect();
    let clients = (0..).zip(&networks).map(|(number, network)| {
        let client = Client {
            number,
            network: network.clone(),
            db: network.handle(&own, 3),
            random: Random::new(random.next()),
            told: Told::default(),
        };
        client.work()
    });
    let told: BTreeMap<u32, Told> = try_join_all(clients).await?.into_iter().collect();
    for network in &networks {
        network.settled().await;
    }
    check(&own, &told)
        .await
        .map_err(|error| format!("{error}\n  {told:#?}").into())
}

fn ensure(holds: bool, promise: &str) -> Outcome {
    match holds {
        true => Ok(()),
        false => Err(promise.into()),
    }
}

async fn check(own: &Dynamo, told: &BTreeMap<u32, Told>) -> Outcome {
    let world = stored(own).await?;
    let sum =
        |tally: fn(&Told) -> Tally| told.values().map(tally).fold(Tally::default(), Tally::and);
    let value = |id| world.counters[&id].value;
    let shared = &world.tasks[&SHARED];
    ensure(
        sum(|it| it.by_update).allows(value(BY_UPDATE)),
        "each update adds once",
    )?;
    let by_transaction = sum(|it| it.by_transaction);
    ensure(
        by_transaction.allows(value(BY_TRANSACTION)),
        "each transaction adds once",
    )?;
    let entries = world.entries.len() as u64;
    ensure(
        entries == value(BY_TRANSACTION),
        "a transaction is done whole",
    )?;
    ensure(
        sum(|it| it.shared).allows(shared.title),
        "no version is replaced twice",
    )?;
    ensure(
        shared.version == shared.title + 1,
        "each change counts the version",
    )?;
    for (number, told) in told {
        for id in &told.won {
            let stored = world.tasks.get(id).map(|task| task.title);
            ensure(stored == Some(u64::from(*number)), "who created it has it")?;
        }
        let email = world.accounts.get(number).map(|it| &it.email);
        ensure(told.account.allows(email), "who took an address has it")?;
    }
    for (id, task) in world.tasks.iter().filter(|(id, _)| **id != SHARED) {
        let owner = &told[&u32::try_from(task.title)?];
        let knows = owner.won.contains(id) || owner.perhaps.contains(id);
        ensure(knows, "what is stored was acknowledged, or uncertain")?;
    }
    // Index keys, and the items of addresses, to the last attribute.
    Worlds(vec![world]).look(own).await
}

async fn stored(own: &Dynamo) -> Outcome<World> {
    let mut world = World::default();
    for task in Task::scan().all(own).await? {
        world.tasks.insert(task.id, task);
    }
    for account in Account::scan().all(own).await? {
        world.accounts.insert(account.id, account);
    }
    for counter in Counter::scan().all(own).await? {
        world.counters.insert(counter.id, counter);
    }
    for entry in Entry::scan().all(own).await? {
        world.entries.insert((entry.log, entry.number), entry);
    }
    Ok(world)
}
