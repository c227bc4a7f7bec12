//! Why the study app does not do what it is asked.

use super::QuestionId;
use dynamo_model::Error;
use std::fmt;

/// Why the study app does not do what it is asked.
#[derive(Debug)]
pub enum ExamError {
    /// There is no such question.
    NoSuchQuestion(QuestionId),
    /// The question has no such choice.
    NoSuchChoice {
        /// The one that was selected, or that a new question has for its answer.
        selected_index: u32,
        /// How many there are.
        choices: usize,
    },
    /// This user's answer to this question in this second is there already.
    AlreadyAnswered,
    /// Somebody else changed the item since it was read.
    Changed,
    /// Somebody else was faster, every time.
    Busy,
    /// The call itself failed.
    Database(Error),
}

impl fmt::Display for ExamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchQuestion(QuestionId(id)) => write!(f, "there is no question {id}"),
            Self::NoSuchChoice {
                selected_index,
                choices,
            } => {
                write!(
                    f,
                    "there is no choice {selected_index}; there are {choices}, from 0"
                )
            }
            Self::AlreadyAnswered => write!(f, "this answer is recorded already"),
            Self::Changed => write!(f, "the profile was changed meanwhile; read it again"),
            Self::Busy => write!(f, "too many answers at a time; try again"),
            Self::Database(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ExamError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Database(error) => error.source(),
            _ => None,
        }
    }
}

impl From<Error> for ExamError {
    fn from(error: Error) -> Self {
        Self::Database(error)
    }
}
