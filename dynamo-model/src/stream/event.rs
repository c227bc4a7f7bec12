//! A Lambda function's event, and its answer.

use super::change::{Change, Streamed};
use super::images::HasBothImages;
use super::record::StreamRecord;
use crate::error::Error;
use crate::op::Each;
use core::pin::Pin;
use core::task::{Context, Poll, ready};
use serde::{Deserialize, Serialize};
use std::fmt::{self, Display};

/// The event of a Lambda function: a batch of records, in order.
///
/// ```
/// use dynamo_model::{DynamoEntity, DynamoTable};
/// use dynamo_model::stream::{BatchFailures, Change, StreamEvent};
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
/// async fn welcome(change: Change<User>, _: dynamo_model::stream::StreamRecord) -> Result<(), String> {
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
    /// Skips items that belong to no entity of the items enum, where [`Change::of`] returns an
    /// error: for a consumer that is deployed later than the writers.
    #[must_use]
    pub fn skip_unknown(mut self) -> Self {
        self.skip_unknown = true;
        self
    }

    /// Handles the changes one after the other. Stops at the first record that fails or cannot be
    /// read: Lambda delivers that record and the later ones again, so that the changes of an item
    /// keep their order. A `tracing` event names the failed record and the reason.
    ///
    /// A record that can never be read stops its shard until Lambda drops it. To continue after it,
    /// decide on each record with [`each`](Self::each).
    ///
    /// The function must be declared with `FunctionResponseTypes: [ReportBatchItemFailures]`;
    /// otherwise Lambda ignores the answer, and takes the whole batch for done.
    pub fn for_each<T, M, H, F, E>(self, handle: H) -> Handling<T, Change<T>, H, F>
    where
        T: Streamed<M>,
        T::Table: HasBothImages,
        H: FnMut(Change<T>, StreamRecord) -> F,
        F: Future<Output = Result<(), E>>,
        E: Display,
    {
        Handling::new(self, Change::of, |change| change, handle)
    }

    /// Hands out each record's change as a `Result`, so that one record that cannot be read does
    /// not stop the others.
    ///
    /// ```
    /// use dynamo_model::{DynamoEntity, DynamoTable, Error};
    /// use dynamo_model::stream::{BatchFailures, Change, StreamEvent, StreamRecord};
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
    /// async fn handler(event: StreamEvent) -> BatchFailures {
    ///     event.each().for_each(welcome).await
    /// }
    ///
    /// // `Ok` continues with the next record; `Err` makes Lambda deliver this record and all
    /// // later ones again.
    /// async fn welcome(change: Result<Change<User>, Error>, record: StreamRecord) -> Result<(), String> {
    ///     match change {
    ///         Ok(change) => println!("welcome, {:?}", change.into_new().map(|user| user.user_id)),
    ///         Err(error) => eprintln!("kept for later: {}: {error}", record.sequence_number),
    ///     }
    ///     Ok(())
    /// }
    /// ```
    pub fn each(self) -> Each<Self> {
        Each(self)
    }
}

impl Each<StreamEvent> {
    /// Handles the changes one after the other, those that cannot be read included. The first one
    /// for which `handle` fails ends it: Lambda delivers that record again, and those after it.
    pub fn for_each<T, M, H, F, E>(self, handle: H) -> Handling<T, Result<Change<T>, Error>, H, F>
    where
        T: Streamed<M>,
        T::Table: HasBothImages,
        H: FnMut(Result<Change<T>, Error>, StreamRecord) -> F,
        F: Future<Output = Result<(), E>>,
        E: Display,
    {
        Handling::new(self.0, Change::of, Ok, handle)
    }
}

