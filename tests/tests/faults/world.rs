//! The stored items: for a client, one of several possible worlds.

use super::model::*;
use super::support::{Item, Outcome, everything, stored};
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::Dynamo;
use std::collections::BTreeMap;

/// All stored items.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct World {
    pub tasks: BTreeMap<u32, Task>,
    pub accounts: BTreeMap<u32, Account>,
    pub counters: BTreeMap<u32, Counter>,
    pub entries: BTreeMap<(u32, u32), Entry>,
}

impl World {
    pub fn owner_of(&self, email: &str) -> Option<u32> {
        let mut accounts = self.accounts.values();
        accounts.find(|it| it.email == email).map(|it| it.id)
    }

    pub fn log(&self, log: u32) -> Vec<Entry> {
        let own = self.entries.range((log, 0)..(log + 1, 0));
        own.map(|(_, entry)| entry.clone()).collect()
    }

    /// Those of a status that have a day, in the order of the index.
    pub fn by_status(&self, status: Status) -> Vec<Task> {
        let tasks = self.tasks.values();
        let own = tasks.filter(|task| task.status == status && task.day.is_some());
        let mut own: Vec<Task> = own.cloned().collect();
        own.sort_by_key(|task| (task.day.clone(), task.id));
        own
    }

    /// The items, index keys and the items of unique values included.
    fn items(&self) -> Outcome<Vec<Item>> {
        let mut items = Vec::new();
        for task in self.tasks.values() {
            items.push(stored(task)?);
        }
        for account in self.accounts.values() {
            items.push(stored(account)?);
            items.push(sentinel(account));
        }
        for counter in self.counters.values() {
            items.push(stored(counter)?);
        }
        for entry in self.entries.values() {
            items.push(stored(entry)?);
        }
        sort(&mut items);
        Ok(items)
    }
}

/// Returns the unique item of an address.
fn sentinel(account: &Account) -> Item {
    let text = |text: String| AttributeValue::S(text);
    let value = format!("EMAIL#{}", account.email);
    let owner = [format!("ACCOUNT#{:03}", account.id), "ACCOUNT".to_owned()];
    Item::from([
        ("PK".to_owned(), text(value.clone())),
        ("SK".to_owned(), text(value)),
        ("type".to_owned(), text("#unique".into())),
        (
            "unique_owner".to_owned(),
            AttributeValue::L(owner.map(text).to_vec()),
        ),
    ])
}

fn key(item: &Item) -> (String, String) {
    let text = |name: &str| item[name].as_s().unwrap().clone();
    (text("PK"), text("SK"))
}

fn sort(items: &mut [Item]) {
    items.sort_by_key(key);
    for item in items {
        for value in item.values_mut() {
            if let AttributeValue::Ss(set) = value {
                set.sort_unstable();
            }
        }
    }
}

/// The worlds that are possible.
#[derive(Debug)]
pub struct Worlds(pub Vec<World>);

impl Worlds {
    pub fn new() -> Self {
        Self(vec![World::default()])
    }

    /// Keeps only possible worlds, each once.
    pub fn become_one_of(&mut self, worlds: Vec<World>) {
        self.0.clear();
        for world in worlds {
            if !self.0.contains(&world) {
                self.0.push(world);
            }
        }
    }

    /// Reads the stored items without the network: they equal one of the worlds in every attribute.
    pub async fn look(&mut self, own: &Dynamo) -> Outcome<()> {
        let mut items = everything::<Faults>(own).await?;
        sort(&mut items);
        for world in &self.0 {
            if world.items()? == items {
                let world = world.clone();
                self.0 = vec![world];
                return Ok(());
            }
        }
        let expected = self.0[0].items()?;
        let differ = |a: &[Item], b: &[Item]| -> Vec<Item> {
            a.iter().filter(|item| !b.contains(item)).cloned().collect()
        };
        Err(format!(
            "none of {} possible worlds is stored\n  stored only: {:?}\n  in the first of them \
             only: {:?}",
            self.0.len(),
            differ(&items, &expected),
            differ(&expected, &items),
        )
        .into())
    }
}
