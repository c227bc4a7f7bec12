//! What can go wrong with a call.

use super::{KeyError, Place, PlaceKey};
use crate::op::Unwritten;
use crate::wire::{self, Item, Readable};
use aws_sdk_dynamodb::config::http::HttpResponse;
use aws_sdk_dynamodb::error::{ProvideErrorMetadata, SdkError};
use aws_smithy_runtime_api::http::StatusCode;
use core::any::Any;
use core::fmt;
use serde::de::DeserializeOwned;
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

struct Inner {
    place: Place,
    kind: ErrorKind,
    source: Option<Source>,
    found: Found,
    /// Whether it was a write that may have been done.
    uncertain: bool,
}

/// What caused it is shown by its texts: the SDK's own errors carry whole answers, and with them items.
impl fmt::Debug for Inner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut causes = Vec::new();
        let mut next = self.source.as_deref().map(|it| it as &dyn StdError);
        while let Some(cause) = next {
            causes.push(cause.to_string());
            next = cause.source();
        }
        f.debug_struct("Inner")
            .field("place", &self.place)
            .field("kind", &self.kind)
            .field("causes", &causes)
            .field("found", &self.found)
            .field("uncertain", &self.uncertain)
            .finish()
    }
}

/// What else there is to say, for those who ask.
#[derive(Default)]
struct Found {
    /// The item on which a condition failed.
    item: Option<Item>,
    /// Of a transaction, the errors of its other operations.
    cancellations: Vec<Error>,
    /// Of a batch, what could not be written.
    unwritten: Vec<Unwritten>,
}

/// Without the item, which may be sensitive.
impl fmt::Debug for Found {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Found")
            .field("item", &self.item.is_some())
            .field("cancellations", &self.cancellations)
            .field("unwritten", &self.unwritten)
            .finish()
    }
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
        /// What the item says it is; `None` where it does not say.
        found: Option<String>,
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
        /// As DynamoDB calls it; `HTTP 502` where the answer had none, `unreadable response` where it was no answer.
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
    /// `create` found an item with this key.
    AlreadyExists,
    /// The item that was to be changed is not there.
    NotFound,
    /// Somebody else changed the item since it was read.
    Conflict {
        /// The attribute that is not as it was: the version, or a field beside another one in an index key.
        attribute: String,
    },
    /// The item does not meet the condition.
    ConditionFailed,
    /// Another item has the value of a `#[unique]` constraint.
    NotUnique {
        /// The constraint, as it is written.
        constraint: &'static str,
    },
    /// Another transaction was at work on the item, during all attempts.
    InProgress,
    /// An item over 400 KB, or a transaction over 4 MB; nothing was sent.
    TooLarge {
        /// How large it is.
        bytes: usize,
        /// How large it may be.
        max: usize,
    },
    /// The same item twice in one transaction or batch; nothing was sent.
    SameItem {
        /// What the other operation does.
        other: &'static str,
    },
    /// An update that changes nothing; nothing was sent.
    NoChange,
    /// An update that changes an attribute twice; nothing was sent.
    ChangedTwice {
        /// The attribute, or what is within it.
        attribute: String,
    },
    /// An upsert that would create an item without these fields; nothing was sent.
    Incomplete {
        /// The fields.
        attributes: Vec<String>,
    },
    /// Items of a batch that remained unwritten after all retries.
    Unwritten {
        /// How many.
        items: usize,
    },
    /// A deployed table is not as declared.
    Mismatch,
    /// A table was not created, or not deleted, within five minutes.
    NotReady {
        /// What it still is, as DynamoDB calls it: `CREATING`, `DELETING`.
        status: String,
    },
    /// More items than DynamoDB takes together; nothing was sent.
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
    /// A stream's record does not carry the item that is asked for.
    NoImage {
        /// `new` or `old`.
        image: &'static str,
        /// What the stream carries, as DynamoDB calls it.
        view: Option<&'static str>,
    },
    /// The table has no stream.
    NoStream,
    /// An item that a migration cannot migrate, or a migration that cannot be run.
    Migration {
        /// Why, and what to do about it.
        reason: String,
    },
    /// Another run of the same migration has taken over, or has finished it.
    TakenOver,
    /// The embedded engine could not be started.
    Engine,
}

