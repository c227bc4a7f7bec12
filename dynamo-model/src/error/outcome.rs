//! The outcome of a failed write, derived from its attempts.

/// The outcome of a failed write; see [`Error::outcome`](crate::Error::outcome).
///
/// ```
/// use dynamo_model::Error;
/// use dynamo_model::error::Outcome;
///
/// fn advice(error: &Error) -> &'static str {
///     match error.outcome() {
///         Outcome::Done => "read the item: it is as you wanted it",
///         Outcome::NotDone => "nothing was changed",
///         Outcome::Uncertain => "read the item before you continue",
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// DynamoDB did it: the response says so, but its result could not be read.
    Done,
    /// DynamoDB did not do it: no request was sent, or it was refused.
    NotDone,
    /// DynamoDB may have done it: the request was sent, and no response tells.
    Uncertain,
}

impl Outcome {
    /// Combines the outcomes of two attempts: if one was done, the write is done.
    pub(crate) fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Done, _) | (_, Self::Done) => Self::Done,
            (Self::Uncertain, _) | (_, Self::Uncertain) => Self::Uncertain,
            (Self::NotDone, Self::NotDone) => Self::NotDone,
        }
    }
}
