//! What an update can name: typed attributes, and which changes each of them takes.
//!
//! An update takes a closure that names the attribute, `|user| user.age()`. What it returns decides which
//! methods of the update accept it: a [`Slot`] for an attribute of its own, a [`KeySlot`] for a field that
//! stands in the key of an index, a [`Path`] for something within an attribute.

use super::operand::AsOperand;
use super::path::{Path, RawPath};
use super::update::{Action, What};
use crate::key::fields::OwnedPart;
use crate::key::{AsKeyPart, KeyPart, PartValue};
use crate::wire;
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;
use core::ops::Deref;
use serde::Serialize;
use std::collections::{BTreeSet, HashSet, VecDeque};

/// The item was read, and all of its fields are known: the `K` of [`Update`](crate::Update) that `item.update()` gives.
///
/// ```
/// # use dynamo_model::{DynamoEntity, DynamoTable};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<id>")]
/// # struct User {
/// #     id: u32,
/// #     logins: u64,
/// # }
/// use dynamo_model::{Entity, Loaded, Update};
///
/// fn logged_in(user: &User) -> Update<User, Loaded> {
///     user.update().add(|user| user.logins(), 1_u64)
/// }
/// # let _ = logged_in(&User { id: 1, logins: 0 });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Loaded;

/// Only the key of the item is known: the `K` of [`Update`](crate::Update) that an entity's `update(…)` gives, where
/// nothing else is said.
///
/// ```
/// # use dynamo_model::{ByKey, DynamoEntity, DynamoTable, Update};
/// # #[derive(DynamoTable)]
/// # #[table(name = "App", pk = "PK")]
/// # struct App;
/// # #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// # #[dynamo(table = App)]
/// # #[pk("USER#<id>")]
/// # struct User {
/// #     id: u32,
/// # }
/// let update: Update<User, ByKey> = User::update(1);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ByKey;

/// An attribute that every item has.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Required;

/// An attribute that may be absent.
#[doc(hidden)]
#[derive(Debug, Clone, Copy)]
pub struct Optional;

/// An attribute of an item, to be changed. What is within it is named as in a filter: `.at(2)`,
/// `.entry("key")`, `.fields()`.
#[derive(Debug)]
pub struct Slot<T: ?Sized, O = Required> {
    path: Path<T>,
    of: PhantomData<fn() -> O>,
}

impl<T: ?Sized, O> Slot<T, O> {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub fn new(path: Path<T>) -> Self {
        Self {
            path,
            of: PhantomData,
        }
    }
}

impl<T: ?Sized, O> Deref for Slot<T, O> {
    type Target = Path<T>;

    fn deref(&self) -> &Path<T> {
        &self.path
    }
}

/// A field that stands in the key of an index, to be changed together with that key.
#[derive(Debug)]
pub struct KeySlot<T: ?Sized, O = Required> {
    change: KeyChange,
    of: PhantomData<fn() -> (O, T)>,
}

/// A change of a field in a key.
#[derive(Debug)]
pub(crate) struct KeyChange {
    pub(crate) field: &'static str,
    /// `None` where the field is stored in keys alone.
    pub(crate) path: Option<RawPath>,
    /// The fields beside it in the key, as they are said to be now.
    pub(crate) known: Vec<Known>,
    /// What it becomes; `None` where it goes.
    pub(crate) part: Option<OwnedPart>,
}

/// A field in a key, as it is now.
#[derive(Debug, Clone)]
pub(crate) struct Known {
    pub(crate) field: &'static str,
    pub(crate) part: Option<OwnedPart>,
    /// As an attribute, or why it cannot be one.
    pub(crate) value: Result<Option<AttributeValue>, String>,
}

impl<T: ?Sized, O> KeySlot<T, O> {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub fn new(field: &'static str, path: Option<Path<T>>) -> Self {
        Self {
            change: KeyChange {
                field,
                path: path.map(|path| path.raw().clone()),
                known: Vec::new(),
                part: None,
            },
            of: PhantomData,
        }
    }

