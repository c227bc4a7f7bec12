//! A key template, as data: the content of `#[pk("USER#<user_id>")]`.
//!
//! Build ([`super::build`]), parse ([`super::parse`]), prefix and the compile-time checks
//! ([`super::overlap`]) all read the same value, so they cannot disagree.

use super::alphabet::Alphabet;
use super::escape::Escape;
use super::part::{KeyPart, kind};
use core::fmt;

/// The longest partition key, in bytes of UTF-8 (a limit of DynamoDB).
pub(crate) const MAX_PARTITION_KEY: usize = 2_048;
/// The longest sort key, in bytes of UTF-8 (a limit of DynamoDB).
pub(crate) const MAX_SORT_KEY: usize = 1_024;

/// One key template of one entity.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity};
///
/// #[derive(DynamoTable)]
/// #[table(name = "App", pk = "PK")]
/// struct App;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = App)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// let template = User::SCHEMA.pk;
/// assert_eq!(template.to_string(), "USER#<user_id>");
/// assert_eq!(template.parts[0].field, "user_id");
/// ```
#[derive(Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Template {
    /// The entity it belongs to, for messages.
    pub entity: &'static str,
    /// Partition key or sort key.
    pub role: Role,
    /// The template as written.
    pub text: &'static str,
    /// The literal text before the first placeholder.
    pub head: &'static str,
    /// Each placeholder, with the literal text after it.
    pub parts: &'static [PartSchema],
    /// The template of each attribute, where the key has several: `(tenant, region)`. Otherwise
    /// empty.
    pub(crate) attributes: &'static [Template],
}

/// Which half of a key a template makes.
///
/// ```
/// assert_eq!(dynamo_model::schema::Role::SortKey.max_bytes(), 1024);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The partition key of the table or of an index.
    PartitionKey,
    /// The sort key of the table or of an index.
    SortKey,
}

impl Role {
    /// Returns DynamoDB's limit on the length of such a key.
    #[must_use]
    pub const fn max_bytes(self) -> usize {
        match self {
            Role::PartitionKey => MAX_PARTITION_KEY,
            Role::SortKey => MAX_SORT_KEY,
        }
    }
}

impl Template {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new(
        entity: &'static str,
        role: Role,
        text: &'static str,
        head: &'static str,
        parts: &'static [PartSchema],
    ) -> Self {
        Self {
            entity,
            role,
            text,
            head,
            parts,
            attributes: &[],
        }
    }

    /// For generated code: each part is an attribute of the item, with a template of its own.
    #[doc(hidden)]
    #[must_use]
    pub const fn of_attributes(mut self, attributes: &'static [Self]) -> Self {
        self.attributes = attributes;
        self
    }

    /// Whether the key consists of attributes of the item, as in `(tenant, region)`.
    #[must_use]
    pub const fn is_native(&self) -> bool {
        !self.attributes.is_empty()
    }

    /// The template of each key attribute: itself, or one for each attribute of a native key.
    pub(crate) fn by_attribute(&'static self) -> &'static [Self] {
        match self.attributes {
            [] => core::slice::from_ref(self),
            attributes => attributes,
        }
    }

    /// Returns whether a key ends with this part.
    pub(crate) const fn ends_with(&self, part: usize) -> bool {
        part + 1 == self.parts.len() && self.parts[part].after.is_empty()
    }

    /// Returns whether it is a single placeholder: the key attribute then has the type of the
    /// field.
    #[must_use]
    pub const fn is_bare(&self) -> bool {
        !self.is_native()
            && matches!(self.parts, [part] if self.head.is_empty() && part.after.is_empty())
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

/// One placeholder of a [`Template`].
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable, Entity, schema::{Form, Spec}};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Log", pk = "PK", sk = "SK")]
/// struct Log;
///
/// #[derive(DynamoEntity)]
/// #[dynamo(table = Log)]
/// #[pk("LOG")]
/// #[sk("<seq:010>#<host>")]
/// struct Line {
///     seq: u32,
///     host: String,
/// }
///
/// let seq = &Line::SCHEMA.sk.unwrap().parts[0];
/// assert_eq!((seq.field, seq.spec, seq.after), ("seq", Spec::of(Form::Padded(10)), "#"));
/// assert!(seq.sorts());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartSchema {
    /// The field it names.
    pub field: &'static str,
    /// How the field becomes text.
    pub spec: Spec,
    /// The kind of the field's value.
    pub kind: kind::Name,
    /// The texts of an enum.
    pub values: Option<&'static [&'static str]>,
    /// The literal text that follows.
    pub after: &'static str,
    /// The length of its text in bytes, where each value has the same.
    pub width: Option<usize>,
    pub(crate) escape: Escape,
    pub(crate) alphabet: Alphabet,
}

