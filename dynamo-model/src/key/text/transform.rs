//! Transformations of text, character by character: so a transformed prefix is a prefix of the
//! transformed text.

use crate::key::template::Transform;

/// Text and its transformation.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Transformed<'a> {
    text: &'a str,
    transform: Transform,
}

impl<'a> Transformed<'a> {
    pub(super) fn new(text: &'a str, transform: Transform) -> Self {
        Self { text, transform }
    }

    /// Returns the transformed text, without the context rules of `str::to_lowercase`.
    pub(super) fn chars(self) -> impl Iterator<Item = char> + 'a {
        let Self { text, transform } = self;
        let descending = (transform == Transform::Descending).then(|| descending(text));
        let lower = (transform == Transform::Lower).then(|| lower(text));
        let upper = (transform == Transform::Upper).then(|| upper(text));
        let cases = lower
            .into_iter()
            .flatten()
            .chain(upper.into_iter().flatten());
        descending.into_iter().flatten().chain(cases)
    }
}

fn lower(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_lowercase)
}

fn upper(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().flat_map(char::to_uppercase)
}

/// Returns the nines' complement of each digit. A leading minus becomes `~`, which sorts above
/// digits, and the reverse.
pub(super) fn descending(text: &str) -> impl Iterator<Item = char> + '_ {
    let mut characters = text.chars().enumerate();
    std::iter::from_fn(move || {
        let (at, character) = characters.next()?;
        Some(u8::try_from(character).map_or(character, |byte| char::from(complement(at, byte))))
    })
}

pub(super) fn complement(at: usize, byte: u8) -> u8 {
    match (at, byte) {
        (_, b'0'..=b'9') => b'0' + (b'9' - byte),
        (0, b'-') => b'~',
        (0, b'~') => b'-',
        _ => byte,
    }
}
