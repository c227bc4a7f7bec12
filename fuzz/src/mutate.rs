//! Fuzzing without libFuzzer, on any toolchain: a loop that alters the corpus by a seed. The same
//! seed and number of rounds give the same inputs everywhere.

use crate::Target;
use std::path::PathBuf;
use std::{fs, io};

/// Longer inputs are cut.
const MAX_LENGTH: usize = 8_192;

/// Where the corpus of a target is.
#[must_use]
pub fn corpus_path(target: &str) -> PathBuf {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.join("corpus").join(target)
}

/// Returns the corpus, in the order of its names.
pub fn corpus(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let files = fs::read_dir(corpus_path(target))?;
    let mut paths = files
        .map(|file| Ok(file?.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.into_iter().map(fs::read).collect()
}

/// Runs a target on its corpus, and then on `rounds` inputs made from it. `seen` receives each
/// input before it runs, so that a failing one can be stored.
pub fn run(
    target: &Target,
    seed: u64,
    rounds: usize,
    mut seen: impl FnMut(&[u8]),
) -> io::Result<usize> {
    let corpus = corpus(target.name)?;
    for input in &corpus {
        seen(input);
        (target.check)(input);
    }
    let mut random = Random::new(seed);
    for _ in 0..rounds {
        let input = random.input(&corpus, target.words);
        seen(&input);
        (target.check)(&input);
    }
    Ok(corpus.len() + rounds)
}

/// SplitMix64: small, and the same everywhere.
#[derive(Debug, Clone)]
pub struct Random(u64);

impl Random {
    /// The same seed gives the same numbers.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// Less than `end`, which 0 is too where `end` is.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    fn range(&mut self, length: usize) -> core::ops::Range<usize> {
        let start = self.below(length + 1);
        start..start + self.below((length - start).min(64) + 1)
    }

    /// Returns an input near one of the corpus.
    pub fn input(&mut self, corpus: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
        let mut input = corpus
            .get(self.below(corpus.len()))
            .cloned()
            .unwrap_or_default();
        for _ in 0..=self.below(8) {
            self.alter(&mut input, corpus, words);
        }
        input.truncate(MAX_LENGTH);
        input
    }

    fn alter(&mut self, input: &mut Vec<u8>, corpus: &[Vec<u8>], words: &[&str]) {
        let range = self.range(input.len());
        match self.below(7) {
            0 => {
                let at = self.below(input.len());
                let bit = self.below(8);
                if let Some(byte) = input.get_mut(at) {
                    *byte ^= 1 << bit;
                }
            }
            1 => {
                let byte = self.below(256) as u8;
                input.splice(range, [byte]);
            }
            2 => drop(input.drain(range)),
            3 => {
                let word = words.get(self.below(words.len())).copied();
                let at = range.start;
                input.splice(at..at, word.unwrap_or_default().bytes());
            }
            4 => {
                let word = words.get(self.below(words.len())).copied();
                input.splice(range, word.unwrap_or_default().bytes());
            }
            5 => {
                // Sometimes very often, for costs that grow with depth.
                let times = if self.below(50) == 0 {
                    200
                } else {
                    1 + self.below(3)
                };
                let again = input[range.clone()].repeat(times);
                input.splice(range.end..range.end, again);
            }
            _ => {
                let Some(other) = corpus.get(self.below(corpus.len())) else {
                    return;
                };
                let part = self.range(other.len());
                input.splice(range, other[part].iter().copied());
            }
        }
    }
}
