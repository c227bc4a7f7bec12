//! The attributes that an update can name, typed by the changes that each accepts.
//!
//! An update takes a closure that names the attribute, `|user| user.age()`. The returned type
//! decides which methods of the update accept it: a [`Slot`] for an attribute, a [`KeySlot`] for a
//! field of an index key, a [`Path`] for a nested value.

use super::number::{Bound, NumberRange, Numeric};
use super::operand::AsOperand;
use super::path::Path;
use super::raw_path::RawPath;
use super::update::{AttributeUpdate, UpdateAction};
use crate::key::fields::OwnedPart;
use crate::key::{AsKeyPart, AsOptionalKeyPart, KeyPart, PartValue};
use crate::wire;
use crate::wire::EncodeError;
use aws_sdk_dynamodb::types::AttributeValue;
use core::marker::PhantomData;
use core::ops::Deref;
use serde::Serialize;
use std::collections::{BTreeSet, HashSet, VecDeque};

/// The item was read, and all of its fields are known: the `K` of [`Update`](crate::write::Update)
/// that `item.update()` gives.
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
/// use dynamo_model::Entity;
/// use dynamo_model::expr::Loaded;
/// use dynamo_model::write::Update;
///
/// fn logged_in(user: &User) -> Update<User, Loaded> {
///     user.update().add(|user| user.logins(), 1_u64)
/// }
/// # let _ = logged_in(&User { id: 1, logins: 0 });
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Loaded;

/// Only the key of the item is known: the default `K` of the [`Update`](crate::write::Update) that
/// an entity's `update(…)` returns.
///
/// ```
/// # use dynamo_model::{DynamoEntity, DynamoTable};
/// # use dynamo_model::expr::ByKey;
/// # use dynamo_model::write::Update;
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
pub struct ByKey<W = Existing>(PhantomData<fn() -> W>);

/// The item must be there: the `W` of [`ByKey`] in an [`Update`](crate::write::Update).
#[derive(Debug, Clone, Copy)]
pub struct Existing;

/// The item may be new: the `W` of [`ByKey`] in an [`Upsert`](crate::write::Upsert), which can set
/// immutable fields.
#[derive(Debug, Clone, Copy)]
pub struct NewOrExisting;

/// An attribute that every item has.
#[derive(Debug, Clone, Copy)]
pub struct Required;

/// An attribute that may be absent.
#[derive(Debug, Clone, Copy)]
pub struct Optional;

/// An attribute of an item, to be changed. Nested values are named as in a filter: `.at(2)`,
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

/// An immutable field. `K` says how much of the item is known: only an
/// [`Upsert`](crate::write::Upsert) can set the field, and a stored item must have the same value.
#[derive(Debug)]
pub struct ImmutableSlot<T: ?Sized, K> {
    path: Path<T>,
    of: PhantomData<fn() -> K>,
}

impl<T: ?Sized, K> ImmutableSlot<T, K> {
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

/// A field of a nested struct. It is compared and changed as a [`Path`]; only an optional one can
/// be removed.
#[derive(Debug)]
pub struct NestedField<T: ?Sized, O = Required> {
    path: Path<T>,
    of: PhantomData<fn() -> O>,
}

impl<T: ?Sized, O> NestedField<T, O> {
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

impl<T: ?Sized, O> Deref for NestedField<T, O> {
    type Target = Path<T>;

    fn deref(&self) -> &Path<T> {
        &self.path
    }
}

/// The fields of a nested struct that may be absent as a whole.
#[derive(Debug)]
pub struct Removable<F>(pub F);

impl<F> Deref for Removable<F> {
    type Target = F;