/// A key field of an entity. Generated code has one such type for each, so that an unsuitable field
/// type produces one error, in one place.
pub trait Field {
    #[doc(hidden)]
    type Part: KeyPart + ?Sized;
}

impl PartSchema {
    /// For generated code.
    #[doc(hidden)]
    #[must_use]
    pub const fn new<F: Field>(field: &'static str, spec: Spec, after: &'static str) -> Self {
        let kind = <<F::Part as KeyPart>::Kind as kind::Kind>::NAME;
        let values = <F::Part as KeyPart>::VALUES;
        Self::of_kind(field, spec, (kind, values), after)
    }

    const fn of_kind(
        field: &'static str,
        spec: Spec,
        (kind, values): (kind::Name, Option<&'static [&'static str]>),
        after: &'static str,
    ) -> Self {
        let width = spec.width(kind);
        let alphabet = Alphabet::of(kind, spec, values);
        let escape = if width.is_some() || after.is_empty() || spec.raw {
            Escape::None
        } else {
            let escape = Escape::before(after.as_bytes()[0]);
            if alphabet.touches(escape) {
                escape
            } else {
                Escape::None
            }
        };
        Self {
            field,
            spec,
            kind,
            values,
            after,
            width,
            escape,
            alphabet,
        }
    }

    /// Returns the same placeholder with another spec.
    #[cfg(feature = "client")]
    pub(crate) fn with_spec(&self, spec: Spec) -> Self {
        let other = Self::of_kind(self.field, spec, (self.kind, self.values), self.after);
        match self.escape {
            // The last part of a partition key.
            Escape::Only { delimiter, .. } if self.after.is_empty() => other.closing(delimiter),
            _ => other,
        }
    }

    /// For generated code: the last part of a partition key, after this delimiter.
    #[doc(hidden)]
    #[must_use]
    pub const fn closing(mut self, delimiter: u8) -> Self {
        let escape = Escape::at_end(delimiter);
        let fixed = self.width.is_some() || self.spec.raw;
        if !fixed && self.alphabet.touches(escape) {
            self.escape = escape;
        }
        self
    }

    /// Returns whether a byte of a value is escaped in the key.
    #[must_use]
    pub const fn escapes(&self, byte: u8) -> bool {
        self.escape.hits(byte)
    }

    /// Returns whether the order of the text is the order of the values, or its reverse with
    /// `desc`, before any following text: a range on this part, and `descending`, need that.
    #[must_use]
    pub const fn sorts(&self) -> bool {
        let ordered_text = self.after.is_empty() || !matches!(self.escape, Escape::Only { .. });
        if self.spec.or_empty && !self.is_above_delimiter() {
            return false;
        }
        match (self.spec.form, self.kind) {
            (Form::Shard(_), _)
            | (_, kind::Name::Bytes | kind::Name::Enum | kind::Name::Decimal) => false,
            (Form::Plain, _) if self.spec.raw => self.after.is_empty(),
            (Form::Padded(_) | Form::Precision(_) | Form::Epoch(_), _) => true,
            (Form::Format(pieces), _) => TimePiece::sort(pieces),
            (Form::Plain, kind::Name::Text) => ordered_text,
            // "9" sorts after "10", and "…00.5Z" before "…00Z".
            (Form::Plain, kind::Name::Integer | kind::Name::Time) => false,
            (Form::Plain, _) => true,
        }
    }

    /// Returns whether every value sorts above the following delimiter, and so above an empty part.
    const fn is_above_delimiter(&self) -> bool {
        self.after.is_empty()
            || matches!(Escape::before(self.after.as_bytes()[0]), Escape::Below(_))
    }

    /// Returns whether a value could begin with the text after the part, so that an empty part
    /// would look like one.
    pub(crate) const fn hides_empty(&self) -> bool {
        let fixed = self.spec.or_empty && self.width.is_some() && !self.after.is_empty();
        fixed
            && self
                .alphabet
                .meets(Alphabet::byte(self.after.as_bytes()[0]))
    }

    /// Returns whether the text restores the value of the field: false for a time bucket or a
    /// shard.
    #[must_use]
    pub const fn is_lossless(&self) -> bool {
        !matches!(self.spec.form, Form::Format(_) | Form::Shard(_))
    }
}