/// The changes of a batch, handled one after the other when it is awaited; made by
/// [`StreamEvent::for_each`].
#[must_use = "nothing is handled until it is awaited"]
pub struct Handling<T, C, H, F> {
    records: std::vec::IntoIter<StreamRecord>,
    skip_unknown: bool,
    read: fn(&StreamRecord) -> Result<Option<Change<T>>, Error>,
    /// Returns the argument of the handler for a record, or the error that ends the batch.
    take: fn(Result<Change<T>, Error>) -> Result<C, Error>,
    handle: H,
    under_way: Option<(Handled, Pin<Box<F>>)>,
}

/// Which record is handled.
struct Handled {
    event_id: String,
    sequence_number: String,
}

impl Handled {
    fn failed(self, error: &dyn Display) -> BatchFailures {
        let Self {
            event_id,
            sequence_number,
        } = self;
        tracing::error!(event_id, sequence_number, "{error}");
        BatchFailures {
            batch_item_failures: vec![BatchItemFailure {
                item_identifier: sequence_number,
            }],
        }
    }
}

impl<T, C, H, F> Handling<T, C, H, F> {
    fn new(
        event: StreamEvent,
        read: fn(&StreamRecord) -> Result<Option<Change<T>>, Error>,
        take: fn(Result<Change<T>, Error>) -> Result<C, Error>,
        handle: H,
    ) -> Self {
        Self {
            records: event.records.into_iter(),
            skip_unknown: event.skip_unknown,
            read,
            take,
            handle,
            under_way: None,
        }
    }
}

/// No field is pinned in place; futures are boxed.
impl<T, C, H, F> Unpin for Handling<T, C, H, F> {}

impl<T, C, H, F, E> Future for Handling<T, C, H, F>
where
    H: FnMut(C, StreamRecord) -> F,
    F: Future<Output = Result<(), E>>,
    E: Display,
{
    type Output = BatchFailures;

    fn poll(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<BatchFailures> {
        let this = self.get_mut();
        loop {
            if let Some((_, handling)) = &mut this.under_way {
                let outcome = ready!(handling.as_mut().poll(cx));
                let handled = this.under_way.take();
                if let (Some((handled, _)), Err(error)) = (handled, outcome) {
                    return Poll::Ready(handled.failed(&error));
                }
            }
            let Some(record) = this.records.next() else {
                return Poll::Ready(BatchFailures::default());
            };
            let change = match (this.read)(&record) {
                Err(error) if this.skip_unknown && error.is_other_entity() => continue,
                read => match read.transpose() {
                    Some(change) => (this.take)(change),
                    None => continue,
                },
            };
            let handled = Handled {
                event_id: record.event_id.clone(),
                sequence_number: record.sequence_number.clone(),
            };
            match change {
                Ok(change) => {
                    let handling = Box::pin((this.handle)(change, record));
                    this.under_way = Some((handled, handling));
                }
                Err(error) => return Poll::Ready(handled.failed(&error)),
            }
        }
    }
}

impl<T, C, H, F> fmt::Debug for Handling<T, C, H, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Handling").finish_non_exhaustive()
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

/// The response of a Lambda function: the records to deliver again. For a stream, Lambda continues
/// from the first of them, so one is enough; an empty list is success.
///
/// ```
/// use dynamo_model::stream::BatchFailures;
///
/// assert_eq!(serde_json::to_string(&BatchFailures::default())?, r#"{"batchItemFailures":[]}"#);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[must_use = "Lambda takes the whole batch for done unless it gets this"]
pub struct BatchFailures {
    /// The records to deliver again.
    pub batch_item_failures: Vec<BatchItemFailure>,
}

impl BatchFailures {
    /// Returns whether every record was handled.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.batch_item_failures.is_empty()
    }
}

/// A record to deliver again; see [`BatchFailures`].
///
/// ```
/// use dynamo_model::stream::{BatchFailures, BatchItemFailure, StreamRecord};
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
    /// Returns the sequence number of this record.
    #[must_use]
    pub fn of(record: &StreamRecord) -> Self {
        Self {
            item_identifier: record.sequence_number.clone(),
        }
    }
}
