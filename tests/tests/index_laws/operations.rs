//! Writes: how each is made, its expected result, and its effect.

use super::entities::*;
use super::model::Model;
use dynamo_model::expr::Loaded;
use dynamo_model::write::{Delete, Update, Upsert};
use dynamo_model::{Dynamo, Entity, Error, Transaction};
use jiff::Timestamp;
use std::time::Duration;

/// The expected result of an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Expected {
    Done,
    Refused,
    /// It depends on concurrent changes: it may be refused, but must leave correct keys.
    Either,
}

impl Expected {
    fn done_if(is_done: bool) -> Self {
        if is_done { Self::Done } else { Self::Refused }
    }
}

#[derive(Debug, Clone)]
pub enum Operation {
    Task((String, u32), TaskWrite),
    Note(String, NoteWrite),
    Account(String, AccountWrite),
}

#[derive(Debug, Clone)]
pub enum TaskWrite {
    Create(TaskFields),
    Put(Source, TaskFields),
    /// By its key.
    Update(Claims<TaskFields>, TaskChange),
    /// As it was read.
    Change(Read, TaskChange),
    /// The fields, whether it sets the owner, and wrong values for the siblings.
    Upsert(TaskFields, bool, TaskFields),
    Delete(Deletion),
}

#[derive(Debug, Clone)]
pub enum NoteWrite {
    Create(NoteFields),
    Put(NoteFields),
    Change(Read, NoteChange),
    ExpireIn(u32),
    Delete(Deletion),
}

#[derive(Debug, Clone)]
pub enum AccountWrite {
    Create(AccountFields),
    Put(Source, AccountFields),
    Update(Claims<AccountFields>, AccountChange),
    Change(Read, AccountChange),
    Delete(Deletion),
}

/// The origin of an entity that is put.
#[derive(Debug, Clone, Copy)]
pub enum Source {
    New,
    Read { ago: usize },
}

/// An entity that was read some writes ago.
#[derive(Debug, Clone, Copy)]
pub struct Read {
    pub ago: usize,
    pub any_version: bool,
}

/// The given siblings, of the update and of each change; `None` means the true ones.
#[derive(Debug, Clone)]
pub struct Claims<F> {
    pub update: Option<F>,
    pub changes: [Option<F>; 2],
}

#[derive(Debug, Clone, Copy)]
pub enum Deletion {
    ByKey,
    MustExist,
    Read(Read),
}

#[derive(Debug, Clone)]
pub struct TaskFields {
    pub status: Status,
    pub due: Timestamp,
    pub priority: u16,
    pub assignee: Option<String>,
    pub owner: Option<String>,
    pub label: Option<String>,
    pub score: i64,
    pub title: String,
}

#[derive(Debug, Clone)]
pub struct TaskChange {
    pub status: Option<Status>,
    pub due: Option<Timestamp>,
    pub priority: Option<u16>,
    pub assignee: Option<Option<String>>,
    pub owner: Option<Option<String>>,
    pub label: Option<Option<String>>,
    pub score: Option<i64>,
    pub title: Option<String>,
    pub views: u64,
}

#[derive(Debug, Clone)]
pub struct NoteFields {
    pub slug: String,
    pub color: Option<String>,
    pub shelf: Option<String>,
    pub rank: i32,
    pub text: String,
    pub expires: Option<u64>,
}

#[derive(Debug, Clone)]
pub struct NoteChange {
    pub slug: Option<String>,
    pub color: Option<Option<String>>,
    pub shelf: Option<Option<String>>,
    pub rank: Option<i32>,
    pub text: String,
}

#[derive(Debug, Clone)]
pub struct AccountFields {
    pub team: String,
    pub email: String,
    pub handle: Option<String>,
    pub name: String,
}

#[derive(Debug, Clone)]
pub struct AccountChange {
    pub team: Option<String>,
    pub email: Option<String>,
    pub handle: Option<Option<String>>,
    pub name: String,
}

