//! Texts that the page must not see, behind names that it can return: keys and cursors with a
//! sensitive field.

use std::collections::VecDeque;
use std::sync::{Mutex, PoisonError};

/// More are forgotten, the oldest first.
const KEPT: usize = 50_000;

#[derive(Debug, Default)]
pub(crate) struct Vault(Mutex<Kept>);

#[derive(Debug, Default)]
struct Kept {
    texts: VecDeque<String>,
    /// The number of the first text.
    first: u64,
}

const NAME: &str = "hidden:";

impl Vault {
    /// Keeps a text; returns its name.
    pub(crate) fn hide(&self, text: String) -> String {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.texts.len() == KEPT {
            kept.texts.pop_front();
            kept.first += 1;
        }
        let number = kept.first + kept.texts.len() as u64;
        kept.texts.push_back(text);
        format!("{NAME}{number}")
    }

    /// Returns the text of a name, and any other text as it is; `None` for a forgotten one.
    pub(crate) fn reveal(&self, text: &str) -> Option<String> {
        let Some(number) = text.strip_prefix(NAME) else {
            return Some(text.to_owned());
        };
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let at = number.parse::<u64>().ok()?.checked_sub(kept.first)?;
        kept.texts.get(usize::try_from(at).ok()?).cloned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hidden_text_is_found_by_its_name_until_many_follow() {
        let vault = Vault::default();
        let name = vault.hide("secret".into());
        assert!(!name.contains("secret"));
        assert_eq!(vault.reveal(&name).as_deref(), Some("secret"));
        assert_eq!(vault.reveal("plain").as_deref(), Some("plain"));
        for number in 0..KEPT {
            vault.hide(number.to_string());
        }
        assert_eq!(vault.reveal(&name), None);
        assert_eq!(vault.reveal("hidden:999999999"), None);
    }
}
