//! A sort key, part by part. The known parts are a closed prefix; the types know which part is
//! next, and whether it sorts.

use super::declared::{Later, key_type, later_sort_attributes, sort_template};
use super::part::{KeyPart, PartValue, kind};
use super::prefix::KeyPrefix;
use super::range::{KeyRange, SortCondition};
use super::sort_keys::SortKeyRange;
use super::template::{Field, Form, PartSchema, Role, Template};
use super::text::Encoded;
use super::value::KeyValue;
use crate::entity::Entity;
use crate::error::{KeyError, KeyErrorKind};
use crate::index::IndexMarker;
use crate::schema::KeyType;
use core::fmt;
use core::marker::PhantomData;

/// The known parts of a sort key.
#[doc(hidden)]
#[derive(Clone)]
pub struct PrefixBuilder {
    /// Of the sort key; of the attribute that is given, where it has several.
    pub(super) template: &'static Template,
    pub(super) key_type: KeyType,
    pub(super) next: usize,
    pub(super) text: Result<String, KeyError>,
    /// The whole key, if it is not text.
    exact: Option<KeyValue>,
    /// The attributes that were given whole, before this one.
    given: Vec<KeyValue>,
    /// The attributes after this one.
    later: Later,
}

/// A part of a sort key whose text does not sort as its values do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Unsorted {
    template: &'static Template,
    part: &'static PartSchema,
}

impl Unsorted {
    /// Returns the part, if its text does not sort as its values do.
    pub(crate) fn of(template: &'static Template, at: usize, key_type: KeyType) -> Option<Self> {
        let part = template.parts.get(at)?;
        let is_clock = matches!(part.spec.form, Form::Format(_));
        let sorts = key_type != KeyType::S || is_clock || part.sorts();
        (!sorts).then_some(Self { template, part })
    }

    #[cold]
    pub(crate) fn error(self) -> KeyError {
        self.template.error(self.part, KeyErrorKind::Unsorted)
    }
}

/// Shows only the number of known parts: one of them may be sensitive.
impl fmt::Debug for PrefixBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PrefixBuilder")
            .field("template", &self.template.text)
            .field("parts", &self.next)
            .finish_non_exhaustive()
    }
}

impl PrefixBuilder {
    #[must_use]
    pub fn new(template: &'static Template, key_type: KeyType) -> Self {
        Self {
            template,
            key_type,
            next: 0,
            text: Ok(template.head.to_owned()),
            exact: None,
            given: Vec::new(),
            later: Later::NONE,
        }
    }

    /// A sort key of one attribute, or of this and the `rest` of the index.
    #[cfg(feature = "client")]
    pub(crate) fn of_half(
        template: &'static Template,
        key_type: KeyType,
        rest: &'static [crate::schema::KeyAttribute],
    ) -> Self {
        match template.by_attribute() {
            [first, later @ ..] => Self {
                later: Later::new(later, rest),
                ..Self::new(first, key_type)
            },
            [] => Self::new(template, key_type),
        }
    }

    /// For generated code: the sort key of the table or an index.
    #[must_use]
    pub fn of<E: Entity, I: IndexMarker>() -> Self {
        let key_type = const { key_type::<E, I>(Role::SortKey) };
        Self {
            later: const { later_sort_attributes::<E, I>() },
            ..Self::new(const { sort_template::<E, I>() }, key_type)
        }
    }

    /// Moves to the next attribute of the sort key, if the last part of one was given.
    pub(super) fn at_next_part(mut self) -> Self {
        if self.text.is_err() || !self.is_whole() {
            return self;
        }
        let Some((template, key_type, later)) = self.later.split_first() else {
            return self;
        };
        let mut given = core::mem::take(&mut self.given);
        let next = Self {
            later,
            ..Self::new(template, key_type)
        };
        match self.exact_value() {
            Ok(value) => {
                given.push(value);
                Self { given, ..next }
            }
            Err(error) => Self {
                text: Err(error),
                ..next
            },
        }
    }

    /// The value of a whole key, or of a whole attribute of it.
    fn exact_value(self) -> Result<KeyValue, KeyError> {
        match self.exact {
            Some(exact) => Ok(exact),
            None => self.checked_text().map(KeyValue::S),
        }
    }