/// The text after the colon in `<field:spec>`: a form, and transformations of its text.
///
/// ```
/// use dynamo_model::schema::{Form, Precision, Spec, Transform};
///
/// assert_eq!(Spec::of(Form::Precision(Precision::Millis)).to_string(), "ms");
/// assert_eq!(Spec::of(Form::Padded(8)).with(Transform::Descending).to_string(), "08+desc");
/// assert_eq!(Spec::PLAIN.with(Transform::Lower).raw().to_string(), "lower+raw");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Spec {
    /// How the value becomes text.
    pub form: Form,
    /// How that text is changed, if it is.
    pub transform: Option<Transform>,
    /// `raw`: the text is not escaped; the author of the template guarantees that values cannot
    /// contain the delimiter.
    pub raw: bool,
    /// `or_empty`: an optional field without a value is an empty part, and the item stays in the
    /// index.
    pub or_empty: bool,
}

/// How a value becomes text.
///
/// ```
/// use dynamo_model::schema::{Form, Spec};
///
/// assert_eq!(Spec::of(Form::Shard(10)).to_string(), "shard(10)");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// No spec: the plain text form.
    Plain,
    /// `020`: an integer, padded with zeros to this width, negative ones in order too.
    Padded(u8),
    /// `s`, `ms`, `us`, `ns`: RFC 3339 in UTC with that many fraction digits, always.
    Precision(Precision),
    /// `epoch_s`, `epoch_ms`: a time as a number since 1970, always of the same width in a text.
    Epoch(EpochUnit),
    /// `%Y-%m-%d` and the like: a time bucket.
    Format(&'static [TimePiece]),
    /// `shard(10)`: a hash of the field modulo this number.
    Shard(u32),
}

/// How the text of a part is changed.
///
/// ```
/// assert_eq!(dynamo_model::schema::Transform::Descending.as_str(), "desc");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Transform {
    /// `lower`: lower case, character by character.
    Lower,
    /// `upper`: upper case, character by character.
    Upper,
    /// `desc`: each digit becomes nine minus itself, and a leading minus `~`, so that a larger
    /// value has a smaller text.
    Descending,
}

impl Transform {
    /// Returns the form as written in a template.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Transform::Lower => "lower",
            Transform::Upper => "upper",
            Transform::Descending => "desc",
        }
    }
}

impl Spec {
    /// No spec: the plain text form.
    pub const PLAIN: Self = Self::of(Form::Plain);

    /// Returns a spec of only a form.
    #[must_use]
    pub const fn of(form: Form) -> Self {
        Self {
            form,
            transform: None,
            raw: false,
            or_empty: false,
        }
    }

    /// Returns the same spec with a transform.
    #[must_use]
    pub const fn with(mut self, transform: Transform) -> Self {
        self.transform = Some(transform);
        self
    }

    /// Returns the same spec without escaping.
    #[must_use]
    pub const fn raw(mut self) -> Self {
        self.raw = true;
        self
    }

    /// Returns the same spec, empty for a field without a value.
    #[must_use]
    pub const fn or_empty(mut self) -> Self {
        self.or_empty = true;
        self
    }

    /// Returns whether a larger value has a smaller text.
    pub(crate) const fn is_descending(self) -> bool {
        matches!(self.transform, Some(Transform::Descending))
    }

    /// Returns whether both give the same text for the same value, except for escaping. Formats are
    /// not compared, and count as different.
    pub(crate) const fn writes_as(self, other: Self) -> bool {
        let form = match (self.form, other.form) {
            (Form::Plain, Form::Plain) => true,
            (Form::Padded(a), Form::Padded(b)) => a == b,
            (Form::Precision(a), Form::Precision(b)) => a as u8 == b as u8,
            (Form::Epoch(a), Form::Epoch(b)) => a as u8 == b as u8,
            (Form::Shard(a), Form::Shard(b)) => a == b,
            _ => false,
        };
        let transform = match (self.transform, other.transform) {
            (Some(a), Some(b)) => a as u8 == b as u8,
            (None, None) => true,
            _ => false,
        };
        form && transform
    }

