//! serde's `rename_all` rules. The attribute name in DynamoDB is the one serde writes.

/// A rule of `#[serde(rename_all = "…")]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

impl Case {
    pub(crate) fn parse(text: &str) -> Option<Self> {
        Some(match text {
            "lowercase" => Case::Lower,
            "UPPERCASE" => Case::Upper,
            "PascalCase" => Case::Pascal,
            "camelCase" => Case::Camel,
            "snake_case" => Case::Snake,
            "SCREAMING_SNAKE_CASE" => Case::ScreamingSnake,
            "kebab-case" => Case::Kebab,
            "SCREAMING-KEBAB-CASE" => Case::ScreamingKebab,
            _ => return None,
        })
    }

    /// Returns the name of a field in snake case.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Case::Lower | Case::Snake => name.into(),
            Case::Upper | Case::ScreamingSnake => name.to_ascii_uppercase(),
            Case::Pascal => pascal(name),
            Case::Camel => first_lower(&pascal(name)),
            Case::Kebab => name.replace('_', "-"),
            Case::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// Returns the name of a variant in Pascal case.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Case::Lower => name.to_ascii_lowercase(),
            Case::Upper => name.to_ascii_uppercase(),
            Case::Pascal => name.into(),
            Case::Camel => first_lower(name),
            Case::Snake => snake(name),
            Case::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Case::Kebab => snake(name).replace('_', "-"),
            Case::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

fn pascal(name: &str) -> String {
    let mut out = String::new();
    let mut start = true;
    for character in name.chars() {
        if character == '_' {
            start = true;
        } else if start {
            out.push(character.to_ascii_uppercase());
            start = false;
        } else {
            out.push(character);
        }
    }
    out
}

fn first_lower(name: &str) -> String {
    let mut characters = name.chars();
    characters.next().map_or_else(String::new, |first| {
        let mut out = first.to_ascii_lowercase().to_string();
        out.push_str(characters.as_str());
        out
    })
}

/// Puts an underscore before each capital except the first.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for (i, character) in name.char_indices() {
        if i > 0 && character.is_uppercase() {
            out.push('_');
        }
        out.push(character.to_ascii_lowercase());
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_variants_as_serde_writes_them() {
        let table = [
            ("lowercase", "user_id", "inprogress"),
            ("UPPERCASE", "USER_ID", "INPROGRESS"),
            ("PascalCase", "UserId", "InProgress"),
            ("camelCase", "userId", "inProgress"),
            ("snake_case", "user_id", "in_progress"),
            ("SCREAMING_SNAKE_CASE", "USER_ID", "IN_PROGRESS"),
            ("kebab-case", "user-id", "in-progress"),
            ("SCREAMING-KEBAB-CASE", "USER-ID", "IN-PROGRESS"),
        ];
        for (rule, field, variant) in table {
            let case = Case::parse(rule).expect(rule);
            assert_eq!(case.field("user_id"), field, "{rule}");
            assert_eq!(case.variant("InProgress"), variant, "{rule}");
        }
    }
}
