//! The types that can stand in a placeholder: the [`KeyPart`] trait, its values, and the arguments
//! that generated builders accept for it.

use core::fmt;

/// A type whose values can be part of a key.
///
/// Implemented for strings, all integers, `bool`, and, behind features of the same name, the types
/// of `uuid`, `ulid`, `chrono`, `time` and `jiff`. For your own enums and newtypes, derive it:
///
/// ```
/// use dynamo_model::KeyPart;
///
/// #[derive(KeyPart)]
/// struct UserId(String);
///
/// #[derive(KeyPart)]
/// enum ExamType {
///     Fe,
///     Ap,
/// }
///
/// assert_eq!(UserId("u1".into()).to_part().to_string(), "u1");
/// assert_eq!(ExamType::Fe.to_part().to_string(), "Fe");
/// # let _ = ExamType::Ap;
/// ```
///
/// A manual implementation names the [kind](kind) of its text and converts to and from a
/// [`PartValue`]:
///
/// ```
/// use dynamo_model::KeyPart;
/// use dynamo_model::key::{PartError, PartValue, kind};
///
/// struct Euro(u64);
///
/// impl KeyPart for Euro {
///     type Kind = kind::Integer;
///     fn to_part(&self) -> PartValue<'_> {
///         self.0.to_part()
///     }
///     fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
///         u64::from_part(value).map(Euro)
///     }
/// }
/// assert_eq!(Euro(5).to_part().to_string(), "5");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be part of a key",
    label = "not a key part",
    note = "a key part is a string, an integer, a bool, a uuid, a ulid or a time; for your own \
     enum or newtype, write `#[derive(KeyPart)]` on it; a type of `chrono`, `jiff`, `time`, `ulid` \
     or `uuid` needs the feature of that name, as in `dynamo-model = \
     {{ version = \"…\", features = [\"jiff\"] }}`; an alias of `Option` needs \
     `#[dynamo(optional)]` on its field, and stands in index keys only"
)]
pub trait KeyPart {
    /// The kind of text: it decides which specs apply, and how the text sorts.
    type Kind: kind::Kind;

    /// The texts of an enum, if the type has no others.
    const VALUES: Option<&'static [&'static str]> = None;

    /// Returns the value as the key codec uses it.
    fn to_part(&self) -> PartValue<'_>;

    /// Inverts [`to_part`](Self::to_part).
    fn from_part(value: PartValue<'_>) -> Result<Self, PartError>
    where
        Self: Sized;
}

/// A key part's value, before it becomes text.
///
/// ```
/// use dynamo_model::KeyPart;
/// use dynamo_model::key::PartValue;
///
/// assert_eq!((-7_i8).to_part(), PartValue::Integer { negative: true, magnitude: 7 });
/// assert_eq!("u1".to_string().to_part(), PartValue::Text("u1"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartValue<'a> {
    /// Text, unchanged.
    Text(&'a str),
    /// Any integer, as sign and magnitude.
    Integer {
        /// Below zero.
        negative: bool,
        /// The absolute value.
        magnitude: u128,
    },
    /// A number that may have a fraction: `digits` × 10^`exponent`. Only for a key of type N.
    Decimal {
        /// Below zero.
        negative: bool,
        /// The digits of the absolute value, 38 at most.
        digits: u128,
        /// The power of ten of the last digit.
        exponent: i32,
    },
    /// `true` or `false`.
    Boolean(bool),
    /// An instant: seconds since 1970-01-01T00:00:00Z, and nanoseconds from there on.
    Time {
        /// Seconds, rounded towards the past.
        seconds: i64,
        /// Nanoseconds, 0 to 999 999 999.
        nanos: u32,
    },
    /// A calendar day, as days since 1970-01-01.
    Date {
        /// Days, negative before 1970.
        days: i32,
    },
    /// The sixteen bytes of a UUID.
    Uuid([u8; 16]),
    /// The sixteen bytes of a ULID.
    Ulid([u8; 16]),
    /// Bytes: only for a key of type B.
    Bytes(&'a [u8]),
    /// An optional field without a value: only for a part with `or_empty`.
    Absent,
}

impl PartValue<'_> {
    /// Returns the same value if it borrows nothing.
    pub(crate) const fn detached(self) -> Option<PartValue<'static>> {
        Some(match self {
            PartValue::Text(_) | PartValue::Bytes(_) => return None,
            PartValue::Integer {
                negative,
                magnitude,
            } => PartValue::Integer {
                negative,
                magnitude,
            },
            PartValue::Decimal {
                negative,
                digits,
                exponent,
            } => PartValue::Decimal {
                negative,
                digits,
                exponent,
            },
            PartValue::Boolean(value) => PartValue::Boolean(value),
            PartValue::Time { seconds, nanos } => PartValue::Time { seconds, nanos },
            PartValue::Date { days } => PartValue::Date { days },
            PartValue::Uuid(bytes) => PartValue::Uuid(bytes),
            PartValue::Ulid(bytes) => PartValue::Ulid(bytes),
            PartValue::Absent => PartValue::Absent,
        })
    }
}

