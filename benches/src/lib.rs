//! What is compared, each comparison once: the criterion benches, `ratios` and `allocs` all read
//! [`keys::CASES`].

pub mod keys;

/// One way to do what a case asks for.
#[derive(Debug, Clone, Copy)]
pub struct Contender<I: 'static> {
    /// The last segment of a row's name: `format` in `keys/string-2/format`.
    pub name: &'static str,
    /// Does the work, and drops what came out of it where it was made. Called through a pointer, so that
    /// nobody is inlined into the caller and nobody sees the input at compile time.
    pub run: fn(&I),
    /// Does the work, and shows what came out of it.
    pub text: fn(&I) -> String,
}

/// One task, done by us and by our rivals, with the same text as the result.
#[derive(Debug, Clone, Copy)]
pub struct Case<I: 'static> {
    /// The first segments of a row's name: `keys/string-2`.
    pub name: &'static str,
    /// What `dynamo-model` does.
    pub ours: Contender<I>,
    /// What one would do without it.
    pub rivals: &'static [Contender<I>],
}
