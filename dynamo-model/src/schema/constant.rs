//! A constant attribute as data.

/// An attribute that every item of an entity has, with the same value:
/// `#[dynamo(constant("__edb_v__" = "1"))]`.
///
/// ```
/// use dynamo_model::schema::ConstantValue;
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App, constant("__edb_v__" = "1", "revision" = 3))]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let [version, revision] = User::SCHEMA.constants else { panic!() };
/// assert_eq!((version.name, version.value), ("__edb_v__", ConstantValue::Text("1")));
/// assert_eq!(revision.value, ConstantValue::Number("3"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Constant {
    /// The attribute's name.
    pub name: &'static str,
    /// Its value.
    pub value: ConstantValue,
}

/// The value of a [`Constant`].
///
/// ```
/// use dynamo_model::schema::ConstantValue;
///
/// assert_eq!(ConstantValue::Text("1").to_string(), "S \"1\"");
/// assert_eq!(ConstantValue::Number("1").typed(), ("N", "1".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConstantValue {
    /// S.
    Text(&'static str),
    /// N, by its digits.
    Number(&'static str),
    /// BOOL.
    Bool(bool),
}

impl ConstantValue {
    /// Returns DynamoDB's type, and the value as text.
    #[must_use]
    pub fn typed(self) -> (&'static str, String) {
        match self {
            Self::Text(text) => ("S", text.to_owned()),
            Self::Number(number) => ("N", number.to_owned()),
            Self::Bool(value) => ("BOOL", value.to_string()),
        }
    }
}

impl core::fmt::Display for ConstantValue {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Text(text) => write!(f, "S {text:?}"),
            Self::Number(number) => write!(f, "N {number}"),
            Self::Bool(value) => write!(f, "BOOL {value}"),
        }
    }
}

impl Constant {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(name: &'static str, value: ConstantValue) -> Self {
        Self { name, value }
    }

    /// Returns the constant as stored.
    #[cfg(feature = "client")]
    pub(crate) fn attribute(&self) -> aws_sdk_dynamodb::types::AttributeValue {
        use aws_sdk_dynamodb::types::AttributeValue;
        match self.value {
            ConstantValue::Text(text) => AttributeValue::S(text.to_owned()),
            ConstantValue::Number(number) => AttributeValue::N(number.to_owned()),
            ConstantValue::Bool(value) => AttributeValue::Bool(value),
        }
    }
}
