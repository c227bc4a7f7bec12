//! A prefix of a sort key, typed by its entity.

use super::range::SortCondition;
use super::sort_key::Unsorted;
use super::value::KeyValue;
use crate::index::Primary;
use core::fmt;
use core::marker::PhantomData;

/// A prefix of a sort key of entity `E`, in the table or in the index `I`: an argument
/// of [`within`](crate::read::Query::within).
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::key::KeyPrefix;
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("APP")]
/// #[sk("USER#<user_id>#<file>")]
/// struct File {
///     user_id: String,
///     file: String,
/// }
///
/// let of_user_1: KeyPrefix<File> = File::sort_key().user_id("1").build()?;
/// assert_eq!(of_user_1, "USER#1#");            // closed: user 10 is not in it
/// let in_part = File::sort_key().user_id("1").file_prefix("img/").build()?;
/// assert_eq!(in_part, "USER#1#img/");
/// # Ok::<(), dynamo_model::KeyError>(())
/// ```
pub struct KeyPrefix<E, I = Primary> {
    text: String,
    /// All parts are known, so this is the whole key.
    whole: bool,
    /// The next part, if its text does not sort as its values do.
    unsorted: Option<Unsorted>,
    of: PhantomData<fn() -> (E, I)>,
}

impl<E, I> KeyPrefix<E, I> {
    pub(super) fn new(text: String, whole: bool, unsorted: Option<Unsorted>) -> Self {
        Self {
            text,
            whole,
            unsorted,
            of: PhantomData,
        }
    }

    /// Returns the text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns whether all parts are given. Then it is one key, compared with `=`, and not a
    /// beginning.
    #[must_use]
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Returns the next part, if keys with this prefix are not in the order of its values.
    #[cfg(feature = "client")]
    pub(crate) fn unsorted(&self) -> Option<Unsorted> {
        self.unsorted
    }

    /// Returns the condition that a sort key has this prefix.
    pub(super) fn into_condition(self) -> SortCondition {
        match self.whole {
            true => SortCondition::Equals(KeyValue::S(self.text)),
            false if self.text.is_empty() => SortCondition::Any,
            false => SortCondition::BeginsWith(self.text),
        }
    }

    /// Returns whether a sort key begins with it or, if it is whole, equals it.
    #[must_use]
    pub fn matches(&self, sort_key: &str) -> bool {
        if self.whole {
            sort_key == self.text
        } else {
            sort_key.starts_with(&self.text)
        }
    }
}

// A derived impl would require the same of `E` and `I`, which are only markers.
impl<E, I> Clone for KeyPrefix<E, I> {
    fn clone(&self) -> Self {
        Self::new(self.text.clone(), self.whole, self.unsorted)
    }
}

impl<E, I> PartialEq for KeyPrefix<E, I> {
    fn eq(&self, other: &Self) -> bool {
        (&self.text, self.whole) == (&other.text, other.whole)
    }
}

impl<E, I> Eq for KeyPrefix<E, I> {}

impl<E, I> core::hash::Hash for KeyPrefix<E, I> {
    fn hash<H: core::hash::Hasher>(&self, state: &mut H) {
        (&self.text, self.whole).hash(state);
    }
}

impl<E, I> fmt::Debug for KeyPrefix<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeyPrefix")
            .field("text", &self.text)
            .field("whole", &self.whole)
            .finish()
    }
}

impl<E, I> From<KeyPrefix<E, I>> for String {
    fn from(prefix: KeyPrefix<E, I>) -> Self {
        prefix.text
    }
}

impl<E, I> fmt::Display for KeyPrefix<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl<E, I> PartialEq<&str> for KeyPrefix<E, I> {
    fn eq(&self, other: &&str) -> bool {
        self.text == *other
    }
}
