//! Chooses the next call by a seed. A client that loads an item gets one of the possible worlds, or
//! an older one.

use super::model::*;
use super::step::Step;
use super::support::random::Random;
use super::world::World;

const DAYS: [Option<&str>; 3] = [None, Some("2025-06-01"), Some("2025-06-02")];
/// Few of each, so that they collide.
const IDS: u64 = 4;
const EMAILS: u64 = 5;

pub struct Draw<'r> {
    pub random: &'r mut Random,
    pub world: &'r World,
}

impl Draw<'_> {
    fn id(&mut self) -> u32 {
        u32::try_from(self.random.below(IDS)).unwrap()
    }

    fn day(&mut self) -> Option<String> {
        self.random.one_of(&DAYS).map(str::to_owned)
    }

    fn status(&mut self) -> Status {
        self.random.one_of(&[Status::Open, Status::Done])
    }

    fn email(&mut self) -> String {
        format!("e{}@x", self.random.below(EMAILS))
    }

    /// Returns a loaded or new task.
    fn task(&mut self) -> Task {
        let id = self.id();
        let mut loaded = self
            .world
            .tasks
            .get(&id)
            .cloned()
            .unwrap_or_else(|| task(id));
        if self.random.chance(15) {
            loaded.version = loaded.version.saturating_sub(1);
        }
        loaded
    }

    fn changed_task(&mut self) -> Task {
        let loaded = self.task();
        Task {
            day: self.day(),
            status: self.status(),
            title: self.random.below(1000),
            ..loaded
        }
    }

    fn account(&mut self) -> Account {
        let id = self.id();
        let known = self.world.accounts.get(&id).cloned();
        let mut account = known.unwrap_or_else(|| account(id, "new@x"));
        if self.random.chance(15) {
            account.version = account.version.saturating_sub(1);
        }
        account
    }

    fn changed_account(&mut self) -> Account {
        let account = self.account();
        Account {
            email: self.email(),
            name: self.random.below(1000),
            ..account
        }
    }

    fn entry(&mut self) -> Entry {
        let (log, number) = (self.id(), self.random.below(30));
        Entry {
            text: self.random.below(1000),
            ..entry(log, u32::try_from(number).unwrap())
        }
    }

    fn transfer(&mut self) -> Step {
        let (from, by) = (self.id(), 1 + self.random.below(5));
        let to = (from + 1 + self.id() % 3) % 4;
        let task = self.random.chance(40).then(|| self.id());
        let entry = self.entry();
        Step::Transfer {
            from,
            to,
            by,
            entry,
            task,
        }
    }

    pub fn step(&mut self) -> Step {
        let by = 1 + self.random.below(9);
        match self.random.below(38) {
            0 | 1 => Step::CreateTask(Task {
                version: 0,
                ..self.changed_task()
            }),
            2 | 3 => Step::PutTask(self.changed_task()),
            4 => Step::PutTaskOld(self.changed_task()),
            5 => Step::SetTask {
                loaded: self.task(),
                status: self.status(),
                day: self.day(),
            },
            6 => Step::SetTitle {
                id: self.id(),
                title: by,
            },
            7 => {
                let task = self.task();
                let day = if self.random.chance(80) {
                    task.day
                } else {
                    self.day()
                };
                Step::SetStatus {
                    id: task.id,
                    day,
                    status: self.status(),
                }
            }
            8 => Step::DeleteTask(self.task()),
            9 => Step::DeleteTaskByKey {
                id: self.id(),
                must_exist: self.random.chance(50),
            },
            10 | 11 => Step::CreateAccount(Account {
                version: 0,
                ..self.changed_account()
            }),
            12 | 13 => Step::PutAccount(self.changed_account()),
            14 | 15 => Step::MoveAccount {
                loaded: self.account(),
                email: self.email(),
            },
            16 => Step::DeleteAccount(self.id()),
            17 => Step::PutCounter(counter(self.id(), by)),
            18 => Step::Add { id: self.id(), by },
            19 => Step::AddNew { id: self.id(), by },
            20 => Step::AddIf {
                id: self.id(),
                by,
                below: 40,
            },
            21 => Step::Upsert { id: self.id(), by },
            22 => Step::Append {
                id: self.id(),
                line: by,
            },
            23 => Step::Mark {
                id: self.id(),
                mark: format!("m{}", by % 3),
            },
            24 if self.random.chance(50) => Step::DeleteCounterOld(self.id()),
            24..=26 => self.transfer(),
            27 => {
                let account = Account {
                    version: 0,
                    ..self.changed_account()
                };
                Step::Open {
                    account,
                    counter: counter(self.id(), by),
                }
            }
            28 => Step::GetTask(self.id()),
            29 => Step::Read {
                task: self.id(),
                counter: self.id(),
            },
            30 => Step::Counters((0..4).collect()),
            31 => Step::ByStatus(self.status()),
            32 => Step::ByEmail,
            33 => Step::Log {
                log: self.id(),
                page: 1 + self.id(),
                newest: self.random.chance(50),
            },
            34 => Step::Count(self.id()),
            35 => Step::CloseAccount(self.account()),
            36 => Step::NameAccount {
                id: self.id(),
                name: by,
            },
            _ => Step::Accounts {
                segments: 1 + self.id(),
            },
        }
    }
}