impl Operation {
    /// Returns which item it is about.
    pub fn item(&self) -> String {
        match self {
            Self::Task((team, number), _) => format!("task {team:?} {number}"),
            Self::Note(id, _) => format!("note {id:?}"),
            Self::Account(id, _) => format!("account {id:?}"),
        }
    }

    pub fn is_on_account(&self) -> bool {
        matches!(self, Self::Account(..))
    }

    pub fn prepare(&self, model: &Model) -> Write {
        match self {
            Self::Task(key, write) => write.prepare(key, model),
            Self::Note(id, write) => write.prepare(id, model),
            Self::Account(id, write) => write.prepare(id, model),
        }
    }

    pub fn expected(&self, model: &Model) -> Expected {
        match self {
            Self::Task(key, write) => write.expected(key, model),
            Self::Note(id, write) => write.expected(id, model),
            Self::Account(id, write) => write.expected(id, model),
        }
    }

    pub fn apply(&self, model: &mut Model, now: Timestamp) {
        match self {
            Self::Task(key, write) => write.apply(key, model, now),
            Self::Note(id, write) => write.apply(id, model, now),
            Self::Account(id, write) => write.apply(id, model),
        }
    }
}

/// A prepared write, to be sent alone or with others.
#[derive(Debug)]
pub enum Write {
    CreateTask(Task),
    PutTask(Task),
    UpdateTask(Update<Task>),
    ChangeTask(Update<Task, Loaded>),
    UpsertTask(Upsert<Task>),
    DeleteTask(Delete<Task>),
    CreateNote(Note),
    PutNote(Note),
    UpdateNote(Update<Note>),
    ChangeNote(Update<Note, Loaded>),
    DeleteNote(Delete<Note>),
    CreateAccount(Account),
    PutAccount(Account),
    UpdateAccount(Update<Account>),
    ChangeAccount(Update<Account, Loaded>),
    DeleteAccount(Delete<Account>),
}

impl Write {
    /// Each in a box: all of these futures in one would be too large for a stack.
    pub async fn send(self, db: &Dynamo) -> Result<(), Error> {
        match self {
            Self::CreateTask(task) => Box::pin(task.create().send(db)).await,
            Self::PutTask(task) => Box::pin(task.put().send(db)).await,
            Self::UpdateTask(update) => Box::pin(update.send(db)).await,
            Self::ChangeTask(update) => Box::pin(update.send(db)).await,
            Self::UpsertTask(upsert) => Box::pin(upsert.send(db)).await,
            Self::DeleteTask(delete) => Box::pin(delete.send(db)).await,
            Self::CreateNote(note) => Box::pin(note.create().send(db)).await,
            Self::PutNote(note) => Box::pin(note.put().send(db)).await,
            Self::UpdateNote(update) => Box::pin(update.send(db)).await,
            Self::ChangeNote(update) => Box::pin(update.send(db)).await,
            Self::DeleteNote(delete) => Box::pin(delete.send(db)).await,
            Self::CreateAccount(account) => Box::pin(account.create().send(db)).await,
            Self::PutAccount(account) => Box::pin(account.put().send(db)).await,
            Self::UpdateAccount(update) => Box::pin(update.send(db)).await,
            Self::ChangeAccount(update) => Box::pin(update.send(db)).await,
            Self::DeleteAccount(delete) => Box::pin(delete.send(db)).await,
        }
    }

    pub fn add(self, transaction: Transaction) -> Transaction {
        match self {
            Self::CreateTask(task) => transaction.add(task.create()),
            Self::PutTask(task) => transaction.add(task.put()),
            Self::UpdateTask(update) => transaction.add(update),
            Self::ChangeTask(update) => transaction.add(update),
            Self::UpsertTask(upsert) => transaction.add(upsert),
            Self::DeleteTask(delete) => transaction.add(delete),
            Self::CreateNote(note) => transaction.add(note.create()),
            Self::PutNote(note) => transaction.add(note.put()),
            Self::UpdateNote(update) => transaction.add(update),
            Self::ChangeNote(update) => transaction.add(update),
            Self::DeleteNote(delete) => transaction.add(delete),
            Self::CreateAccount(account) => transaction.add(account.create()),
            Self::PutAccount(account) => transaction.add(account.put()),
            Self::UpdateAccount(update) => transaction.add(update),
            Self::ChangeAccount(update) => transaction.add(update),
            Self::DeleteAccount(delete) => transaction.add(delete),
        }
    }
}