    /// Takes the attributes before the current one; fails if one of them is invalid.
    pub(super) fn take_given(&mut self) -> Result<Vec<KeyValue>, KeyError> {
        match &self.text {
            Ok(_) => Ok(core::mem::take(&mut self.given)),
            Err(error) => Err(error.clone()),
        }
    }

    fn push(&mut self, value: PartValue<'_>, closed: bool) {
        let (Ok(out), Some(part)) = (&mut self.text, self.template.parts.get(self.next)) else {
            return;
        };
        match Encoded::new(part, value) {
            Ok(text) => text.push(part.escape, out),
            Err(kind) => self.text = Err(self.template.error(part, kind)),
        }
        if let (Ok(out), true) = (&mut self.text, closed) {
            out.push_str(part.after);
        }
    }

    /// Returns why no text of the next part begins like this, so no item would be found.
    fn refused_prefix(&self, text: &str) -> Option<KeyError> {
        let part = self.template.parts.get(self.next)?;
        let kind = if self.key_type != KeyType::S {
            KeyErrorKind::NotText
        } else if part.kind != kind::Name::Text && !part.alphabet.spells(text) {
            KeyErrorKind::Malformed
        } else {
            return None;
        };
        Some(self.template.error(part, kind))
    }

    fn build<E, I>(self) -> Result<KeyPrefix<E, I>, KeyError> {
        if self.key_type != KeyType::S {
            return Err(KeyError::new(self.template, None, KeyErrorKind::NotText));
        }
        let (whole, unsorted) = (self.is_whole(), self.unsorted());
        let text = self.checked_text()?;
        Ok(KeyPrefix::new(text, whole, unsorted))
    }

    /// Returns the next part, if its text does not sort as its values do. A time of day sorts
    /// within the bucket of the partition key, which the types know.
    pub(crate) fn unsorted(&self) -> Option<Unsorted> {
        match self.later.split_first().filter(|_| self.is_whole()) {
            Some((template, key_type, _)) => Unsorted::of(template, 0, key_type),
            None => Unsorted::of(self.template, self.next, self.key_type),
        }
    }

    /// How many parts are given, those of the attributes before this one included.
    pub(crate) fn given(&self) -> usize {
        // Each attribute of such a key is one part.
        self.given.len() + self.next
    }

    /// Returns whether all parts are given.
    fn is_whole(&self) -> bool {
        self.next == self.template.parts.len()
    }

    fn checked_text(self) -> Result<String, KeyError> {
        let text = self.text?;
        let max = self.template.role.max_bytes();
        if text.len() > max {
            let kind = KeyErrorKind::TooLong {
                bytes: text.len(),
                max,
            };
            return Err(KeyError::new(self.template, None, kind));
        }
        Ok(text)
    }

    /// Returns the condition on the sort key for the parts so far.
    pub(crate) fn condition(mut self) -> Result<SortCondition, KeyError> {
        let given = self.take_given()?;
        if let Some(exact) = self.exact {
            return Ok(SortCondition::Equals(exact).after(given));
        }
        let whole = self.is_whole();
        let text = self.checked_text()?;
        let condition = match (whole, text.is_empty()) {
            (true, _) => SortCondition::Equals(KeyValue::S(text)),
            (false, true) => SortCondition::Any,
            (false, false) => SortCondition::BeginsWith(text),
        };
        Ok(condition.after(given))
    }
}

/// Something that takes the parts of a sort key one by one.
pub trait Parts: Sized {
    /// The result of a range.
    type Range;

    /// The next part after a range or a prefix of the part `P`: a query can be narrowed again, a
    /// prefix ends there.
    type After<P>;

    /// Adds the next part: its text and the literal up to the following part.
    #[must_use]
    fn part(self, value: PartValue<'_>) -> Self;

    /// The beginning of the next part.
    #[must_use]
    fn within(self, text: &str) -> Self;

    #[doc(hidden)]
    fn range<F: Field>(self, range: &impl KeyRange<F::Part>) -> Self::Range;
}

/// Something that has taken parts of a sort key, and builds a prefix or a range.
pub trait BuildsSortKeys {
    /// A [`KeyPrefix`] or a [`SortKeyRange`].
    type Keys;

