//! Time. Contenders take turns, so that a slow moment is a slow moment for all; and noise only ever adds, so
//! that the fastest batch is what comes closest to the work itself.

use crate::Contender;
use std::time::{Duration, Instant};

/// Long enough for the clock, short enough that what else the machine does hits few batches.
const BATCH: Duration = Duration::from_micros(100);

/// How many calls a turn begins with that are not counted. Whoever had the turn before has filled the processor's caches
/// with its own code, or with code that two contenders share and a third does not; no program has all of them in it.
const WARM: u32 = 8;

/// Long calls are interrupted more often, so there must be enough of them for one that was not.
const ROUNDS: u32 = 30;

/// How many nanoseconds one call takes, for each of them, when all of them together may take so long.
#[must_use]
pub fn best(contenders: &[Contender], budget: Duration) -> Vec<f64> {
    let mut runs: Vec<_> = contenders.iter().map(Turns::new).collect();
    let start = Instant::now();
    while start.elapsed() < budget || runs[0].rounds < ROUNDS {
        for turns in &mut runs {
            turns.take();
        }
    }
    runs.iter().map(Turns::one).collect()
}

struct Turns<'c> {
    contender: &'c Contender,
    batch: u32,
    rounds: u32,
    best: Duration,
}

impl<'c> Turns<'c> {
    /// The first call does what is done once; the second says how many make a batch.
    fn new(contender: &'c Contender) -> Self {
        (contender.run)();
        let mut batch = 1;
        loop {
            let took = time(contender, batch);
            if took >= BATCH || batch >= 4_096 {
                break;
            }
            batch *= 2;
        }
        Self {
            contender,
            batch,
            rounds: 0,
            best: Duration::MAX,
        }
    }

    fn take(&mut self) {
        time(self.contender, WARM.min(self.batch * 4));
        self.best = time(self.contender, self.batch).min(self.best);
        self.rounds += 1;
    }

    fn one(&self) -> f64 {
        self.best.as_secs_f64() * 1e9 / f64::from(self.batch)
    }
}

fn time(contender: &Contender, calls: u32) -> Duration {
    let start = Instant::now();
    for _ in 0..calls {
        (contender.run)();
    }
    start.elapsed()
}
