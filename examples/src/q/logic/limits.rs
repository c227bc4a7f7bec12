//! The lengths and patterns of the document.

use super::Result;
use crate::q::{QError, User};

fn check(fine: bool, attribute: &'static str, rule: &'static str) -> Result<()> {
    if fine {
        Ok(())
    } else {
        Err(QError::Invalid { attribute, rule })
    }
}

/// So many characters; a document that says "80文字" does not count bytes.
fn length(text: &str, min: usize, max: usize) -> bool {
    (min..=max).contains(&text.chars().count())
}

pub(super) fn app_id(text: &str) -> Result<()> {
    let allowed = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    let fine = length(text, 3, 15) && text.chars().all(allowed);
    check(fine, "appId", "3 to 15 of a–z, 0–9 and _")
}

pub(super) fn username(text: &str) -> Result<()> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let fine = length(text, 3, 20) && text.chars().all(allowed);
    check(fine, "username", "3 to 20 of A–Z, a–z, 0–9 and _")
}

pub(super) fn display_name(text: &str) -> Result<()> {
    check(length(text, 1, 50), "displayName", "1 to 50 characters")
}

pub(super) fn bio(text: &str) -> Result<()> {
    check(length(text, 0, 200), "bio", "at most 200 characters")
}

/// That it is an address is for whoever sends mail to find out.
fn email(text: &str) -> Result<()> {
    let fine = text.contains('@') && text.to_lowercase() == text;
    check(fine, "email", "an address in lower case")
}

/// Of an answer or a question.
pub(super) fn text(text: &str) -> Result<()> {
    check(length(text, 1, 80), "text", "1 to 80 characters")
}

/// `HH:mm`.
pub(super) fn publish_time(text: &str) -> Result<()> {
    let digits = text.len() == 5 && jiff::civil::Time::strptime("%H:%M", text).is_ok();
    check(digits, "scheduledPublishTime", "a time as HH:mm")
}

pub(super) fn user(user: &User) -> Result<()> {
    app_id(&user.app_id)?;
    user.username.as_deref().map_or(Ok(()), username)?;
    user.display_name.as_deref().map_or(Ok(()), display_name)?;
    user.bio.as_deref().map_or(Ok(()), bio)?;
    email(&user.email)
}
