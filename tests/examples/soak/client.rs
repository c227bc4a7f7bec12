//! One client: draws operations, and predicts their results.

use crate::Outcome;
use crate::bank::{Account, Note};
use crate::random::Random;
use dynamo_model::{BatchGet, BatchWrite, Dynamo, Entity, ErrorKind, Transaction};
use std::collections::{BTreeMap, VecDeque};
use std::fmt::Write;
use std::time::{Duration, Instant};

const ACCOUNTS: u32 = 200;
const NOTES: u32 = 20;
const COLOURS: u32 = 50;
const START_BALANCE: i64 = 1_000;
/// As long as a transaction's token is remembered.
const REMEMBERED: Duration = Duration::from_secs(600);

pub struct Client {
    db: Dynamo,
    random: Random,
    accounts: Vec<Account>,
    notes: BTreeMap<(u32, u32), Note>,
    counts: BTreeMap<&'static str, u64>,
    /// When transactions were sent, in groups.
    recent: VecDeque<(Instant, u64)>,
}

impl Client {
    pub async fn new(db: Dynamo) -> Outcome<Self> {
        let mut client = Self {
            db,
            random: Random::new(17),
            accounts: Vec::new(),
            notes: BTreeMap::new(),
            counts: BTreeMap::new(),
            recent: VecDeque::new(),
        };
        for id in 0..ACCOUNTS {
            let mut account = Account {
                id,
                address: format!("{id}@0"),
                balance: START_BALANCE,
                notes_written: 0,
                version: 0,
            };
            account.create().send(&client.db).await?;
            account.version = 1;
            client.accounts.push(account);
        }
        Ok(client)
    }

    /// Does one operation.
    pub async fn step(&mut self) -> Outcome {
        match self.random.below(16) {
            0 | 1 => self.create().await,
            2 => self.put().await,
            3 | 4 => self.count_up().await,
            5 => self.delete().await,
            6 | 7 => self.get().await,
            8 => self.query().await,
            9 => self.pages_of_a_colour().await,
            10 | 11 => self.transfer().await,
            12 => self.note_and_count().await,
            13 => self.move_address().await,
            14 => self.batch().await,
            _ => self.refused().await,
        }
    }

    fn count(&mut self, what: &'static str) {
        *self.counts.entry(what).or_default() += 1;
    }

    fn count_transaction(&mut self, what: &'static str) {
        self.count(what);
        let now = Instant::now();
        match self.recent.back_mut() {
            Some((at, count)) if now - *at < Duration::from_secs(1) => *count += 1,
            _ => self.recent.push_back((now, 1)),
        }
        while self
            .recent
            .front()
            .is_some_and(|(at, _)| now - *at > REMEMBERED)
        {
            self.recent.pop_front();
        }
    }

    fn account(&mut self) -> usize {
        self.random.below(u64::from(ACCOUNTS)) as usize
    }

    fn place(&mut self) -> (u32, u32) {
        let account = self.random.below(u64::from(ACCOUNTS)) as u32;
        (account, self.random.below(u64::from(NOTES)) as u32)
    }

    fn note(&mut self, (account, number): (u32, u32)) -> Note {
        let words = self.random.below(20) as usize;
        Note {
            account,
            number,
            colour: self.random.below(u64::from(COLOURS)) as u32,
            count: 0,
            text: "some words ".repeat(words),
            tags: (0..words % 3).map(|it| format!("tag {it}")).collect(),
        }
    }

    async fn create(&mut self) -> Outcome {
        let place = self.place();
        let note = self.note(place);
        match (
            note.create().send(&self.db).await,
            self.notes.contains_key(&place),
        ) {
            (Ok(_), false) => drop(self.notes.insert(place, note)),
            (Err(error), true) if *error.kind() == ErrorKind::AlreadyExists => {}
            other => return Err(format!("create {place:?}: {other:?}").into()),
        }
        self.count("create");
        Ok(())
    }

    async fn put(&mut self) -> Outcome {
        let place = self.place();
        let note = self.note(place);
        note.put().send(&self.db).await?;
        self.notes.insert(place, note);
        self.count("put");
        Ok(())
    }

    async fn count_up(&mut self) -> Outcome {
        let (account, number) = self.place();
        let update = Note::update(account, number).add(|it| it.count(), 1_u64);
        match (
            update.send(&self.db).await,
            self.notes.get_mut(&(account, number)),
        ) {
            (Ok(_), Some(note)) => note.count += 1,
            (Err(error), None) if *error.kind() == ErrorKind::NotFound => {}
            (sent, known) => return Err(format!("update of {known:?}: {sent:?}").into()),
        }
        self.count("update");
        Ok(())
    }

    async fn delete(&mut self) -> Outcome {
        let (account, number) = self.place();
        Note::delete(account, number).send(&self.db).await?;
        self.notes.remove(&(account, number));
        self.count("delete");
        Ok(())
    }

    async fn get(&mut self) -> Outcome {
        let place = self.place();
        let found = Note::get(place.0, place.1).send(&self.db).await?;
        assert_eq!(found.as_ref(), self.notes.get(&place));
        self.count("get");
        Ok(())
    }

    fn notes_of(&self, account: u32) -> Vec<&Note> {
        let range = (account, 0)..(account + 1, 0);
        self.notes.range(range).map(|(_, note)| note).collect()
    }

    async fn query(&mut self) -> Outcome {
        let account = self.account() as u32;
        let found = Note::query(account).all(&self.db).await?;
        assert_eq!(found.iter().collect::<Vec<_>>(), self.notes_of(account));
        self.count("query");
        Ok(())
    }