    fn deref(&self) -> &F {
        &self.0
    }
}

/// A field in the key of an index, to be changed together with that key.
#[derive(Debug)]
pub struct KeySlot<T: ?Sized, O = Required> {
    change: KeyChange,
    attribute: fn(PartValue<'_>) -> Result<AttributeValue, String>,
    of: PhantomData<fn() -> (O, T)>,
}

/// A change of a field in a key.
#[derive(Debug)]
pub(crate) struct KeyChange {
    pub(crate) field: &'static str,
    /// `None` if the field is stored only in keys.
    pub(crate) path: Option<RawPath>,
    /// The given current values of its siblings.
    pub(crate) known: Vec<Known>,
    /// Its new value; `None` if it is removed.
    pub(crate) part: Option<OwnedPart>,
}

/// The current value of a key field.
#[doc(hidden)]
#[derive(Debug, Clone)]
pub struct Known {
    pub(crate) field: &'static str,
    pub(crate) part: Option<OwnedPart>,
    pub(crate) value: KnownValue,
}

/// A known field as an attribute.
#[derive(Debug, Clone)]
pub(crate) enum KnownValue {
    /// As it was read.
    Stored(Option<AttributeValue>),
    /// Computed from the part, on demand.
    OfPart(fn(PartValue<'_>) -> Result<AttributeValue, String>),
}

impl<T: KeyPart + Serialize, O> KeySlot<T, O> {
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
            attribute: attribute_of::<T>,
            of: PhantomData,
        }
    }
}

impl<T: ?Sized, O> KeySlot<T, O> {
    /// For generated code: the current value of a sibling.
    #[doc(hidden)]
    #[must_use]
    pub fn beside<S: KeyPart + Serialize>(self, field: &'static str, value: PartValue<'_>) -> Self {
        self.known::<S>(field, Some(value))
    }

    /// For generated code: an optional sibling.
    #[doc(hidden)]
    #[must_use]
    pub fn maybe_beside<S, V, A>(self, field: &'static str, argument: &A) -> Self
    where
        S: KeyPart + Serialize,
        V: KeyPart + ?Sized,
        A: AsOptionalKeyPart<V>,
    {
        self.known::<S>(field, argument.as_optional_part())
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
            value: KnownValue::OfPart(attribute_of::<S>),
            part: part.map(OwnedPart::from),
        }
    }

