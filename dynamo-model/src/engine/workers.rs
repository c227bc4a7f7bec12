//! The threads that the engine works on: a few of tokio's blocking threads, and never more of them.
//! A thousand queries at once would otherwise take them all, and keep the application's own work
//! waiting.
//!
//! Threads outside of tokio would not work: while one of them runs, a runtime with a paused clock
//! considers itself idle, and lets every timeout pass.

use tokio::sync::Semaphore;

/// The engine works on one request at a time; the other threads read and write JSON meanwhile.
const THREADS: usize = 4;

/// At most so many jobs at once; the others wait in the order in which they came.
pub(super) struct Workers(Semaphore);

impl Workers {
    pub(super) fn new() -> Self {
        Self(Semaphore::new(THREADS))
    }

    /// Returns the result of the job; `None` if it panicked. A job whose future is dropped while it
    /// waits never runs.
    pub(super) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce() -> T + Send + 'static,
    ) -> Option<T> {
        let _turn = self.0.acquire().await.ok()?;
        tokio::task::spawn_blocking(job).await.ok()
    }
}
