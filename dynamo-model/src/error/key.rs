//! Errors of keys. Each names the entity, the key template and the field, and states the fix. None
//! shows a value, which may be private.

use crate::key::PartError;
use crate::key::Template;
use core::fmt;

/// Reports a key that cannot be built, or a text that is not a key of the entity.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity, Debug)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let error = User::key("").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "User: `user_id` is empty in the key `USER#<user_id>`; a key part needs at least one character",
/// );
/// assert_eq!((error.entity(), error.field()), ("User", Some("user_id")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyError {
    entity: &'static str,
    template: &'static str,
    field: Option<&'static str>,
    kind: KeyErrorKind,
}

/// The defect of a key; see [`KeyError::kind`].
///
/// ```
/// use dynamo_model::error::KeyErrorKind;
///
/// assert_ne!(KeyErrorKind::Empty, KeyErrorKind::TooLong { bytes: 2049, max: 2048 });
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum KeyErrorKind {
    /// A part is empty.
    Empty,
    /// The key is over DynamoDB's limit.
    TooLong {
        /// Bytes of the whole key.
        bytes: usize,
        /// The limit of DynamoDB.
        max: usize,
    },
    /// An integer has more digits than its padding.
    TooWide {
        /// Characters it would take.
        needed: usize,
        /// Characters the template gives it.
        width: usize,
    },
    /// A year before 0 or after 9999.
    YearOutOfRange,
    /// A time before 1970 or after November 2286, in a text of seconds or milliseconds since 1970.
    EpochOutOfRange,
    /// A range of time that touches more buckets than anyone would read.
    TooManyBuckets {
        /// The maximum number of buckets.
        max: usize,
    },
    /// An order or range of a part whose text does not sort.
    Unsorted,
    /// A time finer than the precision of the attribute it is stored in.
    TooPrecise,
    /// A number beyond DynamoDB's limits: 38 digits, from 1e-130 to 9.99e125.
    NumberOutOfRange,
    /// Bytes in a key of type S.
    BytesInText,
    /// A text prefix of a key that is not text.
    NotText,
    /// The text is not of the template's form.
    NoMatch {
        /// The literal text that was looked for; empty for the end of the key.
        expected: &'static str,
        /// Where, in bytes from the start of the key.
        at: usize,
    },
    /// A part's text is not one that its field could have written.
    Malformed,
    /// A field that occurs twice in the key has two values there.
    Disagrees,
    /// The field's type refuses the value.
    Refused(PartError),
    /// The key attribute has another DynamoDB type.
    WrongType {
        /// The declared type.
        expected: &'static str,
        /// The type of the attribute.
        found: &'static str,
    },
    /// A sort key is missing, or is given although the key has none.
    SortKey {
        /// Whether the entity declares one.
        expected: bool,
    },
    /// A field that the key needs has no value; see [`by_name`](crate::by_name).
    Missing,
    /// A field that the key does not have, or that comes after a missing one or after a range; see
    /// [`by_name`](crate::by_name).
    Gap,
    /// A range that ends within a time bucket whose items are not sorted by that time.
    PartOfBucket,
    /// The key belongs to no entity of the table.
    NoEntity,
    /// The item is the unknown item of an items enum.
    UnknownItem,
}

impl KeyError {
    #[cold]
    pub(crate) fn new(
        template: &Template,
        field: Option<&'static str>,
        kind: KeyErrorKind,
    ) -> Self {
        Self {
            entity: template.entity,
            template: template.text,
            field,
            kind,
        }
    }

    #[cold]
    #[doc(hidden)]
    #[must_use]
    pub fn no_entity(items: &'static str) -> Self {
        Self {
            entity: items,
            template: "",
            field: None,
            kind: KeyErrorKind::NoEntity,
        }
    }

    /// The error of writing the unknown item of an items enum.
    #[cfg(feature = "client")]
    #[cold]
    pub(crate) fn unknown_item(items: &'static str) -> Self {
        Self {
            entity: items,
            template: "",
            field: None,
            kind: KeyErrorKind::UnknownItem,
        }
    }

