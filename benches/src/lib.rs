//! The comparisons, each defined once: the criterion benches, `ratios`, `allocs`, `peaks` and
//! `results` all use [`cases`].

mod answers;
pub mod calls;
mod canned;
pub mod compile;
pub mod entities;
pub mod keys;
pub mod libraries;
pub mod measure;
pub mod results;
pub mod size;
pub mod sockets;

use std::fmt;

/// The name of our contender.
pub const OURS: &str = "dynamo-model";
/// The name of our contender with all requests through the SDK's orchestrator.
pub const OURS_ON_SDK: &str = "dynamo-model-sdk";
/// The name of the SDK with serde_dynamo and `format!`.
pub const RAW: &str = "aws-sdk";

/// One contender of a case.
pub struct Contender {
    /// The last segment of a row's name: `format` in `keys/string-2/format`.
    pub name: &'static str,
    /// Does the work, and drops the result where it was made. Called through a pointer, so that no
    /// contender is inlined into the caller or sees the input at compile time.
    pub run: Box<dyn Fn()>,
    /// Does the work, and returns its result as text.
    pub text: Box<dyn Fn() -> String>,
}

impl fmt::Debug for Contender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Contender").field(&self.name).finish()
    }
}

/// One task, done by us and by our rivals, with the same text as the result.
#[derive(Debug, Clone, Copy)]
pub struct Case {
    /// The first segments of a row's name: `keys/string-2`.
    pub name: &'static str,
    /// The contenders, ours first if it takes part.
    pub entries: &'static [Entry],
}

/// A participant of a case.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The contender's name.
    pub name: &'static str,
    /// Creates the contender and its data, which may be large.
    pub make: fn() -> Contender,
}

impl Case {
    /// Returns all contenders, ready to run.
    #[must_use]
    pub fn contenders(&self) -> Vec<Contender> {
        self.entries.iter().map(|entry| (entry.make)()).collect()
    }
}

/// Returns every comparison.
#[must_use]
pub fn cases() -> Vec<Case> {
    [keys::CASES, calls::CASES].concat()
}

/// Returns one of them.
#[must_use]
pub fn contender(case: &str, name: &str) -> Option<Contender> {
    let case = cases().into_iter().find(|known| known.name == case)?;
    let entry = case.entries.iter().find(|known| known.name == name)?;
    Some((entry.make)())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_contenders_have_the_same_result() {
        for case in cases() {
            let contenders = case.contenders();
            let first = (contenders[0].text)();
            assert!(!first.is_empty(), "{}", case.name);
            for contender in &contenders {
                let name = contender.name;
                assert_eq!((contender.text)(), first, "{}/{name}", case.name);
                (contender.run)();
            }
        }
    }
}