    /// Returns the value as an attribute. Fails with the reason if it cannot be one.
    pub(crate) fn value(&self) -> Result<Option<AttributeValue>, String> {
        match &self.value {
            KnownValue::Stored(value) => Ok(value.clone()),
            KnownValue::OfPart(attribute_of) => {
                let part = self.part.as_ref().map(OwnedPart::value);
                part.map(attribute_of).transpose()
            }
        }
    }
}

/// Returns the attribute as serde writes the field's own type, for any accepted argument type.
fn attribute_of<S: KeyPart + Serialize>(part: PartValue<'_>) -> Result<AttributeValue, String> {
    let value = S::from_part(part).map_err(|error| error.to_string())?;
    wire::value(&value).map_err(|error| error.to_string())
}

/// A prepared change, or the reason why its value cannot be written.
#[doc(hidden)]
#[derive(Debug)]
pub struct Change(pub(crate) Result<Changed, wire::Unwritable>);

#[derive(Debug)]
pub(crate) enum Changed {
    Plain(AttributeUpdate),
    /// The result must fit.
    Sum(AttributeUpdate, Bound),
    Key(KeyChange, Option<AttributeValue>),
}

impl Change {
    fn plain(path: RawPath, action: Result<UpdateAction, EncodeError>) -> Self {
        let action = action
            .map_err(|error| error.to_string())
            .and_then(|action| finished(&path, action).map_err(str::to_owned))
            .and_then(|action| match path.broken() {
                Some(reason) => Err(reason.to_owned()),
                None => Ok(action),
            });
        Self(match action {
            Ok(action) => Ok(Changed::Plain(AttributeUpdate { path, action })),
            Err(reason) => Err(wire::Unwritable::new(
                super::condition::shown_path(&path),
                reason,
            )),
        })
    }
}

/// Returns the value in its stored form. A value that is stored as absent is removed.
fn finished(path: &RawPath, action: UpdateAction) -> Result<UpdateAction, &'static str> {
    const NOTHING: &str = "an empty set is stored as an absent attribute; leave out the change, or remove the attribute";
    Ok(match action {
        UpdateAction::Set(value) => path
            .finish(value)
            .map_or(UpdateAction::Remove, UpdateAction::Set),
        UpdateAction::SetIfAbsent(value) => {
            UpdateAction::SetIfAbsent(path.finish(value).ok_or(NOTHING)?)
        }
        UpdateAction::Append(list) => UpdateAction::Append(path.finish(list).ok_or(NOTHING)?),
        UpdateAction::Prepend(list) => UpdateAction::Prepend(path.finish(list).ok_or(NOTHING)?),
        action => action,
    })
}

/// How a value is passed to an attribute. A parameter of [`ValueOf`], so that the compiler waits
/// for the closure that names the attribute before it reports an error of the value.
#[doc(hidden)]
pub trait Way {
    type Given;
}

/// As serde writes it.
#[derive(Debug)]
pub struct Plain;

/// As a part of a key.
#[derive(Debug)]
pub struct InKey;

/// Accepts any value: the declaration has an error already.
#[doc(hidden)]
#[derive(Debug)]
pub struct AnyValue;

/// Never used. The compiler considers it possible for every value before it has seen the closure,
/// so that it never commits to the only remaining alternative.
#[doc(hidden)]
#[derive(Debug)]
pub struct NeverUsed;

/// A value as DynamoDB stores it, or why it cannot be.
type Operand = Result<AttributeValue, EncodeError>;

impl Way for Plain {
    type Given = Operand;
}

impl Way for InKey {
    type Given = OwnedPart;
}

impl Way for AnyValue {
    type Given = Operand;
}

impl Way for NeverUsed {
    type Given = ();
}

/// A value for an attribute of type `T`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for an attribute of type `{T}`",
    label = "expected `{T}`",
    note = "give a value of the field's own type; for an `Option` field give the inner value, or \
            give the `Option` to `.set_or_remove(…)`"
)]
pub trait ValueOf<T: ?Sized, W: Way> {
    #[doc(hidden)]
    fn given(&self) -> W::Given;
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, V: AsOperand<T>> ValueOf<T, Plain> for V {
    fn given(&self) -> Operand {
        self.operand()
    }
}

#[diagnostic::do_not_recommend]
impl<T: KeyPart + ?Sized, V: AsKeyPart<T>> ValueOf<T, InKey> for V {
    fn given(&self) -> OwnedPart {
        self.as_part().into()
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, V> ValueOf<T, AnyValue> for V {
    fn given(&self) -> Operand {
        Ok(AttributeValue::Null(true))
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, V> ValueOf<T, NeverUsed> for V {
    fn given(&self) {}
}

/// A value that can be added to an attribute of type `T`, if that is a number. One bound for both,
/// so that there is one message.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be added to or subtracted from an attribute of type `{T}`",
    label = "only a number, and only to a number of its own type",
    note = "use `.append(…)` on a list, `.add_to_set(…)` on a set, `.set(…)` on anything else, \
            also on a field that serde writes with a function; a type of your own that is stored \
            as a number needs `impl dynamo_model::expr::Numeric for …`"
)]
pub trait Addend<T: ?Sized, W: Way>: ValueOf<T, W> {
    /// The range of the sum.
    const RANGE: NumberRange;
}

#[diagnostic::do_not_recommend]
impl<T: Numeric, W: Way, V: ValueOf<T, W>> Addend<T, W> for V {
    const RANGE: NumberRange = T::RANGE;
}

/// Values for the elements of a list or a set.
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not give elements of type `{T}`",
    label = "expected elements of type `{T}`",
    note = "give them in an array, a `Vec` or an iterator, even a single one: `[…]`"
)]
pub trait Elements<T, W> {
    #[doc(hidden)]
    fn elements(self) -> Result<Vec<AttributeValue>, EncodeError>;
}

#[diagnostic::do_not_recommend]
impl<T, I: IntoIterator<Item: AsOperand<T>>> Elements<T, Plain> for I {
    fn elements(self) -> Result<Vec<AttributeValue>, EncodeError> {
        self.into_iter().map(|element| element.operand()).collect()
    }
}

#[diagnostic::do_not_recommend]
impl<T, I> Elements<T, AnyValue> for I {
    fn elements(self) -> Result<Vec<AttributeValue>, EncodeError> {
        Ok(Vec::new())
    }
}

#[diagnostic::do_not_recommend]
impl<T, I> Elements<T, NeverUsed> for I {
    fn elements(self) -> Result<Vec<AttributeValue>, EncodeError> {
        Ok(Vec::new())
    }
}

/// A target of `set`: an attribute, a nested value, or a key field.
#[diagnostic::on_unimplemented(
    message = "this is not an attribute that can be set",
    label = "not an attribute",
    note = "name a field of the item, as in `.set(|user| user.age(), 30)`"
)]
pub trait Attribute {
    #[doc(hidden)]
    type Value: ?Sized;
    #[doc(hidden)]
    type Way: Way;
    #[doc(hidden)]
    fn assign(self, given: <Self::Way as Way>::Given) -> Change;
}

