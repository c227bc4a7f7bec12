//! What the function does with an event.

use dynamo_model::prelude::{Dynamo, StreamEvent};
use dynamo_model_examples::Failure;
use dynamo_model_examples::booking::{Message, Messenger, on_notifications};
use serde::Serialize;

/// Handles the records of an event in their order. Lambda delivers a record that fails again, and
/// those after it; a record that comes twice changes nothing the second time.
///
/// The event source mapping needs `FunctionResponseTypes: [ReportBatchItemFailures]`.
pub(crate) async fn handler(db: &Dynamo, event: StreamEvent) -> impl Serialize + use<> {
    on_notifications(db, &Log, event).await
}

/// Writes pushes to the log. A real one calls SNS.
struct Log;

impl Messenger for Log {
    async fn send(&self, message: Message) -> Result<(), Failure> {
        eprintln!("push {}: {}", message.id, message.title);
        Ok(())
    }
}
