//! What can go wrong with a call.

use super::KeyError;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use core::fmt;
use std::error::Error as StdError;

pub(crate) type Source = Box<dyn StdError + Send + Sync + 'static>;

/// Why a call failed: what was being done, to which item, and what to do about it.
///
/// ```
/// use dynamo_model::{Dynamo, DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize, Debug)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), dynamo_model::Error> {
/// let db = Dynamo::embedded()?; // and no table yet
/// let error = User::get("u1").send(&db).await.unwrap_err();
/// assert!(error.is_missing_table());
/// assert_eq!(
///     error.to_string(),
///     "get User USER#u1: table `App` does not exist; create it, or check its name and region",
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Error(Box<Inner>);

#[derive(Debug)]
struct Inner {
    place: Place,
    kind: ErrorKind,
    source: Option<Source>,
}

/// What was being done, and to what.
#[derive(Debug, Clone, Default)]
pub(crate) struct Place {
    /// `get`, `query` …
    pub(crate) operation: &'static str,
    /// The name of the Rust type.
    pub(crate) entity: &'static str,
    /// The deployed name.
    pub(crate) table: String,
    /// `USER#u1/PROFILE`, where one item is meant.
    pub(crate) key: Option<String>,
}

/// What kind of failure it is; see [`Error::kind`].
///
/// ```
/// use dynamo_model::ErrorKind;
///
/// assert!(matches!(ErrorKind::Throttled, ErrorKind::Throttled));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// A key could not be built; nothing was sent.
    Key(KeyError),
    /// A value could not be written as an attribute; nothing was sent.
    Encode {
        /// The attribute.
        attribute: String,
    },
    /// An item could not be read into its type.
    Decode {
        /// Where, as in `options[2].price`.
        path: String,
    },
    /// The item is of another entity.
    OtherEntity {
        /// What the item says it is.
        found: String,
        /// What it should be.
        expected: &'static str,
    },
    /// There is no such table.
    MissingTable,
    /// DynamoDB took no more requests, after all retries.
    Throttled,
    /// The credentials are missing, wrong, expired, or not allowed to do this.
    AccessDenied,
    /// No answer came: no connection, or too late.
    Network,
    /// DynamoDB refused the request, with this code.
    Service {
        /// As DynamoDB calls it.
        code: String,
    },
    /// `one` found none, or more than one.
    NotOne {
        /// How many there were, 2 meaning "more than one".
        found: usize,
    },
    /// A cursor that was altered, or belongs to another query.
    Cursor {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A deployed table is not as declared.
    Mismatch,
    /// More keys than DynamoDB takes together; nothing was sent.
    TooMany {
        /// How many were given.
        keys: usize,
        /// How many it takes.
        max: usize,
    },
    /// Keys that remained unread after all retries.
    Unprocessed {
        /// How many.
        keys: usize,
    },
    /// The embedded engine could not be started.
    Engine,
}

impl Error {
    #[cold]
    pub(crate) fn new(place: Place, kind: ErrorKind, source: Option<Source>) -> Self {
        Self(Box::new(Inner {
            place,
            kind,
            source,
        }))
    }

    #[cold]
    pub(crate) fn key(operation: &'static str, error: KeyError) -> Self {
        let place = Place {
            operation,
            entity: error.entity(),
            ..Place::default()
        };
        Self::new(place, ErrorKind::Key(error.clone()), Some(Box::new(error)))
    }

    #[cold]
    #[cfg(feature = "embedded")]
    pub(crate) fn engine(reason: String) -> Self {
        let place = Place {
            operation: "start",
            entity: "the embedded engine",
            ..Place::default()
        };
        Self::new(place, ErrorKind::Engine, Some(reason.into()))
    }

    /// Sorts the SDK's error into our kinds; its whole chain of sources is kept.
    #[cold]
    pub(crate) fn sdk<E, R>(place: Place, error: SdkError<E, R>) -> Self
    where
        E: ProvideErrorMetadata + StdError + Send + Sync + 'static,
        R: fmt::Debug + Send + Sync + 'static,
    {
        let kind = match &error {
            SdkError::ServiceError(service) => by_code(service.err().code()),
            SdkError::ConstructionFailure(_) => ErrorKind::AccessDenied,
            SdkError::DispatchFailure(_) | SdkError::TimeoutError(_) => ErrorKind::Network,
            _ => ErrorKind::Service {
                code: "unreadable response".into(),
            },
        };
        Self::new(place, kind, Some(Box::new(error)))
    }

    /// What kind of failure it is.
    #[must_use]
    pub fn kind(&self) -> &ErrorKind {
        &self.0.kind
    }

