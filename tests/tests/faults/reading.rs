//! Reads that are paged.

use super::model::{Account, Entry, Status, Task};
use super::support::random::Random;
use super::world::World;
use dynamo_model::{Dynamo, Error};
use std::fmt::Debug;

#[derive(Debug, Clone, Copy)]
pub enum Reading {
    Log {
        log: u32,
        newest: bool,
    },
    /// A filter: pages are still full.
    Below {
        log: u32,
        text: u64,
    },
    /// By an index, which the items without a day are not in.
    ByStatus(Status),
    /// By an index, backwards.
    ByEmail,
    /// In no defined order.
    Scan,
}

fn shown(items: impl IntoIterator<Item = impl Debug>) -> Vec<String> {
    items.into_iter().map(|it| format!("{it:?}")).collect()
}

impl Reading {
    pub fn drawn(random: &mut Random) -> Self {
        let log = u32::try_from(random.below(4)).unwrap();
        match random.below(8) {
            0..=2 => Self::Log { log, newest: false },
            3 => Self::Log { log, newest: true },
            4 => Self::Below { log, text: 500 },
            5 => Self::ByStatus(random.one_of(&[Status::Open, Status::Done])),
            6 => Self::ByEmail,
            _ => Self::Scan,
        }
    }

    pub fn expected(self, world: &World) -> Vec<String> {
        match self {
            Self::Log { log, newest: false } => shown(world.log(log)),
            Self::Log { log, newest: true } => shown(world.log(log).into_iter().rev()),
            Self::Below { log, text } => {
                shown(world.log(log).into_iter().filter(|it| it.text < text))
            }
            Self::ByStatus(status) => shown(world.by_status(status)),
            Self::ByEmail => {
                let mut accounts: Vec<_> = world.accounts.values().collect();
                accounts.sort_by_key(|it| &it.email);
                shown(accounts.into_iter().rev())
            }
            Self::Scan => shown(world.entries.values()),
        }
    }

    /// Returns a page, and the cursor of the next one.
    pub async fn page(
        self,
        db: &Dynamo,
        limit: usize,
        after: Option<&str>,
    ) -> Result<(Vec<String>, Option<String>), Error> {
        macro_rules! page {
            ($read:expr) => {{
                let read = $read.limit(limit).page_size(3);
                let read = match after {
                    Some(cursor) => read.after(cursor),
                    None => read,
                };
                let page = read.page(db).await?;
                (shown(&page.items), page.next.map(|it| it.to_string()))
            }};
        }
        Ok(match self {
            Self::Log { log, newest: false } => page!(Entry::query(log)),
            Self::Log { log, newest: true } => page!(Entry::query(log).descending()),
            Self::Below { log, text } => {
                page!(Entry::query(log).filter(|it| it.text().lt(text)))
            }
            Self::ByStatus(status) => page!(Task::by_status(status)),
            Self::ByEmail => page!(Account::by_email().descending()),
            Self::Scan => page!(Entry::scan()),
        })
    }
}