    /// For generated code: a field beside it in the key, as it is now.
    #[doc(hidden)]
    #[must_use]
    pub fn beside<S: KeyPart + Serialize>(self, field: &'static str, value: PartValue<'_>) -> Self {
        self.known::<S>(field, Some(value))
    }

    /// For generated code: an optional field beside it.
    #[doc(hidden)]
    #[must_use]
    pub fn maybe_beside<S: KeyPart + Serialize>(
        self,
        field: &'static str,
        value: Option<&S>,
    ) -> Self {
        self.known::<S>(field, value.map(KeyPart::to_part))
    }

    fn known<S: KeyPart + Serialize>(
        mut self,
        field: &'static str,
        part: Option<PartValue<'_>>,
    ) -> Self {
        self.change.known.push(Known::of::<S>(field, part));
        self
    }
}

impl Known {
    pub(crate) fn of<S: KeyPart + Serialize>(
        field: &'static str,
        part: Option<PartValue<'_>>,
    ) -> Self {
        Self {
            field,
            value: part.map(attribute_of::<S>).transpose(),
            part: part.map(OwnedPart::from),
        }
    }
}

/// The attribute as serde writes the field's own type, whatever stood for it in a call.
fn attribute_of<S: KeyPart + Serialize>(part: PartValue<'_>) -> Result<AttributeValue, String> {
    let value = S::from_part(part).map_err(|error| error.to_string())?;
    wire::value(&value).map_err(|error| error.to_string())
}

/// A change that is ready, or why it could not be written.
#[doc(hidden)]
#[derive(Debug)]
pub struct Change(pub(crate) Result<Changed, wire::Unwritable>);

#[derive(Debug)]
pub(crate) enum Changed {
    Plain(Action),
    Key(KeyChange, Option<AttributeValue>),
}

impl Change {
    fn plain(path: &RawPath, what: Result<What, serde_dynamo::Error>) -> Self {
        Self(match what {
            Ok(what) => Ok(Changed::Plain(Action {
                path: path.clone(),
                what,
            })),
            Err(error) => Err(wire::Unwritable::new(
                super::condition::shown_path(path),
                error,
            )),
        })
    }
}

/// Something within an item that an update can name, and that stands in no key.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this field is part of an index key, and only `set` and `remove` change the key with it",
    label = "`{Self}` is part of an index key",
    note = "read the item, and set the field on it: `item.update().set(…)`"
)]
pub trait Target {
    type Value: ?Sized;
    fn raw(&self) -> RawTarget;
}

/// Where it is.
#[doc(hidden)]
#[derive(Debug)]
pub struct RawTarget(pub(crate) RawPath);

impl<T: ?Sized> Target for Path<T> {
    type Value = T;
    fn raw(&self) -> RawTarget {
        RawTarget(Path::raw(self).clone())
    }
}

impl<T: ?Sized, O> Target for Slot<T, O> {
    type Value = T;
    fn raw(&self) -> RawTarget {
        RawTarget(self.path.raw().clone())
    }
}

/// What can be set to a `V`.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this cannot be set to `{V}`",
    note = "set it to a value of the field's own type"
)]
pub trait Assign<V> {
    fn assign(self, value: V) -> Change;
}

impl<P: Target, V: AsOperand<P::Value>> Assign<V> for P {
    fn assign(self, value: V) -> Change {
        Change::plain(&self.raw().0, value.operand().map(What::Set))
    }
}

impl<T: KeyPart + Serialize, O, V: AsKeyPart<T>> Assign<V> for KeySlot<T, O> {
    fn assign(mut self, value: V) -> Change {
        let part = value.as_part();
        self.change.part = Some(part.into());
        let value = attribute_of::<T>(part);
        let value = value.map_err(|reason| wire::Unwritable::new(self.change.field, reason));
        Change(value.map(|value| Changed::Key(self.change, Some(value))))
    }
}