#[diagnostic::do_not_recommend]
impl<P: Target> Attribute for P {
    type Value = P::Value;
    type Way = P::Way;
    fn assign(self, given: Operand) -> Change {
        Change::plain(self.raw().0, given.map(UpdateAction::Set))
    }
}

impl<T: ?Sized> Attribute for ImmutableSlot<T, ByKey<NewOrExisting>> {
    type Value = T;
    type Way = Plain;
    fn assign(self, given: Operand) -> Change {
        Change::plain(self.path.raw().clone(), given.map(UpdateAction::Set))
    }
}

impl<T: ?Sized, O> Attribute for KeySlot<T, O> {
    type Value = T;
    type Way = InKey;
    fn assign(mut self, part: OwnedPart) -> Change {
        let value = (self.attribute)(part.value());
        self.change.part = Some(part);
        let value = value.map_err(|reason| wire::Unwritable::new(self.change.field, reason));
        Change(value.map(|value| Changed::Key(self.change, Some(value))))
    }
}

/// A value within an item that an update can name, and that is in no key.
#[diagnostic::on_unimplemented(
    message = "this field is part of an index key, and only `set` and `remove` also change the key",
    label = "not on a part of an index key",
    note = "read the item, and set the field on it: `item.update().set(…)`"
)]
pub trait Target {
    #[doc(hidden)]
    type Value: ?Sized;
    #[doc(hidden)]
    type Way: Way<Given = Operand>;
    #[doc(hidden)]
    fn raw(&self) -> RawTarget;
}

/// Where it is.
#[doc(hidden)]
#[derive(Debug)]
pub struct RawTarget(pub(crate) RawPath);

impl<T: ?Sized> Target for Path<T> {
    type Value = T;
    type Way = Plain;
    fn raw(&self) -> RawTarget {
        RawTarget(Path::raw(self).clone())
    }
}

impl<T: ?Sized, O> Target for Slot<T, O> {
    type Value = T;
    type Way = Plain;
    fn raw(&self) -> RawTarget {
        RawTarget(self.path.raw().clone())
    }
}

impl<T: ?Sized, O> Target for NestedField<T, O> {
    type Value = T;
    type Way = Plain;
    fn raw(&self) -> RawTarget {
        RawTarget(self.path.raw().clone())
    }
}

/// The bound of an immutable field for any change except `set`.
#[diagnostic::on_unimplemented(
    message = "an immutable field is set at creation only, so an upsert can `set` it and nothing \
               else",
    label = "an immutable field",
    note = "use `.set(…)`: it creates the item with the value, and fails where a stored item has \
            another one"
)]
pub trait Mutable {}

// An update cannot name the field at all, which is its one error.
#[diagnostic::do_not_recommend]
impl<T: ?Sized> Mutable for ImmutableSlot<T, Loaded> {}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> Mutable for ImmutableSlot<T, ByKey> {}