    /// Returns whether the placeholder has no spec.
    pub(crate) const fn is_plain(self) -> bool {
        matches!(self.form, Form::Plain) && self.transform.is_none() && !self.raw && !self.or_empty
    }

    /// Returns the width in bytes, if every value has the same.
    pub(crate) const fn width(self, kind: kind::Name) -> Option<usize> {
        match (self.form, kind) {
            (Form::Padded(width), _) => Some(width as usize),
            (Form::Precision(precision), _) => Some(precision.width()),
            (Form::Epoch(unit), _) => Some(unit.width()),
            (Form::Format(pieces), _) => Some(TimePiece::width_of(pieces)),
            (Form::Plain, kind::Name::Uuid) => Some(36),
            (Form::Plain, kind::Name::Ulid) => Some(26),
            (Form::Plain, kind::Name::Date) => Some(10),
            _ => None,
        }
    }

    /// Returns the kinds that the spec is for, or `None` if it fits this kind.
    pub(crate) const fn unfit_for(self, kind: kind::Name) -> Option<&'static str> {
        use kind::Name;
        let form = match (self.form, kind) {
            (Form::Padded(_), Name::Integer)
            | (Form::Precision(_) | Form::Epoch(_), Name::Time)
            | (Form::Format(_), Name::Time)
            | (Form::Plain | Form::Shard(_), _) => None,
            (Form::Format(pieces), Name::Date) => {
                if TimePiece::only_dates(pieces) {
                    None
                } else {
                    Some("times with an hour")
                }
            }
            (Form::Padded(_), _) => Some("integers"),
            (Form::Precision(_) | Form::Epoch(_), _) => Some("times"),
            (Form::Format(_), _) => Some("times and dates"),
        };
        if form.is_some() {
            return form;
        }
        match (self.transform, kind) {
            (None, Name::Text) => None,
            (None, _) if self.raw => Some("text"),
            (None, _) => None,
            (Some(_), Name::Enum) if self.raw => Some("text"),
            (Some(Transform::Lower | Transform::Upper), Name::Text | Name::Enum) => None,
            (Some(Transform::Lower | Transform::Upper), Name::Uuid | Name::Ulid) if !self.raw => {
                None
            }
            (Some(Transform::Lower | Transform::Upper), _) => Some("text and enums"),
            (Some(Transform::Descending), Name::Date) => None,
            (Some(Transform::Descending), _) if !matches!(self.form, Form::Plain) => None,
            (Some(Transform::Descending), _) => {
                Some("values of one width, as in `<number:08+desc>` and `<at:ms+desc>`")
            }
        }
    }
}

impl Form {
    /// Returns the number of fractional digits of a second, if the form fixes it.
    pub(crate) const fn fraction_digits(self) -> Option<usize> {
        match self {
            Form::Precision(precision) => Some(precision.digits()),
            Form::Epoch(unit) => Some(unit.fraction_digits()),
            _ => None,
        }
    }
}

impl fmt::Display for Form {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Form::Plain => Ok(()),
            Form::Padded(width) => write!(f, "0{width}"),
            Form::Precision(precision) => f.write_str(precision.as_str()),
            Form::Epoch(unit) => f.write_str(unit.as_str()),
            Form::Format(pieces) => pieces.iter().try_for_each(|piece| write!(f, "{piece}")),
            Form::Shard(count) => write!(f, "shard({count})"),
        }
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.form)?;
        let mut first = matches!(self.form, Form::Plain);
        let transform = self.transform.map(Transform::as_str);
        let flags = [(self.raw, "raw"), (self.or_empty, "or_empty")];
        let flags = flags
            .into_iter()
            .filter_map(|(is, word)| is.then_some(word));
        for word in transform.into_iter().chain(flags) {
            let plus = if first { "" } else { "+" };
            write!(f, "{plus}{word}")?;
            first = false;
        }
        Ok(())
    }
}

/// How many fraction digits a time in a key has.
///
/// ```
/// use dynamo_model::schema::Precision;
///
/// assert_eq!(Precision::Micros.digits(), 6);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Precision {
    Seconds,
    Millis,
    Micros,
    Nanos,
}

impl Precision {
    /// Returns the number of digits after the decimal point.
    #[must_use]
    pub const fn digits(self) -> usize {
        match self {
            Precision::Seconds => 0,
            Precision::Millis => 3,
            Precision::Micros => 6,
            Precision::Nanos => 9,
        }
    }

