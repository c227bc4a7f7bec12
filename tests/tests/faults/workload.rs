//! A client on a bad network, compared with a model of the possible effects of each call.
//!
//! The model is the list of possible worlds. An acknowledged call was done, with that result, in
//! each of them. A failed call was not done, unless it is uncertain: then each world splits in two.
//! If no world is left, or none equals the stored items, a guarantee is broken.

use super::draw::Draw;
use super::model::{Entry, Faults};
use super::reading::Reading;
use super::seeds;
use super::step::{Answer, Step};
use super::support::Outcome;
use super::support::network::Network;
use super::support::random::Random;
use super::support::typed::typed;
use super::world::{World, Worlds};
use dynamo_model::error::Outcome as Became;
use dynamo_model::{BatchWrite, Dynamo, Error, ErrorKind, Table};

const STEPS: usize = 60;
/// Beyond this number it reads the stored items instead.
const MAX_WORLDS: usize = 48;

struct Run {
    own: Dynamo,
    network: Network,
    db: Dynamo,
    attempts: u32,
    is_typed: bool,
    random: Random,
    worlds: Worlds,
    trace: Vec<String>,
}

#[test]
fn stored_items_match_the_acknowledged_calls() {
    seeds::each("stored_items_match_the_acknowledged_calls", 100, run);
}

async fn run(seed: u64) -> Outcome {
    let mut run = Run::new(seed).await?;
    let outcome = run.all().await;
    outcome.map_err(|error| format!("{error}\n  {}", run.trace.join("\n  ")).into())
}

impl Run {
    async fn new(seed: u64) -> Outcome<Self> {
        let own = Dynamo::embedded()?;
        Faults::create_table(&own).await?;
        let mut random = Random::new(seed);
        let percent = random.one_of(&[5, 15, 30, 50]);
        let attempts = random.one_of(&[1, 3, 5]);
        let network = Network::seeded(&own, random.next(), percent);
        let mut run = Self {
            db: network.handle(&own, attempts),
            is_typed: false,
            worlds: Worlds::new(),
            trace: vec![format!("{percent} %, {attempts} attempts")],
            own,
            network,
            attempts,
            random,
        };
        run.restart();
        Ok(run)
    }

    /// A new process: only stored data and the cursors remain.
    fn restart(&mut self) {
        self.db = self.network.handle(&self.own, self.attempts);
        self.is_typed = self.random.chance(25);
        if self.is_typed {
            self.db = typed(&self.db);
        }
    }

    async fn all(&mut self) -> Outcome {
        for _ in 0..STEPS {
            match self.random.below(20) {
                0 => self.batch().await?,
                1 => self.pages().await?,
                2 => self.restart(),
                _ => self.step().await?,
            }
            if self.worlds.0.len() > MAX_WORLDS || self.random.chance(10) {
                self.worlds.look(&self.own).await?;
            }
        }
        self.worlds.look(&self.own).await
    }

    async fn step(&mut self) -> Outcome {
        let at = self.random.below(self.worlds.0.len() as u64);
        let world = &self.worlds.0[usize::try_from(at)?];
        let step = Draw {
            random: &mut self.random,
            world,
        }
        .step();
        let before = self.network.requests();
        let answer = step.call(&self.db).await;
        let faults = self.network.log().split_off(before);
        self.trace
            .push(format!("{step:?}\n    {faults:?}\n    {}", shown(&answer)));
        let times = if step.counts_again() { faults.len() } else { 1 };
        let worlds = after(&self.worlds.0, &step, times, &answer);
        if worlds.is_empty() {
            return Err(format!("impossible in each of {:?}", self.worlds).into());
        }
        self.worlds.become_one_of(worlds);
        Ok(())
    }