impl<T: ?Sized, K> Target for ImmutableSlot<T, K>
where
    Self: Mutable,
{
    type Value = T;
    type Way = Plain;
    fn raw(&self) -> RawTarget {
        RawTarget(self.path.raw().clone())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, K> OwnAttribute for ImmutableSlot<T, K> where Self: Mutable {}

impl<F: Target> Target for Removable<F> {
    type Value = F::Value;
    type Way = F::Way;
    fn raw(&self) -> RawTarget {
        self.0.raw()
    }
}

/// An attribute of the item itself: DynamoDB changes no sets but those.
#[diagnostic::on_unimplemented(
    message = "only a set that is an attribute of its own can be added to or deleted from",
    label = "not a set attribute",
    note = "use `.append(…)` for a list, `.set(…)` for anything else"
)]
pub trait OwnAttribute: Target {}

impl<T: ?Sized, O> OwnAttribute for Slot<T, O> {}

/// The attribute of a declaration with an error.
#[doc(hidden)]
#[derive(Debug)]
pub struct StubSlot<T: ?Sized>(pub Path<T>);

impl<T: ?Sized> Deref for StubSlot<T> {
    type Target = Path<T>;

    fn deref(&self) -> &Path<T> {
        &self.0
    }
}

impl<T: ?Sized> Target for StubSlot<T> {
    type Value = T;
    type Way = AnyValue;
    fn raw(&self) -> RawTarget {
        RawTarget(self.0.raw().clone())
    }
}

impl<T: ?Sized> OwnAttribute for StubSlot<T> {}

impl<T: ?Sized> Remove for StubSlot<T> {
    fn remove(self) -> Change {
        Change::plain(self.0.raw().clone(), Ok(UpdateAction::Remove))
    }
}

/// Sets an attribute where it is absent.
pub(crate) fn assign_if_absent<P: Target>(target: &P, given: Operand) -> Change {
    Change::plain(target.raw().0, given.map(UpdateAction::SetIfAbsent))
}

/// A target that can be absent.
#[diagnostic::on_unimplemented(
    message = "this attribute is not optional, so an item without it could not be read",
    label = "cannot be removed",
    note = "declare the field as an `Option`, or add `#[serde(default)]` if it is not in a key"
)]
pub trait Remove: Sized {
    #[doc(hidden)]
    fn remove(self) -> Change;

    /// Stores `None`: removes the attribute, or sets it to NULL where the field has
    /// `#[dynamo(null)]`.
    fn clear(self) -> Change {
        self.remove()
    }
}

/// An element of a list or an entry of a map.
impl<T: ?Sized> Remove for Path<T> {
    fn remove(self) -> Change {
        Change::plain(Path::raw(&self).clone(), Ok(UpdateAction::Remove))
    }

    fn clear(self) -> Change {
        cleared(Path::raw(&self))
    }
}

impl<T: ?Sized> Remove for Slot<T, Optional> {
    fn remove(self) -> Change {
        Change::plain(self.path.raw().clone(), Ok(UpdateAction::Remove))
    }

    fn clear(self) -> Change {
        cleared(self.path.raw())
    }
}

fn cleared(path: &RawPath) -> Change {
    let action = match path.stores_null() {
        true => UpdateAction::Set(AttributeValue::Null(true)),
        false => UpdateAction::Remove,
    };
    Change::plain(path.clone(), Ok(action))
}

impl<T: ?Sized> Remove for NestedField<T, Optional> {
    fn remove(self) -> Change {
        Change::plain(self.path.raw().clone(), Ok(UpdateAction::Remove))
    }

