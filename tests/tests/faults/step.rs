//! The calls of the workload, one at a time: how each is made, and its effect on a world.

use super::model::*;
use super::world::World;
use dynamo_model::batch::IntoKey;
use dynamo_model::transaction::TransactGet;
use dynamo_model::{BatchGet, Dynamo, Entity, Error, ErrorKind, Transaction};

/// One call.
#[derive(Debug, Clone)]
pub enum Step {
    CreateTask(Task),
    PutTask(Task),
    PutTaskOld(Task),
    SetTask {
        loaded: Task,
        status: Status,
        day: Option<String>,
    },
    SetTitle {
        id: u32,
        title: u64,
    },
    SetStatus {
        id: u32,
        day: Option<String>,
        status: Status,
    },
    DeleteTask(Task),
    DeleteTaskByKey {
        id: u32,
        must_exist: bool,
    },
    CreateAccount(Account),
    PutAccount(Account),
    MoveAccount {
        loaded: Account,
        email: String,
    },
    DeleteAccount(u32),
    /// As it was read.
    CloseAccount(Account),
    NameAccount {
        id: u32,
        name: u64,
    },
    PutCounter(Counter),
    Add {
        id: u32,
        by: u64,
    },
    AddNew {
        id: u32,
        by: u64,
    },
    AddIf {
        id: u32,
        by: u64,
        below: u64,
    },
    Upsert {
        id: u32,
        by: u64,
    },
    Append {
        id: u32,
        line: u64,
    },
    Mark {
        id: u32,
        mark: String,
    },
    DeleteCounterOld(u32),
    /// From one counter to another, with an entry and a task that must be open.
    Transfer {
        from: u32,
        to: u32,
        by: u64,
        entry: Entry,
        task: Option<u32>,
    },
    Open {
        account: Account,
        counter: Counter,
    },
    GetTask(u32),
    Read {
        task: u32,
        counter: u32,
    },
    Counters(Vec<u32>),
    ByStatus(Status),
    ByEmail,
    Log {
        log: u32,
        page: u32,
        newest: bool,
    },
    Count(u32),
    Accounts {
        segments: u32,
    },
}

/// The result of a call.
#[derive(Debug, Clone, PartialEq)]
pub enum Answer {
    Done,
    Task(Option<Task>),
    Tasks(Vec<Task>),
    Accounts(Vec<Account>),
    Counter(Option<Counter>),
    Counters(Vec<Option<Counter>>),
    Both(Option<Task>, Option<Counter>),
    Entries(Vec<Entry>),
    Count(usize),
}

