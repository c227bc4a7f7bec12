//! Texts with the lengths and characters that the document gives them. Each has a constructor that
//! checks, and no other way in: `serde` and the key codec call it too, so that neither a request,
//! nor a stored item, nor an update can hold a value that breaks the rule.

use super::QError;
use dynamo_model::KeyPart;
use dynamo_model::expr::{HasBeginning, HasSize, Ordered};
use dynamo_model::key::{PartError, PartValue, kind};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Returns whether the number of characters is within a range; "80文字" in the document does not
/// count bytes.
fn length(text: &str, min: usize, max: usize) -> bool {
    (min..=max).contains(&text.chars().count())
}

fn each(text: &str, allowed: impl Fn(char) -> bool) -> bool {
    text.chars().all(|c| c == '_' || allowed(c))
}

macro_rules! texts {
    ($($(#[$doc:meta])* $name:ident($attribute:literal, $rule:literal, $is_valid:expr);)*) => {$(
        $(#[$doc])*
        #[derive(Serialize, Deserialize, Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[serde(try_from = "String")]
        pub struct $name(String);

        impl $name {
            /// Checks the text; fails with [`QError::Invalid`], which names the attribute and the
            /// rule.
            pub fn new(text: impl Into<String>) -> Result<Self, QError> {
                let text = text.into();
                let is_valid: fn(&str) -> bool = $is_valid;
                match is_valid(&text) {
                    true => Ok(Self(text)),
                    false => Err(QError::Invalid { attribute: $attribute, rule: $rule }),
                }
            }

            /// Returns the text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl TryFrom<String> for $name {
            type Error = QError;

            fn try_from(text: String) -> Result<Self, QError> {
                Self::new(text)
            }
        }

        impl KeyPart for $name {
            type Kind = kind::Text;

            fn to_part(&self) -> PartValue<'_> {
                PartValue::Text(&self.0)
            }

            fn from_part(value: PartValue<'_>) -> Result<Self, PartError> {
                Self::new(String::from_part(value)?).map_err(|error| PartError::new(error.to_string()))
            }
        }

        impl Ordered for $name {}
        impl HasBeginning for $name {}
        impl HasSize for $name {}
    )*};
}

texts! {
    /// `appId`: "3〜15文字、英小文字+数字+_".
    AppId("appId", "3 to 15 of a–z, 0–9 and _", |text| {
        length(text, 3, 15) && each(text, |c| c.is_ascii_lowercase() || c.is_ascii_digit())
    });
    /// `username`: "3〜20文字、英数字+_".
    Username("username", "3 to 20 of A–Z, a–z, 0–9 and _", |text| {
        length(text, 3, 20) && each(text, |c| c.is_ascii_alphanumeric())
    });
    /// `displayName`: "1〜50文字".
    DisplayName("displayName", "1 to 50 characters", |text| length(text, 1, 50));
    /// `bio`: "200文字以下".
    Bio("bio", "at most 200 characters", |text| length(text, 0, 200));
    /// `email`: "小文字正規化済み". Whether the address receives mail is not checked here.
    Email("email", "an address in lower case", |text| {
        text.contains('@') && text.to_lowercase() == text
    });
    /// `profileImageUrl`: "S3 URL".
    ImageUrl("profileImageUrl", "an https URL of an object in S3", |text| {
        let (host, object) = text
            .strip_prefix("https://")
            .and_then(|rest| rest.split_once('/'))
            .unwrap_or_default();
        let is_s3 = host.starts_with("s3.") || host.contains(".s3.");
        is_s3 && host.ends_with(".amazonaws.com") && !object.is_empty()
    });
    /// `text` of a question: "最大80文字".
    QuestionText("text", "1 to 80 characters", |text| length(text, 1, 80));
    /// `text` of an answer: "最大80文字".
    AnswerText("text", "1 to 80 characters", |text| length(text, 1, 80));
    /// `scheduledPublishTime`: "HH:mm".
    PublishTime("scheduledPublishTime", "a time as HH:mm", |text| {
        text.len() == 5 && jiff::civil::Time::strptime("%H:%M", text).is_ok()
    });
    /// `word` of the forbidden ones: "小文字正規化".
    Word("word", "a text in lower case", |text| {
        !text.is_empty() && text.to_lowercase() == text
    });
}

impl Word {
    /// Returns the word in lower case; fails if it is empty.
    pub fn lower(text: &str) -> Result<Self, QError> {
        Self::new(text.to_lowercase())
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn bounds<T>(new: fn(String) -> Result<T, QError>, fine: &[&str], wrong: &[&str]) {
        for text in fine {
            assert!(new((*text).to_owned()).is_ok(), "{text}");
        }
        for text in wrong {
            let refused = new((*text).to_owned()).map(drop);
            assert!(matches!(refused, Err(QError::Invalid { .. })), "{text}");
        }
    }

    #[test]
    fn lengths_and_characters_are_the_documents() {
        let long = |n| "あ".repeat(n);
        bounds(
            AppId::new,
            &["a_1", &"a".repeat(15)],
            &["ab", "Abc", "a-b", &"a".repeat(16)],
        );
        bounds(
            Username::new,
            &["A_1", &"a".repeat(20)],
            &["ab", "a-b", "花子です", &"a".repeat(21)],
        );
        bounds(DisplayName::new, &["あ", &long(50)], &["", &long(51)]);
        bounds(Bio::new, &["", &long(200)], &[&long(201)]);
        bounds(Email::new, &["a@example.com"], &["A@example.com", "a"]);
        bounds(QuestionText::new, &["あ", &long(80)], &["", &long(81)]);
        bounds(AnswerText::new, &["あ", &long(80)], &["", &long(81)]);
        bounds(
            PublishTime::new,
            &["00:00", "23:59"],
            &["9:00", "24:00", "9pm", "09:00:00"],
        );
        bounds(Word::new, &["ばか", "spam"], &["", "Spam"]);
        let fine = [
            "https://q-images.s3.ap-northeast-1.amazonaws.com/u1.png",
            "https://s3.ap-northeast-1.amazonaws.com/q-images/u1.png",
        ];
        let wrong = [
            "http://q.s3.amazonaws.com/u1.png",
            "https://example.com/u1.png",
            "https://q.s3.amazonaws.com/",
        ];
        bounds(ImageUrl::new, &fine, &wrong);
    }

    /// Texts that are read pass the same check as texts that are constructed.
    #[test]
    fn serde_and_keys_check_too() {
        let read = serde_json::from_str::<AppId>("\"Hanako\"")
            .unwrap_err()
            .to_string();
        assert!(
            read.starts_with("`appId` must be 3 to 15 of a–z, 0–9 and _"),
            "{read}"
        );
        let read = AppId::from_part(PartValue::Text("Hanako")).unwrap_err();
        assert_eq!(
            read.to_string(),
            "`appId` must be 3 to 15 of a–z, 0–9 and _"
        );
        assert_eq!(
            serde_json::to_string(&AppId::new("hanako").unwrap()).unwrap(),
            "\"hanako\""
        );
    }
}
