//! Threads: "1 000 queries at once starve other `spawn_blocking` users for 11 s".

use crate::{Note, Notes, Outcome, note};
use dynamo_model::{BatchWrite, Dynamo, Entity, Table};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Of the five blocking threads the engine takes four. So work of the application begins at once,
/// and not behind a thousand queries.
#[test]
fn a_thousand_queries_leave_blocking_threads_free() -> Outcome {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .max_blocking_threads(5)
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let db = Dynamo::embedded()?;
        Notes::create_table(&db).await?;
        let notes: Vec<_> = (0..100).map(|number| note(number, "a")).collect();
        BatchWrite::new().puts(&notes).send(&db).await?;
        let finished = Arc::new(AtomicUsize::new(0));
        let queries = (0..1_000).map(|_| {
            let (db, finished) = (db.clone(), Arc::clone(&finished));
            tokio::spawn(async move {
                let read = Note::query("u1").all(&db).await;
                finished.fetch_add(1, Ordering::Relaxed);
                read
            })
        });
        let queries: Vec<_> = queries.collect();
        // All of them wait for their turn.
        while finished.load(Ordering::Relaxed) < 10 {
            tokio::task::yield_now().await;
        }
        tokio::task::spawn_blocking(|| {}).await?;
        let before = finished.load(Ordering::Relaxed);
        assert!(before < 900, "the application waited for {before} queries");
        for query in queries {
            assert_eq!(query.await??.len(), 100);
        }
        Ok(())
    })
}

/// A paused clock does not advance while the engine works: no request times out.
#[tokio::test(start_paused = true)]
async fn no_request_times_out_on_a_paused_clock() -> Outcome {
    let db = Dynamo::embedded()?;
    Notes::create_table(&db).await?;
    let puts = (0..50).map(|number| {
        let db = db.clone();
        tokio::spawn(async move { note(number, &"x".repeat(10_000)).put().send(&db).await })
    });
    for put in puts.collect::<Vec<_>>() {
        put.await??;
    }
    assert_eq!(Note::query("u1").count(&db).await?, 50);
    Ok(())
}