impl Step {
    /// Calls the library.
    pub async fn call(&self, db: &Dynamo) -> Result<Answer, Error> {
        let done = |(): ()| Answer::Done;
        match self {
            Self::CreateTask(task) => task
                .create()
                .return_new()
                .send(db)
                .await
                .map(|it| Answer::Task(Some(it))),
            Self::PutTask(task) => task.put().send(db).await.map(done),
            Self::PutTaskOld(task) => task.put().return_old().send(db).await.map(Answer::Task),
            Self::SetTask {
                loaded,
                status,
                day,
            } => {
                let update = loaded.update().set(|it| it.status(), *status);
                let update = update.set_or_remove(|it| it.day(), day.clone());
                update
                    .return_new()
                    .send(db)
                    .await
                    .map(|it| Answer::Task(Some(it)))
            }
            Self::SetTitle { id, title } => Task::update(*id)
                .set(|it| it.title(), *title)
                .send(db)
                .await
                .map(done),
            Self::SetStatus { id, day, status } => {
                let update = Task::update(*id).set(|it| it.status(day.as_deref()), *status);
                update.send(db).await.map(done)
            }
            Self::DeleteTask(loaded) => loaded.delete().send(db).await.map(done),
            Self::DeleteTaskByKey { id, must_exist } => {
                let delete = Task::delete(*id);
                let delete = if *must_exist {
                    delete.must_exist()
                } else {
                    delete
                };
                delete.send(db).await.map(done)
            }
            Self::CreateAccount(account) => account.create().send(db).await.map(done),
            Self::PutAccount(account) => account.put().send(db).await.map(done),
            Self::MoveAccount { loaded, email } => {
                let update = loaded.update().set(|it| it.email(), email.as_str());
                update.send(db).await.map(done)
            }
            Self::DeleteAccount(id) => Account::delete(*id).send(db).await.map(done),
            Self::CloseAccount(loaded) => loaded.delete().send(db).await.map(done),
            Self::NameAccount { id, name } => Account::update(*id)
                .set(|it| it.name(), *name)
                .send(db)
                .await
                .map(done),
            Self::PutCounter(counter) => counter.put().send(db).await.map(done),
            Self::Add { id, by } => Counter::update(*id)
                .add(|it| it.value(), *by)
                .send(db)
                .await
                .map(done),
            Self::AddNew { id, by } => {
                let add = Counter::update(*id).add(|it| it.value(), *by).return_new();
                add.send(db).await.map(|it| Answer::Counter(Some(it)))
            }
            Self::AddIf { id, by, below } => {
                let add = Counter::update(*id).add(|it| it.value(), *by);
                let add = add.condition(|it| it.value().lt(*below));
                add.send(db).await.map(done)
            }
            Self::Upsert { id, by } => Counter::upsert(*id)
                .add(|it| it.value(), *by)
                .send(db)
                .await
                .map(done),
            Self::Append { id, line } => {
                let append = Counter::update(*id).append(|it| it.lines(), [*line]);
                append.send(db).await.map(done)
            }
            Self::Mark { id, mark } => {
                let add = Counter::update(*id).add_to_set(|it| it.marks(), [mark.as_str()]);
                add.send(db).await.map(done)
            }
            Self::DeleteCounterOld(id) => Counter::delete(*id)
                .return_old()
                .send(db)
                .await
                .map(Answer::Counter),
            Self::Transfer {
                from,
                to,
                by,
                entry,
                task,
            } => {
                let subtract = Counter::update(*from).subtract(|it| it.value(), *by);
                let subtract = subtract.condition(|it| it.value().ge(*by));
                let transaction = Transaction::new().add(subtract);
                let transaction = transaction
                    .add(Counter::update(*to).add(|it| it.value(), *by))
                    .add(entry.create());
                let transaction = match task {
                    Some(id) => {
                        transaction.add(Task::key(*id).must_meet(|it| it.status().eq(Status::Open)))
                    }
                    None => transaction,
                };
                transaction.send(db).await.map(done)
            }
            Self::Open { account, counter } => {
                let both = Transaction::new()
                    .add(account.create())
                    .add(counter.create());
                both.send(db).await.map(done)
            }
            Self::GetTask(id) => Task::get(*id).consistent().send(db).await.map(Answer::Task),
            Self::Read { task, counter } => {
                let both = TransactGet::new((Task::key(*task), Counter::key(*counter)))
                    .send(db)
                    .await;
                both.map(|(task, counter)| Answer::Both(task, counter))
            }
            Self::Counters(ids) => {
                let keys = ids.iter().map(|id| Counter::key(*id));
                BatchGet::new(keys)
                    .consistent()
                    .send(db)
                    .await
                    .map(Answer::Counters)
            }
            Self::ByStatus(status) => Task::by_status(*status).all(db).await.map(Answer::Tasks),
            Self::ByEmail => Account::by_email().all(db).await.map(Answer::Accounts),
            Self::Log { log, page, newest } => {
                let query = Entry::query(*log).page_size(*page);
                let query = if *newest { query.descending() } else { query };
                query.all(db).await.map(Answer::Entries)
            }
            Self::Count(log) => Entry::query(*log).count(db).await.map(Answer::Count),
            Self::Accounts { segments } => {
                let accounts = Account::scan().segments(*segments).all(db).await;
                accounts.map(|mut accounts| {
                    accounts.sort_by_key(|it| it.id);
                    Answer::Accounts(accounts)
                })
            }
        }
    }

    /// Returns whether a repeated request raises the version again.
    pub fn counts_again(&self) -> bool {
        matches!(
            self,
            Self::SetTitle { .. } | Self::SetStatus { .. } | Self::NameAccount { .. }
        )
    }
}

fn conflict(attribute: &str) -> ErrorKind {
    ErrorKind::Conflict {
        attribute: attribute.into(),
    }
}

type Expected = Result<Answer, ErrorKind>;

/// Returns the task if it has the version that was read.
fn unchanged<'w>(world: &'w mut World, loaded: &Task) -> Result<&'w mut Task, ErrorKind> {
    let task = world.tasks.get_mut(&loaded.id).ok_or(ErrorKind::NotFound)?;
    match task.version == loaded.version {
        true => Ok(task),
        false => Err(conflict("version")),
    }
}

