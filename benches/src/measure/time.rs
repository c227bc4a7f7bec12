//! Time. Contenders take turns, so that a slow moment affects all; and noise only adds time, so
//! that the fastest batch is closest to the work itself.

use crate::Contender;
use std::time::{Duration, Instant};

/// Long enough for the clock, short enough that other load affects few batches.
const BATCH: Duration = Duration::from_micros(100);

/// The number of uncounted calls at the beginning of a turn. The previous contender has filled the
/// processor's caches with its own code, or with code that two contenders share and a third does
/// not.
const WARM: u32 = 8;

/// Long calls are interrupted more often, so there must be enough of them for one that was not.
const ROUNDS: u32 = 30;

/// Returns how many nanoseconds one call takes, for each of them, when all of them together may
/// take so long.
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
    /// The first call does the one-time work; the second determines the size of a batch.
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
