//! Facts about a field's type that follow from its tokens. The type checker decides the rest.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;
use syn::{GenericArgument, GenericParam, Generics, PathArguments, Type};

/// A field's type, taken apart as far as keys need it.
#[derive(Clone, Copy)]
pub(crate) struct KeyType<'a> {
    /// `Option<…>`
    pub(crate) optional: bool,
    /// `&…`: parsing returns the owned form.
    pub(crate) borrowed: bool,
    /// The type that must be a `KeyPart`.
    pub(crate) part: &'a Type,
}

impl<'a> KeyType<'a> {
    pub(crate) fn of(ty: &'a Type) -> Self {
        let ty = ungroup(ty);
        let inner = generic_argument(ty, "Option");
        let ty = inner.map_or(ty, ungroup);
        let (borrowed, part) = match ty {
            Type::Reference(reference) => (true, ungroup(&reference.elem)),
            _ => (false, ty),
        };
        Self {
            optional: inner.is_some(),
            borrowed,
            part,
        }
    }

    /// Returns the reason why such a type can never be part of a key.
    pub(crate) fn refusal(&self) -> Option<Refusal> {
        let refusal = |what, instead| Some(Refusal { what, instead });
        let each = "use a field with one value, and an item for each of them";
        match self.part {
            Type::Tuple(_) => refusal(
                "a tuple, which is more than one value",
                "make each element a field of its own",
            ),
            Type::Array(array) if is_named(&array.elem, "u8") => None,
            Type::Array(_) => refusal("a list, which is more than one value", each),
            _ => match last_segment(self.part)?.as_str() {
                "f32" | "f64" => refusal(
                    "a float, which has no exact text and does not sort",
                    "use an integer, in the smallest unit",
                ),
                "char" => refusal("a char", "use a `String`"),
                "Vec"
                    if generic_argument(self.part, "Vec").is_some_and(|ty| is_named(ty, "u8")) =>
                {
                    None
                }
                "Vec" | "VecDeque" => refusal("a list, which is more than one value", each),
                "HashMap" | "BTreeMap" | "IndexMap" => {
                    refusal("a map, which is more than one value", each)
                }
                "HashSet" | "BTreeSet" | "IndexSet" => {
                    refusal("a set, which is more than one value", each)
                }
                "Option" => refusal("an option of an option", "one `Option` is enough"),
                _ => None,
            },
        }
    }
}

/// The reason why a type can never be part of a key, and the fix.
pub(crate) struct Refusal {
    /// "a float, which …"
    pub(crate) what: &'static str,
    pub(crate) instead: &'static str,
}

/// Returns whether a type is named `String`.
pub(crate) fn is_string(ty: &Type) -> bool {
    is_named(ungroup(ty), "String")
}

/// Returns whether the name shows that a type is not an integer. The type checker decides about an
/// alias.
pub(crate) fn is_no_integer(ty: &Type) -> bool {
    const OTHERS: &[&str] = &[
        "String", "str", "bool", "char", "f32", "f64", "Vec", "HashMap", "BTreeMap",
    ];
    match ungroup(ty) {
        Type::Path(path) => {
            let segments = &path.path.segments;
            let is = |segment: Option<&syn::PathSegment>, names: &[&str]| {
                segment.is_some_and(|segment| names.iter().any(|name| segment.ident == name))
            };
            is(segments.last(), OTHERS)
                || segments.len() > 1 && is(segments.first(), &["chrono", "jiff", "time"])
        }
        Type::Reference(_) | Type::Tuple(_) | Type::Array(_) => true,
        _ => false,
    }
}

/// Returns whether the path shows a type of a time crate. The type checker decides about a short
/// name.
pub(crate) fn is_time(ty: &Type) -> bool {
    match ungroup(ty) {
        Type::Path(path) => {
            let segments = &path.path.segments;
            let krate = segments.first().map(|segment| segment.ident.to_string());
            let krates = ["chrono", "jiff", "time"];
            segments.len() > 1 && krate.is_some_and(|krate| krates.contains(&krate.as_str()))
        }
        _ => false,
    }
}

/// Returns whether a type is an integer too small for the seconds since 1970.
pub(crate) fn is_small_integer(ty: &Type) -> bool {
    ["i8", "i16", "i32", "u8", "u16"]
        .iter()
        .any(|name| is_named(ty, name))
}

/// Returns whether the name shows a type of Rust's own that can be cloned, shown, compared, written
/// and put into a key. Asserting these traits would cost compile time in every entity.
pub(crate) fn is_known(ty: &Type) -> bool {
    const KNOWN: &[&str] = &[
        "String", "u8", "u16", "u32", "u64", "i8", "i16", "i32", "i64", "bool",
    ];
    match ungroup(ty) {
        Type::Path(path) => KNOWN.iter().any(|known| path.path.is_ident(known)),
        _ => false,
    }
}

/// Returns whether the name shows a type of Rust's own whose values are never absent.
pub(crate) fn is_never_absent(ty: &Type) -> bool {
    const KNOWN: &[&str] = &[
        "f32", "f64", "u128", "i128", "usize", "isize", "char", "Vec", "VecDeque", "HashMap",
        "HashSet", "BTreeMap", "BTreeSet",
    ];
    is_known(ty) || KNOWN.iter().any(|name| is_named(ty, name))
}