impl Error {
    #[cold]
    pub(crate) fn new(place: Place, kind: ErrorKind, source: Option<Source>) -> Self {
        Self(Box::new(Inner {
            place: place.in_words(),
            kind,
            source,
            found: Found::default(),
            uncertain: false,
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
            SdkError::ServiceError(service) => match service.err().code() {
                Some(code) if !code.is_empty() => by_code(code),
                _ => match status(service.raw()) {
                    Some(status) if status.is_success() => unreadable(),
                    Some(status) => ErrorKind::Service {
                        code: format!("HTTP {}", status.as_u16()),
                    },
                    None => ErrorKind::Service {
                        code: "without a code".into(),
                    },
                },
            },
            SdkError::ConstructionFailure(_) => ErrorKind::AccessDenied,
            SdkError::DispatchFailure(_) | SdkError::TimeoutError(_) => ErrorKind::Network,
            _ => unreadable(),
        };
        Self::new(place, kind, Some(Box::new(error)))
    }

    #[cold]
    pub(crate) fn or_done(mut self, uncertain: bool) -> Self {
        self.0.uncertain |= uncertain;
        self
    }

    /// The item on which a condition failed, as it is stored.
    pub(crate) fn stored_item(&self) -> Option<&Item> {
        self.0.found.item.as_ref()
    }

    /// Names the item, where that was not known.
    #[cold]
    pub(crate) fn with_key(mut self, key: Option<PlaceKey>) -> Self {
        self.0.place.key = key;
        self
    }

    #[cold]
    pub(crate) fn with_item(mut self, item: Option<Item>) -> Self {
        self.0.found.item = item;
        self
    }

    pub(crate) fn with_cancellations(mut self, cancellations: Vec<Error>) -> Self {
        self.0.found.cancellations = cancellations;
        self
    }

    pub(crate) fn with_unwritten(mut self, unwritten: Vec<Unwritten>) -> Self {
        self.0.found.unwritten = unwritten;
        self
    }

    pub(crate) fn set_source(&mut self, source: Source) {
        self.0.source = Some(source);
    }

    /// Whether another transaction is at work on the item, so that it pays to wait.
    pub(crate) fn is_conflict_in_progress(&self) -> bool {
        matches!(self.0.kind, ErrorKind::InProgress)
    }

    /// The item on which a condition failed: what was there instead of what was expected.
    ///
    /// See [`Put`](crate::Put) for an example.
    pub fn item<E: Readable + DeserializeOwned>(&self) -> Result<Option<E>, Error> {
        let item = self.0.found.item.clone();
        item.map(|item| wire::decode(&self.0.place, item))
            .transpose()
    }

    /// Of a transaction that was cancelled, the errors of its other operations; this one is that of the first.
    #[must_use]
    pub fn cancellations(&self) -> &[Error] {
        &self.0.found.cancellations
    }

    /// Of a batch, what could not be written.
    #[must_use]
    pub fn unwritten(&self) -> &[Unwritten] {
        &self.0.found.unwritten
    }

    /// Of a batch, what could not be written: for [`BatchWrite::again`](crate::BatchWrite::again).
    #[must_use]
    pub fn into_unwritten(self) -> Vec<Unwritten> {
        self.0.found.unwritten
    }

    /// The write may have been done all the same: the answer to one of its attempts was lost, or said nothing (HTTP
    /// 500). Where it matters, read the item before you go on. A write that failed and is not uncertain was not done, of
    /// a batch what is not in [`unwritten`](Self::unwritten) excepted.
    ///
    /// What would do more the second time (adding to a number or to a list), or could not tell its own work from somebody
    /// else's (replacing a version, deleting on a condition, returning what was there before), is not sent again then. In a [`Transaction`](crate::Transaction), of one operation
    /// if need be, everything is: it has a name of its own, by which DynamoDB does it once. It costs twice as much.
    ///
    /// ```
    /// use dynamo_model::{Error, ErrorKind};
    ///
    /// fn advice(error: &Error) -> &'static str {
    ///     match error.kind() {
    ///         _ if error.is_uncertain() => "look first",
    ///         ErrorKind::Throttled | ErrorKind::Network => "try again",
    ///         _ => "give up",
    ///     }
    /// }
    /// ```
    #[must_use]
    pub fn is_uncertain(&self) -> bool {
        self.0.uncertain
    }

    /// Somebody else changed the item since it was read: read it again.
    #[must_use]
    pub fn is_conflict(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Conflict { .. })
    }

    /// A condition failed: the user's own, or one of the library's.
    #[must_use]
    pub fn is_condition_failed(&self) -> bool {
        matches!(
            self.0.kind,
            ErrorKind::ConditionFailed
                | ErrorKind::AlreadyExists
                | ErrorKind::NotFound
                | ErrorKind::Conflict { .. }
                | ErrorKind::NotUnique { .. }
        )
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
        self.0.place.words()
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

    /// The item is of another entity.
    #[must_use]
    pub fn is_other_entity(&self) -> bool {
        matches!(self.0.kind, ErrorKind::OtherEntity { .. })
    }

    /// A cursor was altered, or belongs to another query.
    #[must_use]
    pub fn is_cursor(&self) -> bool {
        matches!(self.0.kind, ErrorKind::Cursor { .. })
    }
}

/// What an answer without a code can be called by: a proxy in between gives nothing else.
fn status<R: 'static>(response: &R) -> Option<StatusCode> {
    let response = (response as &dyn Any).downcast_ref::<HttpResponse>();
    response.map(HttpResponse::status)
}

const UNREADABLE: &str = "unreadable response";

/// What to do about an item that cannot be read.
const UNREAD: &str = "change the item, or the type that reads it";

/// An answer that is none of DynamoDB's.
fn unreadable() -> ErrorKind {
    ErrorKind::Service {
        code: UNREADABLE.into(),
    }
}

fn by_code(code: &str) -> ErrorKind {
    match code {
        "ResourceNotFoundException" => ErrorKind::MissingTable,
        "ProvisionedThroughputExceededException"
        | "ThrottlingException"
        | "RequestLimitExceeded"
        | "ThrottledException" => ErrorKind::Throttled,
        "TransactionConflictException" | "TransactionInProgressException" => ErrorKind::InProgress,
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

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt_kind(f)?;
        if self.0.uncertain {
            write!(f, "; an answer was lost, so it may have been done")?;
        }
        Ok(())
    }
}

impl Inner {
    fn fmt_kind(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            place,
            kind,
            source,
            ..
        } = self;
        write!(f, "{place}: ")?;
        let table = &place.table;
        match kind {
            ErrorKind::Key(_) => write!(f, "the key could not be built"),
            ErrorKind::Encode { attribute } => match source {
                Some(source) => write!(f, "{attribute}: {source}"),
                None => write!(f, "`{attribute}` could not be written as an attribute"),
            },
            ErrorKind::Decode { path } => match source {
                // Of the item as a whole.
                Some(source) if path == "." => write!(f, "{source}; {UNREAD}"),
                // The reason belongs beside the path; what caused it is in the chain.
                Some(source) => write!(f, "{path}: {source}; {UNREAD}"),
                None => write!(f, "{path} could not be read; {UNREAD}"),
            },
            ErrorKind::OtherEntity {
                found: Some(found),
                expected,
            } => write!(
                f,
                "the item is of type `{found}`, not `{expected}`; read the partition as a collection that has both, or give the entities other keys"
            ),
            ErrorKind::OtherEntity {
                found: None,
                expected,
            } => write!(
                f,
                "the item does not say what it is, where `{expected}` is expected; write its entity type, or read it by another type"
            ),
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
            ErrorKind::Service { code } if code == UNREADABLE => {
                write!(
                    f,
                    "the answer could not be read; check what is between here and DynamoDB"
                )
            }
            ErrorKind::Service { code } => write!(f, "DynamoDB refused the request ({code})"),
            ErrorKind::NotOne { found: 0 } => write!(f, "no item was found, where one must be"),
            ErrorKind::NotOne { .. } => {
                write!(f, "more than one item was found; use `first` or `all`")
            }
            ErrorKind::Cursor { reason } => {
                write!(f, "the cursor {reason}; start again from the first page")
            }
            ErrorKind::AlreadyExists => write!(
                f,
                "there is such an item already; use `put` to replace it, or `update` to change it"
            ),
            ErrorKind::NotFound => write!(
                f,
                "there is no such item; use `create` or `upsert` to make it"
            ),
            ErrorKind::Conflict { attribute } => write!(
                f,
                "`{attribute}` was changed by somebody else; read the item again, and try once more"
            ),
            ErrorKind::ConditionFailed => write!(f, "the item does not meet the condition"),
            ErrorKind::NotUnique { constraint } => write!(
                f,
                "another item has this value of `{constraint}`, which is unique"
            ),
            ErrorKind::InProgress => write!(
                f,
                "another transaction was at work on the item, during all attempts; try later"
            ),
            ErrorKind::TooLarge { bytes, max } => write!(
                f,
                "{bytes} bytes, where DynamoDB takes {max}; make the item smaller, or split it"
            ),
            ErrorKind::SameItem { other } => write!(
                f,
                "the item is in it already ({other}), and each item can be there only once; put both changes into one operation"
            ),
            ErrorKind::NoChange => write!(f, "nothing is changed; say what, as in `.set(…)`"),
            ErrorKind::ChangedTwice { attribute } => {
                write!(f, "`{attribute}` is changed twice; keep one of the changes")
            }
            ErrorKind::Incomplete { attributes } => {
                let attributes: Vec<_> = attributes.iter().map(|it| format!("`{it}`")).collect();
                write!(
                    f,
                    "the item may be new, and then has no {}; set it, or use `update` for an item that is there",
                    attributes.join(", ")
                )
            }
            ErrorKind::Unwritten { items } => write!(
                f,
                "{items} items remained unwritten after all retries; `into_unwritten` has them"
            ),
            ErrorKind::Mismatch => write!(f, "table `{table}` is not as declared"),
            ErrorKind::NotReady { status } => {
                write!(
                    f,
                    "table `{table}` is still {status} after five minutes; wait for it, or look at it in the console"
                )
            }
            ErrorKind::TooMany { keys, max } => {
                write!(
                    f,
                    "{keys} items in one transaction, where DynamoDB takes {max}; use a batch, or several transactions"
                )
            }
            ErrorKind::Unprocessed { keys } => {
                write!(
                    f,
                    "{keys} keys remained unread after all retries; try them again"
                )
            }
            ErrorKind::NoImage { image, view } => {
                let view = view.unwrap_or("without images");
                write!(
                    f,
                    "the record has no {image} image, because the stream of table `{table}` is {view}; declare `#[table(stream = new_and_old_images)]`, or make do with the key"
                )
            }
            ErrorKind::NoStream => write!(
                f,
                "table `{table}` has no stream; declare `#[table(stream = new_and_old_images)]`, and deploy it"
            ),
            ErrorKind::Migration { reason } => f.write_str(reason),
            ErrorKind::TakenOver => write!(
                f,
                "another run of this migration has taken over, or has finished it; this one stops"
            ),
            ErrorKind::Engine => write!(f, "it could not be opened"),
        }
    }
}

impl StdError for Error {
    fn source(&self) -> Option<&(dyn StdError + 'static)> {
        match &self.0.kind {
            // Shown by `Display` already.
            ErrorKind::Decode { .. } | ErrorKind::Encode { .. } => {
                self.0.source.as_deref().and_then(StdError::source)
            }
            _ => self
                .0
                .source
                .as_deref()
                .map(|source| source as &(dyn StdError + 'static)),
        }
    }
}