/// Returns the same where version 0 represents a missing item.
fn put(world: &mut World, task: &Task) -> Result<Option<Task>, ErrorKind> {
    if task.version != 0 || world.tasks.contains_key(&task.id) {
        unchanged(world, task)?;
    }
    let version = task.version + 1;
    let new = Task {
        version,
        ..task.clone()
    };
    Ok(world.tasks.insert(task.id, new))
}

fn is_free(world: &World, account: &Account) -> Result<(), ErrorKind> {
    let constraint = "EMAIL#<email>";
    match world.owner_of(&account.email) {
        Some(owner) if owner != account.id => Err(ErrorKind::NotUnique { constraint }),
        _ => Ok(()),
    }
}

fn create_account(world: &mut World, account: &Account) -> Result<(), ErrorKind> {
    if world.accounts.contains_key(&account.id) {
        return Err(ErrorKind::AlreadyExists);
    }
    is_free(world, account)?;
    let new = Account {
        version: 1,
        ..account.clone()
    };
    world.accounts.insert(account.id, new);
    Ok(())
}

impl Step {
    /// Applies the call to a world and returns its expected result; a failed call changes nothing.
    pub fn expected(&self, world: &mut World) -> Expected {
        let before = world.clone();
        let expected = self.apply(world);
        if expected.is_err() {
            *world = before;
        }
        expected
    }

    fn apply(&self, world: &mut World) -> Expected {
        self.write(world)?;
        Ok(match self {
            Self::CreateTask(task) => Answer::Task(world.tasks.get(&task.id).cloned()),
            Self::SetTask { loaded, .. } => Answer::Task(world.tasks.get(&loaded.id).cloned()),
            Self::AddNew { id, .. } => Answer::Counter(world.counters.get(id).cloned()),
            Self::PutTaskOld(task) => {
                return put(world, task).map(Answer::Task);
            }
            Self::DeleteCounterOld(id) => Answer::Counter(world.counters.remove(id)),
            Self::GetTask(id) => Answer::Task(world.tasks.get(id).cloned()),
            Self::Read { task, counter } => Answer::Both(
                world.tasks.get(task).cloned(),
                world.counters.get(counter).cloned(),
            ),
            Self::Counters(ids) => {
                let found = ids.iter().map(|id| world.counters.get(id).cloned());
                Answer::Counters(found.collect())
            }
            Self::ByStatus(status) => Answer::Tasks(world.by_status(*status)),
            Self::ByEmail => {
                let mut all: Vec<_> = world.accounts.values().cloned().collect();
                all.sort_by_key(|it| it.email.clone());
                Answer::Accounts(all)
            }
            Self::Log { log, newest, .. } => {
                let mut entries = world.log(*log);
                if *newest {
                    entries.reverse();
                }
                Answer::Entries(entries)
            }
            Self::Count(log) => Answer::Count(world.log(*log).len()),
            Self::Accounts { .. } => Answer::Accounts(world.accounts.values().cloned().collect()),
            _ => Answer::Done,
        })
    }

    /// Applies a write; those that return the old item are in `apply`.
    fn write(&self, world: &mut World) -> Result<(), ErrorKind> {
        match self {
            Self::CreateTask(task) => {
                if world.tasks.contains_key(&task.id) {
                    return Err(ErrorKind::AlreadyExists);
                }
                let version = 1;
                world.tasks.insert(
                    task.id,
                    Task {
                        version,
                        ..task.clone()
                    },
                );
            }
            Self::PutTask(task) => drop(put(world, task)?),
            Self::SetTask {
                loaded,
                status,
                day,
            } => {
                let task = unchanged(world, loaded)?;
                (task.status, task.day) = (*status, day.clone());
                task.version += 1;
            }
            Self::SetTitle { id, title } => {
                let task = world.tasks.get_mut(id).ok_or(ErrorKind::NotFound)?;
                task.title = *title;
                task.version += 1;
            }
            Self::SetStatus { id, day, status } => {
                let task = world.tasks.get_mut(id).ok_or(ErrorKind::NotFound)?;
                if task.day != *day {
                    return Err(conflict("day"));
                }
                task.status = *status;
                task.version += 1;
            }
            Self::DeleteTask(loaded) => {
                // An item that was never stored may be missing.
                if loaded.version != 0 || world.tasks.contains_key(&loaded.id) {
                    unchanged(world, loaded)?;
                }
                world.tasks.remove(&loaded.id);
            }
            Self::DeleteTaskByKey { id, must_exist } => {
                if world.tasks.remove(id).is_none() && *must_exist {
                    return Err(ErrorKind::NotFound);
                }
            }
            _ => return self.write_others(world),
        }
        Ok(())
    }

