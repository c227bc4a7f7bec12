//! An access pattern of a document, as the tour runs it.

use crate::recorder::Recorder;
use crate::sample::Failure;
use dynamo_model::Dynamo;
use dynamo_model_tools::Request;
use std::pin::Pin;

tokio::task_local! {
    /// Notified when a pattern's call is done: the following requests check its result, and undo
    /// it.
    static RECORDER: Recorder;
}

/// For [`pattern!`](crate::pattern): its call is done.
#[doc(hidden)]
pub fn called() {
    // A plain run has no recorder.
    let _ = RECORDER.try_with(Recorder::pause);
}

/// The future of running a pattern.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Found, Failure>> + Send + 'a>>;

/// One access pattern: its place in the document, the typed call, and the check of its result.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// Its number or place in the document, as `3.2`.
    pub number: &'static str,
    /// Its name in the document.
    pub name: &'static str,
    /// The source text of the typed call.
    pub call: &'static str,
    /// Runs it, on the sample data.
    pub run: for<'a> fn(&'a Dynamo) -> Running<'a>,
}

impl Pattern {
    /// Runs it. Returns also the requests and consumption of the call, without those of its check
    /// and its undoing.
    pub async fn record(&self, db: &Dynamo, recorder: &Recorder) -> Recorded {
        // Earlier requests do not belong to it.
        let _ = recorder.take();
        let found = RECORDER.scope(recorder.clone(), (self.run)(db)).await;
        let (sent, consumed) = recorder.take();
        Recorded {
            found,
            sent,
            consumed,
        }
    }

    /// Returns the call on one line.
    #[must_use]
    pub fn call_line(&self) -> String {
        let words: Vec<_> = self.call.split_whitespace().collect();
        words
            .join(" ")
            .replace(" .", ".")
            .replace("( ", "(")
            .replace(" )", ")")
    }
}

/// The result of running a pattern.
#[derive(Debug)]
pub struct Recorded {
    /// Its items, or its error.
    pub found: Result<Found, Failure>,
    /// The requests of the call.
    pub sent: Vec<Request>,
    /// The capacity units that the call consumed.
    pub consumed: f64,
}

/// The items that a pattern found.
#[derive(Debug)]
pub struct Found {
    /// How many items came back, or were written.
    pub items: usize,
    /// Whether they are the expected ones; otherwise the difference.
    pub as_promised: Result<(), String>,
}

impl Found {
    /// So many items, and whether they are as promised.
    #[must_use]
    pub fn new(items: usize, as_promised: bool, promise: &str) -> Self {
        let as_promised = if as_promised {
            Ok(())
        } else {
            Err(format!("expected {promise}"))
        };
        Self { items, as_promised }
    }
}

/// Defines a pattern whose call is written once: as code that runs and as text that is shown.
///
/// The check may read the items that the call has written; `then` undoes the call, so that the
/// pattern can run again.
#[macro_export]
macro_rules! pattern {
    (
        $number:literal, $name:literal,
        |$db:ident| $call:expr,
        |$found:ident| $items:expr => $promised:expr, $promise:literal
        $(, then $undo:expr)? $(,)?
    ) => {
        $crate::Pattern {
            number: $number,
            name: $name,
            call: stringify!($call),
            run: |$db| {
                Box::pin(async move {
                    let $found = $call;
                    $crate::called();
                    let found = $crate::Found::new($items, $promised, $promise);
                    $( $undo; )?
                    Ok(found)
                })
            },
        }
    };
}
