//! Why something was refused.

use dynamo_model::Error;
use std::fmt;

/// A request that the schema does not allow; or an error of the library.
#[derive(Debug)]
#[non_exhaustive]
pub enum ShogiError {
    /// The user has `kifu_max` records already.
    TooManyKifu(u32),
    /// The user has `tag_max` tags already.
    TooManyTags(u32),
    /// A record of any user has this id: tags and permissions name a record only by its id.
    KifuIdTaken,
    /// A tag of any user has this id: records name a tag only by its id.
    TagIdTaken,
    /// Another record of the user has this slug.
    SlugTaken,
    /// Another record has this share code.
    ShareCodeTaken,
    /// Another tag of the user has this name.
    TagNameTaken,
    /// The record does not exist, or this user may not see it.
    NoSuchKifu,
    /// The user does not have this tag.
    NoSuchTag,
    /// The analysis does not exist, or has expired.
    NoSuchAnalysis,
    /// The call itself failed.
    Dynamo(Error),
}

impl fmt::Display for ShogiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::TooManyKifu(max) => write!(f, "no more than {max} records; delete one first"),
            Self::TooManyTags(max) => write!(f, "no more than {max} tags; delete one first"),
            Self::KifuIdTaken => f.write_str("another record has this id"),
            Self::TagIdTaken => f.write_str("another tag has this id"),
            Self::SlugTaken => f.write_str("another record of the user has this slug"),
            Self::ShareCodeTaken => f.write_str("another record has this share code"),
            Self::TagNameTaken => f.write_str("another tag of the user has this name"),
            Self::NoSuchKifu => f.write_str("the record does not exist, or is not visible"),
            Self::NoSuchTag => f.write_str("the user has no such tag"),
            Self::NoSuchAnalysis => f.write_str("the analysis does not exist, or has expired"),
            Self::Dynamo(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ShogiError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Dynamo(error) => error.source(),
            _ => None,
        }
    }
}

impl From<Error> for ShogiError {
    fn from(error: Error) -> Self {
        Self::Dynamo(error)
    }
}