    /// Fails if a part is invalid.
    fn build(self) -> Result<Self::Keys, KeyError>;
}

impl PrefixBuilder {
    /// Adds the next part: its text and the literal up to the following part.
    pub(crate) fn part(self, value: PartValue<'_>) -> Self {
        let mut this = self.at_next_part();
        if this.key_type == KeyType::S {
            this.push(value, true);
        } else if this.text.is_ok() {
            match this.template.build(this.key_type, [value]) {
                Ok(exact) => this.exact = Some(exact),
                Err(error) => this.text = Err(error),
            }
        }
        this.next += 1;
        this
    }

    /// The beginning of the next part.
    pub(crate) fn within(self, text: &str) -> Self {
        let mut this = self.at_next_part();
        if let Some(error) = this.refused_prefix(text) {
            this.text = this.text.and(Err(error));
        } else if !text.is_empty() {
            // An empty key is a prefix of every key.
            this.push(PartValue::Text(text), false);
        }
        this
    }
}

/// The builder of a sort key of entity `E` in the index `I`: `sort_key()` returns it.
#[derive(Clone)]
#[must_use]
pub struct OpenPrefix<E, I> {
    known: PrefixBuilder,
    of: PhantomData<fn() -> (E, I)>,
}

impl<E, I> OpenPrefix<E, I> {
    fn of(known: PrefixBuilder) -> Self {
        Self {
            known,
            of: PhantomData,
        }
    }
}

impl<E: Entity, I: IndexMarker> OpenPrefix<E, I> {
    /// For generated code.
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        Self::of(PrefixBuilder::of::<E, I>())
    }
}

impl<E, I> fmt::Debug for OpenPrefix<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.known.fmt(f)
    }
}

impl<E, I> Parts for OpenPrefix<E, I> {
    type Range = OpenRange<E, I>;
    type After<P> = Ended;

    fn part(self, value: PartValue<'_>) -> Self {
        Self::of(self.known.part(value))
    }

    fn within(self, text: &str) -> Self {
        Self::of(self.known.within(text))
    }

    fn range<F: Field>(self, range: &impl KeyRange<F::Part>) -> OpenRange<E, I> {
        OpenRange {
            keys: self.known.range(range.bounds()).map(SortKeyRange::new),
        }
    }
}

impl<E, I> BuildsSortKeys for OpenPrefix<E, I> {
    type Keys = KeyPrefix<E, I>;

    /// Builds the prefix: all known parts, up to and including the next delimiter.
    fn build(self) -> Result<KeyPrefix<E, I>, KeyError> {
        self.known.build()
    }
}

/// A range of a part of a sort key, not checked yet.
#[must_use]
pub struct OpenRange<E, I> {
    keys: Result<SortKeyRange<E, I>, KeyError>,
}

impl<E, I> fmt::Debug for OpenRange<E, I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("OpenRange").finish_non_exhaustive()
    }
}

impl<E, I> BuildsSortKeys for OpenRange<E, I> {
    type Keys = SortKeyRange<E, I>;

    fn build(self) -> Result<SortKeyRange<E, I>, KeyError> {
        self.keys
    }
}

/// A prefix or range ends the sort key: no part follows.
#[derive(Debug)]
pub struct Ended;

/// A sort key of the entity `E` in the index `I`, of which the first `PARTS` parts are given.
#[derive(Debug)]
pub struct Given<E, I, const PARTS: usize>(PhantomData<fn() -> (E, I)>);

/// All parts of a sort key are given.
#[derive(Debug)]
pub struct Complete;

/// The part number `AT` of the entity's sort key in the index `I` sorts as its values do. The
/// derive implements it for each part, with a bound on the type of the field. The type itself must
/// not be in the implementation, because it may be private.
#[doc(hidden)]
pub trait SortsAt<I, const AT: usize> {}

/// The sort key in the index `I` is in the order of its values from the part number `AT` on, within
/// a partition.
#[doc(hidden)]
pub trait InOrderAt<I, const AT: usize> {}

/// How a part of a sort key is written, as types: it decides whether a range on it makes sense.
#[doc(hidden)]
pub mod form {
    /// A padded integer, a time of fixed precision: sorts before any following text.
    #[derive(Debug)]
    pub struct Fixed;
    /// The plain form, last or followed by a delimiter that sorts below it.
    #[derive(Debug)]
    pub struct Plain;
    /// The plain form, followed by a delimiter that sorts above digits or letters.
    #[derive(Debug)]
    pub struct Unordered;
    /// A bare placeholder: the attribute sorts as its own type does.
    #[derive(Debug)]
    pub struct Bare;
    /// A time of day whose date is in the partition key: sorts within its partition, but a range of
    /// times is not a range of texts.
    #[derive(Debug)]
    pub struct Within;
    /// A shard, a clock without its date: in no order.
    #[derive(Debug)]
    pub struct Never;
}