/// Returns the expected result of a write of a loaded entity.
fn of_read<E: PartialEq>(read: Option<&E>, now: Option<&E>, same_version: bool) -> Expected {
    match (read, now) {
        (Some(read), Some(now)) if read == now => Expected::Done,
        (Some(_), Some(_)) if same_version => Expected::Either,
        _ => Expected::Refused,
    }
}

fn of_deletion<E: PartialEq>(
    deletion: Deletion,
    read: impl Fn(usize) -> Option<E>,
    now: Option<&E>,
    version: fn(&E) -> u64,
) -> Expected {
    match deletion {
        Deletion::ByKey => Expected::Done,
        Deletion::MustExist => Expected::done_if(now.is_some()),
        Deletion::Read(Read { ago, any_version }) => match (read(ago), now) {
            // The item is unknown, so it is deleted by key.
            (None, _) => Expected::Done,
            (Some(read), Some(now)) if read == *now => Expected::Done,
            (Some(read), now) => {
                let same = now.is_some_and(|now| version(&read) == version(now));
                if any_version || same {
                    Expected::Either
                } else {
                    Expected::Refused
                }
            }
        },
    }
}

impl<F: Clone> Claims<F> {
    fn are_true(&self) -> bool {
        self.update.is_none() && self.changes.iter().all(Option::is_none)
    }

    /// Returns the siblings given to the update, and to the nth change.
    fn with(&self, truth: &F, n: usize) -> (F, F) {
        let claim = |claim: &Option<F>| claim.as_ref().unwrap_or(truth).clone();
        (claim(&self.update), claim(&self.changes[n % 2]))
    }
}

/// The changes of a task, with the siblings given to each.
macro_rules! change_task {
    ($update:expr, $change:expr, |$n:ident| $claim:expr) => {{
        let (mut update, change) = ($update, $change.clone());
        let claim = |$n: usize| $claim;
        if let Some(status) = change.status {
            let beside = claim(0);
            update = update.set(
                |task| task.status(beside.due, beside.priority, beside.score),
                status,
            );
        }
        if let Some(due) = change.due {
            let beside = claim(1);
            update = update.set(|task| task.due(beside.status, beside.priority), due);
        }
        if let Some(priority) = change.priority {
            let beside = claim(2);
            let assignee = beside.assignee.as_deref();
            update = update.set(
                |task| task.priority(beside.status, beside.due, assignee),
                priority,
            );
        }
        if let Some(assignee) = change.assignee {
            let beside = claim(3);
            update = update.set_or_remove(|task| task.assignee(beside.priority), assignee);
        }
        if let Some(owner) = change.owner {
            update = update.set_or_remove(|task| task.owner(), owner);
        }
        if let Some(label) = change.label {
            let beside = claim(4);
            update = update.set_or_remove(|task| task.label(beside.score), label);
        }
        if let Some(score) = change.score {
            let beside = claim(5);
            let label = beside.label.as_deref();
            update = update.set(|task| task.score(beside.status, label), score);
        }
        if let Some(title) = change.title {
            update = update.set(|task| task.title(), title);
        }
        update.add(|task| task.views(), change.views)
    }};
}

impl TaskFields {
    fn task(&self, (team, number): &(String, u32)) -> Task {
        let fields = self.clone();
        Task {
            team: team.clone(),
            number: *number,
            status: fields.status,
            due: fields.due,
            priority: fields.priority,
            assignee: fields.assignee,
            owner: fields.owner,
            label: fields.label,
            score: fields.score,
            title: fields.title,
            views: 0,
            created_at: Timestamp::UNIX_EPOCH,
            updated_at: Timestamp::UNIX_EPOCH,
            version: 0,
        }
    }