/// What can be set only where it is absent.
#[doc(hidden)]
pub trait AssignIfAbsent<V> {
    fn assign_if_absent(self, value: V) -> Change;
}

impl<P: Target, V: AsOperand<P::Value>> AssignIfAbsent<V> for P {
    fn assign_if_absent(self, value: V) -> Change {
        Change::plain(&self.raw().0, value.operand().map(What::SetIfAbsent))
    }
}

/// What can be absent.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this attribute is not optional, so an item without it could not be read",
    label = "cannot be removed",
    note = "declare the field as an `Option`, or with `#[serde(default)]`"
)]
pub trait Remove {
    fn remove(self) -> Change;
}

impl<T: ?Sized> Remove for Path<T> {
    fn remove(self) -> Change {
        Change::plain(Path::raw(&self), Ok(What::Remove))
    }
}

impl<T: ?Sized> Remove for Slot<T, Optional> {
    fn remove(self) -> Change {
        Change::plain(self.path.raw(), Ok(What::Remove))
    }
}

impl<T: ?Sized> Remove for KeySlot<T, Optional> {
    fn remove(self) -> Change {
        Change(Ok(Changed::Key(self.change, None)))
    }
}

/// What arithmetic can be done on.
#[doc(hidden)]
pub trait Arithmetic<V> {
    fn increment(self, by: V) -> Change;
    fn decrement(self, by: V) -> Change;
}

impl<P: Target<Value: Number>, V: AsOperand<P::Value>> Arithmetic<V> for P {
    fn increment(self, by: V) -> Change {
        Change::plain(&self.raw().0, by.operand().map(What::Increment))
    }

    fn decrement(self, by: V) -> Change {
        let by = by.operand().map(negative).map(What::Increment);
        Change::plain(&self.raw().0, by)
    }
}

fn negative(value: AttributeValue) -> AttributeValue {
    match value {
        AttributeValue::N(number) => AttributeValue::N(match number.strip_prefix('-') {
            Some(positive) => positive.to_owned(),
            None => format!("-{number}"),
        }),
        other => other,
    }
}

/// A number: what can be counted up and down. Implement it for your own types that are stored as one.
///
/// ```
/// #[derive(serde::Serialize, serde::Deserialize)]
/// struct Yen(u64);
///
/// impl dynamo_model::Number for Yen {}
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no number, so nothing can be added to it",
    label = "not a number",
    note = "use `.set(…)`, or `.append(…)` on a list; for a type of your own that is stored as a number, write `impl dynamo_model::Number for …`"
)]
pub trait Number {}

macro_rules! numbers {
    ($($ty:ty)*) => {$( impl Number for $ty {} )*};
}

numbers!(u8 u16 u32 u64 u128 usize i8 i16 i32 i64 i128 isize f32 f64);

/// A list: what can be appended to.
///
/// ```
/// fn elements<T: dynamo_model::List>() {}
/// elements::<Vec<String>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no list, so nothing can be appended to it",
    label = "not a list",
    note = "use `.add(…)` for a number, `.add_to_set(…)` for a set, `.set(…)` for anything else"
)]
pub trait List {
    /// What it is a list of.
    type Element;
}

impl<T> List for Vec<T> {
    type Element = T;
}

impl<T> List for VecDeque<T> {
    type Element = T;
}

/// Elements, as a list in DynamoDB.
pub(crate) fn list<T, V: AsOperand<T>>(
    elements: impl IntoIterator<Item = V>,
) -> Result<AttributeValue, serde_dynamo::Error> {
    let elements = elements.into_iter().map(|element| element.operand());
    elements.collect::<Result<_, _>>().map(AttributeValue::L)
}

/// Appends to a list, or puts before it.
pub(crate) fn append<P, V>(
    target: &P,
    elements: impl IntoIterator<Item = V>,
    before: bool,
) -> Change
where
    P: Target<Value: List>,
    V: AsOperand<<P::Value as List>::Element>,
{
    let what = if before { What::Prepend } else { What::Append };
    Change::plain(&target.raw().0, list(elements).map(what))
}

