//! The DynamoDB type of an attribute, as far as the declaration determines it.

use core::fmt;
use dynamo_model::key::kind::Name;
use dynamo_model::schema::{AttributeRole, AttributeSchema, EntitySchema, Form};

/// The type of an attribute, by DynamoDB's letters.
///
/// ```
/// use dynamo_model_tools::AttributeType;
///
/// assert_eq!(AttributeType::of_rust_type("Option<Vec<String>>"), Some(AttributeType::L));
/// assert_eq!(AttributeType::of_rust_type("Insurance"), None); // serde decides
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum AttributeType {
    S,
    N,
    B,
    Bool,
    Null,
    L,
    M,
    Ss,
    Ns,
    Bs,
}

impl AttributeType {
    /// Returns DynamoDB's letters.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            AttributeType::S => "S",
            AttributeType::N => "N",
            AttributeType::B => "B",
            AttributeType::Bool => "BOOL",
            AttributeType::Null => "NULL",
            AttributeType::L => "L",
            AttributeType::M => "M",
            AttributeType::Ss => "SS",
            AttributeType::Ns => "NS",
            AttributeType::Bs => "BS",
        }
    }

    /// Returns the type in words, for design documents.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            AttributeType::S => "String",
            AttributeType::N => "Number",
            AttributeType::B => "Binary",
            AttributeType::Bool => "Boolean",
            AttributeType::Null => "Null",
            AttributeType::L => "List",
            AttributeType::M => "Map",
            AttributeType::Ss => "String set",
            AttributeType::Ns => "Number set",
            AttributeType::Bs => "Binary set",
        }
    }

    /// Returns serde's form of a type with a well-known name.
    #[must_use]
    pub fn of_rust_type(rust_type: &str) -> Option<Self> {
        // Another function writes it, and may write anything.
        if rust_type.contains(" with ") {
            return None;
        }
        let (name, argument) = match rust_type.split_once('<') {
            Some((name, argument)) => (name, argument.strip_suffix('>').unwrap_or(argument)),
            None => (rust_type.trim_start_matches(['&', ' ']), ""),
        };
        if rust_type.starts_with('[') || rust_type.starts_with('(') {
            return Some(AttributeType::L);
        }
        let name = name.rsplit("::").next().unwrap_or(name);
        match name.rsplit(' ').next().unwrap_or(name) {
            "Option" | "Box" | "Arc" | "Rc" => Self::of_rust_type(argument),
            "Cow" => Self::of_rust_type(argument.rsplit(", ").next().unwrap_or(argument)),
            "String" | "str" | "char" | "Uuid" | "Ulid" | "Timestamp" | "Date" | "Zoned"
            | "NaiveDate" | "NaiveDateTime" | "NaiveTime" | "DateTime" => Some(AttributeType::S),
            "bool" => Some(AttributeType::Bool),
            "Vec" | "VecDeque" => Some(AttributeType::L),
            "HashSet" | "BTreeSet" => Self::of_set(argument),
            "HashMap" | "BTreeMap" => Some(AttributeType::M),
            name if is_number(name) => Some(AttributeType::N),
            _ => None,
        }
    }

    /// Returns the type of a set with these elements, or `None` if it is stored as a list.
    fn of_set(argument: &str) -> Option<Self> {
        let element = argument
            .split_once(", ")
            .map_or(argument, |(element, _)| element);
        if element == "Vec<u8>" || element.starts_with("[u8;") {
            return Some(AttributeType::Bs);
        }
        Some(match Self::of_rust_type(element)? {
            AttributeType::S => AttributeType::Ss,
            AttributeType::N => AttributeType::Ns,
            _ => AttributeType::L,
        })
    }

    /// Finds it by the key of the field, or by the name of its type.
    pub(crate) fn declared(entity: &EntitySchema, attribute: &AttributeSchema) -> Option<Self> {
        match attribute.role {
            AttributeRole::Version | AttributeRole::Ttl => return Some(AttributeType::N),
            _ => {}
        }
        let by_name = Self::of_rust_type(attribute.rust_type);
        by_name.or_else(|| by_key(entity, attribute.field))
    }

    /// Returns the type of an attribute in DynamoDB's JSON.
    pub(crate) fn of_value(value: &serde_json::Value) -> Option<Self> {
        let (letters, _) = value.as_object()?.iter().next()?;
        Self::of_letters(letters)
    }

    /// Returns the type with these letters.
    pub(crate) fn of_letters(letters: &str) -> Option<Self> {
        let all = [
            AttributeType::S,
            AttributeType::N,
            AttributeType::B,
            AttributeType::Bool,
            AttributeType::Null,
            AttributeType::L,
            AttributeType::M,
            AttributeType::Ss,
            AttributeType::Ns,
            AttributeType::Bs,
        ];
        all.into_iter().find(|it| it.as_str() == letters)
    }
}

impl fmt::Display for AttributeType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

fn is_number(name: &str) -> bool {
    let mut chars = name.chars();
    let (kind, bits) = (chars.next(), chars.as_str());
    match kind {
        Some('u' | 'i') => matches!(bits, "8" | "16" | "32" | "64" | "128" | "size"),
        Some('f') => matches!(bits, "32" | "64"),
        _ => false,
    }
}

/// Returns the type of a key field: a key part, whose kind determines how serde writes it.
fn by_key(entity: &EntitySchema, field: &str) -> Option<AttributeType> {
    let indexes = entity.indexes.iter();
    let mut templates = [Some(entity.pk), entity.sk]
        .into_iter()
        .chain(indexes.flat_map(|index| [Some(index.pk), index.sk]))
        .flatten()
        .chain(entity.uniques.iter().map(|unique| unique.template));
    let (part, is_native) = templates.find_map(|it| {
        let part = it.parts.iter().find(|part| part.field == field)?;
        Some((part, it.is_native()))
    })?;
    Some(match part.kind {
        Name::Integer | Name::Decimal => AttributeType::N,
        // Only a part of a native key says how serde stores its field.
        Name::Time if is_native && matches!(part.spec.form, Form::Epoch(_)) => AttributeType::N,
        Name::Boolean => AttributeType::Bool,
        Name::Bytes => AttributeType::B,
        Name::Text | Name::Enum | Name::Time | Name::Date | Name::Uuid | Name::Ulid => {
            AttributeType::S
        }
    })
}