    /// Writes more items than one request takes. Unwritten ones are returned, and can be written
    /// again.
    async fn batch(&mut self) -> Outcome {
        self.worlds.look(&self.own).await?;
        let world = &mut self.worlds.0[0];
        let log = u32::try_from(self.random.below(4))?;
        let (mut puts, mut deletes) = (Vec::new(), Vec::new());
        for number in 0..40 {
            match self.random.below(4) {
                0 => deletes.push(number),
                1 => {}
                _ => puts.push(Entry {
                    log,
                    number,
                    text: self.random.below(1000),
                }),
            }
        }
        let batch = BatchWrite::new().concurrency(2);
        let batch = batch.deletes(deletes.iter().map(|number| Entry::key(log, *number)));
        let before = self.network.requests();
        // Given at once, or as an iterator; items that the iterator did not return are not written.
        let (mut more, loads) = (puts.iter().cloned(), self.random.chance(40));
        let sent = match loads {
            true => batch.load(&mut more).send(&self.db).await,
            false => batch.puts(&puts).send(&self.db).await,
        };
        let faults = self.network.log().split_off(before);
        self.trace.push(format!(
            "batch write to {log}\n    {faults:?}\n    {sent:?}"
        ));
        let not_given = more.filter(|_| loads).map(|entry| entry.number);
        let not_given: Vec<u32> = not_given.collect();
        let before = world.log(log);
        for entry in puts.iter().filter(|it| !not_given.contains(&it.number)) {
            world.entries.insert((log, entry.number), entry.clone());
        }
        for number in &deletes {
            world.entries.remove(&(log, *number));
        }
        let Err(error) = sent else {
            return match not_given.is_empty() {
                true => Ok(()),
                false => Err(format!("not loaded: {not_given:?}").into()),
            };
        };
        if !is_transient(error.kind()) {
            return Err(error.into());
        }
        // Items that are not returned were written; returned ones are uncertain, unless the outcome
        // is certain.
        let after = world.log(log);
        let stored = Entry::query(log).all(&self.own).await?;
        let of = |entries: &[Entry], number| entries.iter().find(|it| it.number == number).cloned();
        let unwritten: Vec<String> = error
            .unwritten()
            .iter()
            .map(|it| it.key_text().into())
            .collect();
        for number in 0..40 {
            let is_unwritten = unwritten.contains(&format!("LOG#{log:03}/{number:05}"));
            let (old, new, is) = (of(&before, number), of(&after, number), of(&stored, number));
            let possible = match (is_unwritten, error.is_uncertain()) {
                (false, _) => is == new,
                (true, true) => is == new || is == old,
                (true, false) => is == old,
            };
            if !possible {
                return Err(format!("entry {number}: {old:?}, {new:?}, stored {is:?}").into());
            }
        }
        BatchWrite::new()
            .again(error.into_unwritten())
            .send(&self.own)
            .await?;
        Ok(())
    }

    /// Reads page by page, each in another process; a failed page is repeated.
    async fn pages(&mut self) -> Outcome {
        self.worlds.look(&self.own).await?;
        let reading = Reading::drawn(&mut self.random);
        let mut expected = reading.expected(&self.worlds.0[0]);
        let limit = usize::try_from(1 + self.random.below(7))?;
        let signed = self.random.chance(50);
        let (mut found, mut cursor) = (Vec::new(), None::<String>);
        loop {
            self.restart();
            if signed {
                self.db = self.db.clone().with_signed_cursors("a key that all have");
            }
            let page = reading.page(&self.db, limit, cursor.as_deref()).await;
            match page {
                Ok((items, after)) => {
                    if items.len() > limit || items.len() < limit && after.is_some() {
                        return Err(format!("a page of {} for {limit}", items.len()).into());
                    }
                    found.extend(items);
                    cursor = after;
                }
                Err(error) if is_transient(error.kind()) => continue,
                Err(error) => return Err(error.into()),
            }
            if cursor.is_none() {
                break;
            }
        }
        if matches!(reading, Reading::Scan) {
            found.sort();
            expected.sort();
        }
        match found == expected {
            true => Ok(()),
            false => {
                Err(format!("{reading:?} in pages of {limit}: {found:?}, not {expected:?}").into())
            }
        }
    }
}

fn shown(answer: &Result<Answer, Error>) -> String {
    match answer {
        Ok(answer) => format!("{answer:?}"),
        Err(error) => format!("{:?}, {:?}", error.kind(), error.outcome()),
    }
}

/// Returns whether only the network caused the error.
pub fn is_transient(kind: &ErrorKind) -> bool {
    matches!(
        kind,
        ErrorKind::Throttled
            | ErrorKind::Network
            | ErrorKind::InProgress
            | ErrorKind::Service { .. }
            | ErrorKind::UnreadableResponse { .. }
            | ErrorKind::Unwritten { .. }
            | ErrorKind::Unprocessed { .. }
    )
}

/// The worlds that are possible after a call that may have been done so many times.
fn after(
    worlds: &[World],
    step: &Step,
    times: usize,
    answer: &Result<Answer, Error>,
) -> Vec<World> {
    let mut possible = Vec::new();
    for world in worlds {
        let mut then = world.clone();
        let mut expected = step.expected(&mut then);
        for _ in 0..times.max(1) {
            match (answer, &expected) {
                (Ok(answer), Ok(expected)) if answer == expected => possible.push(then.clone()),
                // A condition failed: nothing was done.
                (Err(error), Err(kind)) if error.kind() == kind => possible.push(world.clone()),
                (Err(error), _) if is_transient(error.kind()) => {
                    if error.outcome() != Became::Done {
                        possible.push(world.clone());
                    }
                    if error.outcome() != Became::NotDone {
                        possible.push(then.clone());
                    }
                }
                _ => {}
            }
            // Sent again, it counts the version up again.
            if expected.is_ok() {
                expected = step.expected(&mut then);
            }
        }
    }
    possible
}
