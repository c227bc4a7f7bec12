//! The live bytes on the heap, and the size of the process.

use crate::ALLOCATOR;

/// The engine keeps a transaction token for ten minutes; the allowed bytes for each.
const BYTES_A_TRANSACTION: u64 = 1 << 10;
/// The allowance for caches, buffers and the model.
const SLACK: u64 = 24 << 20;

#[derive(Debug, Default)]
pub struct Memory {
    samples: Vec<Sample>,
}

#[derive(Debug, Clone, Copy)]
struct Sample {
    alive: u64,
    resident: u64,
    allowed: u64,
}

impl Memory {
    pub fn sample(&mut self, recent_transactions: u64) {
        let stats = ALLOCATOR.stats();
        let alive = stats
            .bytes_allocated
            .saturating_sub(stats.bytes_deallocated);
        self.samples.push(Sample {
            alive: alive as u64,
            resident: resident().unwrap_or_default(),
            allowed: recent_transactions * BYTES_A_TRANSACTION,
        });
    }

    pub fn shown(&self) -> String {
        let Some(last) = self.samples.last() else {
            return String::new();
        };
        let mega = |bytes: u64| bytes as f64 / f64::from(1 << 20);
        format!("{:.1} | {:.1}", mega(last.alive), mega(last.resident))
    }

    /// Compares each sample with the first one, after a tenth of the operations. The size of the
    /// process is meaningful only with one arena (`MALLOC_ARENA_MAX=1`): glibc keeps free memory in
    /// an arena for each thread.
    pub fn assert_flat(&self) {
        let first = self.samples[0];
        for it in &self.samples {
            let heap = first.alive + it.allowed + SLACK;
            assert!(it.alive <= heap, "{} bytes, {heap} allowed", it.alive);
            let process = first.resident + it.allowed + SLACK;
            assert!(
                !has_one_arena() || it.resident <= process,
                "{} of {process}",
                it.resident
            );
        }
    }
}

fn has_one_arena() -> bool {
    std::env::var("MALLOC_ARENA_MAX").is_ok_and(|arenas| arenas == "1")
}

/// Returns the size of the process in bytes, if the system reports it.
fn resident() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes << 10)
}