/// The plain text form; an instant outside the years 0 to 9999 shows its seconds.
impl fmt::Display for PartValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match super::text::Encoded::plain(*self) {
            Ok(text) => f.write_str(&text.text()),
            Err(_) => write!(f, "{self:?}"),
        }
    }
}

/// Why a key part could not be read back into its type.
///
/// ```
/// use dynamo_model::KeyPart;
/// use dynamo_model::key::PartValue;
///
/// let error = u8::from_part(PartValue::Integer { negative: false, magnitude: 256 }).unwrap_err();
/// assert_eq!(error.to_string(), "256 does not fit `u8`");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartError {
    message: String,
}

impl PartError {
    /// Makes an error with a message: lowercase, no final period.
    ///
    /// ```
    /// assert_eq!(dynamo_model::key::PartError::new("not an email").to_string(), "not an email");
    /// ```
    pub fn new(message: impl Into<String>) -> Self {
        Self {
            message: message.into(),
        }
    }

    /// Makes the error of `from_part` for a value of another kind.
    ///
    /// ```
    /// let error = dynamo_model::key::PartError::expected("a uuid");
    /// assert_eq!(error.to_string(), "expected a uuid");
    /// ```
    #[must_use]
    pub fn expected(what: &str) -> Self {
        Self::new(format!("expected {what}"))
    }
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl core::error::Error for PartError {}

/// The kinds of text a key part can have; see [`KeyPart::Kind`].
///
/// ```
/// use dynamo_model::key::kind::{Kind, Name, Time};
///
/// assert_eq!(Time::NAME, Name::Time);
/// ```
pub mod kind {
    use core::fmt;

    /// A kind of key-part text. Sealed, because the codec must know each of them.
    pub trait Kind: sealed::Sealed {
        /// The kind, as a value.
        const NAME: Name;
    }

    /// [`Kind`] as a value.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[allow(missing_docs)]
    pub enum Name {
        Text,
        Enum,
        Integer,
        Decimal,
        Boolean,
        Time,
        Date,
        Uuid,
        Ulid,
        Bytes,
    }

    impl Name {
        /// Returns the kind with its article, for messages.
        #[must_use]
        pub const fn as_str(self) -> &'static str {
            match self {
                Name::Text => "text",
                Name::Enum => "an enum",
                Name::Integer => "an integer",
                Name::Decimal => "a number with a fraction",
                Name::Boolean => "a bool",
                Name::Time => "a time",
                Name::Date => "a date",
                Name::Uuid => "a uuid",
                Name::Ulid => "a ulid",
                Name::Bytes => "bytes",
            }
        }
    }