    /// Returns the entity of the key, by the name of its type.
    #[must_use]
    pub fn entity(&self) -> &'static str {
        self.entity
    }

    /// Returns the key template, as declared.
    #[must_use]
    pub fn template(&self) -> &'static str {
        self.template
    }

    /// Returns the field at fault, if there is one.
    #[must_use]
    pub fn field(&self) -> Option<&'static str> {
        self.field
    }

    /// Returns the defect.
    #[must_use]
    pub fn kind(&self) -> &KeyErrorKind {
        &self.kind
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            entity,
            template,
            field,
            kind,
        } = self;
        let field = field.unwrap_or("key");
        write!(f, "{entity}: ")?;
        match kind {
            KeyErrorKind::Empty => write!(
                f,
                "`{field}` is empty in the key `{template}`; a key part needs at least one \
                 character"
            ),
            KeyErrorKind::TooLong { bytes, max } => write!(
                f,
                "the key `{template}` is {bytes} bytes long, DynamoDB allows {max}; shorten \
                 `{field}`, its longest part"
            ),
            KeyErrorKind::TooWide { needed, width } => write!(
                f,
                "`{field}` needs {needed} characters in the key `{template}`, which gives it \
                 {width}; widen the padding before the first item is written"
            ),
            KeyErrorKind::YearOutOfRange => write!(
                f,
                "`{field}` is outside the years 0000 to 9999 in the key `{template}`; the text \
                 would not sort"
            ),
            KeyErrorKind::EpochOutOfRange => write!(
                f,
                "`{field}` is not from 1970-01-01 to 2286-11-20 in the key `{template}`; the text \
                 of other times would not sort"
            ),
            KeyErrorKind::TooManyBuckets { max } => write!(
                f,
                "the range of `{field}` touches more than {max} buckets of `{template}`, each a \
                 request; narrow it"
            ),
            KeyErrorKind::Unsorted => write!(
                f,
                "the text of `{field}` in the key `{template}` does not sort as its values do; pad \
                 an integer, as in `<number:06>`, or say how precise a time is, as in `<at:ms>`"
            ),
            KeyErrorKind::TooPrecise => write!(
                f,
                "`{field}` is finer than the precision of `{template}`, the attribute it is stored \
                 in; round it first, or declare a finer precision"
            ),
            KeyErrorKind::NumberOutOfRange => write!(
                f,
                "`{field}` in the key `{template}` is a number that DynamoDB does not store; it \
                 keeps 38 digits, from 1e-130 to 9.99e125"
            ),
            KeyErrorKind::BytesInText => write!(
                f,
                "`{field}` holds bytes, but the key `{template}` is text; declare the key \
                 attribute as `B`"
            ),
            KeyErrorKind::NotText => {
                write!(
                    f,
                    "the key `{template}` is not text, so it has no prefixes; use a range"
                )
            }
            KeyErrorKind::NoMatch { expected: "", at } => {
                write!(
                    f,
                    "the key has text after byte {at}, where `{template}` ends"
                )
            }
            KeyErrorKind::NoMatch { expected, at } => {
                write!(
                    f,
                    "the key has no `{expected}` at or after byte {at}, which `{template}` requires"
                )
            }
            KeyErrorKind::Malformed => {
                write!(f, "the text of `{field}` cannot come from `{template}`")
            }
            KeyErrorKind::Disagrees => {
                write!(
                    f,
                    "`{field}` occurs twice in the key, with different values; see `{template}`"
                )
            }
            KeyErrorKind::Refused(reason) => {
                write!(
                    f,
                    "`{field}` in the key `{template}` could not be read: {reason}"
                )
            }
            KeyErrorKind::WrongType { expected, found } => {
                write!(f, "the key `{template}` is of type {expected}, not {found}")
            }
            KeyErrorKind::SortKey { expected: true } => {
                write!(f, "the sort key `{template}` is missing")
            }
            KeyErrorKind::SortKey { expected: false } => {
                write!(f, "a sort key was given, but the key has none")
            }
            KeyErrorKind::Missing => {
                write!(
                    f,
                    "`{field}` has no value, and the key `{template}` needs one"
                )
            }
            KeyErrorKind::Gap => write!(
                f,
                "`{field}` cannot be used here; give the fields of `{template}` from left to \
                 right without a gap, and a range or a beginning only for the last of them"
            ),
            KeyErrorKind::PartOfBucket => write!(
                f,
                "the range of `{field}` covers a part of a bucket of `{template}`, whose items are \
                 not sorted by it; give whole buckets"
            ),
            KeyErrorKind::NoEntity => write!(f, "no entity of the table builds this key"),
            KeyErrorKind::UnknownItem => write!(
                f,
                "an unknown item cannot be written, because its keys, version and unique values are not declared; leave it as it is"
            ),
        }
    }
}

// No source: the text contains the reason of the part's type.
impl core::error::Error for KeyError {}