    fn clear(self) -> Change {
        cleared(self.path.raw())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized, K> Remove for ImmutableSlot<T, K>
where
    Self: Mutable,
{
    fn remove(self) -> Change {
        Change::plain(self.path.raw().clone(), Ok(UpdateAction::Remove))
    }

    fn clear(self) -> Change {
        cleared(self.path.raw())
    }
}

impl<F: Target> Remove for Removable<F> {
    fn remove(self) -> Change {
        Change::plain(self.0.raw().0, Ok(UpdateAction::Remove))
    }

    fn clear(self) -> Change {
        cleared(&self.0.raw().0)
    }
}

impl<T: ?Sized> Remove for KeySlot<T, Optional> {
    fn remove(self) -> Change {
        Change(Ok(Changed::Key(self.change, None)))
    }
}

/// Adds to a number; the sum must be within the range.
pub(crate) fn increment<P: Target>(target: &P, range: NumberRange, by: Operand) -> Change {
    sum(target.raw().0, range, by)
}

/// Subtracts from a number; the difference must be within the range.
pub(crate) fn decrement<P: Target>(target: &P, range: NumberRange, by: Operand) -> Change {
    sum(target.raw().0, range, by.map(negative))
}

fn sum(path: RawPath, range: NumberRange, by: Operand) -> Change {
    let bound = by.as_ref().ok().and_then(|by| Bound::new(&path, range, by));
    let change = Change::plain(path, by.map(UpdateAction::Increment));
    match (change.0, bound) {
        (Ok(Changed::Plain(action)), Some(bound)) => Change(Ok(Changed::Sum(action, bound))),
        (change, _) => Change(change),
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

/// A list, which can be appended to.
///
/// ```
/// fn elements<T: dynamo_model::expr::List>() {}
/// elements::<Vec<String>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list, so nothing can be appended to it",
    label = "not a list",
    note = "use `.add(…)` for a number, `.add_to_set(…)` for a set, `.set(…)` for anything else"
)]
pub trait List {
    /// The type of its elements.
    type Element;
}

impl<T> List for Vec<T> {
    type Element = T;
}

impl<T> List for VecDeque<T> {
    type Element = T;
}

/// Appends to a list, or puts before it.
pub(crate) fn append<P, V>(target: &P, elements: V, before: bool) -> Change
where
    P: Target<Value: List>,
    V: Elements<<P::Value as List>::Element, P::Way>,
{
    let action = if before {
        UpdateAction::Prepend
    } else {
        UpdateAction::Append
    };
    let elements = elements.elements().map(AttributeValue::L);
    Change::plain(target.raw().0, elements.map(action))
}

/// A set, whose elements can be added and deleted. A field of such a type is stored as SS, NS or
/// BS.
///
/// ```
/// fn elements<T: dynamo_model::expr::SetOf>() {}
/// elements::<std::collections::HashSet<String>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a set",
    label = "not a set",
    note = "use `.append(…)` for a list, `.add(…)` for a number, `.set(…)` for anything else"
)]
pub trait SetOf {
    /// The type of its elements.
    type Element;
}

impl<T, S> SetOf for HashSet<T, S> {
    type Element = T;
}

impl<T> SetOf for BTreeSet<T> {
    type Element = T;
}

/// Adds elements to a set, or deletes them from it.
pub(crate) fn change_set<P, V>(
    target: &P,
    elements: V,
    action: fn(AttributeValue) -> UpdateAction,
) -> Change
where
    P: OwnAttribute<Value: SetOf>,
    V: Elements<<P::Value as SetOf>::Element, P::Way>,
{
    let RawTarget(path) = target.raw();
    let elements = elements.elements().map(|elements| {
        let elements = elements.into_iter();
        set(elements.map(|it| path.finish_element(it)).collect())
    });
    match elements {
        Ok(Some(set)) => Change::plain(path, Ok(action(set))),
        Ok(None) => {
            let path = super::condition::shown_path(&path);
            Change(Err(wire::Unwritable::new(
                path,
                "the elements of a set are one or more texts, numbers or binaries, all of one type",
            )))
        }
        Err(error) => Change::plain(path, Err(error)),
    }
}

/// Returns a set of DynamoDB; `None` for no elements, or for values that cannot be in one.
fn set(elements: Vec<AttributeValue>) -> Option<AttributeValue> {
    wire::set::set_of(elements, false).ok()
}
