//! A Lambda function's event, and its answer.

use super::change::{Change, Streamed};
use super::record::StreamRecord;
use serde::{Deserialize, Serialize};
use std::fmt::Display;

/// What Lambda calls a function with: a batch of records, in order.
///
/// ```
/// use dynamo_model::{BatchFailures, Change, DynamoEntity, DynamoTable, StreamEvent};
///
/// #[derive(DynamoTable)]
/// #[table(name = "Users", pk = "PK", stream = new_and_old_images)]
/// struct Users;
///
/// #[derive(DynamoEntity, serde::Serialize, serde::Deserialize)]
/// #[dynamo(table = Users)]
/// #[pk("USER#<user_id>")]
/// struct User {
///     user_id: String,
/// }
///
/// // With the `lambda_runtime` crate: `LambdaEvent<StreamEvent>`, and the rest is the same.
/// async fn handler(event: StreamEvent) -> BatchFailures {
///     event.for_each(welcome).await
/// }
///
/// async fn welcome(change: Change<User>, _: dynamo_model::StreamRecord) -> Result<(), String> {
///     match change {
///         Change::Inserted(user) if user.user_id == "u2" => Err("no address".into()),
///         _ => Ok(()),
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), serde_json::Error> {
/// let record = |number: u32| serde_json::json!({
///     "eventName": "INSERT",
///     "dynamodb": {
///         "Keys": { "PK": { "S": format!("USER#u{number}") } },
///         "NewImage": { "PK": { "S": format!("USER#u{number}") }, "user_id": { "S": format!("u{number}") } },
///         "SequenceNumber": number.to_string(),
///     },
/// });
/// let event = serde_json::json!({ "Records": [record(1), record(2), record(3)] });
///
/// // The second failed: Lambda delivers it again, and what came after it.
/// let failures = handler(serde_json::from_value(event)?).await;
/// assert_eq!(
///     serde_json::to_string(&failures)?,
///     r#"{"batchItemFailures":[{"itemIdentifier":"2"}]}"#,
/// );
/// # Ok(())
/// # }
/// ```
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[non_exhaustive]
pub struct StreamEvent {
    /// The records, in the order of their shard.
    #[serde(rename = "Records")]
    pub records: Vec<StreamRecord>,
    #[serde(skip)]
    skip_unknown: bool,
}

impl StreamEvent {
    /// Leaves out items that are of no entity of the items enum, where [`Change::of`] gives an error: for a
    /// consumer that is deployed later than those who write.
    #[must_use]
    pub fn skip_unknown(mut self) -> Self {
        self.skip_unknown = true;
        self
    }

    /// Handles the changes one after the other. The first one that fails, or cannot be read, ends it: Lambda
    /// delivers that record again, and those after it, so that an item's changes keep their order. What went wrong is a
    /// `tracing` event, with the record's id.
    ///
    /// The function must be declared with `FunctionResponseTypes: [ReportBatchItemFailures]`; otherwise Lambda ignores the
    /// answer, and takes the whole batch for done.
    pub async fn for_each<T, M, F, E>(
        self,
        mut handle: impl FnMut(Change<T>, StreamRecord) -> F,
    ) -> BatchFailures
    where
        T: Streamed<M>,
        F: Future<Output = Result<(), E>>,
        E: Display,
    {
        for record in self.records {
            let failure = BatchItemFailure::of(&record);
            let (id, number) = (record.event_id.clone(), record.sequence_number.clone());
            let failed = |error: &dyn Display| {
                tracing::error!(event_id = id, sequence_number = number, "{error}");
                BatchFailures {
                    batch_item_failures: vec![failure],
                }
            };
            match Change::of(&record) {
                Ok(None) => {}
                Ok(Some(change)) => {
                    if let Err(error) = handle(change, record).await {
                        return failed(&error);
                    }
                }
                Err(error) if self.skip_unknown && error.is_other_entity() => {}
                Err(error) => return failed(&error),
            }
        }
        BatchFailures::default()
    }
}

impl From<Vec<StreamRecord>> for StreamEvent {
    fn from(records: Vec<StreamRecord>) -> Self {
        Self {
            records,
            skip_unknown: false,
        }
    }
}

/// A Lambda function's answer: which records to deliver again. Of a stream, Lambda goes on from the first of them,
/// so one is enough; none is success.
///
/// ```
/// use dynamo_model::BatchFailures;
///
/// assert_eq!(serde_json::to_string(&BatchFailures::default())?, r#"{"batchItemFailures":[]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[must_use = "Lambda takes the whole batch for done unless it gets this"]
pub struct BatchFailures {
    /// Where to go on from.
    pub batch_item_failures: Vec<BatchItemFailure>,
}

impl BatchFailures {
    /// Whether everything was handled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.batch_item_failures.is_empty()
    }
}

/// A record to deliver again; see [`BatchFailures`].
///
/// ```
/// use dynamo_model::{BatchFailures, BatchItemFailure, StreamRecord};
///
/// // For a loop of one's own.
/// fn again_from(record: &StreamRecord) -> BatchFailures {
///     BatchFailures { batch_item_failures: vec![BatchItemFailure::of(record)] }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BatchItemFailure {
    /// Its sequence number.
    pub item_identifier: String,
}

impl BatchItemFailure {
    /// Of this record.
    #[must_use]
    pub fn of(record: &StreamRecord) -> Self {
        Self {
            item_identifier: record.sequence_number.clone(),
        }
    }
}
