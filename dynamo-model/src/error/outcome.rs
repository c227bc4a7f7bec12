//! What became of a write that failed.

/// What became of a write that failed; see [`Error::outcome`](crate::Error::outcome).
///
/// ```
/// use dynamo_model::{Error, Outcome};
///
/// fn advice(error: &Error) -> &'static str {
///     match error.outcome() {
///         Outcome::Done => "read the item: it is as you wanted it",
///         Outcome::NotDone => "nothing was changed",
///         Outcome::Uncertain => "read the item before you go on",
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// DynamoDB did it: the answer says so, but what it returned could not be read.
    Done,
    /// DynamoDB did not do it: nothing was sent, or it was refused.
    NotDone,
    /// DynamoDB may have done it: the request was sent, and no answer says what became of it.
    Uncertain,
}

impl Outcome {
    /// What became of a write of two attempts: what one of them did is done.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Done, _) | (_, Self::Done) => Self::Done,
            (Self::Uncertain, _) | (_, Self::Uncertain) => Self::Uncertain,
            (Self::NotDone, Self::NotDone) => Self::NotDone,
        }
    }
}
