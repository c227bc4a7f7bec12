//! Typed paths to attributes, from which filters are built.

use super::condition::{Comparison, Condition, Term, UseTheMethodEq};
use super::operand::{AsEntryName, AsOperand};
use super::raw_path::{Null, RawPath, Step};
use super::types::{ElementOf, HasBeginning, HasElement, HasEntry, HasPosition, HasSize, Ordered};
use crate::schema::form::Form;
use core::marker::PhantomData;

/// An attribute of type `T`, or an element within one.
///
/// Made by the accessors of an entity, in a filter:
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK", sk = "SK")]
/// struct App;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// #[sk("ORDER#<number:06>")]
/// struct Order {
///     user_id: String,
///     number: u32,
///     total: u64,
///     tags: Vec<String>,
/// }
///
/// let query = Order::query("u1").filter(|order| {
///     order.total().gt(1_000) & !order.tags().contains("returned") | order.tags().at(0).eq("gift")
/// });
/// ```
#[derive(Debug)]
pub struct Path<T: ?Sized> {
    steps: RawPath,
    of: PhantomData<fn() -> T>,
}

impl<T: ?Sized, V> PartialEq<V> for Path<T>
where
    Path<T>: UseTheMethodEq<V>,
{
    fn eq(&self, _: &V) -> bool {
        false
    }
}

impl<T: ?Sized> Path<T> {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub fn attribute(name: &'static str) -> Self {
        Self::from_steps(Step::Name(name).into())
    }

    pub(crate) fn from_steps(steps: RawPath) -> Self {
        Self {
            steps,
            of: PhantomData,
        }
    }

    pub(crate) fn raw(&self) -> &RawPath {
        &self.steps
    }

    fn then<U: ?Sized>(&self, step: Step) -> Path<U> {
        Path::from_steps(self.steps.clone().then(step))
    }

    /// For generated code: values compared with it are never shown.
    #[doc(hidden)]
    #[must_use]
    pub fn hidden(self) -> Self {
        self.then(Step::Hidden)
    }

    /// For generated code: the field is an `Option`.
    #[doc(hidden)]
    #[must_use]
    pub fn optional(self, optional: bool) -> Self {
        Self::from_steps(self.steps.optional(optional))
    }

    /// For generated code: how it is stored.
    #[doc(hidden)]
    #[must_use]
    pub fn formed(self, form: Form) -> Self {
        Self::from_steps(self.steps.formed(form))
    }

    /// For generated code: `None` is stored as NULL, in the field or `everywhere` in it.
    #[doc(hidden)]
    #[must_use]
    pub fn nulls(self, everywhere: bool) -> Self {
        let null = if everywhere {
            Null::Everywhere
        } else {
            Null::Stored
        };
        Self::from_steps(self.steps.nulls(null))
    }

    /// For generated code: `#[serde(alias = "…")]`.
    #[doc(hidden)]
    #[must_use]
    pub fn old_names(self, names: &[&'static str]) -> Self {
        Self::from_steps(self.steps.with_old_names(names.to_vec()))
    }

    /// For generated code: an attribute of a map.
    #[doc(hidden)]
    #[must_use]
    pub fn child<U: ?Sized>(&self, name: &'static str) -> Path<U> {
        self.then(Step::Name(name))
    }

    fn compare(&self, comparison: Comparison, value: impl AsOperand<T>) -> Condition {
        Condition::comparing(self.steps.clone(), comparison, value.operand())
    }

    /// `=`
    #[must_use]
    pub fn eq(&self, value: impl AsOperand<T>) -> Condition {
        self.compare(Comparison::Eq, value)
    }

    /// `<>`
    #[must_use]
    pub fn ne(&self, value: impl AsOperand<T>) -> Condition {
        self.compare(Comparison::Ne, value)
    }

    /// `IN`; of no values at all, it is false.
    #[must_use]
    pub fn is_in<V: AsOperand<T>>(&self, values: impl IntoIterator<Item = V>) -> Condition {
        Condition::one_of(
            self.steps.clone(),
            values.into_iter().map(|value| value.operand()).collect(),
        )
    }

    /// Returns the attribute is there. On an `Option` field: it is there and not NULL.
    #[must_use]
    pub fn exists(&self) -> Condition {
        Condition::existing(self.steps.clone())
    }

    /// Returns the attribute is not there. On an `Option` field: it is absent or NULL.
    #[must_use]
    pub fn not_exists(&self) -> Condition {
        Condition::missing(self.steps.clone())
    }

    /// Returns the attribute is of a DynamoDB type: `S`, `N`, `B`, `BOOL`, `NULL`, `M`, `L`, `SS`,
    /// `NS` or `BS`. With any other name the request fails before it is sent.
    #[must_use]
    pub fn attribute_type(&self, name: &str) -> Condition {
        Condition::of_type(self.steps.clone(), name)
    }
}

/// Conditions that only some types support. The bounds are on the methods, and their result is a
/// parameter: otherwise an unsuitable type would lack the method, and the compiler would not
/// explain it.
impl<T: ?Sized> Path<T> {
    /// `<`
    #[must_use]
    pub fn lt(&self, value: impl AsOperand<T>) -> Condition
    where
        T: Ordered,
    {
        self.compare(Comparison::Lt, value)
    }

