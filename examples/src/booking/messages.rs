//! Mails and push notifications, which leave the studio. A service such as SES or SNS sends them.

use super::UserId;
use crate::Failure;

/// How a message reaches its user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Channel {
    /// To this address.
    Mail(String),
    /// To the devices of this user.
    Push(UserId),
}

/// A mail or a push notification.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The same whenever the stream record is repeated: a service that stores it sends the message
    /// once.
    pub id: String,
    /// How it reaches its user.
    pub channel: Channel,
    /// The subject of a mail, the first line of a push notification.
    pub title: String,
    /// The text.
    pub content: String,
}

/// Sends messages.
pub trait Messenger: Sync {
    /// Sends one. After an error the stream record is delivered again, and so is the message, with
    /// its id.
    fn send(&self, message: Message) -> impl Future<Output = Result<(), Failure>> + Send;
}
