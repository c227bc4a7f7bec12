//! Free-form values with a chosen type: the conditions and changes of that type.

use super::path::Path;
use crate::schema::form::Form;
use crate::value::{Number, Value};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};

/// A type that a free-form [`Value`] can be taken for, with [`Path::typed`].
///
/// ```
/// fn is_one<T: dynamo_model::expr::ValueType>() {}
/// is_one::<u32>();
/// is_one::<std::collections::BTreeSet<String>>();
/// ```
#[diagnostic::on_unimplemented(
    message = "a free-form value cannot be read as `{Self}`",
    label = "not a type that DynamoDB has",
    note = "read it as a `String`, a `Number` or an integer, a `Vec<Value>`, a `BTreeMap<String, \
            Value>` or a set of `String` or `Number`; for a struct, declare the field with its \
            type"
)]
pub trait ValueType {
    /// How it is stored.
    #[doc(hidden)]
    const FORM: Form;
}

/// A value whose type is known only at run time.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has a type, and `typed` is for free-form values",
    label = "not a `Value`",
    note = "remove `.typed::<…>()`"
)]
pub trait FreeForm {}

impl FreeForm for Value {}

macro_rules! value_types {
    ($form:ident: $($ty:ty),*) => {$(
        #[diagnostic::do_not_recommend]
        impl ValueType for $ty {
            const FORM: Form = Form::$form;
        }
    )*};
}

value_types!(Plain: String, Number, bool, u8, u16, u32, u64, u128, usize, i8, i16, i32, i64, i128, isize, f32, f64);
value_types!(Plain: Vec<Value>, VecDeque<Value>, BTreeMap<String, Value>, HashMap<String, Value>);
value_types!(Set: BTreeSet<String>, HashSet<String>, BTreeSet<Number>, HashSet<Number>);

impl<T: ?Sized> Path<T> {
    /// Treats a free-form value as a type: a condition then has the methods of that type, and an
    /// update can add to a number or append to a list. A value that is stored as another type meets
    /// no such condition, and its change fails.
    ///
    /// ```
    /// # use dynamo_model::{DynamoEntity, DynamoTable};
    /// use dynamo_model::Value;
    /// use std::collections::BTreeMap;
    ///
    /// # #[derive(DynamoTable)]
    /// # #[table(name = "App", pk = "PK")]
    /// # struct App;
    /// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
    /// #[dynamo(table = App)]
    /// #[pk("LOG#<id>")]
    /// struct Log {
    ///     id: u32,
    ///     details: BTreeMap<String, Value>,
    /// }
    ///
    /// let query = Log::query(1).filter(|log| log.details().entry("count").typed::<u32>().gt(3));
    /// let update = Log::update(1).add(|log| log.details().entry("count").typed::<u32>(), 1_u32);
    /// ```
    #[must_use]
    pub fn typed<U: ValueType>(&self) -> Path<U>
    where
        T: FreeForm,
    {
        Path::from_steps(self.raw().clone().formed(U::FORM))
    }
}