    /// `<=`
    #[must_use]
    pub fn le(&self, value: impl AsOperand<T>) -> Condition
    where
        T: Ordered,
    {
        self.compare(Comparison::Le, value)
    }

    /// `>`
    #[must_use]
    pub fn gt(&self, value: impl AsOperand<T>) -> Condition
    where
        T: Ordered,
    {
        self.compare(Comparison::Gt, value)
    }

    /// `>=`
    #[must_use]
    pub fn ge(&self, value: impl AsOperand<T>) -> Condition
    where
        T: Ordered,
    {
        self.compare(Comparison::Ge, value)
    }

    /// `BETWEEN`, both ends included.
    #[must_use]
    pub fn between(&self, low: impl AsOperand<T>, high: impl AsOperand<T>) -> Condition
    where
        T: Ordered,
    {
        Condition::between(self.steps.clone(), low.operand(), high.operand())
    }

    /// Returns the text begins with this.
    #[must_use]
    pub fn begins_with(&self, text: impl AsRef<str>) -> Condition
    where
        T: HasBeginning,
    {
        Condition::term(Term::BeginsWith(
            self.steps.clone(),
            text.as_ref().to_owned(),
        ))
    }

    /// Returns the text contains this text; the list or set contains this element.
    #[must_use]
    pub fn contains<V>(&self, element: V) -> Condition
    where
        T: HasElement,
        V: ElementOf<T::Element>,
    {
        Condition::containing(self.steps.clone(), element.element())
    }

    /// Names the length: of text in characters, of bytes in bytes, of a set, list or map in
    /// elements.
    #[must_use]
    pub fn size(&self) -> Size
    where
        T: HasSize,
    {
        Size {
            steps: self.steps.clone(),
        }
    }

    /// Names an element by its position from 0.
    #[must_use]
    pub fn at<U>(&self, position: usize) -> Path<U>
    where
        T: HasPosition<Element = U>,
    {
        self.then(Step::Index(position))
    }

    /// Names the value of a key in the map. The key is a text, a number or an enum, like the keys
    /// of the map.
    #[must_use]
    pub fn entry<K, V>(&self, key: impl AsEntryName<K>) -> Path<V>
    where
        T: HasEntry<Key = K, Value = V>,
    {
        Path::from_steps(self.steps.clone().then_entry(key.entry_name()))
    }

    /// Names the fields of a nested struct.
    #[must_use]
    pub fn fields<F>(&self) -> F
    where
        T: Nested<Fields = F>,
    {
        T::fields(Path::from_steps(self.steps.clone()))
    }
}

/// A struct within an item, whose fields a filter can name; derived with `#[derive(DynamoNested)]`.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoNested, DynamoTable};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Bookings", pk = "PK")]
/// struct Bookings;
///
/// #[derive(DynamoNested, serde::Serialize, serde::Deserialize)]
/// struct Insurance {
///     price: u32,
/// }
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = Bookings)]
/// #[pk("BOOKING#<booking_id>")]
/// struct Booking {
///     booking_id: String,
///     #[dynamo(nested)]
///     insurance: Insurance,
///     options: Vec<Insurance>,
/// }
///
/// let query = Booking::query("b1").filter(|booking| {
///     booking.insurance().price().gt(1_000) | booking.options().at(2).fields().price().lt(10)
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "the fields of `{Self}` cannot be named in a condition",
    label = "not a nested struct",
    note = "write `#[derive(DynamoNested)]` on it"
)]
pub trait Nested: Sized {
    /// A typed path for each of its fields.
    type Fields;

    /// Returns the fields below a path.
    #[doc(hidden)]
    fn fields(path: Path<Self>) -> Self::Fields;
}

#[diagnostic::do_not_recommend]
impl<T: Nested> Nested for Option<T> {
    type Fields = T::Fields;

    fn fields(path: Path<Self>) -> Self::Fields {
        T::fields(Path::from_steps(path.steps))
    }
}

/// The size of an attribute; see [`Path::size`].
///
/// ```
/// let long = dynamo_model::expr::Path::<String>::attribute("title").size().gt(80);
/// ```
#[derive(Debug)]
pub struct Size {
    steps: RawPath,
}

macro_rules! sizes {
    ($($(#[$doc:meta])* $name:ident $comparison:ident),*) => {
        impl Size {$(
            $(#[$doc])*
            #[must_use]
            pub fn $name(self, size: usize) -> Condition {
                Condition::term(Term::Size(self.steps, Comparison::$comparison, size))
            }
        )*}
    };
}

sizes! {
    /// `=`
    eq Eq,
    /// `<>`
    ne Ne,
    /// `<`
    lt Lt,
    /// `<=`
    le Le,
    /// `>`
    gt Gt,
    /// `>=`
    ge Ge
}
