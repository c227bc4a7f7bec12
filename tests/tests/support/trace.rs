//! The fields of a trace.

use std::fmt::{Debug, Write};
use std::process::Command;
use std::sync::{Arc, Mutex};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Metadata, Subscriber};

/// Set in the process that [`alone`] starts.
const ALONE: &str = "DYNAMO_TEST_ALONE";

/// Returns whether this process runs only `test`; otherwise starts one that does, which must
/// succeed.
///
/// `tracing` caches for the whole process whether a subscriber listens to a span. A thread without
/// a subscriber that reaches a span first can make it ignore the subscriber of another thread. So a
/// test that listens must run alone.
pub fn alone(test: &str) -> bool {
    if std::env::var_os(ALONE).is_some() {
        return true;
    }
    let process = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test])
        .env(ALONE, "1")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&process.stdout);
    // A name that no test has is a success too, of no test.
    assert!(said.contains("1 passed"), "{test}, alone: {said}");
    false
}

/// Records the fields of our spans; or those of every span and event, of any target, up to a level.
#[derive(Clone, Default)]
pub struct Recorder {
    text: Arc<Mutex<String>>,
    every: Option<Level>,
}

impl Recorder {
    pub fn of_everything(level: Level) -> Self {
        Self {
            every: Some(level),
            ..Self::default()
        }
    }

    pub fn text(&self) -> String {
        self.text.lock().unwrap().clone()
    }
}

struct Fields<'a>(&'a mut String);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        let _ = write!(self.0, "{field}={value:?} ");
    }
}

impl Subscriber for Recorder {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        match self.every {
            Some(level) => *metadata.level() <= level,
            None => metadata.target().starts_with("dynamo_model"),
        }
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        span.record(&mut Fields(&mut self.text.lock().unwrap()));
        Id::from_u64(1)
    }

    fn record(&self, _: &Id, values: &Record<'_>) {
        values.record(&mut Fields(&mut self.text.lock().unwrap()));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, event: &Event<'_>) {
        event.record(&mut Fields(&mut self.text.lock().unwrap()));
    }
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}