    fn write_others(&self, world: &mut World) -> Result<(), ErrorKind> {
        let counter = |world: &'_ mut World, id: &u32, change: &dyn Fn(&mut Counter)| {
            world
                .counters
                .get_mut(id)
                .map(change)
                .ok_or(ErrorKind::NotFound)
        };
        match self {
            Self::CreateAccount(account) => create_account(world, account)?,
            Self::PutAccount(account) => {
                match world.accounts.get(&account.id) {
                    Some(stored) if stored.version != account.version => {
                        return Err(conflict("version"));
                    }
                    None if account.version != 0 => return Err(ErrorKind::NotFound),
                    _ => is_free(world, account)?,
                }
                let version = account.version + 1;
                world.accounts.insert(
                    account.id,
                    Account {
                        version,
                        ..account.clone()
                    },
                );
            }
            Self::MoveAccount { loaded, email } => {
                let stored = world.accounts.get(&loaded.id).ok_or(ErrorKind::NotFound)?;
                if stored.version != loaded.version {
                    return Err(conflict("version"));
                }
                let version = loaded.version + 1;
                let moved = Account {
                    email: email.clone(),
                    version,
                    ..stored.clone()
                };
                is_free(world, &moved)?;
                world.accounts.insert(loaded.id, moved);
            }
            Self::DeleteAccount(id) => drop(world.accounts.remove(id)),
            Self::CloseAccount(loaded) => match world.accounts.get(&loaded.id) {
                // An item that was never stored may be missing.
                None if loaded.version == 0 => {}
                None => return Err(ErrorKind::NotFound),
                Some(stored) if stored.version != loaded.version => {
                    return Err(conflict("version"));
                }
                // Of two uncertain addresses, the client loaded the one that was not stored.
                Some(stored) if stored.email != loaded.email => return Err(conflict("email")),
                Some(_) => drop(world.accounts.remove(&loaded.id)),
            },
            Self::NameAccount { id, name } => {
                let account = world.accounts.get_mut(id).ok_or(ErrorKind::NotFound)?;
                account.name = *name;
                account.version += 1;
            }
            Self::PutCounter(new) => drop(world.counters.insert(new.id, new.clone())),
            Self::Add { id, by } | Self::AddNew { id, by } => {
                counter(world, id, &|it| it.value += by)?;
            }
            Self::AddIf { id, by, below } => match world.counters.get_mut(id) {
                None => return Err(ErrorKind::NotFound),
                Some(it) if it.value >= *below => return Err(ErrorKind::ConditionFailed),
                Some(it) => it.value += by,
            },
            Self::Upsert { id, by } => {
                let new = super::model::counter(*id, 0);
                world.counters.entry(*id).or_insert(new).value += by;
            }
            Self::Append { id, line } => counter(world, id, &|it| it.lines.push(*line))?,
            Self::Mark { id, mark } => counter(world, id, &|it| it.marks.extend([mark.clone()]))?,
            Self::Transfer {
                from,
                to,
                by,
                entry,
                task,
            } => {
                match world.counters.get_mut(from) {
                    None => return Err(ErrorKind::NotFound),
                    Some(it) if it.value < *by => return Err(ErrorKind::ConditionFailed),
                    Some(it) => it.value -= by,
                }
                counter(world, to, &|it| it.value += by)?;
                if world
                    .entries
                    .insert((entry.log, entry.number), entry.clone())
                    .is_some()
                {
                    return Err(ErrorKind::AlreadyExists);
                }
                match task.map(|id| world.tasks.get(&id)) {
                    Some(None) => return Err(ErrorKind::NotFound),
                    Some(Some(task)) if task.status != Status::Open => {
                        return Err(ErrorKind::ConditionFailed);
                    }
                    _ => {}
                }
            }
            Self::Open { account, counter } => {
                create_account(world, account)?;
                if world.counters.insert(counter.id, counter.clone()).is_some() {
                    return Err(ErrorKind::AlreadyExists);
                }
            }
            _ => {}
        }
        Ok(())
    }
}
