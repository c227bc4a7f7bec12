//! The outputs of a [`Model`](super::Model): one file for each, each a method of the model.

mod alarms;
mod application;
mod archive;
mod backup;
mod capacity;
mod cloud_formation;
mod create_table;
mod dashboard;
mod deployment;
mod encryption;
mod global_table;
mod html;
mod iam;
mod lock;
mod markdown;
mod mermaid;
mod scaling;
mod state_machine;
mod terraform;
mod workbench;

pub use alarms::Alarms;
pub use application::Application;
pub use capacity::{Capacity, CapacityReport, HotPartition, PatternCapacity, Prices, Rate};
pub use deployment::Deployment;
pub use iam::{Identity, Policy, PolicyDocument, Refusal};
#[doc(hidden)]
pub use lock::rewritten;
pub use lock::{Change, Impact, LockDifference};
pub use scaling::AutoScaling;
pub use state_machine::{StateMachine, Step};

/// Returns a name for resources: only letters and digits, each word with a capital.
pub(crate) fn pascal(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric());
    words
        .filter_map(|word| {
            let mut chars = word.chars();
            let first = chars.next()?.to_ascii_uppercase();
            Some(format!("{first}{}", chars.as_str()))
        })
        .collect()
}

/// Returns the words of a name for Terraform: lower case, with underscores.
pub(crate) fn snake(name: &str) -> String {
    let mut out = String::new();
    let mut before = ' ';
    for c in name.chars() {
        let starts_word =
            c.is_ascii_uppercase() && (before.is_ascii_lowercase() || before.is_ascii_digit());
        if (!c.is_ascii_alphanumeric() || starts_word) && !out.is_empty() && !out.ends_with('_') {
            out.push('_');
        }
        if c.is_ascii_alphanumeric() {
            out.push(c.to_ascii_lowercase());
        }
        before = c;
    }
    out.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::{pascal, snake};

    #[test]
    fn names() {
        assert_eq!(pascal("studio-booking-users"), "StudioBookingUsers");
        assert_eq!(pascal("DynamoDBShop"), "DynamoDBShop");
        assert_eq!(snake("studio-booking-users"), "studio_booking_users");
        assert_eq!(
            snake("UserQuestionSubmissions"),
            "user_question_submissions"
        );
        assert_eq!(snake("GSI1_AppId"), "gsi1_app_id");
    }
}