    fn of(task: &Task) -> Self {
        let task = task.clone();
        Self {
            status: task.status,
            due: task.due,
            priority: task.priority,
            assignee: task.assignee,
            owner: task.owner,
            label: task.label,
            score: task.score,
            title: task.title,
        }
    }

    fn as_change(&self, with_owner: bool) -> TaskChange {
        let fields = self.clone();
        TaskChange {
            status: Some(fields.status),
            due: Some(fields.due),
            priority: Some(fields.priority),
            assignee: Some(fields.assignee),
            owner: with_owner.then_some(fields.owner),
            label: Some(fields.label),
            score: Some(fields.score),
            title: Some(fields.title),
            views: 1,
        }
    }
}

impl TaskChange {
    fn apply(&self, task: &mut Task, now: Timestamp) {
        let change = self.clone();
        task.status = change.status.unwrap_or(task.status);
        task.due = change.due.unwrap_or(task.due);
        task.priority = change.priority.unwrap_or(task.priority);
        task.score = change.score.unwrap_or(task.score);
        replace(&mut task.assignee, change.assignee);
        replace(&mut task.owner, change.owner);
        replace(&mut task.label, change.label);
        replace(&mut task.title, change.title);
        task.views += change.views;
        task.updated_at = now;
        task.version += 1;
    }
}

fn replace<T>(value: &mut T, by: Option<T>) {
    if let Some(by) = by {
        *value = by;
    }
}

impl TaskWrite {
    /// Returns the entity that is put.
    fn put(key: &(String, u32), source: Source, fields: &TaskFields, model: &Model) -> Task {
        let mut task = fields.task(key);
        if let Source::Read { ago } = source
            && let Some(read) = model.tasks.read(key, ago)
        {
            task.version = read.version;
            task.created_at = read.created_at;
            task.views = read.views;
        }
        task
    }

    fn prepare(&self, key: &(String, u32), model: &Model) -> Write {
        let (team, number) = (key.0.as_str(), key.1);
        match self {
            Self::Create(fields) => Write::CreateTask(fields.task(key)),
            Self::Put(source, fields) => Write::PutTask(Self::put(key, *source, fields, model)),
            Self::Update(claims, change) => {
                let truth = model.tasks.now(key).or(model.tasks.read(key, 0));
                let truth = truth.map_or_else(TaskFields::any, TaskFields::of);
                let status = claims.with(&truth, 0).0.status;
                let update = Task::update(team, number, status);
                Write::UpdateTask(change_task!(update, change, |n| claims.with(&truth, n).1))
            }
            Self::Change(read, change) => {
                let Some(task) = model.tasks.read(key, read.ago) else {
                    return Write::DeleteTask(Task::delete(team, number).must_exist());
                };
                let mut update = task.update();
                let change = change.clone();
                if read.any_version {
                    update = update.any_version();
                }
                if let Some(status) = change.status {
                    update = update.set(|task| task.status(), status);
                }
                if let Some(due) = change.due {
                    update = update.set(|task| task.due(), due);
                }
                if let Some(priority) = change.priority {
                    update = update.set(|task| task.priority(), priority);
                }
                if let Some(assignee) = change.assignee {
                    update = update.set_or_remove(|task| task.assignee(), assignee);
                }
                if let Some(owner) = change.owner {
                    update = update.set_or_remove(|task| task.owner(), owner);
                }
                if let Some(label) = change.label {
                    update = update.set_or_remove(|task| task.label(), label);
                }
                if let Some(score) = change.score {
                    update = update.set(|task| task.score(), score);
                }
                if let Some(title) = change.title {
                    update = update.set(|task| task.title(), title);
                }
                Write::ChangeTask(update.add(|task| task.views(), change.views))
            }
            Self::Upsert(fields, with_owner, beside) => {
                let change = fields.as_change(*with_owner);
                let upsert = Task::upsert(team, number);
                Write::UpsertTask(change_task!(upsert, change, |_n| beside.clone()))
            }
            Self::Delete(deletion) => Write::DeleteTask(match deletion {
                Deletion::ByKey => Task::delete(team, number),
                Deletion::MustExist => Task::delete(team, number).must_exist(),
                Deletion::Read(read) => match model.tasks.read(key, read.ago) {
                    Some(task) if read.any_version => task.delete().any_version(),
                    Some(task) => task.delete(),
                    None => Task::delete(team, number),
                },
            }),
        }
    }