    /// The entity that was read or written, by the name of its type.
    #[must_use]
    pub fn entity(&self) -> &'static str {
        self.0.place.entity
    }

    /// The key of the item, as `USER#u1/PROFILE`, where one item was meant.
    #[must_use]
    pub fn key_text(&self) -> Option<&str> {
        self.0.place.key.as_deref()
    }

    /// The table does not exist.
    #[must_use]
    pub fn is_missing_table(&self) -> bool {
        matches!(self.0.kind, ErrorKind::MissingTable)
    }

    /// DynamoDB took no more requests; later it will.
    #[must_use]
    pub fn is_throttled(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Throttled)
    }

    /// The credentials do not allow it.
    #[must_use]
    pub fn is_access_denied(&self) -> bool {
        matches!(self.0.kind, ErrorKind::AccessDenied)
    }

    /// An item could not be read into its type.
    #[must_use]
    pub fn is_decode(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::Decode { .. } | ErrorKind::OtherEntity { .. }
        )
    }

    /// A cursor was altered, or belongs to another query.
    #[must_use]
    pub fn is_cursor(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Cursor { .. })
    }
}

fn by_code(code: Option<&str>) -> ErrorKind {
    match code.unwrap_or_default() {
        "ResourceNotFoundException" => ErrorKind::MissingTable,
        "ProvisionedThroughputExceededException"
        | "ThrottlingException"
        | "RequestLimitExceeded"
        | "ThrottledException" => ErrorKind::Throttled,
        "AccessDeniedException"
        | "UnrecognizedClientException"
        | "InvalidSignatureException"
        | "IncompleteSignatureException"
        | "MissingAuthenticationTokenException"
        | "MissingAuthenticationToken"
        | "ExpiredTokenException" => ErrorKind::AccessDenied,
        code => ErrorKind::Service { code: code.into() },
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation, self.entity)?;
        match &self.key {
            Some(key) => write!(f, " {key}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Inner {
            place,
            kind,
            source,
        } = &*self.0;
        write!(f, "{place}: ")?;
        let table = &place.table;
        match kind {
            ErrorKind::Key(_) => write!(f, "the key could not be built"),
            ErrorKind::Encode { attribute } => {
                write!(f, "`{attribute}` could not be written as an attribute")
            }
            ErrorKind::Decode { path } => match source {
                // A missing field is said of the item as a whole, and the reason names it.
                Some(source) if path == "." => write!(f, "{source}"),
                // The reason belongs beside the path; what caused it is in the chain.
                Some(source) => write!(f, "{path}: {source}"),
                None => write!(f, "{path} could not be read"),
            },
            ErrorKind::OtherEntity { found, expected } => {
                write!(
                    f,
                    "the item is a {found}, not a {expected}; read the partition as a collection, or give the entities other keys"
                )
            }
            ErrorKind::MissingTable => {
                write!(
                    f,
                    "table `{table}` does not exist; create it, or check its name and region"
                )
            }
            ErrorKind::Throttled => {
                write!(
                    f,
                    "table `{table}` took no more requests; try later, or give it more capacity"
                )
            }
            ErrorKind::AccessDenied => {
                write!(
                    f,
                    "the credentials do not allow it; check them, and the policy for table `{table}`"
                )
            }
            ErrorKind::Network => {
                write!(f, "no answer came; check the endpoint and the connection")
            }
            ErrorKind::Service { code } => write!(f, "DynamoDB refused the request ({code})"),
            ErrorKind::NotOne { found: 0 } => write!(f, "no item was found, where one must be"),
            ErrorKind::NotOne { .. } => {
                write!(f, "more than one item was found; use `first` or `all`")
            }
            ErrorKind::Cursor { reason } => {
                write!(f, "the cursor {reason}; start again from the first page")
            }
            ErrorKind::Mismatch => write!(f, "table `{table}` is not as declared"),
            ErrorKind::TooMany { keys, max } => {
                write!(
                    f,
                    "{keys} keys in one transaction, where DynamoDB takes {max}; use a batch, or several transactions"
                )
            }
            ErrorKind::Unprocessed { keys } => {
                write!(
                    f,
                    "{keys} keys remained unread after all retries; try them again"
                )
            }
            ErrorKind::Engine => write!(f, "it could not be opened"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0.kind {
            // Shown by `Display` already.
            ErrorKind::Decode { .. } => self.0.source.as_deref().and_then(StdError::source),
            _ => self
                .0
                .source
                .as_deref()
                .map(|source| source as &(dyn StdError + 'static)),
        }
    }
}
