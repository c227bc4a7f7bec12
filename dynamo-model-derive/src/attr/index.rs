//! Reads the number in `#[gsiN(…)]` and `#[lsiN(…)]`.

use crate::ctxt::Ctxt;
use syn::Attribute;
use syn::spanned::Spanned;

/// `gsi1` … `gsi20`, `lsi1` … `lsi5`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum IndexId {
    Gsi(u8),
    Lsi(u8),
}

/// DynamoDB's default quota of global secondary indexes per table.
pub(crate) const MAX_GSI: u8 = 20;
/// DynamoDB's limit of local secondary indexes per table.
pub(crate) const MAX_LSI: u8 = 5;

impl std::fmt::Display for IndexId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            IndexId::Gsi(number) => write!(f, "gsi{number}"),
            IndexId::Lsi(number) => write!(f, "lsi{number}"),
        }
    }
}

/// Returns the index of `#[gsiN]` or `#[lsiN]`. Reports a number out of range.
pub(crate) fn index_id(cx: &Ctxt, attribute: &Attribute) -> Option<IndexId> {
    let name = attribute.path().get_ident()?.to_string();
    let (global, number) = match (name.strip_prefix("gsi"), name.strip_prefix("lsi")) {
        (Some(number), _) => (true, number),
        (_, Some(number)) => (false, number),
        _ => return None,
    };
    let (kind, max, long) = if global {
        ("gsi", MAX_GSI, "global")
    } else {
        ("lsi", MAX_LSI, "local")
    };
    match number.parse::<u8>() {
        Ok(number) if (1..=max).contains(&number) => Some(if global {
            IndexId::Gsi(number)
        } else {
            IndexId::Lsi(number)
        }),
        Ok(0) => {
            cx.error(
                attribute.path().span(),
                format!("indexes are numbered from 1; write `#[{kind}1(…)]`"),
            );
            None
        }
        Ok(_) => {
            cx.error(
                attribute.path().span(),
                format!(
                    "a table has at most {max} {long} secondary indexes; use `{kind}1` to \
                     `{kind}{max}`, not `{name}`"
                ),
            );
            None
        }
        Err(_) => {
            cx.error(
                attribute.path().span(),
                format!("an index needs its number; write `#[{kind}1(…)]`"),
            );
            None
        }
    }
}
