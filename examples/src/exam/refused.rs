//! Reasons why the study app refuses a request.

use super::QuestionId;
use dynamo_model::Error;
use std::fmt;

/// Reasons why the study app refuses a request.
#[derive(Debug)]
pub enum ExamError {
    /// The question does not exist.
    NoSuchQuestion(QuestionId),
    /// The question does not have this choice.
    NoSuchChoice {
        /// The one that was selected, or that a new question has for its answer.
        selected_index: u32,
        /// How many there are.
        choices: usize,
    },
    /// This user's answer to this question in this second is there already.
    AlreadyAnswered,
    /// Another client changed the item since it was read.
    Changed,
    /// Another client was faster, in every attempt.
    Busy,
    /// The call itself failed.
    Database(Error),
}

impl fmt::Display for ExamError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoSuchQuestion(QuestionId(id)) => write!(f, "question {id} does not exist"),
            Self::NoSuchChoice {
                selected_index,
                choices,
            } => {
                write!(
                    f,
                    "choice {selected_index} does not exist; the question has {choices}, from 0"
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