    fn expected(&self, key: &(String, u32), model: &Model) -> Expected {
        let now = model.tasks.now(key);
        match self {
            Self::Create(_) => Expected::done_if(now.is_none()),
            Self::Put(source, fields) => {
                let put = Self::put(key, *source, fields, model);
                Expected::done_if(now.map_or(0, |now| now.version) == put.version)
            }
            Self::Update(claims, _) => match now {
                None => Expected::Refused,
                Some(_) if claims.are_true() => Expected::Done,
                Some(_) => Expected::Either,
            },
            Self::Change(read, _) => {
                let task = model.tasks.read(key, read.ago);
                let version = |task: Option<&Task>| task.map(|task| task.version);
                let same_version = read.any_version || version(task) == version(now);
                of_read(task, now, same_version)
            }
            Self::Upsert(..) => Expected::Done,
            Self::Delete(deletion) => {
                let read = |ago| model.tasks.read(key, ago).cloned();
                of_deletion(*deletion, read, now, |task| task.version)
            }
        }
    }

    fn apply(&self, key: &(String, u32), model: &mut Model, now: Timestamp) {
        let task = match self {
            Self::Create(fields) => Task {
                created_at: now,
                updated_at: now,
                version: 1,
                ..fields.task(key)
            },
            Self::Put(source, fields) => {
                let mut task = Self::put(key, *source, fields, model);
                task.version += 1;
                task.updated_at = now;
                if task.created_at == Timestamp::UNIX_EPOCH {
                    task.created_at = now;
                }
                task
            }
            Self::Update(_, change) | Self::Change(_, change) => {
                let mut task = model.tasks.now[key].clone();
                change.apply(&mut task, now);
                task
            }
            Self::Upsert(fields, with_owner, _) => {
                let new = || Task {
                    created_at: now,
                    owner: None,
                    ..fields.task(key)
                };
                let mut task = model.tasks.now(key).cloned().unwrap_or_else(new);
                fields.as_change(*with_owner).apply(&mut task, now);
                task
            }
            Self::Delete(_) => {
                model.tasks.now.remove(key);
                return;
            }
        };
        model.tasks.store(key, task);
    }
}

impl TaskFields {
    /// For an item that never was.
    fn any() -> Self {
        Self {
            status: Status::Open,
            due: Timestamp::UNIX_EPOCH,
            priority: 0,
            assignee: None,
            owner: None,
            label: None,
            score: 0,
            title: String::new(),
        }
    }
}

impl NoteFields {
    fn note(&self, id: &str) -> Note {
        let fields = self.clone();
        Note {
            id: id.to_owned(),
            slug: fields.slug,
            color: fields.color,
            shelf: fields.shelf,
            rank: fields.rank,
            text: fields.text,
            created: Timestamp::UNIX_EPOCH,
            expires: fields.expires,
        }
    }
}