/// A set: what elements can be added to and deleted from. It must be stored as one, which serde does
/// with `#[serde(with = "serde_dynamo::string_set")]` and its siblings.
///
/// ```
/// fn elements<T: dynamo_model::SetOf>() {}
/// elements::<std::collections::HashSet<String>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no set",
    label = "not a set",
    note = "use `.append(…)` for a list, `.add(…)` for a number, `.set(…)` for anything else"
)]
pub trait SetOf {
    /// What it is a set of.
    type Element;
}

impl<T, S> SetOf for HashSet<T, S> {
    type Element = T;
}

impl<T> SetOf for BTreeSet<T> {
    type Element = T;
}

/// Adds elements to a set, or deletes them from it. DynamoDB does so only on attributes of the item itself.
pub(crate) fn change_set<S, O, V>(
    slot: &Slot<S, O>,
    elements: impl IntoIterator<Item = V>,
    what: fn(AttributeValue) -> What,
) -> Change
where
    S: SetOf + ?Sized,
    V: AsOperand<S::Element>,
{
    let elements = elements.into_iter().map(|element| element.operand());
    let elements: Result<Vec<_>, _> = elements.collect();
    match elements.map(set) {
        Ok(Some(set)) => Change::plain(slot.path.raw(), Ok(what(set))),
        Ok(None) => {
            let path = super::condition::shown_path(slot.path.raw());
            Change(Err(wire::Unwritable::new(
                path,
                "the elements of a set are one or more texts, numbers or binaries, all of one type",
            )))
        }
        Err(error) => Change::plain(slot.path.raw(), Err(error)),
    }
}

/// A set of DynamoDB; `None` of no elements, or of what cannot be in one.
fn set(elements: Vec<AttributeValue>) -> Option<AttributeValue> {
    let (mut texts, mut numbers, mut binaries) = (vec![], vec![], vec![]);
    let all = elements.len();
    for element in elements {
        match element {
            AttributeValue::S(text) => texts.push(text),
            AttributeValue::N(number) => numbers.push(number),
            AttributeValue::B(bytes) => binaries.push(bytes),
            _ => return None,
        }
    }
    // DynamoDB refuses an element that is there twice.
    texts.sort_unstable();
    texts.dedup();
    numbers.sort_unstable();
    numbers.dedup();
    match (texts.len(), numbers.len(), binaries.len()) {
        (0, 0, 0) => None,
        (1.., 0, 0) => Some(AttributeValue::Ss(texts)),
        (0, 1.., 0) => Some(AttributeValue::Ns(numbers)),
        (0, 0, binary) if binary == all => Some(AttributeValue::Bs(binaries)),
        _ => None,
    }
}

/// Names a field of the primary key, to be changed: never.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{F}` is part of the primary key, and an item keeps its key",
    label = "part of the primary key",
    note = "create an item with the new key and delete the old one, in one transaction"
)]
pub trait ChangesPrimaryKey<F> {}

/// Names a field that the library keeps, to be changed: never.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "this field is kept by the library: every write sets it",
    label = "set by every write",
    note = "remove this change; a `version` is checked with `.expect_version(…)`, and times come from the clock of the `Dynamo`"
)]
pub trait ChangesKept {}

/// Names a field of an index key whose other fields are stored in keys alone: not from a key alone.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{F}` stands in an index key beside a field that is stored in keys alone, so the item must be read first",
    label = "needs the whole item",
    note = "read the item, and set the field on it: `item.update().set(…)`"
)]
pub trait ChangesFromKey<F> {}

/// Names a field of a key that serde writes through a function of its own: not by an update.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "`{F}` stands in a key, and serde writes it with a function of its own, which an update would not use",
    label = "written with `#[serde(with = …)]`",
    note = "change the field of an item that was read, and store the whole item with `db.put(…)`"
)]
pub trait ChangesEncoded<F> {}
