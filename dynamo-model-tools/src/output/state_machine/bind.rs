//! Replaces sample texts by inputs: a field `"S": "the-user"` becomes `"S.$": "$.userId"`.

use super::Input;
use serde_json::{Map, Value};

/// A sample text, and the path that takes its place.
pub(super) struct Binding {
    sample: String,
    path: String,
}

impl Binding {
    /// Returns a value of the execution's input.
    pub(super) fn of_execution(input: &Input) -> Self {
        Self {
            sample: input.sample.clone(),
            path: format!("$.{}", input.name),
        }
    }

    /// Binds an attribute of the current item, of type S.
    pub(super) fn of_item(attribute: &Input) -> Self {
        Self {
            sample: attribute.sample.clone(),
            path: format!("{}.S", item_path(&attribute.name)),
        }
    }
}

/// Returns `$.item.token` or `$.item['GSI1-PK']`.
pub(super) fn item_path(attribute: &str) -> String {
    let is_word = attribute.starts_with(|c: char| c.is_ascii_alphabetic())
        && attribute
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_');
    match is_word {
        true => format!("$.item.{attribute}"),
        false => {
            let escaped = attribute.replace('\\', "\\\\").replace('\'', "\\'");
            format!("$.item['{escaped}']")
        }
    }
}

/// Applies every binding. Returns the number of replaced places, or the reason of a failure.
pub(super) fn bind(value: &mut Value, bindings: &[Binding]) -> Result<usize, String> {
    match value {
        Value::Object(fields) => bind_fields(fields, bindings),
        Value::Array(values) => {
            let mut count = 0;
            for value in values {
                if let Value::String(text) = value {
                    refuse_within(text, bindings)?;
                }
                count += bind(value, bindings)?;
            }
            Ok(count)
        }
        _ => Ok(0),
    }
}

fn bind_fields(fields: &mut Map<String, Value>, bindings: &[Binding]) -> Result<usize, String> {
    let mut bound = Map::new();
    let mut count = 0;
    for (name, mut value) in std::mem::take(fields) {
        if name.ends_with(".$") {
            return Err(format!(
                "a state machine takes the field `{name}` for a path; use a function instead"
            ));
        }
        let text = value.as_str();
        let binding = text.and_then(|text| bindings.iter().find(|it| it.sample == text));
        if let Some(Binding { path, .. }) = binding {
            bound.insert(format!("{name}.$"), Value::String(path.clone()));
            count += 1;
            continue;
        }
        if let Some(text) = text {
            refuse_within(text, bindings)?;
        }
        count += bind(&mut value, bindings)?;
        bound.insert(name, value);
    }
    *fields = bound;
    Ok(count)
}

/// A state machine cannot escape a value as a key does, and has no paths in sets.
fn refuse_within(text: &str, bindings: &[Binding]) -> Result<(), String> {
    match bindings.iter().find(|it| text.contains(&it.sample)) {
        Some(Binding { sample, path }) => Err(format!(
            "`{path}` (sample `{sample}`) is inside `{text}` or in a list, and a state machine can put it \
             only where it is a whole value; make the whole text an input, or use a function"
        )),
        None => Ok(()),
    }
}
