//! Shared helpers of the tests.

use crate::simulator::as_tester;
use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::BeforeSerializationInterceptorContextRef;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::types::AttributeValue;
use dynamo_model::{Dynamo, Error, Table};
use dynamo_model_examples::Pattern;
use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) type Outcome<T = (), E = Box<dyn std::error::Error>> = Result<T, E>;
pub(crate) type Item = HashMap<String, AttributeValue>;

/// Returns a document's item, as the table holds it.
pub(crate) fn item(json: &str) -> Item {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    serde_dynamo::to_item(json).unwrap()
}

/// Stored through the SDK.
pub(crate) async fn put_raw<T: Table>(db: &Dynamo, item: Item) -> Outcome {
    let request = db.client().put_item().table_name(db.table_name(&T::SCHEMA));
    request.set_item(Some(item)).send().await?;
    Ok(())
}

/// The only item of the table, read through the SDK.
pub(crate) async fn only_raw<T: Table>(db: &Dynamo) -> Outcome<Item> {
    let request = db.client().scan().table_name(db.table_name(&T::SCHEMA));
    let items = as_tester(request.send()).await?.items.unwrap();
    assert_eq!(items.len(), 1);
    Ok(items.into_iter().next().unwrap())
}

/// An item as the document has it: stored raw, read as `$item`, the raw one deleted, `$item`
/// written, and again the document's, attribute by attribute.
macro_rules! round_trip {
    ($db:expr, $table:ty, $entity:ty, $item:expr, $json:expr) => {{
        let (db, document) = ($db, $crate::support::item($json));
        // On the heap: a test has many of them, and unoptimised code keeps room for each.
        Box::pin(async {
            $crate::support::put_raw::<$table>(db, document.clone()).await?;
            let read = $crate::simulator::as_tester(<$entity>::scan().all(db)).await?;
            assert_eq!(read, [$item]);
            dynamo_model::Entity::delete(&read[0]).send(db).await?;
            dynamo_model::Entity::put(&read[0]).send(db).await?;
            assert_eq!($crate::support::only_raw::<$table>(db).await?, document);
            dynamo_model::Entity::delete(&read[0]).send(db).await?;
            <$crate::support::Outcome>::Ok(())
        })
        .await?;
    }};
}
pub(crate) use round_trip;

/// Asserts that every pattern has its expected result; twice, because each restores the data.
pub(crate) async fn assert_patterns(db: &Dynamo, patterns: &[Pattern]) {
    for round in 1..=2 {
        for pattern in patterns {
            let Pattern { number, name, .. } = pattern;
            let found = (pattern.run)(db).await;
            let outcome = found.map_err(|error| error.to_string());
            let outcome = outcome.and_then(|found| found.as_promised);
            assert_eq!(outcome, Ok(()), "{number} {name}, round {round}");
        }
    }
}

/// Returns the number of successes.
pub(crate) fn successes<T, E>(outcomes: &[Result<T, E>]) -> usize {
    outcomes.iter().filter(|outcome| outcome.is_ok()).count()
}

/// Runs so many tasks concurrently, on separate threads.
pub(crate) async fn at_once<T, F>(tasks: usize, task: impl Fn(usize) -> F) -> Vec<T>
where
    T: Send + 'static,
    F: Future<Output = T> + Send + 'static,
{
    let tasks: Vec<_> = (0..tasks).map(|n| tokio::spawn(task(n))).collect();
    let mut outcomes = Vec::new();
    for task in tasks {
        outcomes.push(task.await.unwrap());
    }
    outcomes
}

/// Records the counts of loaded items.
pub(crate) fn counting(counts: &mut Vec<usize>) -> impl FnMut(usize) + Send {
    move |count| counts.push(count)
}

/// Returns the engine of `DYNAMO_ENDPOINT`, or the embedded one; and a unique prefix for tables.
pub(crate) fn any_engine() -> Outcome<(Dynamo, String)> {
    let since = std::time::UNIX_EPOCH.elapsed()?;
    let name = format!("t{}", since.as_nanos());
    Ok(match std::env::var("DYNAMO_ENDPOINT") {
        Ok(url) => (Dynamo::endpoint(url), name),
        Err(_) => (embedded()?, name),
    })
}

pub(crate) fn embedded() -> Result<Dynamo, Error> {
    Dynamo::embedded()
}

/// Returns the same database, through a connection that breaks after so many requests. Tables have
/// their declared names.
pub(crate) fn cut_off_after(db: &Dynamo, requests: usize) -> Dynamo {
    let cut_off = CutOff(AtomicUsize::new(requests));
    let config = db.client().config().to_builder().interceptor(cut_off);
    Dynamo::new(Client::from_conf(config.build())).with_http_only_interceptors()
}

/// How many requests are left.
#[derive(Debug)]
struct CutOff(AtomicUsize);

impl Intercept for CutOff {
    fn name(&self) -> &'static str {
        "CutOff"
    }

    fn read_before_execution(
        &self,
        _: &BeforeSerializationInterceptorContextRef<'_>,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        let left = |left: usize| left.checked_sub(1);
        let counted = self
            .0
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, left);
        counted.map(drop).map_err(|_| "cut off".into())
    }
}