/// A sort key whose next part sorts as its values do. Generated traits require it, with messages
/// that name the field.
#[doc(hidden)]
pub trait Sorts {}

impl<E: SortsAt<I, PARTS>, I, const PARTS: usize> Sorts for Given<E, I, PARTS> {}

/// A sort key whose order within a partition is the order of its values. Generated traits require
/// it, with messages that name the sort keys.
#[doc(hidden)]
pub trait InOrder {}

impl InOrder for Complete {}
impl<E: InOrderAt<I, PARTS>, I, const PARTS: usize> InOrder for Given<E, I, PARTS> {}

/// A form in which the text of the field `F` sorts as its values do. The lifetime lets the derive
/// use it in a bound that is not satisfied: without one, the compiler reports the bound itself.
#[doc(hidden)]
pub trait FormSorts<'a, F> {}

impl<F> FormSorts<'_, F> for form::Fixed {}
impl<F: Field<Part: KeyPart<Kind: PlainKind>>> FormSorts<'_, F> for form::Plain {}
impl<F: Field<Part: KeyPart<Kind: AloneKind>>> FormSorts<'_, F> for form::Unordered {}
impl<F: Field<Part: KeyPart<Kind: BareKind>>> FormSorts<'_, F> for form::Bare {}

/// A form in which the text of the field `F` sorts within one partition.
#[doc(hidden)]
pub trait FormInOrder<'a, F> {}

impl<F> FormInOrder<'_, F> for form::Fixed {}
impl<F: Field<Part: KeyPart<Kind: PlainKind>>> FormInOrder<'_, F> for form::Plain {}
impl<F: Field<Part: KeyPart<Kind: AloneKind>>> FormInOrder<'_, F> for form::Unordered {}
impl<F: Field<Part: KeyPart<Kind: BareKind>>> FormInOrder<'_, F> for form::Bare {}
impl<F> FormInOrder<'_, F> for form::Within {}

macro_rules! kinds_that_sort {
    ($($(#[$doc:meta])* $kinds:ident: [$($kind:ident),*];)*) => {$(
        $(#[$doc])*
        #[doc(hidden)]
        pub trait $kinds {}

        $( impl $kinds for kind::$kind {} )*
    )*};
}

kinds_that_sort! {
    /// The kinds that sort in the plain form.
    PlainKind: [Text, Boolean, Date, Uuid, Ulid];
    /// The kinds that sort in the plain form, before any following text.
    AloneKind: [Boolean, Date, Uuid, Ulid];
    /// The kinds that sort as an attribute of their own type.
    BareKind: [Text, Integer, Decimal, Date, Uuid, Ulid, Bytes];
}

/// A prefix of a part: `&str` or `String`, for fields whose text has prefixes.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not text, as the beginning of a key part must be",
    label = "expected `&str` or `String`"
)]
pub trait PartPrefix<F> {
    #[doc(hidden)]
    fn as_text(&self) -> &str;
}

impl<F: HasPrefixWithin, T: AsRef<str>> PartPrefix<F> for T {
    fn as_text(&self) -> &str {
        self.as_ref()
    }
}

/// A field whose text has meaningful prefixes.
#[diagnostic::on_unimplemented(
    message = "this field has no prefix: only text, times and dates have one",
    label = "not a prefix of this field",
    note = "give the whole value instead, with the method named after the field, or a range of \
     values"
)]
pub trait HasPrefixWithin {}

#[diagnostic::do_not_recommend]
impl<F: Field<Part: KeyPart<Kind: HasPrefix>>> HasPrefixWithin for F {}

/// The kinds whose text has meaningful prefixes: text, and times and dates (`2024-01` is a month).
#[doc(hidden)]
pub trait HasPrefix: kind::Kind {}

impl HasPrefix for kind::Text {}
impl HasPrefix for kind::Time {}
impl HasPrefix for kind::Date {}

/// `Self` and `T` are one type. A bound on a parameter of a method itself is reported at the
/// method's name, and one on a parameter of its type at the receiver: so the bound is on a `__J`
/// with `I: Is<__J>`.
#[doc(hidden)]
pub trait Is<T> {}

impl<T> Is<T> for T {}