    async fn pages_of_a_colour(&mut self) -> Outcome {
        let colour = self.random.below(u64::from(COLOURS)) as u32;
        let (mut found, mut cursor) = (Vec::new(), None);
        loop {
            let query = Note::by_colour(colour).limit(25);
            let query = match cursor.take() {
                Some(cursor) => query.after(cursor),
                None => query,
            };
            let page = query.page(&self.db).await?;
            found.extend(page.items);
            cursor = page.next;
            if cursor.is_none() {
                break;
            }
        }
        let known = self.notes.values().filter(|note| note.colour == colour);
        assert_eq!(found.iter().collect::<Vec<_>>(), known.collect::<Vec<_>>());
        self.count("pages of an index");
        Ok(())
    }

    async fn transfer(&mut self) -> Outcome {
        let (from, to) = (self.account(), self.account());
        let amount = 1 + self.random.below(400) as i64;
        if from == to {
            return self.get().await;
        }
        let (payer, payee) = (&self.accounts[from], &self.accounts[to]);
        let enough = payer.balance >= amount;
        let pay = payer.update().subtract(|it| it.balance(), amount);
        let pay = pay.condition(|it| it.balance().ge(amount));
        let receive = payee.update().add(|it| it.balance(), amount);
        let transfer = Transaction::new().add(pay).add(receive);
        let sent = transfer.send(&self.db).await;
        match sent {
            Ok(()) if enough => {
                for (at, change) in [(from, -amount), (to, amount)] {
                    self.accounts[at].balance += change;
                    self.accounts[at].version += 1;
                }
            }
            Err(error) if !enough && *error.kind() == ErrorKind::ConditionFailed => {}
            other => return Err(format!("transfer of {amount} by {from}: {other:?}").into()),
        }
        self.count_transaction("transfer");
        Ok(())
    }

    async fn note_and_count(&mut self) -> Outcome {
        let place = self.place();
        let note = self.note(place);
        let account = &self.accounts[place.0 as usize];
        let update = account.update().add(|it| it.notes_written(), 1_u64);
        let transaction = Transaction::new().add(note.create()).add(update);
        match (
            transaction.send(&self.db).await,
            self.notes.contains_key(&place),
        ) {
            (Ok(()), false) => {
                self.notes.insert(place, note);
                let account = &mut self.accounts[place.0 as usize];
                account.notes_written += 1;
                account.version += 1;
            }
            (Err(error), true) if *error.kind() == ErrorKind::AlreadyExists => {}
            other => return Err(format!("note and count {place:?}: {other:?}").into()),
        }
        self.count_transaction("note and count");
        Ok(())
    }

    /// Half of the addresses belong to another account.
    async fn move_address(&mut self) -> Outcome {
        let (account, other) = (self.account(), self.account());
        let owner = if self.random.chance(50) {
            account
        } else {
            other
        };
        let version = self.accounts[account].version;
        let address = match owner == account {
            true => format!("{account}@{version}"),
            false => self.accounts[owner].address.clone(),
        };
        let update = self.accounts[account].update();
        let sent = update
            .set(|it| it.address(), &*address)
            .send(&self.db)
            .await;
        match sent {
            Ok(_) if owner == account => {
                self.accounts[account].address = address;
                self.accounts[account].version += 1;
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::NotUnique { .. }) && owner != account => {}
            sent => return Err(format!("{address} for {account}: {sent:?}").into()),
        }
        self.count_transaction("move of a unique value");
        Ok(())
    }

    async fn batch(&mut self) -> Outcome {
        let account = self.account() as u32;
        let notes: Vec<_> = (0..NOTES)
            .filter(|number| number % 2 == 0)
            .map(|number| self.note((account, number)))
            .collect();
        let deleted = Note::key(account, 1)?;
        let batch = BatchWrite::new().puts(&notes);
        batch.delete(deleted).send(&self.db).await?;
        self.notes.remove(&(account, 1));
        let keys = notes.iter().map(|it| Note::key(it.account, it.number));
        let keys = keys.collect::<Result<Vec<_>, _>>()?;
        let read = BatchGet::new(keys).send(&self.db).await?;
        assert_eq!(
            read.iter().flatten().collect::<Vec<_>>(),
            notes.iter().collect::<Vec<_>>()
        );
        for note in notes {
            self.notes.insert((note.account, note.number), note);
        }
        self.count("batch write and batch get");
        Ok(())
    }

    /// Writes with a stale version.
    async fn refused(&mut self) -> Outcome {
        let at = self.account();
        let mut old = self.accounts[at].clone();
        old.version += 1;
        let error = old.put().send(&self.db).await.unwrap_err();
        assert!(error.is_conflict(), "{error}");
        self.count_transaction("refused put over a version");
        Ok(())
    }

    /// Compares all stored items with the model.
    pub async fn verify(&self) -> Outcome {
        let mut notes = Note::scan().all(&self.db).await?;
        notes.sort_by_key(|note| (note.account, note.number));
        assert!(notes.iter().eq(self.notes.values()), "notes differ");
        let mut accounts = Account::scan().all(&self.db).await?;
        accounts.sort_by_key(|account| account.id);
        assert_eq!(accounts, self.accounts);
        let sum: i64 = accounts.iter().map(|account| account.balance).sum();
        assert_eq!(sum, i64::from(ACCOUNTS) * START_BALANCE);
        Ok(())
    }

    pub fn transactions(&self) -> u64 {
        let kinds = [
            "transfer",
            "note and count",
            "move of a unique value",
            "refused put over a version",
        ];
        kinds.iter().filter_map(|kind| self.counts.get(kind)).sum()
    }

    pub fn recent_transactions(&self) -> u64 {
        self.recent.iter().map(|(_, count)| count).sum()
    }

    pub fn counts(&self) -> String {
        let mut out = String::new();
        for (what, count) in &self.counts {
            let _ = writeln!(out, "{count} {what}");
        }
        out
    }
}