impl NoteWrite {
    fn prepare(&self, id: &str, model: &Model) -> Write {
        let read = |ago| model.notes.read(&id.to_owned(), ago);
        match self {
            Self::Create(fields) => Write::CreateNote(fields.note(id)),
            Self::Put(fields) => Write::PutNote(fields.note(id)),
            Self::Change(Read { ago, .. }, change) => {
                let Some(note) = read(*ago) else {
                    return Write::DeleteNote(Note::delete(id).must_exist());
                };
                let change = change.clone();
                let mut update = note.update().set(|note| note.text(), change.text);
                if let Some(slug) = change.slug {
                    update = update.set(|note| note.slug(), slug);
                }
                if let Some(color) = change.color {
                    update = update.set_or_remove(|note| note.color(), color);
                }
                if let Some(shelf) = change.shelf {
                    update = update.set_or_remove(|note| note.shelf(), shelf);
                }
                if let Some(rank) = change.rank {
                    update = update.set(|note| note.rank(), rank);
                }
                Write::ChangeNote(update)
            }
            Self::ExpireIn(seconds) => {
                let after = Duration::from_secs(u64::from(*seconds));
                Write::UpdateNote(Note::update(id).expires_in(after))
            }
            Self::Delete(deletion) => Write::DeleteNote(match deletion {
                Deletion::ByKey => Note::delete(id),
                Deletion::MustExist => Note::delete(id).must_exist(),
                Deletion::Read(Read { ago, .. }) => match read(*ago) {
                    Some(note) => note.delete(),
                    None => Note::delete(id),
                },
            }),
        }
    }

    fn expected(&self, id: &str, model: &Model) -> Expected {
        let id = id.to_owned();
        let now = model.notes.now(&id);
        match self {
            Self::Create(_) => Expected::done_if(now.is_none()),
            Self::Put(_) => Expected::Done,
            Self::Change(Read { ago, .. }, _) => of_read(model.notes.read(&id, *ago), now, true),
            Self::ExpireIn(_) | Self::Delete(Deletion::MustExist) => {
                Expected::done_if(now.is_some())
            }
            Self::Delete(_) => Expected::Done,
        }
    }

    fn apply(&self, id: &str, model: &mut Model, now: Timestamp) {
        let id = id.to_owned();
        let note = match self {
            Self::Create(fields) | Self::Put(fields) => Note {
                created: now,
                ..fields.note(&id)
            },
            Self::Change(_, change) => {
                let (mut note, change) = (model.notes.now[&id].clone(), change.clone());
                replace(&mut note.slug, change.slug);
                replace(&mut note.color, change.color);
                replace(&mut note.shelf, change.shelf);
                replace(&mut note.rank, change.rank);
                note.text = change.text;
                note
            }
            Self::ExpireIn(seconds) => {
                // A part of a second more: never too early.
                let part = u64::from(now.subsec_nanosecond() > 0);
                let at = u64::try_from(now.as_second()).unwrap() + u64::from(*seconds) + part;
                Note {
                    expires: Some(at),
                    ..model.notes.now[&id].clone()
                }
            }
            Self::Delete(_) => {
                model.notes.now.remove(&id);
                return;
            }
        };
        model.notes.store(&id, note);
    }
}

impl AccountFields {
    fn account(&self, id: &str) -> Account {
        let fields = self.clone();
        Account {
            id: id.to_owned(),
            team: fields.team,
            email: fields.email,
            handle: fields.handle,
            name: fields.name,
            version: 0,
        }
    }

    fn of(account: &Account) -> Self {
        let account = account.clone();
        Self {
            team: account.team,
            email: account.email,
            handle: account.handle,
            name: account.name,
        }
    }
}

impl AccountChange {
    fn changed(&self, account: &Account) -> Account {
        let (mut account, change) = (account.clone(), self.clone());
        replace(&mut account.team, change.team);
        replace(&mut account.email, change.email);
        replace(&mut account.handle, change.handle);
        account.name = change.name;
        account.version += 1;
        account
    }
}

impl AccountWrite {
    fn put(id: &str, source: Source, fields: &AccountFields, model: &Model) -> Account {
        let mut account = fields.account(id);
        if let Source::Read { ago } = source
            && let Some(read) = model.accounts.read(&id.to_owned(), ago)
        {
            account.version = read.version;
        }
        account
    }

