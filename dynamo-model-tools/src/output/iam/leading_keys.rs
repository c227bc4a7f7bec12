//! A partition key's template → the values of `dynamodb:LeadingKeys` that are one caller's own.
//!
//! The condition sees whole partition keys and no sort keys. It can compare a key with text, with
//! policy variables and, in `StringLike`, with `*`; it cannot compute. So the caller must be in the
//! key as plain text, all text before must be known, and the text after must begin with a character
//! that no caller's name contains. Otherwise `*` would also match the names of others.

use super::Identity;
use dynamo_model::__tools::part_text;
use dynamo_model::key::PartValue;
use dynamo_model::key::kind::Name;
use dynamo_model::schema::{Form, PartSchema, Template, Transform};

/// More values than this make a policy unreadable, and IAM soon refuses it.
const MOST_VALUES: usize = 24;

/// The values of the condition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LeadingKeys {
    pub(super) values: Vec<String>,
    /// Whether a `*` is in them: `StringLike` instead of `StringEquals`.
    pub(super) like: bool,
}

/// Returns the partitions of the caller, or the reason why they cannot be isolated.
pub(super) fn own(
    template: &Template,
    isolation: &[(String, Identity)],
) -> Result<LeadingKeys, String> {
    if template.is_native() {
        let reason = "its partition key is a list of attributes, and `dynamodb:LeadingKeys` compares the text of one; give the index a template";
        return Err(reason.to_owned());
    }
    let mut values = vec![escaped(template.head)];
    let (mut named, mut like) = (false, false);
    for part in template.parts {
        let bound = isolation.iter().find(|(field, _)| field == part.field);
        let texts = match bound {
            Some((_, identity)) => {
                check(template, part, identity)?;
                named = true;
                vec![identity.variable()]
            }
            None => match known_texts(part) {
                Some(texts) if values.len() * texts.len() <= MOST_VALUES => {
                    texts.iter().map(|text| escaped(text)).collect()
                }
                _ if named => {
                    like = true;
                    vec!["*".into()]
                }
                _ => return Err(unknown_before(template, part, isolation)),
            },
        };
        let after = escaped(part.after);
        let each = |value: &String| {
            texts
                .iter()
                .map(|text| format!("{value}{text}{after}"))
                .collect::<Vec<_>>()
        };
        values = values.iter().flat_map(each).collect();
    }
    if named {
        Ok(LeadingKeys { values, like })
    } else {
        Err(not_named(template, isolation))
    }
}

/// Returns the partitions of an entity, for any caller; `None` if its keys begin with a value.
pub(super) fn of_entity(template: &Template) -> Option<LeadingKeys> {
    if template.head.is_empty() {
        return None;
    }
    let like = !template.parts.is_empty();
    let rest = if like { "*" } else { "" };
    let values = vec![format!("{}{rest}", escaped(template.head))];
    Some(LeadingKeys { values, like })
}

/// Escapes `*`, `?` and `$` in literal text, because they have a meaning there.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '*' | '?' | '$' => out.push_str(&format!("${{{c}}}")),
            c => out.push(c),
        }
    }
    out
}

/// Returns every text of a part that has only a few.
fn known_texts(part: &PartSchema) -> Option<Vec<String>> {
    let mut texts = texts_of_values(part)?;
    texts.extend(part.spec.or_empty.then(String::new));
    Some(texts)
}

fn texts_of_values(part: &PartSchema) -> Option<Vec<String>> {
    match (part.spec.form, part.kind, part.values) {
        (Form::Plain, _, Some(values)) => {
            let plain = values
                .iter()
                .all(|value| !value.bytes().any(|byte| part.escapes(byte)));
            let texts = values
                .iter()
                .map(|value| part_text(part, PartValue::Text(value)));
            texts.collect::<Option<_>>().filter(|_| plain)
        }
        (Form::Plain, Name::Boolean, _) => Some(vec!["false".into(), "true".into()]),
        (Form::Shard(count), ..) => Some((0..count).map(|shard| shard.to_string()).collect()),
        _ => None,
    }
}

/// Checks that the key contains the caller's name as the policy does, and ends it at the same
/// point.
fn check(template: &Template, part: &PartSchema, identity: &Identity) -> Result<(), String> {
    let (field, variable) = (part.field, identity.variable());
    match (part.spec.form, part.spec.transform, part.spec) {
        (Form::Plain, None, _) => {}
        (Form::Plain, Some(Transform::Lower), _) if identity.is_lower_case() => {}
        (Form::Plain, Some(Transform::Lower), _) => {
            return Err(format!(
                "`{template}` has `{field}` in lower case, and `{variable}` may have upper case; \
                 declare its values with `Identity::lower_case`"
            ));
        }
        (.., spec) => {
            return Err(format!(
                "`{template}` has `{field}` as `{spec}`, which is computed, but a policy cannot \
                 compute; use `<{field}>`"
            ));
        }
    }
    if part.spec.raw {
        return check_raw(template, part, identity);
    }
    // With one length on both sides, no name is a prefix of another.
    if part.width.is_some() && part.width == identity.width() {
        return Ok(());
    }
    if part.width.is_some() && !part.after.is_empty() && identity.width().is_none() {
        return Err(format!(
            "`{variable}` can have any length, and `<{field}>` in `{template}` has a fixed one; \
             declare it with `Identity::uuid`"
        ));
    }
    match identity.may_have(|byte| part.escapes(byte)) {
        Some(c) => Err(format!(
            "`{variable}` may contain `{c}`, which a key escapes and a policy does not; declare \
             its values with `Identity::with_only`"
        )),
        None => Ok(()),
    }
}

/// A raw value is not escaped: if it contains the text after it in the key, it equals the partition
/// key of another value, or its beginning.
fn check_raw(template: &Template, part: &PartSchema, identity: &Identity) -> Result<(), String> {
    let ends = part.after.bytes().next().unwrap_or(b'#');
    match identity.may_have(|byte| byte == ends) {
        Some(c) => Err(format!(
            "`{}` may contain `{c}`, where `<{}:raw>` ends in `{template}`; remove `raw`, or \
             declare its values with `Identity::with_only`",
            identity.variable(),
            part.field
        )),
        None => Ok(()),
    }
}

fn unknown_before(
    template: &Template,
    part: &PartSchema,
    isolation: &[(String, Identity)],
) -> String {
    let later = template.parts.iter().map(|part| part.field);
    let mut later = later.filter(|field| isolation.iter().any(|(bound, _)| bound == field));
    match later.next() {
        Some(field) => format!(
            "its partition key `{template}` has `<{}>` before `<{field}>`; only `*` could match \
             it, which also matches the keys of others; begin the key with `<{field}>`",
            part.field
        ),
        None => not_named(template, isolation),
    }
}

fn not_named(template: &Template, isolation: &[(String, Identity)]) -> String {
    let fields: Vec<_> = isolation
        .iter()
        .map(|(field, _)| format!("`{field}`"))
        .collect();
    let fields = fields.join(" or ");
    format!(
        "its partition key `{template}` does not name {fields}, so it does not distinguish the \
         caller's items from those of others"
    )
}
