//! What can be told of a field's type by looking at it. Everything else is the type checker's business.

use syn::{GenericArgument, PathArguments, Type};

/// A field's type, taken apart as far as keys care.
#[derive(Clone, Copy)]
pub(crate) struct KeyType<'a> {
    /// `Option<…>`
    pub(crate) optional: bool,
    /// `&…`: parsing gives the owned form.
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

    /// Why such a type can never be part of a key.
    pub(crate) fn refusal(&self) -> Option<&'static str> {
        match self.part {
            Type::Tuple(_) => Some("is a tuple; make each element a field of its own"),
            Type::Array(array) if !is_named(&array.elem, "u8") => {
                Some("is a list; a key part is one value, so name one field for each")
            }
            _ => match last_segment(self.part)?.as_str() {
                "f32" | "f64" => Some(
                    "is a float, which has no exact text and does not sort; use an integer, in the smallest unit",
                ),
                "Vec"
                    if generic_argument(self.part, "Vec").is_some_and(|ty| is_named(ty, "u8")) =>
                {
                    None
                }
                "Vec" | "VecDeque" => {
                    Some("is a list; a key part is one value, so name one field for each")
                }
                "HashMap" | "BTreeMap" | "IndexMap" => {
                    Some("is a map; a key part is one value, so name one field for each")
                }
                "HashSet" | "BTreeSet" | "IndexSet" => {
                    Some("is a set; a key part is one value, so name one field for each")
                }
                "Option" => Some("is an option of an option; one is enough"),
                _ => None,
            },
        }
    }
}

/// Whether a type is written as text: a newtype of it then takes `&str` too.
pub(crate) fn is_text(ty: &Type) -> bool {
    let text = |ty: &Type| is_named(ty, "str");
    match ungroup(ty) {
        ty if is_named(ty, "String") => true,
        ty => ["Box", "Arc", "Rc", "Cow"]
            .iter()
            .any(|name| generic_argument(ty, name).is_some_and(text)),
    }
}

fn is_named(ty: &Type, name: &str) -> bool {
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

/// The `T` of `Name<T>`, lifetimes aside.
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

/// Types that come through `macro_rules!` are wrapped in invisible groups.
fn ungroup(ty: &Type) -> &Type {
    match ty {
        Type::Group(group) => ungroup(&group.elem),
        Type::Paren(paren) => ungroup(&paren.elem),
        _ => ty,
    }
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
}
