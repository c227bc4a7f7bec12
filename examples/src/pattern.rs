//! An access pattern of a document, as the tour runs it.

use crate::recorder::Recorder;
use crate::sample::Failure;
use dynamo_model::Dynamo;
use dynamo_model::schema::Request;
use std::pin::Pin;

tokio::task_local! {
    /// Told when a pattern's call is done: what follows checks what it promises, and undoes it.
    static RECORDER: Recorder;
}

/// For [`pattern!`](crate::pattern): its call is done.
#[doc(hidden)]
pub fn called() {
    // Nobody records in a plain run.
    let _ = RECORDER.try_with(Recorder::pause);
}

/// What running a pattern gives, once it is awaited.
pub type Running<'a> = Pin<Box<dyn Future<Output = Result<Found, Failure>> + Send + 'a>>;

/// One access pattern: where the document has it, the typed call, and whether it does what is promised.
#[derive(Debug, Clone, Copy)]
pub struct Pattern {
    /// Its number or place in the document, as `3.2`.
    pub number: &'static str,
    /// Its name in the document.
    pub name: &'static str,
    /// The typed call, as it stands in the code.
    pub call: &'static str,
    /// Runs it, on the sample data.
    pub run: for<'a> fn(&'a Dynamo) -> Running<'a>,
}

impl Pattern {
    /// Runs it; gives also what the call sent and consumed, without what its check and its undoing did.
    pub async fn record(&self, db: &Dynamo, recorder: &Recorder) -> Recorded {
        // What was recorded before is not its own.
        let _ = recorder.take();
        let found = RECORDER.scope(recorder.clone(), (self.run)(db)).await;
        let (sent, consumed) = recorder.take();
        Recorded {
            found,
            sent,
            consumed,
        }
    }

    /// The call on one line.
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

/// What running a pattern came to.
#[derive(Debug)]
pub struct Recorded {
    /// What it found, or why it failed.
    pub found: Result<Found, Failure>,
    /// What the call sent.
    pub sent: Vec<Request>,
    /// The capacity units that the call consumed.
    pub consumed: f64,
}

/// What a pattern found.
#[derive(Debug)]
pub struct Found {
    /// How many items came back, or were written.
    pub items: usize,
    /// Whether they are what the document promises; or what is wrong.
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

/// A pattern, with its call written once: as code that runs and as text that is shown.
///
/// What is promised may read what the call has written; `then` undoes that, so that the pattern can run again.
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