    /// Returns the precision as written in a template.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Precision::Seconds => "s",
            Precision::Millis => "ms",
            Precision::Micros => "us",
            Precision::Nanos => "ns",
        }
    }

    const fn width(self) -> usize {
        "2024-01-15T10:30:00Z".len()
            + if self.digits() == 0 {
                0
            } else {
                1 + self.digits()
            }
    }
}

/// The unit of a time since 1970-01-01T00:00:00Z.
///
/// ```
/// use dynamo_model::schema::EpochUnit;
///
/// assert_eq!(EpochUnit::Millis.as_str(), "epoch_ms");
/// assert_eq!(EpochUnit::Seconds.width(), "1705315800".len());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum EpochUnit {
    Seconds,
    Millis,
}

impl EpochUnit {
    /// Returns the unit as written in a template.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            EpochUnit::Seconds => "epoch_s",
            EpochUnit::Millis => "epoch_ms",
        }
    }

    /// Returns the digits of the number in a text, which are enough until November 2286.
    #[must_use]
    pub const fn width(self) -> usize {
        10 + self.fraction_digits()
    }

    pub(crate) const fn fraction_digits(self) -> usize {
        match self {
            EpochUnit::Seconds => 0,
            EpochUnit::Millis => 3,
        }
    }
}

/// One directive of a time format, or the text between two.
///
/// ```
/// use dynamo_model::schema::TimePiece;
///
/// assert_eq!(TimePiece::DayOfYear.to_string(), "%j");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TimePiece {
    /// Literal text.
    Literal(&'static str),
    /// `%Y`: four digits.
    Year,
    /// `%m`: two digits.
    Month,
    /// `%d`: two digits.
    Day,
    /// `%j`: day of the year, three digits.
    DayOfYear,
    /// `%H`: two digits.
    Hour,
    /// `%M`: two digits.
    Minute,
    /// `%S`: two digits.
    Second,
    /// `%3f`, `%6f`, `%9f`: that many digits of the second's fraction.
    Fraction(u8),
}

impl TimePiece {
    pub(crate) const fn width(self) -> usize {
        match self {
            TimePiece::Literal(text) => text.len(),
            TimePiece::Year => 4,
            TimePiece::DayOfYear => 3,
            TimePiece::Fraction(digits) => digits as usize,
            _ => 2,
        }
    }

    const fn width_of(pieces: &[Self]) -> usize {
        let mut width = 0;
        let mut i = 0;
        while i < pieces.len() {
            width += pieces[i].width();
            i += 1;
        }
        width
    }

    /// Ranks pieces from year down to fraction. A piece must follow the next larger one for the
    /// text to sort.
    const fn rank(self) -> Option<(u8, u8)> {
        // (units that must precede, units that may follow)
        match self {
            TimePiece::Literal(_) => None,
            TimePiece::Year => Some((0, 1)),
            TimePiece::Month => Some((1, 2)),
            TimePiece::Day => Some((2, 3)),
            TimePiece::DayOfYear => Some((1, 3)),
            TimePiece::Hour => Some((3, 4)),
            TimePiece::Minute => Some((4, 5)),
            TimePiece::Second => Some((5, 6)),
            TimePiece::Fraction(_) => Some((6, 7)),
        }
    }

    const fn sort(pieces: &[Self]) -> bool {
        let mut reached = 0;
        let mut i = 0;
        while i < pieces.len() {
            if let Some((before, after)) = pieces[i].rank() {
                if before != reached {
                    return false;
                }
                reached = after;
            }
            i += 1;
        }
        reached > 0
    }

    const fn only_dates(pieces: &[Self]) -> bool {
        let mut i = 0;
        while i < pieces.len() {
            if let Some((before, _)) = pieces[i].rank()
                && before >= 3
            {
                return false;
            }
            i += 1;
        }
        true
    }
}

impl fmt::Display for TimePiece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimePiece::Literal(text) => f.write_str(&text.replace('%', "%%")),
            TimePiece::Year => f.write_str("%Y"),
            TimePiece::Month => f.write_str("%m"),
            TimePiece::Day => f.write_str("%d"),
            TimePiece::DayOfYear => f.write_str("%j"),
            TimePiece::Hour => f.write_str("%H"),
            TimePiece::Minute => f.write_str("%M"),
            TimePiece::Second => f.write_str("%S"),
            TimePiece::Fraction(digits) => write!(f, "%{digits}f"),
        }
    }
}