    fn prepare(&self, id: &str, model: &Model) -> Write {
        let owned = id.to_owned();
        let read = |ago| model.accounts.read(&owned, ago);
        match self {
            Self::Create(fields) => Write::CreateAccount(fields.account(id)),
            Self::Put(source, fields) => Write::PutAccount(Self::put(id, *source, fields, model)),
            Self::Update(claims, change) => {
                let truth = model.accounts.now(&owned).or(read(0));
                let truth = truth.map(AccountFields::of).unwrap_or(AccountFields {
                    team: "t".into(),
                    email: "e".into(),
                    handle: None,
                    name: String::new(),
                });
                let claim = |n| claims.with(&truth, n).1;
                let change = change.clone();
                let mut update = Account::update(id).set(|account| account.name(), change.name);
                if let Some(team) = change.team {
                    let beside = claim(0);
                    let handle = beside.handle.as_deref();
                    update = update.set(
                        |account| account.team(&beside.team, &beside.email, handle),
                        team,
                    );
                }
                if let Some(email) = change.email {
                    let beside = claim(1);
                    update = update.set(|it| it.email(&beside.team, &beside.email), email);
                }
                if let Some(handle) = change.handle {
                    let beside = claim(2);
                    let now = beside.handle.as_deref();
                    update = update.set_or_remove(|it| it.handle(&beside.team, now), handle);
                }
                Write::UpdateAccount(update)
            }
            Self::Change(Read { ago, any_version }, change) => {
                let Some(account) = read(*ago) else {
                    return Write::DeleteAccount(Account::delete(id).must_exist());
                };
                let change = change.clone();
                let mut update = account.update().set(|account| account.name(), change.name);
                if *any_version {
                    update = update.any_version();
                }
                if let Some(team) = change.team {
                    update = update.set(|account| account.team(), team);
                }
                if let Some(email) = change.email {
                    update = update.set(|account| account.email(), email);
                }
                if let Some(handle) = change.handle {
                    update = update.set_or_remove(|account| account.handle(), handle);
                }
                Write::ChangeAccount(update)
            }
            Self::Delete(deletion) => Write::DeleteAccount(match deletion {
                Deletion::ByKey => Account::delete(id),
                Deletion::MustExist => Account::delete(id).must_exist(),
                Deletion::Read(it) => match read(it.ago) {
                    Some(account) if it.any_version => account.delete().any_version(),
                    Some(account) => account.delete(),
                    None => Account::delete(id),
                },
            }),
        }
    }

    fn expected(&self, id: &str, model: &Model) -> Expected {
        let id = id.to_owned();
        let now = model.accounts.now(&id);
        let free = |account: &Account, expected| match model.is_free_for(account) {
            true => expected,
            false => Expected::Refused,
        };
        match self {
            Self::Create(fields) => free(&fields.account(&id), Expected::done_if(now.is_none())),
            Self::Put(source, fields) => {
                let put = Self::put(&id, *source, fields, model);
                let same = now.map_or(0, |now| now.version) == put.version;
                free(&put, Expected::done_if(same))
            }
            Self::Update(claims, change) => match now {
                None => Expected::Refused,
                Some(now) if claims.are_true() => free(&change.changed(now), Expected::Done),
                Some(now) => free(&change.changed(now), Expected::Either),
            },
            Self::Change(read, change) => {
                let account = model.accounts.read(&id, read.ago);
                let version = |account: Option<&Account>| account.map(|it| it.version);
                let same_version = read.any_version || version(account) == version(now);
                let expected = of_read(account, now, same_version);
                now.map_or(expected, |now| free(&change.changed(now), expected))
            }
            Self::Delete(deletion) => {
                let read = |ago| model.accounts.read(&id, ago).cloned();
                of_deletion(*deletion, read, now, |account| account.version)
            }
        }
    }

    fn apply(&self, id: &str, model: &mut Model) {
        let id = id.to_owned();
        let account = match self {
            Self::Create(fields) => Account {
                version: 1,
                ..fields.account(&id)
            },
            Self::Put(source, fields) => {
                let mut account = Self::put(&id, *source, fields, model);
                account.version += 1;
                account
            }
            Self::Update(_, change) | Self::Change(_, change) => {
                change.changed(&model.accounts.now[&id])
            }
            Self::Delete(_) => {
                model.accounts.now.remove(&id);
                return;
            }
        };
        model.accounts.store(&id, account);
    }
}