    impl fmt::Display for Name {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str(self.as_str())
        }
    }

    mod sealed {
        pub trait Sealed {}
    }

    macro_rules! kinds {
        ($($(#[$doc:meta])* $name:ident),* $(,)?) => {$(
            $(#[$doc])*
            #[derive(Debug, Clone, Copy)]
            pub struct $name;
            impl sealed::Sealed for $name {}
            impl Kind for $name {
                const NAME: Name = Name::$name;
            }
        )*};
    }

    kinds! {
        /// Text of any length.
        Text,
        /// One of a few texts, in no order.
        Enum,
        /// A whole number.
        Integer,
        /// A number that may have a fraction, for keys of type N.
        Decimal,
        /// `true` or `false`.
        Boolean,
        /// An instant.
        Time,
        /// A calendar day.
        Date,
        /// A UUID, hyphenated.
        Uuid,
        /// A ULID, 26 characters.
        Ulid,
        /// Bytes, for keys of type B.
        Bytes,
    }
}

/// An argument of a generated builder for a field of type `T`.
///
/// `T` and `&T` always can. Where `T` is text or a newtype of text, so can `&str` and `String`: a
/// call reads `User::key("u1")`, while another newtype in its place does not compile.
///
/// ```
/// use dynamo_model::KeyPart;
/// use dynamo_model::key::AsKeyPart;
///
/// #[derive(KeyPart)]
/// struct UserId(String);
///
/// fn shown(id: impl AsKeyPart<UserId>) -> String {
///     id.as_part().to_string()
/// }
/// assert_eq!(shown("u1"), "u1");
/// assert_eq!(shown(UserId("u1".into())), "u1");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for `{T}` in a key",
    label = "expected `{T}` or `&{T}`",
    note = "where `{T}` is text or a newtype of text, `&str` and `String` work as well"
)]
pub trait AsKeyPart<T: ?Sized> {
    /// Returns the value as the key codec uses it.
    fn as_part(&self) -> PartValue<'_>
    where
        T: KeyPart;
}

// The method requires `T: KeyPart`, so that a wrong type is reported at the field, and not again at
// each argument.

impl<T> AsKeyPart<T> for T {
    #[inline]
    fn as_part(&self) -> PartValue<'_>
    where
        T: KeyPart,
    {
        self.to_part()
    }
}

impl<T: ?Sized> AsKeyPart<T> for &T {
    #[inline]
    fn as_part(&self) -> PartValue<'_>
    where
        T: KeyPart,
    {
        (**self).to_part()
    }
}

/// An argument of a generated builder for an optional field of type `T`: the value, or an `Option`
/// of a reference to it.
///
/// For a field of type `Option<String>`, `T` is `str`. So `"a"`, `Some("a")`, `&string`, `&option`
/// and `None` all do.
///
/// ```
/// use dynamo_model::key::AsOptionalKeyPart;
///
/// fn shown(room: impl AsOptionalKeyPart<str>) -> String {
///     room.as_optional_part().map_or("none".into(), |part| part.to_string())
/// }
/// let room = Some("r1".to_owned());
/// assert_eq!([shown("r1"), shown(Some("r1")), shown(&room)], ["r1"; 3]);
/// assert_eq!(shown(None), "none");
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a value for an optional `{T}` in a key",
    label = "expected a value of the field's type, or `None`",
    note = "give the value, a reference to it, a reference to an `Option` of it, `Some(&value)`, \
     `Some(\"text\")` where it is a `String`, or `None`"
)]
pub trait AsOptionalKeyPart<T: ?Sized> {
    /// Returns the value for the key codec; `None` if the field has none.
    fn as_optional_part(&self) -> Option<PartValue<'_>>
    where
        T: KeyPart;
}

// Only one implementation is for an `Option`, so that the compiler can infer the type of a `None`.

#[diagnostic::do_not_recommend]
impl<T> AsOptionalKeyPart<T> for T {
    #[inline]
    fn as_optional_part(&self) -> Option<PartValue<'_>>
    where
        T: KeyPart,
    {
        Some(self.to_part())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> AsOptionalKeyPart<T> for &T {
    #[inline]
    fn as_optional_part(&self) -> Option<PartValue<'_>>
    where
        T: KeyPart,
    {
        Some((**self).to_part())
    }
}

#[diagnostic::do_not_recommend]
impl<T: ?Sized> AsOptionalKeyPart<T> for Option<&T> {
    #[inline]
    fn as_optional_part(&self) -> Option<PartValue<'_>>
    where
        T: KeyPart,
    {
        self.map(KeyPart::to_part)
    }
}

#[diagnostic::do_not_recommend]
impl<T> AsOptionalKeyPart<T> for &Option<T> {
    #[inline]
    fn as_optional_part(&self) -> Option<PartValue<'_>>
    where
        T: KeyPart,
    {
        self.as_ref().map(KeyPart::to_part)
    }
}

#[diagnostic::do_not_recommend]
impl AsOptionalKeyPart<str> for &Option<String> {
    #[inline]
    fn as_optional_part(&self) -> Option<PartValue<'_>> {
        self.as_deref().map(PartValue::Text)
    }
}
