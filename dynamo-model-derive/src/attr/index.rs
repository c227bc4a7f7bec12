//! Reads the number in `#[gsiN(…)]`, `#[lsiN(…)]` and `#[vectorN(…)]`.

use crate::ctxt::Ctxt;
use syn::Attribute;
use syn::spanned::Spanned;

/// `gsi1` … `gsi20`, `lsi1` … `lsi5`, `vector1` … `vector5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexId {
    Gsi(u8),
    Lsi(u8),
    Vector(u8),
}

/// DynamoDB's default quota of global secondary indexes per table.
pub(crate) const MAX_GSI: u8 = 20;
/// DynamoDB's limit of local secondary indexes per table.
pub(crate) const MAX_LSI: u8 = 5;
/// DynamoDB's limit of vector indexes a table.
pub(crate) const MAX_VECTOR: u8 = 5;

impl std::fmt::Display for IndexId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IndexId::Gsi(number) => write!(f, "gsi{number}"),
            IndexId::Lsi(number) => write!(f, "lsi{number}"),
            IndexId::Vector(number) => write!(f, "vector{number}"),
        }
    }
}

/// A kind of index: how its attribute begins, how many there can be, what they are called.
struct Kind {
    name: &'static str,
    max: u8,
    long: &'static str,
    id: fn(u8) -> IndexId,
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "gsi",
        max: MAX_GSI,
        long: "global secondary",
        id: IndexId::Gsi,
    },
    Kind {
        name: "lsi",
        max: MAX_LSI,
        long: "local secondary",
        id: IndexId::Lsi,
    },
    Kind {
        name: "vector",
        max: MAX_VECTOR,
        long: "vector",
        id: IndexId::Vector,
    },
];

/// Returns the index of `#[gsiN]`, `#[lsiN]` or `#[vectorN]`. Reports a number out of range.
pub(crate) fn index_id(cx: &Ctxt, attribute: &Attribute) -> Option<IndexId> {
    let name = attribute.path().get_ident()?.to_string();
    let known = |it: Kind| Some((name.strip_prefix(it.name)?.parse::<u8>(), it));
    let (
        number,
        Kind {
            name: kind,
            max,
            long,
            id,
        },
    ) = KINDS.into_iter().find_map(known)?;
    let message = match number {
        Ok(number) if (1..=max).contains(&number) => return Some(id(number)),
        Ok(0) => format!("indexes are numbered from 1; write `#[{kind}1(…)]`"),
        Ok(_) => format!(
            "a table has at most {max} {long} indexes; use `{kind}1` to `{kind}{max}`, not `{name}`"
        ),
        Err(_) => format!("an index needs its number; write `#[{kind}1(…)]`"),
    };
    cx.error(attribute.path().span(), message);
    None
}

/// The same by the name alone, for `from(gsi1, vector2)`.
pub(crate) fn index_named(name: &str) -> Option<IndexId> {
    let known = |it: Kind| {
        let number = name.strip_prefix(it.name)?.parse::<u8>().ok()?;
        (1..=it.max).contains(&number).then(|| (it.id)(number))
    };
    KINDS.into_iter().find_map(known)
}