/// Returns whether the name shows Rust's own types in options, lists and maps, and so neither a
/// set, nor a nested struct, nor an alias.
pub(crate) fn is_plain(ty: &Type) -> bool {
    const PLAIN: &[&str] = &[
        "str", "char", "f32", "f64", "u128", "i128", "usize", "isize",
    ];
    match ungroup(ty) {
        ty if is_known(ty) => true,
        Type::Reference(reference) => is_plain(&reference.elem),
        Type::Slice(slice) => is_plain(&slice.elem),
        Type::Array(array) => is_plain(&array.elem),
        Type::Path(path) => {
            let inner = ["Option", "Vec", "VecDeque", "Box", "Arc", "Rc"];
            let mut inner = inner.iter().filter_map(|name| generic_argument(ty, name));
            PLAIN.iter().any(|plain| path.path.is_ident(plain)) || inner.any(is_plain)
        }
        _ => false,
    }
}

/// Returns whether a type can be named outside of the declaration: it contains neither `Self` nor a
/// parameter of the declaration.
pub(crate) fn is_closed(ty: &Type, generics: &Generics) -> bool {
    let parameter = |name: &Ident| {
        let mut parameters = generics.params.iter();
        name == "Self"
            || parameters.any(|it| match it {
                GenericParam::Type(it) => it.ident == *name,
                GenericParam::Const(it) => it.ident == *name,
                GenericParam::Lifetime(it) => it.lifetime.ident == *name,
            })
    };
    !names_any(ty.to_token_stream(), &parameter)
}

fn names_any(tokens: TokenStream, wanted: &impl Fn(&Ident) -> bool) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => wanted(&name),
        TokenTree::Group(group) => names_any(group.stream(), wanted),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

/// Returns whether a type is named `Option<…>`.
pub(crate) fn is_option(ty: &Type) -> bool {
    generic_argument(ungroup(ty), "Option").is_some()
}

/// Returns whether a type is written as text. A newtype of such a type also takes `&str`.
pub(crate) fn is_text(ty: &Type) -> bool {
    let text = |ty: &Type| is_named(ty, "str");
    match ungroup(ty) {
        ty if is_named(ty, "String") => true,
        ty => ["Box", "Arc", "Rc", "Cow"]
            .iter()
            .any(|name| generic_argument(ty, name).is_some_and(text)),
    }
}

pub(crate) fn is_named(ty: &Type, name: &str) -> bool {
    last_segment(ungroup(ty)).is_some_and(|segment| segment == name)
}

fn last_segment(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// Returns the `T` of `Name<T>`, without lifetimes.
fn generic_argument<'a>(ty: &'a Type, name: &str) -> Option<&'a Type> {
    let Type::Path(path) = ty else { return None };
    let segment = path
        .path
        .segments
        .last()
        .filter(|segment| segment.ident == name)?;
    let PathArguments::AngleBracketed(arguments) = &segment.arguments else {
        return None;
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    types.next().filter(|_| types.next().is_none())
}

/// Removes the invisible groups around types from `macro_rules!`.
fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        _ => ty,
    }
}

/// Returns a type as people write it, without the spaces between tokens.
pub(crate) fn text(ty: &Type) -> String {
    let tokens = ungroup(ty).to_token_stream().to_string();
    let mut out = String::with_capacity(tokens.len());
    let mut chars = tokens.chars().peekable();
    while let Some(c) = chars.next() {
        let tight = |c: char| "<>:&()[]'".contains(c);
        let next = chars.peek().copied();
        let before = out.chars().last();
        let dropped =
            before.is_none_or(tight) || next.is_none_or(|next| tight(next) || ",;".contains(next));
        if c != ' ' || !dropped {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn types_are_taken_apart() {
        let ty: Type = parse_quote!(::std::option::Option<&'a str>);
        let key = KeyType::of(&ty);
        assert!(key.optional && key.borrowed && is_named(key.part, "str"));
        let ty: Type = parse_quote!(Cow<'a, str>);
        assert!(is_text(&ty) && !KeyType::of(&ty).optional);
        let ty: Type = parse_quote!(Vec<u8>);
        assert!(KeyType::of(&ty).refusal().is_none());
        let ty: Type = parse_quote!(Vec<String>);
        assert!(KeyType::of(&ty).refusal().is_some());
    }

    #[test]
    fn types_are_written_as_people_do() {
        for (ty, written) in [
            (parse_quote!(Option<Vec<String>>), "Option<Vec<String>>"),
            (parse_quote!(HashMap<String, u32>), "HashMap<String, u32>"),
            (parse_quote!(::jiff::civil::Date), "::jiff::civil::Date"),
            (parse_quote!([u8; 16]), "[u8; 16]"),
        ] {
            assert_eq!(text(&ty), written);
        }
    }

    #[test]
    fn only_rusts_own_types_are_known() {
        assert!(is_known(&parse_quote!(String)) && is_known(&parse_quote!(u64)));
        let unknown: [Type; 4] = [
            parse_quote!(Timestamp),
            parse_quote!(model::String),
            parse_quote!(Option<String>),
            parse_quote!(&'a u64),
        ];
        assert!(!unknown.iter().any(is_known));
    }

    #[test]
    fn only_what_is_sure_is_no_integer() {
        let sure: [Type; 4] = [
            parse_quote!(String),
            parse_quote!(Vec<u8>),
            parse_quote!(jiff::Timestamp),
            parse_quote!(&'a u64),
        ];
        assert!(sure.iter().all(is_no_integer));
        let unsure: [Type; 3] = [
            parse_quote!(u64),
            parse_quote!(Timestamp),
            parse_quote!(model::Revision),
        ];
        assert!(!unsure.iter().any(is_no_integer));
        assert!(is_small_integer(&parse_quote!(i32)) && !is_small_integer(&parse_quote!(u32)));
    }
}
